// Commit, cuts and shuffle in plain JavaScript, for any browser and without a secure connection.
"use strict";

const fairness = (() => {
  const K = [];
  const START = [];
  // The first 32 bits of the fractional parts of the square and cube roots of the first primes (FIPS 180-4).
  for (let n = 2; K.length < 64; n += 1) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) isPrime = false;
    if (!isPrime) continue;
    if (START.length < 8) START.push(((n ** 0.5 % 1) * 2 ** 32) >>> 0);
    K.push(((n ** (1 / 3) % 1) * 2 ** 32) >>> 0);
  }
  const turn = (x, by) => (x >>> by) | (x << (32 - by));

  function sha256(bytes) {
    const length = bytes.length;
    const padded = new Uint8Array((((length + 8) >> 6) + 1) << 6);
    padded.set(bytes);
    padded[length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
    view.setUint32(padded.length - 4, (length << 3) >>> 0);
    const state = Uint32Array.from(START);
    const w = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + 4 * i);
      for (let i = 16; i < 64; i += 1) {
        const a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
        const b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
        w[i] = w[i - 16] + a + w[i - 7] + b;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i += 1) {
        const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i];
        const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
      }
      [a, b, c, d, e, f, g, h].forEach((value, i) => {
        state[i] += value;
      });
    }
    const out = new Uint8Array(32);
    state.forEach((word, i) => new DataView(out.buffer).setUint32(4 * i, word));
    return out;
  }

  function hmac(key, message) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    const inner = new Uint8Array(64 + message.length);
    inner.set(block.map((byte) => byte ^ 0x36));
    inner.set(message, 64);
    const outer = new Uint8Array(96);
    outer.set(block.map((byte) => byte ^ 0x5c));
    outer.set(sha256(inner), 64);
    return sha256(outer);
  }

  const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  function* numbers(server, cuts) {
    const key = hmac(server, new TextEncoder().encode(cuts.join("\n")));
    for (let i = 0; ; i += 1) {
      const counter = new DataView(new ArrayBuffer(8));
      counter.setUint32(0, Math.floor(i / 2 ** 32));
      counter.setUint32(4, i >>> 0);
      const block = new DataView(hmac(key, new Uint8Array(counter.buffer)).buffer);
      for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
    }
  }

  function below(words, n) {
    const limit = n * Math.floor(2 ** 32 / n);
    for (;;) {
      const word = words.next().value;
      if (word < limit) return word % n;
    }
  }

  // The games as the page names them: whether dice are drawn first, and which full deck goes with which options.
  const games = () => JSON.parse(document.getElementById("verifier").dataset.decks);

  // The full deck of a record's game and options; null where there is none.
  function fullDeck(record) {
    const game = Object.hasOwn(games(), record.game) ? games()[record.game] : null;
    const options = { ...game?.options, ...record.options };
    const found = game?.decks.find(([given]) => Object.keys(given).every((name) => given[name] === options[name]));
    return found ? found[1].match(/../g) : null;
  }

  // What a record's seed and cuts come to: the commit, the dice if there are any, and the whole shuffled deck.
  function compute(record) {
    const server = fromHex(record.seed.server);
    const words = numbers(server, record.seed.cuts ?? []);
    const dice = games()[record.game].dice ? [1 + below(words, 6), 1 + below(words, 6)] : null;
    const deck = fullDeck(record);
    for (let i = deck.length - 1; i > 0; i -= 1) {
      const j = below(words, i + 1);
      [deck[i], deck[j]] = [deck[j], deck[i]];
    }
    return { commit: toHex(sha256(server)), dice, deck: deck.slice(record.start ?? 0) };
  }

  return { sha256, hmac, toHex, fromHex, fullDeck, compute };
})();
