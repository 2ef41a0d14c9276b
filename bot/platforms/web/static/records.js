// Checks of a record. Each is "ok", "wrong: why", "absent" or "not checked: why", as in `ridotto verify`. The rules of
// the games are not here: what they decide is not checked, and nothing is ok that was not computed.
"use strict";

const records = (() => {
  const { Unreadable, canonical, digest, encode, fromHex, isIncluded, isSigned, join, roundAfter, sha256, timeOf, toHex } = fairness;
  const NEEDS_RULES = "not checked: the rules of the games are not in this page; the verifier as one file plays the hand";
  const NOTE = "this proves only that seed and commit fit";
  const NOTE_WITHOUT_LOG = "without its log this record proves nothing about the house";
  const [OPENING_S, VOID_AFTER_S] = [5, 3600];
  const ABSENT = "absent";

  class Wrong extends Error {}
  class NotChecked extends Error {}

  // The required form of values.

  const has = (object, name) => Object.hasOwn(object, name);
  const isList = Array.isArray;
  const isObject = (value) => typeof value === "object" && !isList(value);
  const isString = (value) => typeof value === "string";
  const isText = (value) => isString(value) && value !== "";
  const isNumber = (value) => typeof value === "number" && value >= 0;
  const isPositive = (value) => isNumber(value) && value > 0;
  const isFlag = (value) => typeof value === "boolean";
  const isHex = (digits) => (value) => isString(value) && value.length === digits && /^[0-9a-f]*$/.test(value);
  const isDigest = isHex(64);
  const isDigests = (value) => isList(value) && value.every((one) => isDigest(one));
  const isAscending = (list) => list.every((one, i) => i === 0 || list[i - 1] < one);
  const isSame = (one, other) => one !== undefined && other !== undefined && canonical(one) === canonical(other);
  const isNothing = (value) => !value || (typeof value === "object" && !Object.keys(value).length);
  const orEmpty = (value, isRight, empty) => (value !== undefined && isRight(value) ? value : empty);

  function demand(holds, why) {
    if (!holds) throw new Wrong(why);
  }

  function checkKeys(value, checks, what) {
    demand(isObject(value), `${what} is no object`);
    const strange = Object.keys(value).find((name) => !has(checks, name));
    demand(strange === undefined, `${what} has a key ${JSON.stringify(strange)}`);
    for (const [name, isRight] of Object.entries(checks)) {
      demand(has(value, name), `${what} has no ${name}`);
      demand(isRight(value[name]), `${name} of ${what} is not what it must be`);
    }
  }

  const PROMISE = {
    v: (value) => value === 2, house: isDigest, casino: isText, log: isPositive, table: isText, hand: isText, game: isText,
    rules: isNumber, options: isObject, previous: (value) => value === "" || isDigest(value), beacon: isFlag,
    opens: isNumber, seed: isDigest,
  };
  const HEAD = { house: isDigest, casino: isText, log: isPositive, size: isNumber, root: isDigest, at: isNumber };
  const ENTRIES = {
    commit: { k: isString, promise: isObject, at: isNumber },
    close: { k: isString, commit: isDigest, start: isNumber, cuts: isDigest, bets: isDigest, round: isNumber, at: isNumber },
    cuts: { k: isString, commit: isDigest, start: isNumber, cuts: isDigest, unopened: isDigests, round: isNumber, at: isNumber },
    paid: {
      k: isString, commit: isDigest, start: isNumber, next: isNumber, void: isString, record: isDigest, meter: isObject,
      at: isNumber,
    },
    open: { k: isString, commit: isDigest, seed: isDigest, why: isString, at: isNumber },
  };
  const METER = { before: isNumber, after: isNumber };
  const LOG = { entries: isList, head: isObject, signature: isHex(128) };
  const LONGEST_PROOF = 53;
  const PROVEN = {
    index: isNumber,
    entry: isObject,
    proof: (value) => isList(value) && value.length <= LONGEST_PROOF && value.every((one) => isDigest(one)),
  };
  const BEACON = { round: isPositive, randomness: isDigest, signature: isHex(96) };
  const RECORD = "v promise hand seed seals unopened salt start stakes moves jackpot beacon paid void log deck dice".split(" ");

  // The games, as the server declares them.

  function fullDeck(game, options) {
    const given = { ...game.options, ...options };
    const found = game.decks.find(([wanted]) => Object.keys(wanted).every((name) => wanted[name] === given[name]));
    return found ? found[1] : null;
  }

  // [cards, number of cards after which no other hand starts]; the second is 0 without a continuing shoe.
  function shoeOf(game, options) {
    const cards = fullDeck(game, options)?.length ?? 0;
    return [cards, game.shoe ? Math.ceil((cards * options[game.shoe]) / 10000) : 0];
  }

  const isLike = (usual, given) =>
    isObject(usual)
      ? isObject(given) && Object.keys(usual).every((name) => has(given, name) && isLike(usual[name], given[name]))
      : typeof usual === typeof given;

  function checkOptions(game, options) {
    for (const name of Object.keys(options)) demand(has(game.options, name), `the game has no option ${JSON.stringify(name)}`);
    for (const [name, usual] of Object.entries(game.options)) {
      demand(has(options, name), `its options do not say ${name}`);
      demand(isLike(usual, options[name]), `the option ${name} has the wrong type`);
      if (typeof usual === "number") demand(options[name] >= 0 && options[name] < 1e15, `the option ${name} is no amount`);
      demand(!has(game.words, name) || game.words[name].includes(options[name]), `the option ${name} is one of ${game.words[name]}`);
    }
    const { minimum = 1, step = 1, maximum = minimum } = options;
    demand(minimum > 0 && step > 0 && minimum <= maximum && minimum % step === 0, "these limits cannot be");
  }

  // A text option of which only the usual values are known here.
  function unknownOption(game, options) {
    const isKnown = ([name, usual]) => !isString(usual) || has(game.words, name) || options[name] === usual;
    return Object.entries(game.options).find((one) => !isKnown(one))?.[0];
  }

  function checkPromise(promise, games) {
    checkKeys(promise, PROMISE, "the promise");
    demand(has(games, promise.game), `there is no game ${JSON.stringify(promise.game)} here`);
    const game = games[promise.game];
    demand(game.rules.includes(promise.rules), `these rules of ${promise.game} are not known here`);
    checkOptions(game, promise.options);
    demand(promise.opens === 0 || game.stacks, "the seed of this game is shown when the hand is over, and opens is 0");
    return game;
  }

  // A record of version 2 under examination. `game` is null if its commitment cannot be played.
  class Case {
    constructor(record, games, house) {
      this.record = record;
      this.games = games;
      this.house = house;
      this.promise = orEmpty(record.promise, isObject, {});
      this.isVoid = has(record, "void");
      this.seed = orEmpty(record.seed, isObject, {});
      this.stakes = orEmpty(record.stakes, isList, []);
      this.isDropped = this.isVoid && isNothing(record.stakes);
      this.start = record.start ?? 0;
      try {
        this.game = checkPromise(this.promise, games);
      } catch (fault) {
        if (!(fault instanceof Wrong)) throw fault;
        this.game = null;
      }
    }

    get cuts() {
      return this.seed.cuts ?? [];
    }

    get hasSeals() {
      return has(this.record, "seals");
    }
  }

  const CHECKS = { promise: sayPromise, commit: sayCommit, deck: sayDeck, moves: sayMoves, payments: sayPayments, log: sayLog, beacon: sayBeacon };

  function sayPromise({ record, games, house, promise, seed, isVoid, isDropped, start }) {
    demand(record.v === 2, "a record of this version is not known here");
    demand(has(record, "promise") && isObject(record.promise), "there is no promise");
    checkPromise(promise, games);
    const strange = Object.keys(record).find((name) => !RECORD.includes(name));
    demand(strange === undefined, `the record has a key ${JSON.stringify(strange)}`);
    const { meter } = games[promise.game];
    demand(has(record, "start"), "the record has no start");
    demand(meter || !has(record, "jackpot"), "this game has no meter, and the record a jackpot");
    demand(isDropped || !has(seed, "server") || has(seed, "cuts"), "the seed of a record is its server and its cuts");
    demand(isDropped || !meter || has(record, "jackpot"), "the record does not tell the meter, its jackpot");
    demand(!house || promise.house === house, `it is the promise of the house ${promise.house}`);
    demand(Object.keys(seed).every((name) => name === "server" || name === "cuts"), "the seed of a record is its server and its cuts");
    demand(!isVoid || isText(record.void), "void says why");
    demand(!isDropped || !has(record, "salt"), "a dropped hand has no salt");
    demand(isDropped || isHex(32)(record.salt), "the salt is 16 bytes in hex");
    const isLater = isPositive(start);
    demand(
      isLater === has(record, "hand") && (!isLater || (isText(record.hand) && record.hand !== promise.hand)),
      "a later hand of a shoe has an id of its own, and no other hand has one",
    );
    const unknown = unknownOption(games[promise.game], promise.options);
    return unknown ? `not checked: what the option ${unknown} may be, the rules decide` : "";
  }

  const hashSeed = (server) => toHex(sha256(join(new TextEncoder().encode("ridotto 2"), fromHex(server))));

  function sayCommit({ seed, promise }) {
    demand(isDigest(seed.server), "the server seed is 32 bytes in hex");
    demand(hashSeed(seed.server) === promise.seed, "the seed does not match the commitment");
  }

  // 4 Cuts and deck

  const LONGEST_CUT = 64;
  const SPACE = "\\t\\n\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const SPACE_AT_AN_END = new RegExp(`^[${SPACE}]|[${SPACE}]$`, "u");

  function comesBefore(one, other) {
    const [a, b] = [[...one], [...other]];
    const at = a.findIndex((letter, i) => letter !== b[i]);
    return at >= 0 && at < b.length ? a[at].codePointAt(0) < b[at].codePointAt(0) : a.length < b.length;
  }

  function checkCuts(cuts) {
    demand(isList(cuts), "cuts are a list");
    for (const cut of cuts) {
      const length = isString(cut) ? [...cut].length : 0;
      demand(length >= 1 && length <= LONGEST_CUT, `a cut is a text of 1 to ${LONGEST_CUT} code points`);
      demand(!SPACE_AT_AN_END.test(cut), "a cut has white space at an end");
      demand(cut.normalize("NFC") === cut, "a cut is not in NFC");
      demand(!/\p{Cc}/u.test(cut), "a cut has a control character");
    }
    demand(cuts.every((cut, i) => i === 0 || !comesBefore(cut, cuts[i - 1])), "cuts must be ordered by code point");
  }

  // 4a Sealed cuts

  const publicCuts = (cuts) => cuts.filter((cut) => !isDigest(cut));
  const sealOf = (cut) => toHex(sha256(join(new TextEncoder().encode("ridotto cut"), fromHex(cut))));

  function checkSeals(cuts, seals, unopened) {
    for (const [list, what] of [[seals, "the seals"], [unopened ?? [], "the unopened seals"]]) {
      demand(isDigests(list), `${what} are a list of hashes in hex`);
      demand(isAscending(list), `${what} do not ascend, or one is there twice`);
    }
    demand(seals.length && (unopened === undefined || unopened.length), "a record names no empty list of seals");
    const settled = [...cuts.filter((cut) => isDigest(cut)).map(sealOf), ...(unopened ?? [])].sort();
    demand(isSame(settled, seals), "each seal has one opened cut or is unopened, and there is no other opened cut");
  }

  function sayDeck(given) {
    const { record, promise, game, seed, cuts, start, stakes, isVoid, isDropped, hasSeals } = given;
    for (const name of ["deck", "dice"]) demand(!has(record, name), `the ${name} of a hand follow from its seed, and are not part of a record`);
    demand(isNumber(start), "start is a number of cards");
    checkCuts(cuts);
    if (isDropped) {
      const isBare = !cuts.length && !start && !hasSeals && !has(record, "unopened");
      demand(isBare, "a dropped hand has no cuts and no seals, and its start is 0");
      return ABSENT;
    }
    if (hasSeals) {
      checkSeals(cuts, record.seals, record.unopened);
      demand(!start, "seals are given before the first hand of a shoe alone");
    }
    demand(hasSeals || !has(record, "unopened"), "there are unopened seals, and no seals");
    if (!game) throw new NotChecked("the promise cannot be played");
    const [cards, limit] = shoeOf(game, promise.options);
    demand(!start || start < limit, `no hand starts after ${start} of ${cards} cards here`);
    const players = new Set(stakes.filter(isObject).map(({ player }) => String(player)));
    const count = hasSeals ? publicCuts(cuts).length + record.seals.length : cuts.length;
    demand(start > 0 || count <= players.size, "there are more cuts than players with a bet");
    if (isVoid) return ABSENT;
    if (!isDigest(seed.server)) throw new NotChecked("there is no seed");
    if (promise.beacon !== has(record, "beacon")) throw new NotChecked("the promise and the record do not agree on a beacon");
    if (promise.beacon && !(isObject(record.beacon) && isDigest(record.beacon.randomness))) {
      throw new NotChecked("the beacon's round is missing");
    }
    if (!cards) throw new NotChecked("this page does not know the deck of these options");
    const full = { dice: game.dice, deck: fullDeck(game, promise.options) };
    given.dealt = fairness.shuffle(seed.server, cuts, record.beacon?.randomness ?? "", full);
    return "";
  }

  // What the rules decide

  function sayMoves({ record, isVoid, isDropped }) {
    if (!isVoid) return NEEDS_RULES;
    demand(!isDropped || isList(record.stakes ?? []), "a dropped hand has no stakes");
    demand(isList(record.moves ?? []) && !(record.moves ?? []).length, "a hand that was void before its deal has no moves");
    return ABSENT;
  }

  const PAID = ["wagered", "returned", "net"];
  const keysOf = (object) => Object.keys(object).sort().join("\n");
  const sum = (spots) => Object.values(spots).reduce((total, amount) => total + amount, 0);

  // Check whether its sums are consistent; whether the rules give these sums is unknown here.
  function sayPayments({ record: { paid }, isVoid, isDropped, game }) {
    if (isDropped) {
      demand(paid === undefined, "a dropped hand pays nothing");
      return ABSENT;
    }
    if (!game) return NEEDS_RULES;
    demand(paid !== undefined && isObject(paid) && keysOf(paid) === keysOf({ wagered: 0, returned: 0, net: 0 }), "what was paid is told by wagered, returned and net");
    demand(PAID.every((name) => isObject(paid[name])), "what was paid is told by seat");
    demand(PAID.every((name) => keysOf(paid[name]) === keysOf(paid.net)), "wagered, returned and net do not name the same seats");
    for (const [seat, net] of Object.entries(paid.net)) {
      const [put, back] = [paid.wagered[seat], paid.returned[seat]];
      demand([put, back].every(isObject), "wagered and returned tell amounts by seat and spot");
      demand([put, back].every((spots) => Object.values(spots).every(isNumber)), `an amount of seat ${seat} is none`);
      demand(net === sum(back) - sum(put), `net of seat ${seat} is not what came back less what was put down`);
      demand(!isVoid || net === 0, `a void hand gives back every stake, and seat ${seat} has ${net}`);
    }
    return NEEDS_RULES;
  }

  // The log

  function sayLog(given) {
    const { record, promise, isDropped, hasSeals } = given;
    if (!has(record, "log")) return ABSENT;
    const { log } = record;
    checkKeys(log, LOG, "the log");
    checkHead(log.head, log.signature, promise);
    const entries = provenEntries(log.entries, log.head);
    const kinds = isDropped ? ["commit", "open"] : ["commit", "close", ...(hasSeals ? ["cuts"] : []), "paid"];
    demand(isSame(entries.map(({ k }) => k), kinds), `the entries of this hand are ${kinds.join(", ")}, in this order`);
    const times = [...entries.map(({ at }) => at), log.head.at];
    demand(times.every((at, i) => i === 0 || at >= times[i - 1]), "times fall within the log");
    demand(isSame(entries[0].promise, promise), "the commit entry has another promise");
    const commit = digest(promise);
    demand(entries.slice(1).every((entry) => entry.commit === commit), "an entry is another commit's");
    if (isDropped) {
      demand(entries[1].seed === given.seed.server, "the open entry shows another seed");
      demand(entries[1].why === record.void, "the open entry says another why");
      return "";
    }
    checkClose(given, entries[1]);
    if (hasSeals) checkCutsEntry(given, entries[1], entries[2]);
    checkRound(given, entries.at(-2));
    return sayPaid(given, entries.at(-1), entries.at(-2).round);
  }

  function checkHead(head, signature, { house, casino, log }) {
    checkKeys(head, HEAD, "the head");
    for (const [name, wanted] of Object.entries({ house, casino, log })) {
      demand(head[name] === wanted, `${name} of the head is not the promise's`);
    }
    demand(isSigned(head.house, encode(head), signature), "the head is not signed by the house");
  }

  // The last head found to be signed: a page asks twice about that of a close, while the cards wait.
  let signed = "";

  // Return whether it is a head, signed by the key that it names.
  function isHead({ head, signature }) {
    const told = JSON.stringify([head, signature]);
    if (told === signed) return true;
    try {
      checkKeys(head, HEAD, "the head");
      if (!isHex(128)(signature) || !isSigned(head.house, encode(head), signature)) return false;
      signed = told;
      return true;
    } catch (fault) {
      if (!(fault instanceof Wrong)) throw fault;
      return false;
    }
  }

  function provenEntries(given, head) {
    let last = -1;
    for (const one of given) {
      checkKeys(one, PROVEN, "an entry of the log");
      demand(one.index > last, "entries must be ordered by index");
      const holds = isIncluded(encode(one.entry), one.index, head.size, one.proof, head.root);
      demand(holds, `the proof of entry ${one.index} does not lead to the head's root`);
      demand(isString(one.entry.k) && has(ENTRIES, one.entry.k), "this is no entry of a hand");
      const keys = one.entry.k === "close" && has(one.entry, "seals") ? { seals: isDigests } : {};
      checkKeys(one.entry, { ...ENTRIES[one.entry.k], ...keys }, `a ${one.entry.k} entry`);
      last = one.index;
    }
    return given.map(({ entry }) => entry);
  }

  function checkClose({ record, promise, game, cuts, stakes, start }, entry) {
    demand(entry.start === start, "the close entry has another start");
    demand(has(record, "seals") ? isSame(entry.seals, record.seals) : !has(entry, "seals"), "the close entry has other seals");
    demand(entry.cuts === digest(has(record, "seals") && isList(cuts) ? publicCuts(cuts) : cuts), "the close entry was made of other cuts");
    demand(entry.bets === digest({ salt: record.salt ?? "", stakes }), "the close entry was made of other bets");
    demand(!has(record, "seals") || !entry.round, "the close entry names a round, which is for the cuts entry to name");
    if (!game) return;
    const [, limit] = shoeOf(game, promise.options);
    demand(!entry.start || entry.start < limit, `no hand starts after ${entry.start} cards here`);
  }

  function checkCutsEntry({ record, cuts, start }, close, entry) {
    demand(entry.start === start, "the cuts entry has another start");
    demand(entry.cuts === digest(cuts), "the cuts entry was made of other cuts");
    demand(isSame(entry.unopened, record.unopened ?? []), "the cuts entry has other unopened seals");
    const isInTime = !entry.unopened.length || entry.at >= close.at + OPENING_S;
    demand(isInTime, `seals are called unopened within ${OPENING_S} s of the close`);
  }

  function checkRound({ record, promise }, { k, round, at, start }) {
    const isNamed = has(record, "beacon") && isObject(record.beacon);
    demand(!isNamed || round === record.beacon.round, `the ${k} entry names round ${round}, and the record another`);
    if (!promise.beacon || start === 0) {
      const due = promise.beacon ? roundAfter(at) : 0;
      demand(round === due, `the ${k} entry names round ${round} and not ${due}`);
    }
    demand(!promise.beacon || round > 0, `the ${k} entry names no round`);
  }

  function sayPaid({ record, promise, game, start, isVoid }, entry, round) {
    const due = timeOf(round) + (isVoid ? VOID_AFTER_S : 0);
    demand(!round || entry.at >= due, `the paid entry is of ${entry.at}, before ${due}, which round ${round} allows`);
    demand(entry.start === start, "the paid entry has another start");
    const { log: _log, ...rest } = record;
    demand(entry.record === digest(rest), "the paid entry was made of another record");
    const isEndedVoid = isList(record.moves) && record.moves.at(-1) === "void";
    if (isVoid) demand(entry.void === record.void, "the paid entry says another why");
    else demand((entry.void !== "") === isEndedVoid, "record and paid entry do not agree on whether the hand was void");
    if (!game) throw new NotChecked("the promise cannot be played");
    const left = [checkMeter(record, game, isVoid || isEndedVoid, entry.meter), checkNext(promise, game, isVoid, entry)].filter(Boolean);
    return left.length ? `not checked: all holds but ${left.join(" and ")}, which the rules decide` : "";
  }

  // What only the rules could check; "" for nothing.
  function checkMeter(record, game, isVoid, meter) {
    demand(game.meter || !Object.keys(meter).length, "this game has no meter");
    if (!game.meter) return "";
    checkKeys(meter, METER, "the meter");
    demand(!isNumber(record.jackpot) || meter.before === record.jackpot, "the meter is not the record's");
    demand(!isVoid || meter.before === meter.after, "a void hand moves no meter");
    return isVoid && isNumber(record.jackpot) ? "" : "what the hand did to the meter";
  }

  function checkNext({ options }, game, isVoid, { start, next }) {
    const [, limit] = shoeOf(game, options);
    if (isVoid || (!limit && !game.shoe)) {
      demand(next === (limit ? start : 0), "next is not the start and the cards that were dealt");
      return "";
    }
    if (!limit && next === 0) return "";
    demand(next > start, "next is not the start and the cards that were dealt");
    return "where the next hand starts";
  }

  // 5 The beacon

  function sayBeacon({ record, promise, isVoid, start }) {
    const isPromised = promise.beacon === true;
    if (!has(record, "beacon")) {
      demand(!isPromised || isVoid, "the promise has a beacon, and the record no round");
      return ABSENT;
    }
    const { beacon } = record;
    demand(isPromised, "the promise has no beacon");
    demand(!isVoid, "a hand that was void before its deal has no round");
    checkKeys(beacon, BEACON, "the beacon");
    demand(beacon.randomness === toHex(sha256(fromHex(beacon.signature))), "the randomness is not the hash of the signature");
    const namedAt = roundNamedAt(record);
    const due = namedAt === null ? 0 : roundAfter(namedAt);
    demand(!due || start !== 0 || beacon.round === due, `at ${namedAt} round ${due} is named and not ${beacon.round}`);
    return `not checked: the verifier as one file checks the signature of round ${beacon.round}`;
  }

  // The time of the entry that names the round: the close, with seals the cuts; null if it is missing.
  function roundNamedAt(record) {
    const { log } = record;
    const kind = has(record, "seals") ? "cuts" : "close";
    const entries = log !== undefined && isObject(log) && log.entries !== undefined && isList(log.entries) ? log.entries : [];
    const named = entries.filter((one) => isObject(one) && one.entry !== undefined && isObject(one.entry));
    return named.find(({ entry }) => entry.k === kind && isNumber(entry.at))?.entry.at ?? null;
  }

  function say(check, given) {
    try {
      return check(given) || "ok";
    } catch (fault) {
      if (fault instanceof Wrong) return `wrong: ${fault.message}`;
      if (fault instanceof NotChecked) return `not checked: ${fault.message}`;
      throw fault;
    }
  }

  // {version, house, casino, checks, dealt} of a record that `fairness.parse` has read. `games` as the server declares
  // them, `house` the key that its commitment must name, or "". `dealt` has deck and dice if they could be computed.
  function verify(record, games, house = "") {
    if (!isObject(record)) throw new Unreadable("a record is an object");
    if (!has(record, "v")) return verifyVersion1(record, games);
    const given = new Case(record, games, house);
    const checks = {};
    for (const [name, check] of Object.entries(CHECKS)) checks[name] = say(check, given);
    const [named, casino] = [given.promise.house, given.promise.casino].map((one) => (isString(one) ? one : ""));
    const note = has(record, "log") ? {} : { note: NOTE_WITHOUT_LOG };
    const version = typeof record.v === "number" ? record.v : 0;
    return { version, house: named, casino, checks, ...note, dealt: given.dealt ?? null };
  }

  function verifyVersion1(record, games) {
    const game = isText(record.game ?? 0) && has(games, record.game) ? games[record.game] : null;
    const checks = { promise: ABSENT, commit: ABSENT, deck: ABSENT, moves: NEEDS_RULES, payments: ABSENT, log: ABSENT, beacon: ABSENT };
    const seed = orEmpty(record.seed, isObject, {});
    const [cuts, start] = [seed.cuts ?? [], record.start ?? 0];
    const isPlayable = game?.rules.includes(record.rules ?? game.rules[0]) && isList(record.stakes ?? 0) && record.stakes.length;
    const deck = isPlayable ? fullDeck(game, orEmpty(record.options, isObject, {})) : null;
    const isSeeded = isString(seed.server) && /^[0-9a-fA-F]{64}$/.test(seed.server) && isList(cuts) && cuts.every(isString);
    let dealt = null;
    if (isSeeded && deck && isNumber(start) && start < deck.length) {
      dealt = fairness.shuffle(seed.server, cuts, null, { dice: game.dice, deck });
      checks.deck = "ok";
    } else {
      checks.deck = isPlayable ? "not checked: no deck follows from this record here" : "wrong: no hand follows from this record";
    }
    if (has(record, "commit") && has(record, "seed") && !(isString(record.commit) && isSeeded)) {
      checks.commit = "wrong: commit and server seed are 32 bytes in hex";
    } else if (has(record, "commit") && isSeeded) {
      const fits = record.commit.toLowerCase() === toHex(sha256(fromHex(seed.server)));
      checks.commit = fits ? "ok" : "wrong: this is not the hash of the seed";
    }
    return { version: 1, house: "", casino: "", checks, note: NOTE, dealt };
  }

  // The table before the hand.
  const commitOf = (record) => (has(record, "v") ? digest(record.promise ?? {}) : String(record.commit ?? "").toLowerCase());

  let declared = null;

  // The server's declaration of its games, fetched once.
  async function games() {
    declared ??= fetch("/verify/games.json").then((answer) => answer.json());
    return await declared;
  }

  // Which card went where. `events` are the output of `ridotto replay`: each card in them must be the next one of the
  // deck, from `start` on; a repeated card is skipped. [[place in the deck, card, to]...], or null for a card that is
  // not the deck's.
  function follow(deck, start, events) {
    const went = [];
    const take = (card, to) => {
      const isNext = deck[start + went.length] === card;
      if (isNext) went.push([start + went.length, card, to]);
      return isNext || went.some(([, known]) => known === card);
    };
    const isDealt = ({ event, to, cards, seat, card }) =>
      event === "dealt" ? cards.every((one) => take(one, to)) : event !== "exchanged" || take(card, seat);
    return events.every(isDealt) ? went : null;
  }

  return { NOTE, commitOf, follow, games, isHead, sealOf, verify };
})();
