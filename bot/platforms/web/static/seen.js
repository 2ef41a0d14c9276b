// What this browser has seen at tables: commits while bets were open, the player's own cuts, cards. It stays here and is
// sent nowhere; a record is held against it. Whoever clears the browser's storage has forgotten it.
"use strict";

const seen = (() => {
  const PREFIX = "seen";
  const MOST = 400;
  const MOST_CARDS = 64;
  const MOST_AWAITED = 60;
  // Where the browser keeps nothing, at least as long as the page is open.
  const here = new Map();

  // Numbers of hands begin anew with new books: `house` says which they are.
  const keyOf = (house, hand) => `${PREFIX} ${house} ${hand}`;

  function read(key) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null") ?? here.get(key) ?? null;
    } catch {
      return here.get(key) ?? null;
    }
  }

  function write(key, entry) {
    here.set(key, entry);
    try {
      const isNew = localStorage.getItem(key) === null;
      localStorage.setItem(key, JSON.stringify(entry));
      if (isNew) forgetOldest();
    } catch {
      // Full, or not allowed here.
    }
  }

  function forgetOldest() {
    const kept = Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX} `));
    if (kept.length <= MOST) return;
    kept.sort((one, other) => (read(one)?.at ?? 0) - (read(other)?.at ?? 0));
    for (const key of kept.slice(0, kept.length - MOST)) localStorage.removeItem(key);
  }

  // {commit: as it stood while bets were open, other: one that stood there too, casino: whose log it belongs into, cuts:
  // {player: text}, cards, at, isChecked, unlogged: since when its record lacks the log}, or null.
  const recall = (house, hand) => read(keyOf(house, hand));

  // What stands at the table now of a hand. `isOpen`: bets may still be made.
  function note(house, hand, { commit = "", casino = "", isOpen = false, cut = null, player = "", cards = [] }) {
    const before = recall(house, hand);
    const entry = { commit: "", other: "", cuts: {}, cards: [], at: Date.now(), ...before };
    if (commit && !entry.commit && isOpen) Object.assign(entry, { commit, casino });
    else if (commit && entry.commit && commit !== entry.commit) entry.other = commit;
    if (cut !== null && isOpen) entry.cuts = { ...entry.cuts, [player]: cut };
    entry.cards = [...new Set([...entry.cards, ...cards])].slice(0, MOST_CARDS);
    if (JSON.stringify({ ...before, at: 0 }) !== JSON.stringify({ ...entry, at: 0 })) write(keyOf(house, hand), entry);
  }

  // Hands that are over and not checked yet, of one player.
  const listOf = (house, player) => `${PREFIX} ${house} of ${player}`;
  const awaited = (house, player) => read(listOf(house, player))?.hands ?? [];

  function expect(house, player, hand) {
    const hands = awaited(house, player);
    const isKnown = hands.includes(hand) || recall(house, hand)?.isChecked;
    if (!isKnown) write(listOf(house, player), { at: Date.now(), hands: [...hands, hand].slice(-MOST_AWAITED) });
  }

  function settle(house, player, hand) {
    write(listOf(house, player), { at: Date.now(), hands: awaited(house, player).filter((one) => one !== hand) });
    const entry = recall(house, hand);
    if (entry) write(keyOf(house, hand), { ...entry, isChecked: true });
  }

  // For how long its record has been without its log, in milliseconds: no signed head covers its payment.
  function waitsForLog(house, hand) {
    const entry = { commit: "", other: "", cuts: {}, cards: [], at: Date.now(), ...recall(house, hand) };
    entry.unlogged ??= Date.now();
    write(keyOf(house, hand), entry);
    return Date.now() - entry.unlogged;
  }

  // A record held against it: each is "ok", "wrong: why", "absent" or "not checked: why", as in records.js. `commit` is
  // that of the record, `went` which card went where: [[place, card, to]...], or null where the house has not said.
  function compare(entry, record, commit, went, player) {
    return { promised: sayPromised(entry, record, commit), cut: sayCut(entry, record, player), cards: sayCards(entry, went) };
  }

  function sayPromised(entry, { promise }, commit) {
    if (!entry?.commit) return "not checked: no commit of this hand was seen while its bets were open";
    if (entry.other) return "wrong: the commit of this hand was changed at the table";
    if (entry.commit !== commit) return "wrong: another commit was seen while bets were open";
    const isElsewhere = entry.casino && promise && promise.casino !== entry.casino;
    return isElsewhere ? "wrong: the promise is for the log of another casino than the table's" : "ok";
  }

  // Those count who have a bet when bets close.
  function sayCut(entry, { stakes, seed }, player) {
    const own = entry?.cuts[player];
    const hasBet = Array.isArray(stakes) && stakes.some((stake) => stake.player === `p${player}`);
    if (own === undefined || !hasBet) return "absent";
    return seed?.cuts?.includes(own) ? "ok" : "wrong: the player's own cut is not one of the record's";
  }

  function sayCards(entry, went) {
    if (!entry?.cards.length) return "absent";
    if (!went) return "not checked: the record does not say which cards were dealt";
    const strange = entry.cards.find((card) => !went.some(([, known]) => known === card));
    return strange ? `wrong: ${strange} lay on the table and was not dealt` : "ok";
  }

  // What was found to be wrong stays until it is dismissed.
  const faultOf = (house, player) => `${PREFIX}fault ${house} ${player}`;

  function keepFault(house, player, fault) {
    try {
      if (fault) localStorage.setItem(faultOf(house, player), JSON.stringify(fault));
      else localStorage.removeItem(faultOf(house, player));
    } catch {
      // It is shown as long as the page is open.
    }
  }

  const keptFault = (house, player) => read(faultOf(house, player));

  return { awaited, compare, expect, keepFault, keptFault, note, recall, settle, waitsForLog };
})();
