// The page for when the house cannot be reached: it goes on where one was as soon as it can.
"use strict";

const AGAIN_MS = 3000;

async function tryAgain() {
  try {
    await fetch("/manifest.webmanifest", { method: "HEAD", cache: "no-store" });
    location.reload();
  } catch {
    setTimeout(tryAgain, AGAIN_MS);
  }
}

addEventListener("online", () => location.reload());
setTimeout(tryAgain, AGAIN_MS);
