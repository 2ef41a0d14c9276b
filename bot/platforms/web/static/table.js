// A table on one screen: the chip in the hand, keys, and the drawer beside the felt.
"use strict";

const at = document.querySelector(".at");
// From here on presses are taken.
delete at.dataset.loading;
const rules = document.querySelector("[data-beside]");
const drawer = document.querySelector("[data-drawer]");

// Parts that few tables need are set up when they appear.
function fetchScript(name) {
  return new Promise((done, fail) => {
    const script = document.createElement("script");
    Object.assign(script, { src: `/static/${name}.js`, async: false, onload: done, onerror: fail });
    document.head.append(script);
  });
}

let squeezing = null;

function keepSqueeze() {
  if (squeezing || !document.querySelector("[data-bends]")) return;
  squeezing = fetchScript("squeeze").catch(() => {
    squeezing = null;
  });
}

// A chip is the amount, a place on the felt the target: of a place's bets the one with this chip is shown.

function takeChip(number) {
  at.dataset.chip = number;
  for (const chip of document.querySelectorAll("[data-chip]:is(button)")) {
    chip.setAttribute("aria-pressed", String(chip.dataset.chip === number));
  }
}

function keepChip() {
  const isThere = document.querySelector(`button[data-chip="${at.dataset.chip}"]`);
  takeChip(isThere ? at.dataset.chip : "1");
}

addEventListener("click", ({ target }) => {
  const chip = target.closest("button[data-chip]");
  if (chip) takeChip(chip.dataset.chip);
  if (chip) fileSlip();
});

// The slip of a paid hand covers the spots for the next bets until a chip is picked up, or for a while.

const READS_MS = 8000;
let slip = "";
let files = 0;

function keepSlip() {
  const shown = document.querySelector(".own:has(.spots) .paid")?.dataset.hand ?? "";
  if (shown === slip) return;
  slip = shown;
  clearTimeout(files);
  at.classList.toggle("has-slip", Boolean(shown));
  // After a practice hand there are no bets.
  if (shown && live) files = setTimeout(fileSlip, READS_MS);
}

function fileSlip() {
  if (!at.classList.contains("has-slip")) return;
  at.classList.remove("has-slip");
  rest(spots());
}

const changes = new MutationObserver(() => {
  keepSqueeze();
  keepChip();
  keepSlip();
  lift(at.dataset.lifted);
  keepAhead();
});
for (const part of ["felt", "mine"]) {
  changes.observe(document.querySelector(`[data-part="${part}"]`), { childList: true, subtree: true });
}
keepSqueeze();
keepChip();
keepSlip();

// B places a chip on the last spot, or on the one that the arrows have focused.

const SPOTS = ".target, [data-lays]";
let marked = "";
let markedAt = "";

function spots() {
  return [...document.querySelectorAll(SPOTS)].filter((one) => one.checkVisibility());
}

function placeOf(button) {
  return button.closest(".area, .cell, .seat, .spot, .announced").dataset.key;
}

function markedSpot() {
  const found = spots();
  const same = found.find(({ dataset }) => dataset.key === marked);
  return same ?? found.find((one) => placeOf(one) === markedAt) ?? found[0];
}

function markSpot(button) {
  marked = button.dataset.key;
  markedAt = placeOf(button);
}

for (const kind of ["click", "focusin"]) {
  addEventListener(kind, ({ target }) => {
    const button = target.closest(SPOTS);
    if (button) markSpot(button);
  });
}

// The nearest spot in this direction.
function spotBeside(button, key) {
  const [alongX, sign] = { ArrowLeft: [true, -1], ArrowRight: [true, 1], ArrowUp: [false, -1], ArrowDown: [false, 1] }[key];
  const [x, y] = middleOf(button);
  const beside = spots().map((one) => {
    const [dx, dy] = middleOf(one).map((at, axis) => at - [x, y][axis]);
    const [along, across] = alongX ? [dx * sign, Math.abs(dy)] : [dy * sign, Math.abs(dx)];
    return { one, along, far: along + 3 * across };
  });
  return beside.filter(({ along }) => along > 1).sort((a, b) => a.far - b.far)[0]?.one;
}

// Only the choice about the lifted card is shown.

function lift(number) {
  const cards = [...document.querySelectorAll("[data-lift]")];
  const isThere = cards.some((card) => card.dataset.lift === number);
  if (isThere) at.dataset.lifted = number;
  else delete at.dataset.lifted;
  for (const card of cards) card.setAttribute("aria-pressed", String(isThere && card.dataset.lift === number));
}

lift("");
addEventListener("click", ({ target }) => {
  const card = target.closest("[data-lift]");
  if (!card) return;
  lift(card.dataset.lift === at.dataset.lifted ? "" : card.dataset.lift);
  rest([...document.querySelectorAll(".by-card button")]);
});

// A choice made before the turn is submitted half a second after the turn comes, if nothing has changed by then. A
// press on its place in that time takes it back.

let wished = null;
let due = 0;

