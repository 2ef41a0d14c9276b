// The page shown while the server cannot be reached: returns to the former page as soon as possible.
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
