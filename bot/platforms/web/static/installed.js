// The lounge as an app of this browser: the service worker (worker.js), and turn notices.
"use strict";

const worker = navigator.serviceWorker?.register(`/worker.js?lang=${document.documentElement.lang}`);
const wish = document.querySelector("[data-push]");

function say(text) {
  wish.querySelector("[role=status]").textContent = text;
}

async function showWish(pressed) {
  const button = wish.querySelector("button");
  button.setAttribute("aria-pressed", pressed);
  wish.hidden = false;
}

// Browsers ask for permission only after a press.
async function change() {
  const button = wish.querySelector("button");
  const wants = button.getAttribute("aria-pressed") !== "true";
  if (wants && (await Notification.requestPermission()) !== "granted") {
    say(wish.dataset.denied);
    return;
  }
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = wants && (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wish.dataset.push }));
  const answer = await fetch(wish.dataset.post, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wants ? made : null),
  });
  const { texts, refused } = await answer.json();
  say(texts.join(" "));
  if (!refused) showWish(wants);
}

async function begin() {
  const { pushManager } = await worker;
  const has = (await pushManager.getSubscription()) !== null;
  await showWish(has && "wanted" in wish.dataset);
  wish.querySelector("button").addEventListener("click", () => change().catch(() => say(wish.dataset.failed)));
}

if (worker && wish && "PushManager" in window) begin();
