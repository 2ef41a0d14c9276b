// A page of the lounge: shows updates (line.js), sends presses, counts down. The server renders all HTML.
"use strict";

const live = document.querySelector("[data-live]");
const words = document.getElementById("words")?.dataset ?? {};
const said = document.getElementById("said");
const announced = document.getElementById("announced");
const RETRIES_MS = [400, 1200, 3000];
// Time that hands and eyes need: no second press within it, and none on a button that has just appeared.
const REST_MS = 500;
const FINGER_PX = 40;
// How long a press can be confirmed, its rest included; or how long the first press is held.
const ASKS_AGAIN_MS = 4500;
const HOLD_MS = 600;

// Changed parts are morphed into the page (by idiomorph 0.8.0, as published), so that focus, typed text and open
// details stay.

// Attributes that this page sets itself.
const OWN = new Set(["aria-busy", "aria-disabled", "aria-pressed", "data-armed", "open", "style"]);
// Fields whose contents belong to the person.
const FIELDS = "input, textarea, option";
const TYPED = new Set(["value", "checked", "selected"]);
const MORPH = {
  morphStyle: "innerHTML",
  callbacks: {
    beforeAttributeUpdated(name, node, change) {
      return TYPED.has(name) ? !node.matches(FIELDS) : change === "update" || !OWN.has(name);
    },
    beforeNodeMorphed(old, fresh) {
      if (!old.matches?.(FIELDS)) return;
      for (const usual of ["defaultValue", "defaultChecked", "defaultSelected"]) {
        if (usual in fresh) old[usual] = fresh[usual];
      }
    },
  },
};

function keyOf(node) {
  return node.dataset?.key ?? "";
}

// A node is identified by its id: its keys from the part on. Of several cards that are face down, the order decides.
function nameByKeys(part) {
  const seen = new Map();
  for (const node of part.querySelectorAll("[data-key]")) {
    const above = node.parentElement.closest("[data-key]")?.id ?? part.dataset.part;
    const id = `${above}/${keyOf(node).replaceAll(" ", "+")}`;
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    node.id ||= before ? `${id}/${before}` : id;
  }
}

function morph(part, html) {
  const fresh = part.cloneNode(false);
  fresh.innerHTML = html;
  for (const one of [part, fresh]) nameByKeys(one);
  Idiomorph.morph(part, [...fresh.childNodes], MORPH);
}

function showParts(parts, page = document) {
  const had = document.activeElement?.closest("[data-part]") ? document.activeElement : null;
  const before = placesOfPresses();
  const wasPaid = document.querySelector(".is-paid");
  keepInView(() => {
    for (const [name, html] of Object.entries(parts)) {
      const place = page.querySelector(`[data-part="${name}"]`);
      if (place) morph(place, html);
    }
  });
  if (had && (document.activeElement !== had || !isInSight(had))) focusSafely(had);
  // On a low screen a board scrolls.
  if (!wasPaid) document.querySelector(".is-paid .cell.win:has(b:not(.named))")?.scrollIntoView({ block: "nearest" });
  rest(changedSince(before));
  if (armed && !armed.isConnected) disarm();
  putAwayPassed();
  announce();
  countDown();
}

let focused = null;
addEventListener("focusin", ({ target }) => {
  focused = target;
});

// Browsers take the focus away from hidden elements.
function isInSight(node) {
  return node.isConnected && node.checkVisibility({ visibilityProperty: true });
}

// Return the focus, or put it where Enter does nothing: it must never fall on a move by itself.
function focusSafely(wanted) {
  const own = document.querySelector(".own") ?? document.querySelector(".mine");
  const place = wanted && isInSight(wanted) ? wanted : own ?? document.getElementById("main");
  place.focus({ preventScroll: true });
}

// Keep visible controls in place, whatever grows or shrinks above them.
function keepInView(change) {
  const rows = [...document.querySelectorAll(".choices, .spots, .areas, .others")].map((row) => [row, topOf(row)]);
  change();
  const [row, was] = rows.find(([row, top]) => row.isConnected && top >= 0 && top < innerHeight) ?? [];
  if (row) scrollBy({ top: topOf(row) - was, behavior: "instant" });
}

function topOf(node) {
  return node.getBoundingClientRect().top;
}

// A button that is new, means something else than before, or has moved, rests before it acts.

const restUntil = new WeakMap();

function placesOfPresses() {
  return new Map([...(live ?? document).querySelectorAll("[data-press], [data-ahead]")].map((button) => [button, [meaningOf(button), ...spotOf(button)]]));
}

