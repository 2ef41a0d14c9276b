// The arithmetic of docs/reference/fairness-log.md in plain JavaScript, for any browser and without https: hashes,
// bytes, trees, signatures, decks. The input is untrusted: each function returns a result or throws Unreadable.
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

  // SHA-512, used only for signatures: 64-bit words as BigInt.

  const LOW = 2n ** 64n - 1n;

  // The first 64 bits of the fractional part of the nth root of a prime.
  function fraction(prime, root) {
    const wanted = BigInt(prime) << (64n * root);
    let [low, high] = [0n, 1n << 70n];
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** root <= wanted) low = middle;
      else high = middle;
    }
    return low & LOW;
  }

  const primes = [];
  for (let n = 2; primes.length < 80; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  let wide = null;
  const turnWide = (x, by) => (x >> by) | ((x << (64n - by)) & LOW);

  function sha512(bytes) {
    wide ??= { K: primes.map((prime) => fraction(prime, 3n)), START: primes.slice(0, 8).map((prime) => fraction(prime, 2n)) };
    const length = bytes.length;
    const padded = new Uint8Array((((length + 16) >> 7) + 1) << 7);
    padded.set(bytes);
    padded[length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setBigUint64(padded.length - 8, BigInt(length) * 8n);
    const state = [...wide.START];
    for (let at = 0; at < padded.length; at += 128) {
      const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
      for (let i = 16; i < 80; i += 1) {
        const a = turnWide(w[i - 15], 1n) ^ turnWide(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
        const b = turnWide(w[i - 2], 19n) ^ turnWide(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
        w.push((w[i - 16] + a + w[i - 7] + b) & LOW);
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 80; i += 1) {
        const one = h + (turnWide(e, 14n) ^ turnWide(e, 18n) ^ turnWide(e, 41n)) + ((e & f) ^ (~e & LOW & g)) + wide.K[i] + w[i];
        const two = (turnWide(a, 28n) ^ turnWide(a, 34n) ^ turnWide(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & LOW, c, b, a, (one + two) & LOW];
      }
      [a, b, c, d, e, f, g, h].forEach((value, i) => {
        state[i] = (state[i] + value) & LOW;
      });
    }
    const out = new Uint8Array(64);
    state.forEach((word, i) => new DataView(out.buffer).setBigUint64(8 * i, word));
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
  const encoder = new TextEncoder();

  function join(...parts) {
    const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  // 0 Bytes: one strict reader and one canonical form (RFC 8785).

  class Unreadable extends Error {}

  const LONGEST = 4 * 2 ** 20;
  const DEEPEST = 256;
  const SURROGATE = /\p{Surrogate}/u;
  const TOKEN = /[ \t\n\r]*(?:([[\]{},:])|"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"|(-?(?:0|[1-9][0-9]*))(?![0-9.eE])|(true|false))/y;

  // Parse a JSON text. Objects have no prototype, so every key comes from the text.
  function parse(text) {
    if (text.length > LONGEST) throw new Unreadable(`it is longer than ${LONGEST} characters`);
    let at = 0;
    let token = null;

    function next() {
      TOKEN.lastIndex = at;
      token = TOKEN.exec(text);
      if (!token) throw new Unreadable(whyNot(text.slice(at, at + 40).trimStart()));
      at = TOKEN.lastIndex;
    }

    function readText() {
      // JSON.parse decodes the escapes of a string whose form was checked.
      const read = JSON.parse(token[0].trimStart());
      if (SURROGATE.test(read)) throw new Unreadable("a text holds a lone surrogate");
      return read;
    }

    function readNumber() {
      const number = Number(token[3]);
      if (!Number.isSafeInteger(number)) throw new Unreadable("a number is 2^53 or more in size");
      return number + 0;
    }

    function readList(depth) {
      const list = [];
      next();
      if (token[1] === "]") return list;
      for (;;) {
        list.push(readValue(depth + 1));
        next();
        if (token[1] === "]") return list;
        if (token[1] !== ",") throw new Unreadable("it is not valid JSON: a list does not go on");
        next();
      }
    }

    function readObject(depth) {
      const object = Object.create(null);
      next();
      if (token[1] === "}") return object;
      for (;;) {
        if (token[2] === undefined) throw new Unreadable("it is not valid JSON: a key is a text");
        const key = readText();
        if (key in object) throw new Unreadable("an object has a duplicate key");
        next();
        if (token[1] !== ":") throw new Unreadable("it is not valid JSON: a key has no value");
        next();
        object[key] = readValue(depth + 1);
        next();
        if (token[1] === "}") return object;
        if (token[1] !== ",") throw new Unreadable("it is not valid JSON: an object does not go on");
        next();
      }
    }

    function readValue(depth) {
      if (token[3] !== undefined) return readNumber();
      if (token[4] !== undefined) return token[4] === "true";
      if (token[1] === undefined) return readText();
      if (token[1] !== "[" && token[1] !== "{") throw new Unreadable("it is not valid JSON: a value is missing");
      if (depth === DEEPEST) throw new Unreadable("it is nested too deeply");
      return token[1] === "[" ? readList(depth) : readObject(depth);
    }

    next();
    const value = readValue(0);
    if (/[^ \t\n\r]/.test(text.slice(at))) throw new Unreadable("there is data after its end");
    return value;
  }

  function whyNot(rest) {
    if (rest.startsWith("null")) return "a value is null";
    if (/^-?[0-9]+[.eE]/.test(rest)) return "a number has a point or an exponent";
    return rest ? "it is not valid JSON" : "it ends too early";
  }

  // C(value), of a value from `parse` or built from such values.
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (typeof value !== "object") return JSON.stringify(value);
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }

  const encode = (value) => encoder.encode(canonical(value));
  const digest = (value) => toHex(sha256(encode(value)));

  // 2 The log: the tree of RFC 6962.

  const hashLeaf = (leaf) => sha256(join(Uint8Array.of(0), leaf));
  const hashNode = (left, right) => sha256(join(Uint8Array.of(1), left, right));
  const half = (number) => Math.floor(number / 2);
  const isOdd = (number) => number % 2 === 1;

  // Return whether a proof (hex) leads from the leaf at `index` to the root (hex) of a tree of `size`.
  function isIncluded(leaf, index, size, proof, root) {
    if (index < 0 || index >= size) return false;
    let node = hashLeaf(leaf);
    let last = size - 1;
    for (const sibling of proof.map(fromHex)) {
      if (last === 0) return false;
      if (isOdd(index) || index === last) {
        node = hashNode(sibling, node);
        while (!isOdd(index) && index) [index, last] = [half(index), half(last)];
      } else {
        node = hashNode(node, sibling);
      }
      [index, last] = [half(index), half(last)];
    }
    return last === 0 && toHex(node) === root;
  }

  // Return whether the proof shows that a tree of `old` leaves is the beginning of one of `size`.
  function isConsistent(old, oldRoot, size, root, proof) {
    if (old < 0 || old > size) return false;
    if (old === 0 || old === size) {
      return proof.length === 0 && oldRoot === (old === 0 ? toHex(sha256(new Uint8Array())) : root);
    }
    let path = proof;
    // The root of a whole power of two is a node of the larger tree, so the proof omits it.
    if (Number.isInteger(Math.log2(old))) path = [oldRoot, ...path];
    if (!path.length) return false;
    let [index, last] = [old - 1, size - 1];
    while (isOdd(index)) [index, last] = [half(index), half(last)];
    let before = fromHex(path[0]);
    let after = before;
    for (const node of path.slice(1).map(fromHex)) {
      if (last === 0) return false;
      if (isOdd(index) || index === last) {
        [before, after] = [hashNode(node, before), hashNode(node, after)];
        while (!isOdd(index) && index) [index, last] = [half(index), half(last)];
      } else {
        after = hashNode(after, node);
      }
      [index, last] = [half(index), half(last)];
    }
    return last === 0 && toHex(before) === oldRoot && toHex(after) === root;
  }

  // Ed25519 (RFC 8032), checked strictly: S below the order, canonical points, no key of small order, no cofactor.

  const P = 2n ** 255n - 19n;
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const mod = (x) => ((x % P) + P) % P;

  function power(base, exponent) {
    let result = 1n;
    for (let square = mod(base), rest = exponent; rest; rest >>= 1n) {
      if (rest & 1n) result = (result * square) % P;
      square = (square * square) % P;
    }
    return result;
  }

  const invert = (x) => power(x, P - 2n);
  const D = mod(-121665n * invert(121666n));
  const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);
  const NEUTRAL = [0n, 1n, 1n, 0n];

  function addPoints([x, y, z, t], [u, v, w, s]) {
    const a = mod((y - x) * (v - u));
    const b = mod((y + x) * (v + u));
    const c = mod(2n * t * s * D);
    const d = mod(2n * z * w);
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
  }

  const toNumber = (bytes) => BigInt(`0x${toHex(Uint8Array.from(bytes).reverse()) || "0"}`);

  // Null for bytes that are no point or not in canonical form.
  function decodePoint(bytes) {
    const whole = toNumber(bytes);
    const sign = whole >> 255n;
    const y = whole & (2n ** 255n - 1n);
    if (bytes.length !== 32 || y >= P) return null;
    const square = mod((y * y - 1n) * invert(D * y * y + 1n));
    let x = power(square, (P + 3n) / 8n);
    if (mod(x * x) !== square) x = mod(x * ROOT_OF_MINUS_1);
    if (mod(x * x) !== square || (x === 0n && sign)) return null;
    if ((x & 1n) !== sign) x = mod(-x);
    return [x, y, 1n, mod(x * y)];
  }

  function encodePoint([x, y, z]) {
    const inverse = invert(z);
    const whole = mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
    return whole.toString(16).padStart(64, "0").match(/../g).reverse().join("");
  }

  const BASE = decodePoint(fromHex(`58${"66".repeat(31)}`));

  // one * first + other * second, both from the highest bit.
  function addMultiples(one, first, other, second) {
    const table = [NEUTRAL, first, second, addPoints(first, second)];
    let total = NEUTRAL;
    for (let bit = 255n; bit >= 0n; bit -= 1n) {
      total = addPoints(total, total);
      const chosen = Number((one >> bit) & 1n) + 2 * Number((other >> bit) & 1n);
      if (chosen) total = addPoints(total, table[chosen]);
    }
    return total;
  }

  // Return whether the key (hex) signed these bytes with this signature (hex).
  function isSigned(key, message, signature) {
    const point = decodePoint(fromHex(key));
    if (!point || !/^[0-9a-f]{128}$/.test(signature)) return false;
    let eightfold = point;
    for (let i = 0; i < 3; i += 1) eightfold = addPoints(eightfold, eightfold);
    if (eightfold[0] === 0n && eightfold[1] === eightfold[2]) return false;
    const [commitment, answer] = [signature.slice(0, 64), toNumber(fromHex(signature.slice(64)))];
    if (answer >= ORDER) return false;
    const challenge = toNumber(sha512(join(fromHex(commitment), fromHex(key), message))) % ORDER;
    const negated = [mod(-point[0]), point[1], point[2], mod(-point[3])];
    return encodePoint(addMultiples(answer, BASE, challenge, negated)) === commitment;
  }

  // 4 Cuts and deck.

  function* numbers(server, message) {
    const key = hmac(server, message);
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

  // The dice, if any, and the whole shuffled deck that follow from a seed (hex) and its cuts. `beacon` is the
  // randomness in hex, "" without one, and null for a seed of version 1.
  function shuffle(server, cuts, beacon, { dice, deck }) {
    const message = beacon === null ? encoder.encode(cuts.join("\n")) : encode({ beacon, cuts });
    const words = numbers(fromHex(server), message);
    const rolled = dice ? [1 + below(words, 6), 1 + below(words, 6)] : null;
    const cards = [...deck];
    for (let i = cards.length - 1; i > 0; i -= 1) {
      const j = below(words, i + 1);
      [cards[i], cards[j]] = [cards[j], cards[i]];
    }
    return { dice: rolled, deck: cards };
  }

  // 5 The beacon: drand's quicknet.

  const GENESIS = 1692803367;
  const roundAfter = (namedAt) => Math.max(1, 1 + Math.ceil((namedAt + 3 - GENESIS) / 3));
  const timeOf = (round) => GENESIS + (round - 1) * 3;

  return {
    Unreadable, canonical, digest, encode, fromHex, hashLeaf, hmac, isConsistent, isIncluded, isSigned, join, parse, roundAfter,
    sha256, sha512, shuffle, timeOf, toHex,
  };
})();
