// A finished hand, step by step: by the arrow keys, or automatically.
"use strict";

const PLAYS = "#play";
const STEP_MS = 1500;
const button = document.querySelector("[data-plays]");
const next = document.querySelector('[rel="next"]');

function turn() {
  location.replace(next.href + PLAYS);
}

if (next) {
  button.disabled = false;
  button.addEventListener("click", () => (location.hash === PLAYS ? location.replace("#") : turn()));
}

let timer = 0;

function show() {
  clearTimeout(timer);
  if (location.hash !== PLAYS || !next) return;
  button.textContent = button.dataset.pause;
  timer = setTimeout(turn, STEP_MS);
}

const starts = button.textContent;
addEventListener("hashchange", () => {
  button.textContent = starts;
  show();
});
show();

addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft") document.querySelector('[rel="prev"]')?.click();
  if (event.key === "ArrowRight") next?.click();
});
