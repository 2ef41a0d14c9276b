// Animation and sound of the felt: cards one after another, sliding chips, payments line by line. Nothing that can be
// pressed moves or waits; a press or a key shows the end at once.
"use strict";

const DEAL_MS = 180;
const GAP_MS = 70;
const MOST_DEAL_MS = 1600;
const TURN_MS = 220;
const CHIP_MS = 160;
const SUM_MS = 240;
const MOST_PAY_MS = 4000;
const EASING = "cubic-bezier(0.2, 0.8, 0.3, 1)";
const APPEARS = [{ opacity: 0 }, { opacity: 1 }];
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
// {place: cards}, after the steps so far.
let cardsAt = {};
let moving = [];
// Lost chips stay hidden until the next event.
let gone = [];
let stood = new Set();
let hand = 0;
const flights = Object.assign(document.createElement("div"), { className: "flights" });

// Settings, stored in this browser; where storage is not allowed, as in some frames, they last as long as the page.
const switched = new Set();

// By default sound is off and motion is on.
function keyOfSwitch(name) {
  return name === "sound" ? "on-sound" : `off-${name}`;
}

function isKept(key) {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return switched.has(key);
  }
}

function keepSwitch(key, isSet) {
  if (isSet) switched.add(key);
  else switched.delete(key);
  try {
    if (isSet) localStorage.setItem(key, "1");
    else localStorage.removeItem(key);
  } catch {
    // Storage is not allowed.
  }
}

function isOn(name) {
  return isKept(keyOfSwitch(name)) === (name === "sound");
}

function showSwitches() {
  for (const button of document.querySelectorAll("[data-switch]")) {
    button.setAttribute("aria-pressed", String(isOn(button.dataset.switch)));
  }
  document.body.classList.toggle("moves", isOn("motion"));
}

addEventListener("click", ({ target }) => {
  const name = target.closest("[data-switch]")?.dataset.switch;
  if (!name) return;
  const key = keyOfSwitch(name);
  keepSwitch(key, !isKept(key));
  showSwitches();
  if (name === "sound" && isOn("sound")) sound("turn");
});

// The cards by place, folded as on the server (bot/view/timeline.py).

function foldCards({ kind, at, number, cards, word }) {
  const lies = cardsAt[at] ?? [];
  if (kind === "swept") cardsAt = {};
  else if (kind === "dealt") cardsAt[at] = [...lies, ...cards];
  else if (kind === "turned") cardsAt[at] = lies.toSpliced(number - 1, cards.length, ...cards);
  else if (kind === "exchanged") cardsAt[at] = lies.with(number - 1, cards[1]);
  else if (kind === "split") {
    cardsAt[word] = lies.slice(-1);
    cardsAt[at] = lies.slice(0, -1);
  }
}

// The card nodes of a place, found by their cards: two hands of a seat have no name of their own, and an own card that
// can be pressed names its choice instead of its card.
function rowsOf(at) {
  const wanted = cardsAt[at] ?? [];
  const key = at.split(/[./]/)[0];
  const place = document.querySelector(`.seats [data-key="seat-${key}"]`) ?? document.querySelector(".house");
  const piles = [...place.querySelectorAll(".pile"), ...document.querySelectorAll(`.own [data-key^="pile-${key}-"]`)];
  const fits = (card, index) => card.matches("button") || card.dataset.key === wanted[index];
  const rows = piles.map((pile) => [...pile.querySelectorAll(".card")]);
  return rows.filter((row) => row.length === wanted.length && row.every(fits));
}

// Motion

function move(node, frames, delay, duration, fill = "backwards") {
  const animation = node.animate(frames, { delay, duration, fill, easing: EASING });
  moving.push(animation);
  animation.onfinish = () => {
    moving = moving.filter((one) => one !== animation);
  };
  return animation;
}

function from(node, source) {
  const [[x, y], [fromX, fromY]] = [middleOf(node), middleOf(source)];
  return `translate(${Math.round(fromX - x)}px, ${Math.round(fromY - y)}px)`;
}

