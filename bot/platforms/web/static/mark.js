// A table's page checks each of the player's hands when it is over: the server's record against what this browser has
// seen. One mark shows the result; a red one shows the reason.
"use strict";

(() => {
  const mark = document.getElementById("checked");
  const table = document.querySelector(".at");
  const { house, player } = mark.dataset;
  const tableName = location.pathname.split("/").at(-1);
  const words = JSON.parse(mark.dataset.words);
  const base = document.body.dataset.base;
  const logged = document.getElementById("logged");
  const MOST_AT_ONCE = 10;
  // Heads are signed every ten seconds.
  const NEXT_HEAD_MS = 11_000;
  const WRONG = "✗";
  // The arithmetic is loaded when there is something to check.
  const CHECKS = ["fairness", "records", "heads", "seals"];
  let checks = null;
  let isLogAsked = false;
  // Hands that this page has requested.
  const asked = new Set();
  // The head over the last close of bets here.
  let closedBy = "";

  // Whether it has arrived; requested again later if the server did not answer.
  async function fetchChecks() {
    checks ??= Promise.all(CHECKS.map(fetchScript));
    try {
      await checks;
      return true;
    } catch {
      checks = null;
      return false;
    }
  }

  function look() {
    const { casino, hand, commit, last, bets, head = "" } = document.getElementById("fair").dataset;
    const isOpen = bets === "open";
    // First, because the cards wait for it.
    void seal({ ...document.getElementById("fair").dataset });
    if (head && head !== closedBy) void witness(casino, head);
    const own = table.querySelector(`[data-cutter="${player}"]`);
    seen.note(house, hand, { commit, casino, isOpen, cut: own ? own.textContent.slice(1, -1) : null, player });
    const shown = isOpen ? last : bets === "dealt" ? hand : "";
    if (shown && seen.recall(house, shown)) seen.note(house, shown, { cards: cardsOnTable() });
    // While the payment is shown, and only for players of that hand.
    if (isOpen && last && table.querySelector(".mine .paid")) seen.expect(house, player, last);
    void judgeAll(commit, last);
    // A browser that knows the log compares it at once, others when the player's own chips depend on it.
    const isAbout = isRemembered(casino) || table.querySelector(".mine .chip-on, .area.has-mine");
    if (!isLogAsked && isAbout) void followLog(casino);
  }

  // Seal or open the player's cut when the table waits for it.
  async function seal(fair) {
    const isAbout = fair.sealers.split(" ").includes(player) || player in JSON.parse(fair.seals);
    if (isAbout && (await fetchChecks())) await sealing.look({ ...fair, house, player, table: tableName });
  }

  function isRemembered(casino) {
    try {
      return localStorage.getItem(`log ${casino}`) !== null;
    } catch {
      return false;
    }
  }

  // Bets are closed, and the cards wait for a round: a head received before the round is evidence. The time of arrival
  // counts, however long its proof takes.
  async function witness(casino, head) {
    closedBy = head;
    const at = Math.ceil(Date.now() / 1000);
    if (await fetchChecks()) showLog(casino, await heads.extend(casino, fairness.parse(head), at));
    else closedBy = "";
  }

  // Only faces; backs have no name.
  function cardsOnTable() {
    return [...table.querySelectorAll(".card[role=img]:not(.back)")].map(({ dataset }) => dataset.key);
  }

  // Finished hands. The seed of a continuing shoe is not shown, so those are not requested.
  async function judgeAll(commit, last) {
    const isShown = (hand) => !asked.has(hand) && seen.recall(house, hand)?.commit !== commit;
    const hands = seen.awaited(house, player).filter(isShown).slice(-MOST_AT_ONCE);
    if (!hands.length) return;
    hands.forEach((hand) => asked.add(hand));
    if (!(await fetchChecks())) hands.splice(0).forEach((hand) => asked.delete(hand));
    for (const hand of hands) {
      const played = await fetchPlayed(hand);
      // Folded hands stay secret for hours: checked when this page is opened again.
      if (!played?.record) continue;
      const [sign, sentence] = await judge(hand, played);
      if (sign === WRONG || hand === last) show(hand, sign, sentence);
      if (sign === WRONG || (await isLogKnown(hand, played.record))) seen.settle(house, player, hand);
      else if (!logged.classList.contains("wrong")) setTimeout(() => lookAgain(hand), NEXT_HEAD_MS);
    }
  }

  function lookAgain(hand) {
    asked.delete(hand);
    look();
  }

  // Whether the log of this hand's record extends what this browser has seen of it. `judge` has found its proofs to be
  // right.
  async function isLogKnown(hand, { promise, log }) {
    if (log === undefined) {
      if (seen.waitsForLog(house, hand) > heads.PATIENCE_MS) showLog(promise.casino, { kind: "uncovered", hand });
      return false;
    }
    const found = await heads.extend(promise.casino, log);
    showLog(promise.casino, found);
    if (found.kind === "waiting") return false;
    if (!isWrongLog(found)) mark.dataset.proven = hand;
    return true;
  }

  const isWrongLog = ({ kind }) => !["first", "good", "begun", "waiting"].includes(kind);

  // A log without a fault needs no message.
  function showLog(casino, found) {
    const isWrong = isWrongLog(found);
    if (logged.classList.contains("wrong") || !(isWrong || found.kind === "begun")) return;
    const link = document.createElement("a");
    link.href = `${base}/log/${casino}`;
    link.textContent = `${isWrong ? WRONG : "–"} ${sayLog(found)}`;
    logged.classList.toggle("wrong", isWrong);
    logged.setAttribute("role", isWrong ? "alert" : "status");
    logged.replaceChildren(link);
  }

  const sayLog = (found) => heads.say(found, words.log);

  async function followLog(casino) {
    isLogAsked = true;
    isLogAsked = await fetchChecks();
    if (!isLogAsked) return;
    // A log without any head is not asked for one, unless this browser has seen one.
    if (logged.dataset.signed === undefined && !heads.recall(casino).seen.length) return;
    const kind = heads.faultOf(casino);
    showLog(casino, kind ? { kind } : await heads.follow(casino));
  }

  async function fetchPlayed(hand) {
    try {
      const answer = await fetch(`${base}/hand/${hand}/played`);
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  // A sign and its sentence: of the first check that found something, or of what is proven.
  async function judge(hand, { record: given, replay }) {
    let record;
    let found;
    try {
      record = fairness.parse(JSON.stringify(given));
      found = records.verify(record, await records.games());
    } catch (fault) {
      if (!(fault instanceof fairness.Unreadable)) throw fault;
      return [WRONG, words.unreadable];
    }
    const went = found.dealt ? records.follow(found.dealt.deck, record.start ?? 0, replay?.events ?? []) : null;
    if (found.dealt && !went) return [WRONG, words.deck];
    const remembered = seen.compare(seen.recall(house, hand), record, records.commitOf(record), went, player);
    const sealed = sealing.compare(house, record, records.commitOf(record), player);
    const checks = { sealed, ...remembered, ...found.checks };
    const wrong = Object.keys(checks).find((name) => checks[name].startsWith("wrong"));
    if (wrong === "sealed") seen.keepFault(house, player, { hand, sentence: words.sealed });
    if (wrong) return [WRONG, words[wrong]];
    if ([checks.commit, checks.deck].some((said) => said !== "ok")) return ["–", words.open];
    if (sealed.startsWith("not checked")) return ["–", words.missed];
    if (checks.promised !== "ok") return ["–", words.unseen];
    // No check mark: this page checks neither the moves nor the payouts.
    return ["", sealed === "ok" ? words.helped : words.good];
  }

  function show(hand, sign, sentence) {
    // A fault stays.
    if (mark.classList.contains("wrong")) return;
    const link = document.createElement("a");
    link.href = `${base}/verify?hand=${hand}`;
    const of = Object.assign(document.createElement("span"), { className: "of-hand", textContent: `${words.hand.replace("%", hand)}: ` });
    link.append(sign && `${sign} `, of, sentence);
    mark.classList.toggle("wrong", sign === WRONG);
    mark.setAttribute("role", sign === WRONG ? "alert" : "status");
    mark.replaceChildren(link);
    if (sign === WRONG && seen.keptFault(house, player)) mark.append(" ", dismissal());
  }

  function dismissal() {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "dismiss";
    button.textContent = words.dismiss;
    button.addEventListener("click", () => {
      seen.keepFault(house, player, null);
      mark.classList.remove("wrong");
      mark.replaceChildren();
    });
    return button;
  }

  new MutationObserver(look).observe(table, {
    subtree: true, childList: true, attributeFilter: ["data-hand", "data-commit", "data-last", "data-bets", "data-head", "data-key", "data-sealers", "data-seals", "data-closing"],
  });
  const fault = seen.keptFault(house, player);
  if (fault) show(fault.hand, WRONG, fault.sentence);
  look();
})();
