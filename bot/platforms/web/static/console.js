// The operator's console: a form's fields become the words of its command; what an act changed is drawn anew.
"use strict";

// A value of several words stands in quotes. What is left as it was is not said; four at a time are one word to the house.
function wordsOf(form) {
  const plain = [];
  const named = [];
  for (const field of form?.querySelectorAll("[data-field]") ?? []) {
    const value = field.value.trim();
    const { word, quoted } = field.dataset;
    if (!value || (word && value === usualOf(field))) continue;
    const said = pickedIn(field) ?? (quoted === undefined ? value : `"${value}"`);
    if (word) named.push(`${word} ${said}`);
    else plain.push(said);
  }
  for (let at = 0; at < named.length; at += 4) plain.push(named.slice(at, at + 4).join(" "));
  return plain;
}

// Somebody who was chosen from the list is named by it, and not by a name that others may have too.
function pickedIn(field) {
  return [...(field.list?.options ?? [])].find((one) => one.value === field.value)?.dataset.pick;
}

// People are found as their name is typed; the list shows those at the table first.
async function findPeople({ target: field }) {
  if (!("people" in (field.dataset ?? {}))) return;
  const wanted = field.value;
  const answer = await fetch(`${document.body.dataset.base}/people?name=${encodeURIComponent(wanted)}`);
  if (!answer.ok || field.value !== wanted) return;
  const options = (await answer.json()).map(({ name, pick }) => {
    const option = document.createElement("option");
    option.value = name;
    option.dataset.pick = pick;
    return option;
  });
  field.list.replaceChildren(...options);
}

for (const kind of ["focusin", "input"]) addEventListener(kind, findPeople);

function usualOf(field) {
  return field.options ? [...field.options].find((one) => one.defaultSelected)?.value : field.defaultValue;
}

// What is missing, or cannot be read at all, is asked for by the browser, in the reader's language, and has the focus
// then. What is too much or too little the house refuses, in its own words.
function isWhole({ form, dataset }, reason) {
  const isThere = ({ validity: { valueMissing, badInput } }) => !valueMissing && !badInput;
  if (form && ![...form.elements].every(isThere)) return form.reportValidity();
  const place = document.getElementById("reason");
  if (!("reasoned" in dataset) || reason) return true;
  place.required = true;
  place.reportValidity();
  place.required = false;
  return false;
}

let acted = null;

// Before the press is taken (lounge.js): what it says stands on its button then.
function compose(event) {
  const button = event.target.closest("button[data-first]");
  if (!button) return;
  const { first, because } = button.dataset;
  const reason = because ?? document.getElementById("reason")?.value.trim() ?? "";
  if (!isWhole(button, reason)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const said = [...JSON.parse(first), ...wordsOf(button.form), ...(reason ? [reason] : [])];
  button.dataset.args = JSON.stringify(said);
  acted = button.form;
}

async function drawAnew() {
  const answer = await fetch(window.frame?.address() ?? location.href);
  if (!answer.ok) {
    if (window.frame) frame.back();
    else location.assign(`${document.body.dataset.base}/operator`);
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const parts = [...fresh.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part.innerHTML]);
  showParts(Object.fromEntries(parts));
  acted?.reset();
  const reason = document.getElementById("reason");
  if (reason) reason.value = ""; // it was for that act alone
}

addEventListener("click", compose, true);
addEventListener("submit", (event) => {
  if ("act" in event.target.dataset) event.preventDefault();
});
addEventListener("answered", ({ detail }) => {
  if (!detail.refused) void drawAnew();
});
