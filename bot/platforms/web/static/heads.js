// What this browser has seen of casinos' logs: signed heads, each proven to extend the earlier ones. It stays in this
// browser. A server that shows a different history is found out here.
"use strict";

const heads = (() => {
  const { encode, hashLeaf, isConsistent, parse, toHex } = fairness;
  const PREFIX = "log";
  const MOST = 64;
  // How long a server may be without a head, or without its proof.
  const PATIENCE_MS = 10 * 60 * 1000;
  const NOTHING = { seen: [], waits: null, fault: null, begun: null };
  const here = new Map();

  class Fault extends Error {}
  class Missing extends Error {}

  const keyOf = (casino) => `${PREFIX} ${casino}`;

  // {seen: [{head, signature, seen: Unix seconds}...], waits: since when no head or proof came or null, fault: {kind,
  // head, signature, seen} or null, begun: {log, why, lost, isNewKey} of the last log that began or null}.
  function recall(casino) {
    try {
      return { ...NOTHING, ...(JSON.parse(localStorage.getItem(keyOf(casino)) ?? "null") ?? here.get(casino)) };
    } catch {
      return { ...NOTHING, ...here.get(casino) };
    }
  }

  // Apply `change` to the stored value, which other pages of this browser may have changed.
  function remember(casino, change) {
    const memory = { ...recall(casino), ...change(recall(casino)) };
    here.set(casino, memory);
    try {
      localStorage.setItem(keyOf(casino), JSON.stringify(memory));
    } catch {
      // Storage is full or not allowed.
    }
  }

  function forget(casino) {
    here.delete(casino);
    try {
      localStorage.removeItem(keyOf(casino));
    } catch {
      // Storage is not allowed, so nothing was stored.
    }
  }

  const isLater = (one, other) => one.log > other.log || (one.log === other.log && one.size > other.size);
  const now = () => Math.ceil(Date.now() / 1000);

  // Keep the oldest head and the newest ones.
  function keep(casino, { head, signature }, at, more = {}) {
    remember(casino, ({ seen }) => {
      const last = seen.at(-1)?.head;
      if (last && !isLater(head, last)) return { waits: null, ...more };
      const grown = [...seen, { head, signature, seen: at }];
      return { seen: grown.length > MOST ? [grown[0], ...grown.slice(2)] : grown, waits: null, ...more };
    });
  }

  // Fetch part of a log. Throws Missing without an answer, Fault for a refusal.
  async function ask(path) {
    let answer;
    try {
      answer = await fetch(`/log/${path}`, { cache: "no-store" });
    } catch {
      throw new Missing();
    }
    if (!answer.ok) throw [400, 404].includes(answer.status) ? new Fault("refused") : new Missing();
    try {
      return parse(await answer.text());
    } catch (fault) {
      if (!(fault instanceof fairness.Unreadable)) throw new Missing();
      throw new Fault("refused");
    }
  }

  const isText = (value) => typeof value === "string" && value !== "";
  const isProof = (proof) => Array.isArray(proof) && proof.length <= 128 && proof.every((node) => /^[0-9a-f]{64}$/.test(node));

  async function askProof({ casino, log }, from, to) {
    const { proof } = await ask(`${casino}/consistency?from=${from}&to=${to}&log=${log}`);
    if (!isProof(proof)) throw new Fault("refused");
    return proof;
  }

  // Two heads of one log must be of one tree.
  async function link(one, other) {
    const [old, grown] = one.size <= other.size ? [one, other] : [other, one];
    const proof = old.size === grown.size || old.size === 0 ? [] : await askProof(old, old.size, grown.size);
    if (!isConsistent(old.size, old.root, grown.size, grown.root, proof)) throw new Fault("fork");
  }

  // A later log than the known one: its first entry names the log before it.
  async function readBegin(known, published) {
    const { head } = published;
    const at = { casino: known.casino, log: known.log + 1 };
    const { entries } = await ask(`${at.casino}/entries?from=0&to=1&log=${at.log}`);
    const newest = head.log === at.log ? published : await ask(`${at.casino}/head?log=${at.log}`);
    const isOfIt = ({ casino, log }) => casino === at.casino && log === at.log;
    if (!records.isHead(newest) || !isOfIt(newest.head) || !Array.isArray(entries) || entries.length !== 1) throw new Fault("fork");
    const [entry] = entries;
    await link({ ...at, size: 1, root: toHex(hashLeaf(encode(entry))) }, newest.head);
    const { k, log, after, why } = entry;
    const isBegin = k === "begin" && log === at.log && isText(why) && typeof after === "object";
    const isAfter = isBegin && ["house", "casino", "log"].every((name) => after[name] === known[name]);
    const isTree = isAfter && Number.isSafeInteger(after.size) && after.size >= 0 && typeof after.root === "string";
    if (!isTree) throw new Fault("fork");
    return { after, why };
  }

  async function holdNewLog({ seen }, published) {
    const { head } = published;
    const known = seen.at(-1).head;
    const { after, why } = await readBegin(known, published);
    // Entries after that head cannot be compared any more; report how many.
    const before = seen.findLast((one) => one.head.log === known.log && one.head.size <= after.size);
    if (before) await link(before.head, after);
    return { log: head.log, why, lost: Math.max(0, known.size - after.size), isNewKey: head.house !== known.house };
  }

  async function holdSameLog(memory, head, isNewest) {
    const ofThis = memory.seen.filter((one) => one.head.log === head.log).map((one) => one.head);
    const last = ofThis.at(-1);
    // The log is from before this browser knew the casino.
    if (!last) return;
    if (head.house !== last.house) throw new Fault("key");
    if (isNewest && (head.size < last.size || head.at < last.at)) throw new Fault("rollback");
    await link(last, head);
    if (isNewest && ofThis.length > 1) await link(ofThis[0], head);
  }

  async function hold(casino, memory, published, isNewest, at) {
    const { head } = published;
    if (!records.isHead(published) || head.casino !== casino) throw new Fault("unsigned");
    const last = memory.seen.at(-1)?.head;
    if (isNewest && last && head.log < last.log) throw new Fault("rollback");
    const begun = last && head.log > last.log ? await holdNewLog(memory, published) : null;
    if (!begun) await holdSameLog(memory, head, isNewest);
    keep(casino, published, at, begun ? { begun } : {});
    return begun ? { kind: "begun", ...begun } : { kind: last ? "good" : "first" };
  }

  // One check at a time: a head must not be compared with a stored value older than itself.
  let queue = Promise.resolve();

  function inTurn(act) {
    const next = queue.then(act);
    queue = next.catch(() => {});
    return next;
  }

  // {kind}: "first" for the first check, "good", "begun" with {log, why, lost, isNewKey}, "waiting" for a head, or the
  // fault: "unsigned", "rollback", "fork", "key", "refused", "missing". `find` has a published head, or fetches one;
  // `at` is when it was seen, if that was earlier.
  async function judge(casino, find, isNewest, at) {
    const memory = recall(casino);
    let published = {};
    try {
      published = await find();
      return await hold(casino, memory, published, isNewest, at ?? now());
    } catch (fault) {
      if (fault instanceof Missing) return wait(casino);
      if (!(fault instanceof Fault)) throw fault;
      // A new log has no head yet.
      if (!published.head && !memory.seen.length) return { kind: "first" };
      if (!published.head) return wait(casino);
      const shown = records.isHead(published) ? { head: published.head, signature: published.signature } : { head: {} };
      remember(casino, () => ({ fault: { kind: fault.message, ...shown, seen: now() } }));
      return { kind: fault.message };
    }
  }

  // A head is only missing if one was seen before.
  function wait(casino) {
    const { seen, waits } = recall(casino);
    if (!seen.length) return { kind: "first" };
    if (waits === null) remember(casino, () => ({ waits: Date.now() }));
    return { kind: waits !== null && Date.now() - waits > PATIENCE_MS ? "missing" : "waiting" };
  }

  // Compare the server's newest head with what this browser has seen.
  const follow = (casino) => inTurn(() => judge(casino, () => ask(`${casino}/head`), true));

  // The head of a record, which may be older than later ones, or one that covers a close, seen at that time.
  const extend = (casino, { head, signature }, at) => inTurn(() => judge(casino, () => Promise.resolve({ head, signature }), false, at));

  // A fault stays: nobody can take back two signed histories.
  const faultOf = (casino) => recall(casino).fault?.kind ?? null;

  // JSON lines for `ridotto log check --seen`, of the last log that was seen.
  function lines(casino) {
    const { seen, fault } = recall(casino);
    const last = seen.at(-1)?.head.log;
    const told = [...seen, ...(fault ? [fault] : [])].filter(({ head }) => head.log !== undefined && head.log === last);
    return told.map(({ head, signature, seen: at }) => `${JSON.stringify({ head, signature, seen: at })}\n`).join("");
  }

  // The sentences come from the page; `%` is replaced by the finding.
  function say({ kind, why, lost, isNewKey, hand = "" }, words) {
    if (kind !== "begun") return words[kind].replace("%", hand);
    const more = [lost ? words.lost.replace("%", lost) : "", isNewKey ? words.newkey : ""];
    return [words.begun.replace("%", () => why), ...more].filter(Boolean).join(" ");
  }

  return { PATIENCE_MS, extend, faultOf, follow, forget, lines, recall, say };
})();