function middleOf(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

function deal(node, delay) {
  const frames = [{ opacity: 0 }, { opacity: 1 }];
  // A card that can be pressed stays in place.
  if (!node.matches("button")) frames[0].transform = from(node, document.querySelector(".pot, .house") ?? node);
  move(node, frames, delay, DEAL_MS);
}

function turnOver(card, delay) {
  move(card, [{ transform: "rotateY(90deg)" }, { transform: "none" }], delay, TURN_MS);
}

function loseChip(chip, delay) {
  const away = from(chip, document.querySelector(".house"));
  gone.push(move(chip, [{ opacity: 1 }, { opacity: 0, transform: away }], delay, CHIP_MS, "both"));
}

function chipOf({ at, spot }) {
  const seat = document.querySelector(`.seats [data-key="seat-${at.split(":")[0]}"]`);
  const name = CSS.escape(spot);
  const found = [seat?.querySelector(`.lies .spot-${name}`), document.querySelector(`[data-key="area-${name}"] .chip`)];
  return found.find((chip) => chip?.checkVisibility());
}

// An amount moving from the bank to its bet; hidden from screen readers and transparent to presses.
function paySum(step, chip, delay) {
  const sum = document.createElement("b");
  sum.className = "sum-in-flight";
  const digits = step.amount % 100 ? { minimumFractionDigits: 2 } : {};
  sum.textContent = `+${new Intl.NumberFormat(document.documentElement.lang, digits).format(step.amount / 100)}`;
  flights.append(sum);
  const { left, top } = chip.getBoundingClientRect();
  sum.style.left = `${left}px`;
  sum.style.top = `${top}px`;
  const away = from(sum, document.querySelector(".house"));
  const there = { opacity: 1, transform: "none" };
  const frames = [{ opacity: 0, transform: away }, { ...there, offset: 0.4 }, { ...there, offset: 0.9 }, { opacity: 0 }];
  const flight = move(sum, frames, delay, SUM_MS * 4);
  flight.finished.finally(() => sum.remove());
}

function show(steps) {
  let at = 0;
  const dealt = steps.flatMap(({ kind, cards }) => (kind === "dealt" ? cards : [])).length;
  const gap = Math.min(GAP_MS, MOST_DEAL_MS / Math.max(1, dealt));
  const met = {};
  for (const step of steps.filter(({ kind }) => kind === "laid" || kind === "dealt" || kind === "turned")) {
    if (step.kind === "laid") {
      const chip = step.amount > 0 && chipOf(step);
      if (chip) move(chip, [{ opacity: 0, transform: "translateY(24px)" }, { opacity: 1 }], at, CHIP_MS);
      continue;
    }
    const come = steps.filter((one) => one.kind === "dealt" && one.at === step.at).flatMap(({ cards }) => cards);
    met[step.at] ??= (cardsAt[step.at] ?? []).length - come.length;
    for (const [index] of step.cards.entries()) {
      const place = step.kind === "turned" ? step.number - 1 + index : met[step.at]++;
      for (const row of rowsOf(step.at)) {
        if (!row[place]) continue;
        if (step.kind === "dealt") deal(row[place], at);
        else if (!stood.has(row[place])) turnOver(row[place], at);
      }
      at += gap;
    }
  }
  const paid = steps.filter(({ kind }) => kind === "paid");
  if (!paid.length) return;
  const each = Math.min(SUM_MS, MOST_PAY_MS / paid.length);
  for (const step of paid) {
    const chip = chipOf(step);
    if (!chip) continue;
    at += each;
    if (step.amount > 0) paySum(step, chip, at);
    else loseChip(chip, at);
  }
  for (const node of document.querySelectorAll(".seats .net, .paid, .head .now")) move(node, APPEARS, at, SUM_MS);
}

function showEnd() {
  for (const animation of moving.splice(0)) animation.finish();
}

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, showEnd, true);

// Sound: generated tones, none for a loss.

const TONES = {
  card: [[900, 0.03]],
  chip: [[1500, 0.04]],
  turn: [[660, 0.09], [880, 0.12]],
  win: [[523, 0.1], [659, 0.1], [784, 0.18]],
};
let loudspeaker = null;

function sound(name) {
  if (!isOn("sound") || !navigator.userActivation?.hasBeenActive) return;
  loudspeaker ??= new AudioContext();
  let at = loudspeaker.currentTime;
  for (const [pitch, seconds] of TONES[name]) {
    const tone = loudspeaker.createOscillator();
    const volume = loudspeaker.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(loudspeaker.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}

function playSounds(steps, turn) {
  const has = (kind) => steps.some((step) => step.kind === kind);
  if (turn) {
    sound("turn");
    if (isOn("sound") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(30);
  } else if (has("paid") && document.querySelector(".paid.win")) sound("win");
  else if (has("dealt")) sound("card");
  else if (has("laid")) sound("chip");
}

live?.addEventListener("lies", ({ detail: lies }) => {
  hand = lies.hand;
  cardsAt = { ...lies.cards };
});

live?.addEventListener("will-happen", () => {
  for (const animation of gone.splice(0)) animation.cancel();
  stood = new Set(document.querySelectorAll(".card"));
});

live?.addEventListener("happened", ({ detail: { steps, turn, isLate } }) => {
  steps.forEach(foldCards);
  const swept = steps.find(({ kind }) => kind === "swept")?.number ?? hand;
  // Chips shown again because bets were taken back were animated before.
  const isOld = swept < hand;
  hand = swept;
  if (isOld || isLate || document.hidden) return;
  playSounds(steps, turn);
  if (isOn("motion") && !stillness.matches) show(steps);
});

flights.setAttribute("aria-hidden", "true");
document.body.append(flights);
showSwitches();
