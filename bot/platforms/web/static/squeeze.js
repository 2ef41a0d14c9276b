// Cards that are revealed by dragging: a corner bends under the finger, and others see it bend, never the face. Beyond
// a threshold the usual press reveals them.
"use strict";

const TURNS_AT = 0.8;
const BENDS_MS = 120;
let squeezed = null;
let toldAt = 0;
let telling = 0;
let bent = "";

function bendCards(position, by, among = "[data-bends]") {
  for (const card of document.querySelectorAll(`.house ${among}`)) {
    if (card.dataset.bends === position) card.style.setProperty("--bend", String(by));
  }
}

// The last position is always sent, however fast it came.
function tellBend(position, by) {
  bent = `bend ${position} ${Math.round(by * 100)}`;
  telling ||= setTimeout(sendBend, Math.max(0, toldAt + BENDS_MS - performance.now()));
}

function sendBend() {
  telling = 0;
  toldAt = performance.now();
  if (socket?.readyState === WebSocket.OPEN) socket.send(bent);
}

function letGo() {
  if (!squeezed) return;
  const { position } = squeezed;
  squeezed = null;
  bendCards(position, 0);
  tellBend(position, 0);
}

function turnSqueezed() {
  const { position } = squeezed;
  const buttons = [...document.querySelectorAll('.choices [data-verb="squeeze"]:not([aria-disabled])')];
  const button = buttons.find(({ dataset }) => JSON.parse(dataset.args)[0] === position);
  if (!button) return;
  squeezed = null;
  bendCards(position, 1);
  void pressButton(button, false);
}

addEventListener("pointerdown", ({ target, pointerId, clientX, clientY }) => {
  const card = target.closest(".moves [data-squeeze]");
  if (!card || stillness.matches || isLost()) return;
  card.setPointerCapture(pointerId);
  squeezed = { position: card.dataset.bends, x: clientX, y: clientY, reach: 2 * card.offsetHeight };
});

addEventListener("pointermove", ({ clientX, clientY }) => {
  if (!squeezed) return;
  const by = Math.min(1, Math.hypot(clientX - squeezed.x, clientY - squeezed.y) / squeezed.reach);
  bendCards(squeezed.position, by);
  tellBend(squeezed.position, by);
  if (by >= TURNS_AT) turnSqueezed();
});

for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, letGo);

live?.addEventListener("bends", ({ detail: { at: position, by } }) => bendCards(position, by / 100, "[data-bends]:not([data-squeeze])"));
