// The connection to the server: receives changes and events, and notices when it is lost.
"use strict";

// The server sends a heartbeat to every page at least every two seconds.
const UNHEARD_MS = 5000;
const LISTEN_MS = 250;
const ASKS_MS = 20000;
const SOONEST_ASK_MS = 5000;
let socket = null;
let heardAt = 0;
// How long nothing was received while this page was awake; messages from its sleep are still unread.
let unheardMs = 0;
let listenedAt = 0;
let lostAt = 0;
let askedAt = -Infinity;
let patience = 500;
let retry = 0;
// The last received step, by its course and number.
let mark = "";
// Whether the next events happened while the connection was lost.
let isLate = false;

function isLost() {
  return lostAt > 0;
}

function connect() {
  clearTimeout(retry);
  const address = new URL(live.dataset.live, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  if (mark) address.searchParams.set("after", mark);
  isAway = false;
  const line = new WebSocket(address);
  socket = line;
  hear();
  line.onopen = () => {
    hear();
    patience = 500;
    if (lostAt) takeUp();
    askLag();
    sayLook();
  };
  line.onmessage = ({ data }) => {
    hear();
    take(JSON.parse(data));
  };
  line.onclose = lose;
}

function hear() {
  heardAt = performance.now();
  unheardMs = 0;
}

// Events are announced before their parts are shown and after: new nodes are recognised by the former ones.
function take({ echo, watch, course, number, lies, steps, said: lines, turn, parts, notice, choices, bends }) {
  if (echo) showLag(`${Math.round(performance.now() - askedAt)} ms`);
  if (watch !== undefined) showBeside("watch", watch ? words.watch.replace("%", watch) : "");
  if (course) mark = `${course}.${number}`;
  const tellOf = (what, detail) => detail && live.dispatchEvent(new CustomEvent(what, { detail }));
  tellOf("lies", lies);
  tellOf("bends", bends);
  const happened = steps && { steps, turn, isLate };
  tellOf("will-happen", happened);
  if (parts) showParts(parts);
  if (lines || turn) speak(lines ?? [], turn);
  tellOf("happened", happened);
  if (parts) isLate = false;
  if (!notice) return;
  tell([notice], "stays");
  if (choices?.length) said.append(rowOf(choices));
}

// For screen readers: the events in order, instead of the headline that they led to; a turn comes first.
function speak(lines, turn) {
  const rowOf = (text) => Object.assign(document.createElement("p"), { textContent: text });
  announced.replaceChildren(...lines.map(rowOf));
  if (turn) document.getElementById("alerted").replaceChildren(rowOf(turn));
}

function lose() {
  const line = socket;
  socket = null;
  if (leaving) return;
  if (line) {
    line.onopen = line.onmessage = line.onclose = null;
    line.close();
  }
  if (!lostAt) {
    lostAt = heardAt;
    document.body.classList.add("is-lost");
    tell([words.lost], "stays");
  }
  sayLost();
  clearTimeout(retry);
  // Spread reconnects, so that not all pages come at once.
  retry = setTimeout(connect, patience * (0.75 + Math.random() / 2));
  patience = Math.min(patience * 1.7, 8000);
}

function takeUp() {
  const away = Math.max(1, Math.round((performance.now() - lostAt) / 1000));
  lostAt = 0;
  isLate = true;
  document.body.classList.remove("is-lost");
  showLag("");
  tell([words.back.replace("%", away)]);
}

function sayLost() {
  showLag(words.noline.replace("%", Math.max(1, Math.round((performance.now() - lostAt) / 1000))));
}

function showLag(text) {
  showBeside("lag", text);
}

function showBeside(id, text) {
  const place = document.getElementById(id);
  if (place && place.textContent !== text) place.textContent = text;
}

// Echoes are answered at once, so that their time is the least that a press takes.
function askLag() {
  const now = performance.now();
  if (socket?.readyState !== WebSocket.OPEN || now - askedAt < SOONEST_ASK_MS) return;
  askedAt = now;
  socket.send("?");
}

// While the page is hidden, the browser may announce the turn.
let isAway = false;

function sayLook() {
  const is = document.visibilityState === "hidden";
  if (is !== isAway && socket?.readyState === WebSocket.OPEN) socket.send(is ? "away" : "here");
  isAway = is;
  if (!is) navigator.clearAppBadge?.();
}

function listen() {
  const now = performance.now();
  unheardMs += Math.min(now - listenedAt, 4 * LISTEN_MS);
  listenedAt = now;
  if (lostAt) sayLost();
  if (socket && unheardMs > UNHEARD_MS) lose();
  else if (now - askedAt > ASKS_MS) askLag();
}

let leaving = false;
addEventListener("pagehide", () => {
  leaving = true;
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});
addEventListener("online", () => {
  if (lostAt) connect();
});
document.addEventListener("visibilitychange", () => {
  if (live && document.visibilityState === "visible") listen();
  sayLook();
});

function keepLine() {
  connect();
  setInterval(listen, LISTEN_MS);
}
