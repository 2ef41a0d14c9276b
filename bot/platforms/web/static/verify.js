// The verifier's page: checks a pasted or loaded record. Nothing leaves this page.
"use strict";

const verifier = document.getElementById("verifier");
const verdict = document.getElementById("verdict");
const sentences = JSON.parse(verifier.dataset.words);
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const MARKS = { ok: "✓", wrong: "✗", absent: "–", "not checked": "?" };
const kindOf = (said) => said.split(":")[0];
const find = (id) => document.getElementById(id);

function judge(kind, sentence, why = "") {
  verdict.hidden = false;
  verdict.className = kind;
  verdict.textContent = [sentences.verdict[sentence], why].filter(Boolean).join(" ");
}

// `events`: what the server says was dealt to whom, if the record came from it.
async function check(events = null) {
  find("found").hidden = true;
  let found;
  let record;
  try {
    record = fairness.parse(find("record").value.replace(/^\ufeff/, ""));
    found = records.verify(record, await records.games());
  } catch (fault) {
    if (!(fault instanceof fairness.Unreadable)) throw fault;
    return judge("bad", "unreadable", `(${fault.message})`);
  }
  const went = events && found.dealt ? records.follow(found.dealt.deck, record.start ?? 0, events) : [];
  if (!went) found.checks.deck = "wrong: the house dealt cards that are not the next ones of this deck";
  const remembered = holdAgainstMemory(record, events && found.dealt ? went : null, events !== null);
  show(record, found, went ?? [], remembered);
  return judge(...sentenceFor(found, remembered));
}

// Hands of other servers have the same numbers, so a record from elsewhere is only compared by its own commit.
function holdAgainstMemory(record, went, isFetched) {
  const { house, player = "" } = verifier.dataset;
  const commit = records.commitOf(record);
  const entry = seen.recall(house, record.hand ?? record.promise?.hand);
  const told = seen.compare(isFetched || entry?.commit === commit ? entry : null, record, commit, went, player);
  return { ...told, sealed: sealing.compare(house, record, commit, player) };
}

function sentenceFor({ version, checks }, remembered) {
  const said = [...Object.values(checks), ...Object.values(remembered)].map(kindOf);
  if (said.includes("wrong")) return ["bad", "bad"];
  if (version === 1) return ["plain", "note"];
  const isFixed = [checks.promise, checks.commit].every((one) => one === "ok") && ["ok", "absent"].includes(checks.deck);
  if (!isFixed) return ["plain", "open"];
  return kindOf(checks.log) === "absent" ? ["plain", "unlogged"] : ["good", "good"];
}

const isFitting = ({ commit, deck }) => commit === "ok" && deck === "ok";

// The result in three sentences, of what was really checked.
function plainWords({ seed, beacon }, checks, remembered) {
  const isWrong = Object.values({ ...checks, ...remembered }).some((said) => kindOf(said) === "wrong");
  if (isWrong || !isFitting(checks)) return [];
  const { fixed, made, paid } = sentences.plain;
  const isLogged = ["ok", "not checked"].includes(kindOf(checks.log));
  const by = isLogged ? "log" : remembered.promised === "ok" ? "seen" : "open";
  const of = beacon ? "number" : [remembered.cut, remembered.sealed].includes("ok") ? "own" : seed.cuts?.length ? "cuts" : "none";
  return [fixed[by], made[of], paid.open];
}

function show(record, { version, house, checks, dealt }, went, remembered) {
  find("checks").replaceChildren(...Object.entries(checks).map(([name, said]) => rowOf(name, said)));
  find("remembered").replaceChildren(...Object.entries(remembered).map(([name, said]) => rowOf(name, said)));
  find("plain").replaceChildren(...plainWords(record, checks, remembered).map(itemOf));
  const told = { version: String(version), house, commit: records.commitOf(record) };
  for (const [name, value] of Object.entries(told)) find(`the-${name}`).textContent = value || "–";
  find("cuts").textContent = [record.seed?.cuts ?? []].flat().map((cut) => `“${cut}”`).join(", ") || "–";
  find("dice").textContent = dealt?.dice?.join(" + ") ?? "–";
  const start = record.start ?? 0;
  find("deck").replaceChildren(...(dealt?.deck.slice(start) ?? []).map((card, i) => chipOf(card, went[i])));
  find("found").hidden = false;
}

function itemOf(sentence) {
  const item = document.createElement("li");
  item.textContent = sentence;
  return item;
}

function rowOf(name, said) {
  const row = document.createElement("li");
  const kind = kindOf(said);
  row.dataset.check = name;
  row.dataset.said = said;
  row.className = kind.replace(" ", "-");
  const mark = document.createElement("b");
  mark.textContent = MARKS[kind];
  row.append(mark, " ", sentences[name][kind] ?? sentences.open);
  if (said.includes(":")) {
    const why = document.createElement("small");
    why.lang = "en";
    why.textContent = said.slice(said.indexOf(":") + 2);
    row.append(" ", why);
  }
  return row;
}

function chipOf(card, went) {
  const chip = document.createElement("span");
  const isPocket = /^[a-z][0-9]+$/.test(card);
  chip.className = card === "JK" ? "word wild" : isPocket ? "word" : `word suit-${card[1]}`;
  chip.textContent = card === "JK" ? "Joker" : isPocket ? card.slice(1) : card[0].replace("T", "10") + SUITS[card[1]];
  chip.dataset.card = card;
  if (went) {
    const to = document.createElement("small");
    to.textContent = ` → ${went[2]}`;
    chip.append(to);
    chip.dataset.to = went[2];
  }
  return chip;
}

async function fetchRecord() {
  const hand = find("hand").value.trim();
  const answers = /^[0-9]{1,12}$/.test(hand)
    ? await Promise.all(["record", "replay"].map((what) => fetch(`${verifier.dataset.hands}/${hand}/${what}`)))
    : [];
  if (!answers.length || !answers.every(({ ok }) => ok)) return judge("bad", "missing");
  const [record, replay] = await Promise.all(answers.map((answer) => answer.text()));
  find("record").value = record;
  return check(JSON.parse(replay).events ?? null);
}

find("check").addEventListener("click", () => void check());
find("fetch")?.addEventListener("click", () => void fetchRecord());
find("file").addEventListener("change", async ({ target }) => {
  if (!target.files[0]) return;
  find("record").value = await target.files[0].text();
  await check();
});
verifier.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
if (verifier.dataset.hand && find("hand")) void fetchRecord();