addEventListener("click", ({ target }) => {
  const button = target.closest("[data-ahead]");
  if (!button) return;
  const isWished = button.getAttribute("aria-pressed") === "true";
  for (const one of document.querySelectorAll("[data-ahead]")) {
    one.setAttribute("aria-pressed", String(one === button && !isWished));
  }
  wished = isWished ? null : { words: JSON.parse(button.dataset.ahead), fresh: button.dataset.fresh };
});

function dropAhead() {
  clearTimeout(due);
  due = 0;
  wished = null;
  for (const one of document.querySelectorAll(".is-due")) one.classList.remove("is-due");
}

function chosenAhead() {
  const choices = [...document.querySelectorAll(".choices [data-press]")];
  const found = wished?.words.map((word) => choices.find(({ dataset }) => dataset.verb === word && dataset.fresh === wished.fresh));
  return found?.find(Boolean);
}

function keepAhead() {
  for (const one of document.querySelectorAll("[data-ahead]:not([aria-pressed])")) one.setAttribute("aria-pressed", "false");
  if (!wished || document.querySelector('[data-ahead][aria-pressed="true"]')) return;
  const button = chosenAhead();
  if (!button) return dropAhead();
  button.classList.add("is-due");
  due ||= setTimeout(doAhead, REST_MS + 1);
}

function doAhead() {
  const button = chosenAhead();
  const isLive = button && !isLost();
  dropAhead();
  if (isLive) void pressButton(button, false);
}

// Runs before the guard of presses, so that a resting choice can be taken back.
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, ({ target, key }) => {
    const isOfIt = kind === "pointerdown" ? target.closest(".choices") : key === "Escape" || buttonOf(key.toUpperCase());
    if (due && isOfIt) dropAhead();
  }, true);
}
keepAhead();

// The drawer: open beside a wide felt, otherwise over the felt's upper part on request. One of its tabs is shown.

const tabs = [...document.querySelectorAll('[role="tab"]')];

function openDrawer(isOpen) {
  const within = document.getElementById("drawer");
  const hasFocus = within.contains(document.activeElement);
  at.classList.toggle("shows-drawer", isOpen);
  drawer.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) void readRules();
  // A closed drawer holds no focus: it goes to the button that opens the drawer.
  else if (hasFocus && !within.checkVisibility()) drawer.focus();
}

function showTab(name) {
  for (const tab of tabs) {
    const isShown = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isShown;
  }
}

addEventListener("click", ({ target }) => {
  const tab = target.closest('[role="tab"]');
  if (tab) showTab(tab.getAttribute("aria-controls"));
});

// By the ARIA pattern of tabs: arrows wrap around, Home and End go to the ends.
addEventListener("keydown", (event) => {
  const from = tabs.indexOf(event.target);
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (from < 0 || to === undefined) return;
  const tab = tabs.at(to % tabs.length);
  showTab(tab.getAttribute("aria-controls"));
  tab.focus();
  event.preventDefault();
});

// Payouts, rules and odds are parts of the rules page, fetched once.
async function readRules() {
  if (rules.childElementCount) return;
  const answer = await fetch(rules.dataset.beside);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = [...page.querySelectorAll("main section > *")].filter((node) => !node.matches("nav, h1, .row"));
  const [pays, odds] = ["pays", "odds"].map((part) => found.findIndex(({ id }) => id === part));
  // The tab replaces its first heading.
  rules.replaceChildren(...found.slice(pays + 1, odds));
  document.querySelector("#rules .beside").replaceChildren(...found.slice(0, pays));
  document.querySelector("#odds .beside").replaceChildren(...found.slice(odds));
  found[odds].removeAttribute("id");
}

drawer.addEventListener("click", () => openDrawer(!at.classList.contains("shows-drawer")));
if (matchMedia("(min-width: 1000px) and (min-height: 600px)").matches) void readRules();

// A key does what its button does, with the same rest.

// An own card comes before a chip of the same number.
function buttonOf(key) {
  const found = document.querySelectorAll(":is(.print, .mine) [aria-keyshortcuts]");
  return [...found].find((button) => button.getAttribute("aria-keyshortcuts") === key && button.checkVisibility());
}

addEventListener("keydown", (event) => {
  // A dismissed question has the focus until the page is redrawn.
  if (event.target.closest("input, textarea, dialog")?.checkVisibility()) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  // Buttons show their keys until the next key.
  const isAsked = event.key === "?" && !at.classList.contains("shows-keys");
  if (event.key !== "Shift") at.classList.toggle("shows-keys", isAsked);
  if (event.key === "Escape") openDrawer(false);
  if (event.key === "g") openDrawer(!at.classList.contains("shows-drawer"));
  if (event.key === "/") {
    openDrawer(true);
    showTab("more");
  }
  if (event.key.startsWith("Arrow") && event.target.matches(SPOTS)) {
    spotBeside(event.target, event.key)?.focus();
    event.preventDefault();
    return;
  }
  const button = buttonOf(event.key.toUpperCase()) ?? (event.key === "b" ? markedSpot() : null);
  if (!button) return;
  // It may open a field, where the key would be typed.
  event.preventDefault();
  button.click();
}, true);