// The value of a choice may appear on its button without changing its meaning.
function meaningOf({ dataset, childNodes }) {
  const said = [...childNodes].filter((node) => keyOf(node) !== "odds").map((node) => node.textContent);
  return [dataset.verb, dataset.args, dataset.fresh, ...said].join(" ");
}

// By layout, because a card in motion is drawn at its final place.
function spotOf(button) {
  let x = -scrollX;
  let y = -scrollY;
  for (let node = button; node; node = node.offsetParent) {
    x += node.offsetLeft;
    y += node.offsetTop;
  }
  return [x, y];
}

function changedSince(before) {
  const isSame = ([button, [meaning, x, y]]) => {
    const [meant, left, top] = before.get(button) ?? [];
    return meant === meaning && Math.hypot(left - x, top - y) < 5;
  };
  return [...placesOfPresses()].filter((entry) => !isSame(entry)).map(([button]) => button);
}

function rest(buttons, staysArmed = false) {
  const until = performance.now() + REST_MS;
  for (const button of buttons) {
    if (button === armed && !staysArmed) disarm();
    restUntil.set(button, until);
    button.setAttribute("aria-disabled", "true");
  }
  if (buttons.length) setTimeout(wake, REST_MS + 1, buttons);
}

function wake(buttons) {
  const now = performance.now();
  for (const button of buttons) if (restUntil.get(button) <= now) button.removeAttribute("aria-disabled");
}

let lastAnnounced = document.querySelector("[data-announce]")?.textContent ?? "";

function announce() {
  const now = document.querySelector("[data-announce]")?.textContent ?? "";
  if (now !== lastAnnounced) {
    lastAnnounced = now;
    announced.textContent = now;
  }
}

// The clock follows the server's time, not this machine's.

let ahead = 0;

function setTime(serverNow) {
  ahead = serverNow - Date.now() / 1000;
}

function countDown() {
  const clock = document.querySelector(".clock");
  if (!clock) return;
  const left = Number(clock.dataset.deadline) - (Date.now() / 1000 + ahead);
  const isRunning = "deadline" in clock.dataset && left > 0;
  clock.classList.toggle("runs", isRunning);
  clock.classList.toggle("hurries", isRunning && left < 6);
  if (!isRunning) return;
  clock.style.setProperty("--left", String(Math.min(1, left / Number(clock.dataset.waits || 1))));
  const shown = clock.querySelector(".seconds");
  const text = left > 5400 ? `${Math.ceil(left / 3600)} h` : `${Math.ceil(left)} s`;
  if (shown.textContent !== text) shown.textContent = text;
}

// Presses. Each has a unique key: sent again, it does nothing.

function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send({ to, ...press }) {
  const address = to ?? document.querySelector("[data-post]")?.dataset.post ?? `${document.body.dataset.base}/press`;
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(press),
      });
      return await answer.json();
    } catch {
      if (tries === RETRIES_MS.length) return { texts: [words.slow ?? "…"], refused: true };
      await new Promise((resolve) => setTimeout(resolve, RETRIES_MS[tries]));
    }
  }
}

async function play(press, button = null) {
  const answer = await send({ key: newKey(), ...press });
  if (answer.confirm && button?.matches(".at-table [data-part] *") && button.isConnected) {
    arm(button, answer.texts.join(" "), answer.confirm);
    rest([button], true);
    return;
  }
  if (answer.confirm) {
    if (await ask(answer.texts.join(" "), false, button)) await play({ ...press, confirmed: answer.confirm });
    return;
  }
  if (answer.reload && !window.frame) {
    location.reload();
    return;
  }
  if (answer.go) {
    goTo(answer.go);
    return;
  }
  if (answer.parts) {
    showPage(answer);
    return;
  }
  tell(answer.texts, answer.choices ? "stays" : answer.refused ? "refused" : "", answer.file, answer.stages);
  if (answer.page) said.append(linkBeside(answer.page));
  if (answer.choices) said.append(rowOf(answer.choices));
  dispatchEvent(new CustomEvent("answered", { detail: answer }));
}

// A page without a connection is replaced by the answer, at its own address.
function showPage(answer) {
  document.querySelector("[data-post]").dataset.post = answer.post;
  history.replaceState(null, "", answer.at);
  showParts(answer.parts);
  dispatchEvent(new CustomEvent("answered", { detail: answer }));
}

