// Sealed cuts (docs/reference/fairness-log.md, 4a): this browser draws a cut with the player's first bet and sends only
// its seal. It opens the cut once the log has the close with its seal. Cuts are stored here until their hand is
// checked.
"use strict";

const sealing = (() => {
  const PREFIX = "seal";
  const MOST = 200;
  const TRIES = 3;
  const AGAIN_MS = 400;
  // Without storage, cuts last as long as the page.
  const here = new Map();
  const busy = new Set();
  const tries = new Map();

  const prefixOf = (house, commit, player) => `${PREFIX} ${house} ${commit} ${player} `;
  const keyOf = ({ house, commit, player, seal }) => prefixOf(house, commit, player) + seal;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  function storedKeys() {
    try {
      return Object.keys(localStorage);
    } catch {
      return [];
    }
  }

  function read(key) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null") ?? here.get(key) ?? null;
    } catch {
      return here.get(key) ?? null;
    }
  }

  function write(entry) {
    here.set(keyOf(entry), entry);
    try {
      localStorage.setItem(keyOf(entry), JSON.stringify(entry));
      const kept = storedKeys().filter((key) => key.startsWith(`${PREFIX} `));
      kept.sort((one, other) => (read(one)?.at ?? 0) - (read(other)?.at ?? 0));
      for (const key of kept.slice(0, -MOST)) localStorage.removeItem(key);
    } catch {
      // Storage is full or not allowed.
    }
  }

  function erase(entry) {
    here.delete(keyOf(entry));
    try {
      localStorage.removeItem(keyOf(entry));
    } catch {
      // Storage is not allowed.
    }
  }

  // The player's own cuts for a commitment, in the same order in every tab, so that two tabs send the same one.
  function recall(house, commit, player) {
    const prefix = prefixOf(house, commit, player);
    const keys = new Set([...here.keys(), ...storedKeys()].filter((key) => key.startsWith(prefix)));
    return [...keys].sort().map(read).filter(Boolean);
  }

  function draw(at) {
    const cut = fairness.toHex(crypto.getRandomValues(new Uint8Array(32)));
    const entry = { ...at, cut, seal: records.sealOf(cut), at: Date.now(), isSealed: false, isOpened: false };
    write(entry);
    return entry;
  }

  // The server's answer, or null without one.
  async function post(verb, ...args) {
    const key = fairness.toHex(crypto.getRandomValues(new Uint8Array(12)));
    try {
      const answer = await fetch(document.querySelector("[data-post]").dataset.post, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ key, verb, args }),
      });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  // What the table shows now: `seals` are the accepted ones by player, `sealers` the players who may give one;
  // `closing` is the line of the close while cuts are opened, `head` a signed one that covers it.
  async function look({ house, player, casino, log, table, commit, sealers, seals, closing, head }) {
    const own = JSON.parse(seals)[player];
    if (own) {
      const mine = recall(house, commit, player);
      // Another device's or tab's seal counts.
      for (const one of mine) if (one.seal !== own) erase(one);
      const entry = mine.find(({ seal }) => seal === own);
      if (!entry) return;
      if (!entry.isSealed) write({ ...entry, isSealed: true });
      if (closing && head && !entry.isOpened) await once(own, () => open({ ...entry, isSealed: true }, Number(closing), head));
    } else if (sealers.split(" ").includes(player)) {
      await once(commit, () => give({ house, casino, log, table, commit, player }));
    }
  }

  async function once(name, run) {
    if (busy.has(name)) return;
    busy.add(name);
    try {
      await run();
    } finally {
      busy.delete(name);
    }
  }

  async function give(at) {
    while (maySeal(at) && (tries.get(at.commit) ?? 0) < TRIES) {
      const entry = recall(at.house, at.commit, at.player).find(({ isRefused }) => !isRefused) ?? draw(at);
      const answer = await post("seal", entry.seal, at.commit);
      if (answer && !answer.refused) {
        write({ ...entry, isSealed: true });
        return;
      }
      if (answer) {
        tries.set(at.commit, (tries.get(at.commit) ?? 0) + 1);
        // Another device's seal may have been accepted meanwhile, and this one erased.
        if (read(keyOf(entry))) write({ ...entry, isRefused: true });
      }
      await pause(AGAIN_MS);
    }
  }

  // What the table shows by now.
  function maySeal({ commit, player }) {
    const now = document.getElementById("fair")?.dataset;
    return now?.commit === commit && now.sealers.split(" ").includes(player);
  }

  // Until it is acknowledged or too late. Without proof of the close, nothing is opened.
  async function open(entry, line, head) {
    while (document.getElementById("fair")?.dataset.closing === String(line)) {
      const answer = (await isClosed(entry, line, head)) ? await post("open-cut", entry.cut, entry.commit) : null;
      if (answer) {
        write({ ...entry, isOpened: !answer.refused, isLate: Boolean(answer.refused) });
        return;
      }
      await pause(AGAIN_MS);
    }
  }

  async function isClosed({ casino, log, commit, seal }, line, head) {
    try {
      const published = fairness.parse(head);
      // The signature is checked while the proof is on its way: the cards wait for this.
      const answer = fetch(`/log/${casino}/inclusion?index=${line}&size=${published.head.size}&log=${log}`);
      // Reported below, unless the head is wrong.
      answer.catch(() => {});
      if (!records.isHead(published) || published.head.casino !== casino) return false;
      const { entry, proof } = fairness.parse(await (await answer).text());
      const { size, root } = published.head;
      return (
        fairness.isIncluded(fairness.encode(entry), line, size, proof, root) &&
        entry.k === "close" && entry.commit === commit && entry.seals.includes(seal)
      );
    } catch {
      return false;
    }
  }

  // Compare a record with what was sealed here: "ok", "wrong: why", "absent" or "not checked: why", as in records.js.
  function compare(house, { seals, unopened, seed, stakes, hand }, commit, player) {
    const sealed = recall(house, commit, player).filter(({ isSealed }) => isSealed);
    const hasBet = Array.isArray(stakes) && stakes.some((stake) => stake.player === `p${player}`);
    if (!sealed.length || !hasBet) return "absent";
    const isMixed = ({ cut }) => Array.isArray(seed?.cuts) && seed.cuts.includes(cut);
    // A later hand of a shoe names no seals.
    if (hand !== undefined) return sealed.some(isMixed) ? "ok" : "absent";
    const own = Array.isArray(seals) ? sealed.find(({ seal }) => seals.includes(seal)) : undefined;
    if (!own) return "wrong: the seal of this browser's cut is missing";
    if (Array.isArray(unopened) && unopened.includes(own.seal)) {
      if (own.isOpened) return "wrong: this browser opened its cut in time, and the record calls it unopened";
      return "not checked: this browser did not open its cut in time";
    }
    return isMixed(own) ? "ok" : "wrong: this browser's cut is not one of the record's";
  }

  return { compare, look, recall };
})();
