// A table on one screen: the chip in the hand, keys, what lies beside the felt.
"use strict";

const at = document.querySelector(".at");
const rules = document.querySelector("[data-beside]");
const drawer = document.querySelector("[data-drawer]");

// What not every table needs comes when it does.
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

// A chip is how much, a place on the felt is where: of the bets on a place the one of this chip is shown.

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

// The slip of a paid hand lies on the spots for the next bets until a chip is taken in hand, or for a while.

const READS_MS = 8000;
let slip = "";
let files = 0;

function keepSlip() {
  const shown = document.querySelector(".own:has(.spots) .paid")?.dataset.hand ?? "";
  if (shown === slip) return;
  slip = shown;
  clearTimeout(files);
  at.classList.toggle("has-slip", Boolean(shown));
  // At a practice hand nothing is bet afterwards.
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

// B lays a chip where one was laid last, or where the focus was moved by arrows.

const SPOTS = ".target, [data-lays]";
let marked = "";
let markedAt = "";

function spots() {
  return [...document.querySelectorAll(SPOTS)].filter((one) => one.checkVisibility());
}

function placeOf(button) {
  return button.closest(".area, .cell, .seat, .spot").dataset.key;
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

// The next spot in this direction, the nearest first.
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

// A card that is lifted is the one that a choice beside the others is about.

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

// What is chosen before one's turn is done half a second after it comes, if nothing has changed by then. A press of its
// place in that time takes it back.

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

// It goes before the guard of presses, so that what rests can be taken back.
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, ({ target, key }) => {
    const isOfIt = kind === "pointerdown" ? target.closest(".choices") : key === "Escape" || buttonOf(key.toUpperCase());
    if (due && isOfIt) dropAhead();
  }, true);
}
keepAhead();

// The drawer: open beside a wide felt, else over the felt's upper part when it is asked for. Of its tabs one is shown.

const tabs = [...document.querySelectorAll('[role="tab"]')];

function openDrawer(isOpen) {
  const within = document.getElementById("drawer");
  const hasFocus = within.contains(document.activeElement);
  at.classList.toggle("shows-drawer", isOpen);
  drawer.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) void readRules();
  // What is closed can hold no focus: it goes to where the drawer opens.
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

// As the pattern of tabs has it: arrows go round, Home and End to its ends.
addEventListener("keydown", (event) => {
  const from = tabs.indexOf(event.target);
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (from < 0 || to === undefined) return;
  const tab = tabs.at(to % tabs.length);
  showTab(tab.getAttribute("aria-controls"));
  tab.focus();
  event.preventDefault();
});

// Pays, rules and odds are the page of the rules itself, read once.
async function readRules() {
  if (rules.childElementCount) return;
  const answer = await fetch(rules.dataset.beside);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = [...page.querySelectorAll("main section > *")].filter((node) => !node.matches("nav, h1, .row"));
  const [pays, odds] = ["pays", "odds"].map((part) => found.findIndex(({ id }) => id === part));
  // The tab says what its first heading would.
  rules.replaceChildren(...found.slice(pays + 1, odds));
  document.querySelector("#rules .beside").replaceChildren(...found.slice(0, pays));
  document.querySelector("#odds .beside").replaceChildren(...found.slice(odds));
  found[odds].removeAttribute("id");
}

drawer.addEventListener("click", () => openDrawer(!at.classList.contains("shows-drawer")));
if (matchMedia("(min-width: 1000px) and (min-height: 600px)").matches) void readRules();

// Keys do what their place does, its rest included.

// A card of one's own comes before a chip of the same number.
function buttonOf(key) {
  const found = document.querySelectorAll(":is(.print, .mine) [aria-keyshortcuts]");
  return [...found].find((button) => button.getAttribute("aria-keyshortcuts") === key && button.checkVisibility());
}

addEventListener("keydown", (event) => {
  // A question that was just put away has the focus until the page is drawn again.
  const isTyping = event.target.closest("input, textarea, dialog")?.checkVisibility();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  // Which key does what stands on the buttons themselves, until the next key.
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
  event.preventDefault(); // it may open a field, where the key would be a letter
  button.click();
}, true);