// Open it in a new tab, so that the table stays open.
function linkBeside({ label, address }) {
  const row = document.createElement("p");
  const link = document.createElement("a");
  Object.assign(link, { textContent: label, href: address, target: "_blank", rel: "noopener" });
  row.append(link);
  return row;
}

function goTo(address) {
  if (window.frame) frame.show(address);
  else location.assign(address);
}

function rowOf(choices) {
  const row = document.createElement("p");
  for (const { label, verb, args, go } of choices) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => (go ? goTo(go) : play({ verb, args })));
    row.append(button, " ");
  }
  return row;
}

async function pressButton(button, confirmed) {
  const { verb, ask: question, to } = button.dataset;
  // On a board the chip in the hand decides the amount.
  const chip = "lays" in button.dataset ? document.querySelector('[data-amount][aria-pressed="true"]') : null;
  const { fresh = "" } = (chip ?? button).dataset;
  let args = [...JSON.parse(button.dataset.args), ...(chip ? [chip.dataset.amount] : [])];
  if (question !== undefined) {
    const typed = await ask(question, true, button);
    if (typed === null) return;
    args = [...args, ...typed.split(/\s+/).filter(Boolean)];
  }
  button.setAttribute("aria-busy", "true");
  try {
    await play({ verb, args, fresh, confirmed, to: to ?? button.closest("[data-post]")?.dataset.post }, button);
  } finally {
    button.removeAttribute("aria-busy");
  }
}

// A costly press is confirmed on the button itself, or held.

let armed = null;
// The question that the next press confirms.
let armedFor = true;
let disarms = 0;

function arm(button, question, mark = true) {
  armed = button;
  armedFor = mark;
  button.dataset.armed = words.again;
  tell([question], "stays");
  disarms = setTimeout(disarm, ASKS_AGAIN_MS);
}

function disarm() {
  clearTimeout(disarms);
  armed?.removeAttribute("data-armed");
  if (armed) said.classList.remove("shows");
  armed = null;
}

// Timed, not by click: a finger that stays down makes no click.

const HELD = '.at-table [data-part] :is([data-again], [data-verb="bet"], [data-verb="rebet"]):not([data-ask])';
let holding = 0;
let held = null;

addEventListener("pointerdown", ({ target, isPrimary, button: which }) => {
  clearTimeout(holding);
  held = null;
  const button = isPrimary && which === 0 ? target.closest(HELD) : null;
  if (button) holding = setTimeout(holdEnds, HOLD_MS, button);
});

for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => clearTimeout(holding));
addEventListener("contextmenu", (event) => {
  if (event.target.closest(HELD) && event.pointerType === "touch") event.preventDefault();
});

function holdEnds(button) {
  const isBusy = button.getAttribute("aria-busy") === "true" || restUntil.get(button) > performance.now();
  if (!button.isConnected || isBusy || isLost()) return;
  held = button;
  disarm();
  rest([button]);
  void pressButton(button, true);
}

// One press counts once: another press at the same place within half a second belongs to the first, whatever is there
// now; so does a second Enter, unless another key moved the focus on purpose.

const PRESSES = "[data-press], [data-ahead], [data-line] button, dialog button, a[href]";
let last = { at: -Infinity };

// Return what is wrong with a press here and now, or nothing.
function faultOf({ timeStamp: at, type, detail, clientX: x, clientY: y }, button) {
  if (isLost() && "press" in button.dataset) return words.lost;
  const isNear = type === "click" && detail === 0 ? last.isKey : Math.hypot(x - last.x, y - last.y) < FINGER_PX;
  const isSoon = at - last.at < REST_MS && (isNear || button === last.button);
  if (isSoon || button.getAttribute("aria-busy") === "true") return words.twice;
  return restUntil.get(button) > at ? words.rests : "";
}

