// The verifier: a record in, commit and deck out. Nothing leaves this page.
"use strict";

const verifier = document.getElementById("verifier");
const verdict = document.getElementById("verdict");
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

function judge(kind, sentence) {
  verdict.hidden = false;
  verdict.className = kind;
  verdict.textContent = verdict.dataset[sentence];
}

function readRecord() {
  try {
    const record = JSON.parse(document.getElementById("record").value);
    return record && typeof record === "object" && !Array.isArray(record) ? record : null;
  } catch {
    return null;
  }
}

function check() {
  const record = readRecord();
  document.getElementById("found").hidden = true;
  if (!record) return judge("bad", "unreadable");
  const seed = record.seed;
  if (!seed || !/^[0-9a-f]{64}$/i.test(seed.server ?? "")) return judge("bad", "unseeded");
  if (!Array.isArray(seed.cuts ?? []) || (seed.cuts ?? []).some((cut) => typeof cut !== "string")) {
    return judge("bad", "unreadable");
  }
  if (!fairness.fullDeck(record)) return judge("bad", "unreadable");
  const found = fairness.compute(record);
  show(record, found);
  if (!record.commit) return judge("bad", "uncommitted");
  const holds = String(record.commit).toLowerCase() === found.commit;
  return judge(holds ? "good" : "bad", holds ? "good" : "bad");
}

function show(record, found) {
  document.getElementById("promised").textContent = record.commit ?? "–";
  document.getElementById("computed").textContent = found.commit;
  document.getElementById("cuts").textContent = (record.seed.cuts ?? []).map((cut) => `“${cut}”`).join(", ") || "–";
  document.getElementById("dice").textContent = found.dice ? found.dice.join(" + ") : "–";
  document.getElementById("deck").replaceChildren(
    ...found.deck.map((card) => {
      const chip = document.createElement("span");
      chip.className = card === "JK" ? "word wild" : `word suit-${card[1]}`;
      chip.textContent = card === "JK" ? "Joker" : card[0].replace("T", "10") + SUITS[card[1]];
      chip.dataset.card = card;
      return chip;
    }),
  );
  document.getElementById("found").hidden = false;
}

async function fetchRecord() {
  const hand = document.getElementById("hand").value.trim();
  if (!/^[0-9]{1,12}$/.test(hand)) return judge("bad", "missing");
  const answer = await fetch(verifier.dataset.record.replace("%", hand));
  if (!answer.ok) return judge("bad", "missing");
  document.getElementById("record").value = JSON.stringify(await answer.json(), null, 1);
  return check();
}

document.getElementById("check").addEventListener("click", check);
document.getElementById("fetch")?.addEventListener("click", () => void fetchRecord());
document.getElementById("file").addEventListener("change", async ({ target }) => {
  if (!target.files[0]) return;
  document.getElementById("record").value = await target.files[0].text();
  check();
});
verifier.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
if (verifier.dataset.hand && document.getElementById("hand")) void fetchRecord();
