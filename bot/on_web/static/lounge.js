// A page of the lounge: shows what the house pushes, sends presses, counts down. All it shows was drawn by the server.
"use strict";

const live = document.querySelector("[data-live]");
const words = document.getElementById("words")?.dataset ?? {};
const said = document.getElementById("said");
const announced = document.getElementById("announced");
const RETRIES_MS = [400, 1200, 3000];
const DOUBLE_CLICK_MS = 400;

// Parts that changed are fitted into what stands there, so that focus, typed text and open details stay.

function fit(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || keyOf(old) !== keyOf(fresh)) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "aria-busy" && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  fitChildren(old, fresh);
}

function keyOf(node) {
  return node.dataset?.key ?? "";
}

// {key: child}; of several cards that lie face down the first is the first.
function byKeys(parent) {
  const found = new Map();
  const seen = new Map();
  for (const child of parent.children) {
    const key = keyOf(child);
    if (!key) continue;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    found.set(`${key} ${seen.get(key)}`, child);
  }
  return found;
}

function fitChildren(old, fresh) {
  const standing = byKeys(old);
  const keys = new Map([...byKeys(fresh)].map(([key, child]) => [child, key]));
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const known = standing.get(keys.get(wanted));
    if (known && known !== at) {
      old.insertBefore(known, at);
      at = known;
    }
    if (at && (known || !keyOf(wanted)) && (known === at || !keyOf(at))) {
      const next = at.nextSibling;
      fit(at, wanted);
      at = next;
    } else {
      old.insertBefore(wanted, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function showParts(parts) {
  const had = document.activeElement;
  const from = had?.closest("[data-part]");
  for (const [name, html] of Object.entries(parts)) {
    const place = document.querySelector(`[data-part="${name}"]`);
    if (!place) continue;
    const fresh = place.cloneNode(false);
    fresh.innerHTML = html;
    fitChildren(place, fresh);
  }
  if (from && !had.isConnected) {
    (from.querySelector("button:not(:disabled)") ?? document.getElementById("main")).focus({ preventScroll: true });
  }
  announce();
  countDown();
}

let lastAnnounced = document.querySelector("[data-announce]")?.textContent ?? "";

function announce() {
  const now = document.querySelector("[data-announce]")?.textContent ?? "";
  if (now !== lastAnnounced) {
    lastAnnounced = now;
    announced.textContent = now;
  }
}

// The clock. The server's time counts, not this machine's.

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

// What the house pushes.

let patience = 500;
let wasLost = false;

function connect() {
  const address = new URL(live.dataset.live, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  socket.onopen = () => {
    if (wasLost) tell([words.back]);
    patience = 500;
    wasLost = false;
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.parts) showParts(message.parts);
    if (message.notice) tell([message.notice], "stays");
  };
  socket.onclose = () => {
    if (leaving) return;
    if (!wasLost) tell([words.lost], "stays");
    wasLost = true;
    setTimeout(connect, patience);
    patience = Math.min(patience * 1.7, 8000);
  };
}

let leaving = false;
addEventListener("pagehide", () => {
  leaving = true;
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

// Presses. Each has a key of its own: sent again, it does nothing again.

function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send(press) {
  const address = document.querySelector("[data-post]")?.dataset.post ?? `${document.body.dataset.base}/press`;
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

async function play(press) {
  const answer = await send({ key: newKey(), ...press });
  if (answer.confirm) {
    if (await ask(answer.texts.join(" "), false)) await play({ ...press, confirmed: true });
    return;
  }
  if (answer.reload) {
    location.reload();
    return;
  }
  tell(answer.texts, answer.refused ? "refused" : "", answer.file);
}

async function pressButton(button) {
  if (button.getAttribute("aria-busy") === "true") return;
  const { verb, fresh = "", ask: question } = button.dataset;
  let args = JSON.parse(button.dataset.args);
  if (question !== undefined) {
    const typed = await ask(question, true);
    if (typed === null) return;
    args = [...args, ...typed.split(/\s+/).filter(Boolean)];
  }
  button.setAttribute("aria-busy", "true");
  const notBefore = new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
  try {
    await play({ verb, args, fresh });
    await notBefore;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

function ask(question, wantsText) {
  const dialog = document.getElementById("ask");
  const input = document.getElementById("asked");
  document.getElementById("question").textContent = question;
  input.hidden = !wantsText;
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    const close = () => {
      if (dialog.returnValue !== "yes") resolve(wantsText ? null : false);
      else resolve(wantsText ? input.value : true);
    };
    dialog.addEventListener("close", close, { once: true });
  });
}

let quiet = 0;

function tell(texts, kind = "", file = null) {
  const lines = texts.filter(Boolean);
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
}

function linkTo({ name, content }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = name;
  link.textContent = words.download.replace("%", name);
  return link;
}

addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) {
    if (event.target.closest("#said") && !event.target.closest("a")) said.classList.remove("shows");
    return;
  }
  if ("press" in button.dataset) void pressButton(button);
  if ("close" in button.dataset) button.closest("dialog").close("no");
});

addEventListener("submit", (event) => {
  if (!("line" in event.target.dataset)) return;
  event.preventDefault();
  const input = event.target.elements.line;
  if (!input.value.trim()) return;
  void play({ line: input.value });
  input.select();
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape") said.classList.remove("shows");
  const line = document.getElementById("line");
  if (event.key === "/" && line && !event.target.closest("input, textarea") && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    line.focus();
    line.value = "/";
  }
});

if (live) {
  if (live.dataset.now) setTime(Number(live.dataset.now));
  countDown();
  setInterval(countDown, 250);
  connect();
}
