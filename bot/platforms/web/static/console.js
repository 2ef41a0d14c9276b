// The operator's console: turns the fields of a form into a command, and redraws what an act changed.
"use strict";

// Quote a value of several words. Leave unchanged values out; four changed ones together are one argument.
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

// A person chosen from the list is named by that choice, because others may have the same name.
function pickedIn(field) {
  return [...(field.list?.options ?? [])].find((one) => one.value === field.value)?.dataset.pick;
}

// Search people as their name is typed; those at the table come first in the list.
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

// The browser itself reports missing or malformed values, in the reader's language, and focuses the field. Limits are
// checked by the server, which explains them.
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

// Runs before the press is handled (lounge.js), so that the button shows its final words.
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
  if (reason) reason.value = ""; // the reason was for that act alone
}

addEventListener("click", compose, true);
addEventListener("submit", (event) => {
  if ("act" in event.target.dataset) event.preventDefault();
});
addEventListener("answered", ({ detail }) => {
  if (!detail.refused) void drawAnew();
});
