// What this browser has seen at tables: commits while bets were open, the player's own cuts, cards. It is sent nowhere;
// records are compared with it. Clearing the browser's storage deletes it.
"use strict";

const seen = (() => {
  const PREFIX = "seen";
  const MOST = 400;
  const MOST_CARDS = 64;
  const MOST_AWAITED = 60;
  // Without storage, it lasts as long as the page.
  const here = new Map();

  // Hand numbers begin again with new books; `house` tells them apart.
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
      // Storage is full or not allowed.
    }
  }

  function forgetOldest() {
    const kept = Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX} `));
    if (kept.length <= MOST) return;
    kept.sort((one, other) => (read(one)?.at ?? 0) - (read(other)?.at ?? 0));
    for (const key of kept.slice(0, kept.length - MOST)) localStorage.removeItem(key);
  }

  // {commit: as shown while bets were open, other: a second one shown then, casino: the owner of its log, cuts:
  // {player: text}, cards, at, isChecked, unlogged: since when its record lacks the log}, or null.
  const recall = (house, hand) => read(keyOf(house, hand));

  // Note what the table shows of a hand. `isOpen`: bets can still be made.
  function note(house, hand, { commit = "", casino = "", isOpen = false, cut = null, player = "", cards = [] }) {
    const before = recall(house, hand);
    const entry = { commit: "", other: "", cuts: {}, cards: [], at: Date.now(), ...before };
    if (commit && !entry.commit && isOpen) Object.assign(entry, { commit, casino });
    else if (commit && entry.commit && commit !== entry.commit) entry.other = commit;
    if (cut !== null && isOpen) entry.cuts = { ...entry.cuts, [player]: cut };
    entry.cards = [...new Set([...entry.cards, ...cards])].slice(0, MOST_CARDS);
    if (JSON.stringify({ ...before, at: 0 }) !== JSON.stringify({ ...entry, at: 0 })) write(keyOf(house, hand), entry);
  }

  // Finished hands of one player that are not checked yet.
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

  // How long its record has been without its log, in milliseconds: no signed head covers its payment.
  function waitsForLog(house, hand) {
    const entry = { commit: "", other: "", cuts: {}, cards: [], at: Date.now(), ...recall(house, hand) };
    entry.unlogged ??= Date.now();
    write(keyOf(house, hand), entry);
    return Date.now() - entry.unlogged;
  }

  // Compare a record with it: each check is "ok", "wrong: why", "absent" or "not checked: why", as in records.js.
  // `commit` is the record's, `went` says which card went where: [[place, card, to]...], or null if unknown.
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

  // Players with a bet when bets close.
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

  // A fault stays until it is dismissed.
  const faultOf = (house, player) => `${PREFIX}fault ${house} ${player}`;

  function keepFault(house, player, fault) {
    try {
      if (fault) localStorage.setItem(faultOf(house, player), JSON.stringify(fault));
      else localStorage.removeItem(faultOf(house, player));
    } catch {
      // Without storage it is shown as long as the page is open.
    }
  }

  const keptFault = (house, player) => read(faultOf(house, player));

  return { awaited, compare, expect, keepFault, keptFault, note, recall, settle, waitsForLog };
})();