function guard(event) {
  const button = event.target.closest("button, a");
  if (button && button === held && event.detail > 0) {
    held = null;
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const fault = button?.matches(PRESSES) ? faultOf(event, button) : "";
  const { timeStamp: at, detail, clientX: x, clientY: y } = event;
  last = detail === 0 ? { at, isKey: true, button } : { at, x, y, button };
  if (!fault) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  warn(fault);
}

// A resting button and a dismissed answer take no focus.
function keepFocus(event) {
  if (event.target.closest("#said") && !event.target.closest("a, button")) event.preventDefault();
  const button = event.target.closest("button, a");
  if (button?.matches(PRESSES) && button !== document.activeElement && faultOf(event, button)) event.preventDefault();
}

addEventListener("mousedown", keepFocus, true);
addEventListener("click", guard, true);

// The button to continue is labelled with the command, if the press was one.
function ask(question, wantsText, button = null) {
  const dialog = document.getElementById("ask");
  const yes = dialog.querySelector('[value="yes"]');
  yes.dataset.usual ??= yes.textContent;
  yes.textContent = button?.closest("[data-act]") ? button.textContent : yes.dataset.usual;
  yes.classList.toggle("harms", button?.classList.contains("harms") ?? false);
  const input = document.getElementById("asked");
  document.getElementById("question").textContent = question;
  input.hidden = !wantsText;
  // Everything except a cut asks for an amount.
  input.inputMode = button?.dataset.verb === "cut" ? "text" : "decimal";
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  (wantsText ? input : dialog.querySelector("[data-close]")).focus();
  rest([...dialog.querySelectorAll("button")]);
  return new Promise((resolve) => {
    const close = () => {
      if (document.activeElement === document.body) focusSafely();
      if (dialog.returnValue !== "yes") resolve(wantsText ? null : false);
      else resolve(wantsText ? input.value : true);
    };
    dialog.addEventListener("close", close, { once: true });
  });
}

let quiet = 0;
let spoken = { texts: [], kind: "", at: -Infinity };
let warning = { at: -Infinity };

// Report a press that did nothing, beside the answer to the one before it.
function warn(text) {
  warning = { text, at: performance.now() };
  const isFresh = spoken.at + REST_MS > warning.at;
  tell(isFresh ? spoken.texts : [], isFresh ? spoken.kind : "refused", null, isFresh ? spoken.stages : undefined);
}

function tell(texts, kind = "", file = null, stages = undefined) {
  spoken = { texts, kind, stages, at: performance.now() };
  const lines = [...texts, warning.at + REST_MS > spoken.at && warning.text].filter(Boolean);
  clearTimeout(quiet);
  said.replaceChildren(
    ...lines.map((text) => {
      const line = document.createElement("p");
      line.textContent = text;
      return line;
    }),
  );
  if (file) said.append(linkTo(file));
  said.className = `said ${kind}${lines.length ? " shows" : ""}`;
  if (kind !== "stays" && lines.length < 8) {
    quiet = setTimeout(() => said.classList.remove("shows"), 4000 + 60 * lines.join(" ").length);
  }
  putAwayPassed();
}

// A confirmation about one stage of a hand disappears with the stage.
function putAwayPassed() {
  const stage = document.querySelector("[data-stage]")?.dataset.stage;
  if (!stage || !spoken.stages || spoken.stages.includes(stage)) return;
  clearTimeout(quiet);
  said.classList.remove("shows");
  spoken.stages = undefined;
}

function linkTo({ name, content, href }) {
  const link = document.createElement("a");
  link.href = href ?? URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = name;
  link.textContent = words.download.replace("%", name);
  return link;
}

addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) {
    if (event.target.closest("#said") && !event.target.closest("a")) {
      said.classList.remove("shows");
      if (document.activeElement === document.body) focusSafely(focused);
    }
    return;
  }
  if ("close" in button.dataset) button.closest("dialog").close("no");
  if (!("press" in button.dataset)) return;
  const confirmed = button === armed && armedFor;
  disarm();
  rest([button]);
  if (button.dataset.again && !confirmed) arm(button, button.dataset.again);
  else void pressButton(button, confirmed);
});

addEventListener("submit", (event) => {
  if (!("line" in event.target.dataset)) return;
  event.preventDefault();
  const input = event.target.elements.line;
  if (!input.value.trim()) return;
  void play({ line: input.value });
  input.select();
});

// Until this script has loaded the browser would submit the form to no handler, and the line would be lost.
for (const one of document.querySelectorAll("[data-line] [disabled]")) one.disabled = false;

addEventListener("keydown", (event) => {
  // A key that is held down is one press.
  if (event.key === "Enter" && event.repeat) event.preventDefault();
  if (event.key !== "Enter" && event.key !== " ") last.isKey = false;
  if (event.key === "Escape") {
    said.classList.remove("shows");
    disarm();
  }
  const line = document.getElementById("line");
  if (event.key === "/" && line && !event.target.closest("input, textarea") && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    line.focus();
    line.value = "/";
  }
});

rest([...(live ?? document).querySelectorAll("[data-part] [data-press]")]);
if (live) {
  if (live.dataset.now) setTime(Number(live.dataset.now));
  countDown();
  setInterval(countDown, 250);
  keepLine();
}
