// The one page that a platform's app shows: the table is loaded into it, and other pages open over the table. It is
// never replaced, because that would end its conversation with the app. A token in memory identifies the person.
"use strict";

window.frame = (() => {
  const own = { ...document.body.dataset };
  const fetchPlain = window.fetch.bind(window);
  const PlainSocket = window.WebSocket;
  const sheets = [];
  let app = null;
  let token = "";
  let table = "";
  let chosen = "";
  let renewing = null;
  let isOver = false;

  // Requests of the pages' own scripts carry the token, which is in no address.

  const isOurs = (address) => new URL(address, location.href).origin === location.origin;
  // Public resources need no token.
  const isEverybodys = (address) => /^[/](static|cards|places|log)[/]/.test(new URL(address, location.href).pathname);

  const withToken = (more) => ({ ...more, headers: { ...more?.headers, Authorization: `Bearer ${token}` } });

  window.fetch = async (address, more) => {
    if (!isOurs(address) || !token || isEverybodys(address)) return fetchPlain(address, more);
    const answer = await fetchPlain(address, withToken(more));
    if (answer.status !== 401 || !(await renew())) return answer;
    return fetchPlain(address, withToken(more));
  };

  window.WebSocket = class extends PlainSocket {
    constructor(address) {
      super(address, ["ridotto", token]);
      let isOpen = false;
      this.addEventListener("open", () => (isOpen = true));
      // The next try gets a valid token.
      this.addEventListener("close", () => isOpen || void fetch("/frame/session").catch(() => {}));
    }
  };

  // After a restart of the server the app proves the person again.
  function renew() {
    renewing ??= prove()
      .catch(() => false)
      .finally(() => (renewing = null));
    return renewing;
  }

  async function prove() {
    if (isOver) return false;
    const shown = await app.prove();
    const said = await fetchPlain(`/frame/${own.host}/prove`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...shown, ...(chosen && { table: chosen }) }),
    });
    const answer = await said.json();
    if (said.status === 429) return false;
    if (answer.tables) offer(answer.tables);
    else if (answer.token) {
      ({ token, go: table } = answer);
    } else finish((answer.texts ?? [own.silent]).join(" "));
    return Boolean(answer.token);
  }

  // The page cannot continue: show the reason.
  function finish(text) {
    isOver = true;
    token = "";
    sayAlone(text);
    app.setTurn(false);
  }

  function sayAlone(text, ...more) {
    const section = Object.assign(document.createElement("section"), { id: "opening", className: "card-page" });
    section.setAttribute("role", "status");
    section.append(Object.assign(document.createElement("p"), { textContent: text }), ...more);
    document.body.className = "";
    document.body.replaceChildren(section);
  }

  function offer(tables) {
    const buttons = tables.map(({ table, label }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "gold", textContent: label });
      button.addEventListener("click", () => {
        chosen = table;
        void begin();
      });
      return button;
    });
    sayAlone("", ...buttons);
  }

  async function begin() {
    try {
      if (await prove()) await showTable();
    } catch {
      if (!isOver) sayAlone(own.silent);
    }
  }

  // The table's own page, with its own scripts.

  async function read(address) {
    const answer = await fetch(address);
    return { answer, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
  }

  function addHead(page, address) {
    for (const link of page.querySelectorAll('link[rel="stylesheet"]')) {
      const { pathname } = new URL(link.getAttribute("href"), new URL(address, location.href));
      if ([...document.styleSheets].some(({ href }) => href && new URL(href).pathname === pathname)) continue;
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: pathname }));
    }
    for (const script of page.querySelectorAll("script[src]")) {
      const src = new URL(script.getAttribute("src"), location.href).pathname;
      if (document.querySelector(`script[src="${src}"]`)) continue;
      document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
    }
  }

  async function showTable() {
    const { page } = await read(table);
    document.title = page.title;
    for (const { name, value } of page.body.attributes) document.body.setAttribute(name, value);
    document.body.replaceChildren(...page.body.childNodes);
    addHead(page, table);
    watchTurn();
    app.ready();
  }

  function watchTurn() {
    const mine = document.querySelector('[data-part="mine"]');
    let wasTurn = false;
    const look = () => {
      const isTurn = mine.querySelector(".choices [data-press]") !== null;
      if (isTurn !== wasTurn) app.setTurn(isTurn);
      wasTurn = isTurn;
    };
    new MutationObserver(look).observe(mine, { childList: true, subtree: true });
    look();
    document.querySelector("[data-live]").addEventListener("happened", ({ detail }) => {
      const own = `:${document.getElementById("checked").dataset.player}`;
      if (detail?.steps.some(({ kind, at, amount }) => kind === "paid" && at.endsWith(own) && amount > 0)) app.celebrate();
    });
  }

  // Pages open over the table, the newest on top.

  async function open(address) {
    const { page } = await read(address);
    const main = page.querySelector("main");
    if (!main) return;
    const sheet = Object.assign(document.createElement("section"), { className: "sheet" });
    sheet.dataset.address = address;
    const back = Object.assign(document.createElement("button"), { type: "button", className: "plain back", textContent: `← ${own.back}` });
    back.addEventListener("click", close);
    for (const known of main.querySelectorAll("#ask, #words")) known.remove();
    sheet.append(back, ...main.childNodes);
    // A page with its own scripts is loaded once: it stays in place and is shown again.
    document.body.append(sheet);
    sheets.push(sheet);
    placeSaid();
    document.querySelector(".menu[open]")?.removeAttribute("open");
    addHead(page, address);
    hear(sheet);
    app.setBack(true);
    back.focus();
  }

  // Updates from the server reach a page while it is open over the table.
  function hear(sheet) {
    const from = sheet.querySelector("[data-live]")?.dataset.live;
    if (!from || !sheet.isConnected) return;
    const line = new WebSocket(new URL(from, location.href.replace(/^http/, "ws")));
    // The table's own connection reports visibility; otherwise a player behind an open sheet would get no turn notice.
    line.onopen = () => line.send("away");
    line.onmessage = ({ data }) => {
      const { parts } = JSON.parse(data);
      if (!sheet.isConnected) line.close();
      else if (parts) showParts(parts, sheet);
    };
    line.onclose = () => setTimeout(hear, 10000, sheet);
    sheet.addEventListener("close", () => line.close());
  }

  // Show an answer on the page where it was requested.
  const said = () => document.getElementById("said");
  let saidAfter = null;

  function placeSaid() {
    saidAfter ??= said().previousElementSibling;
    if (sheets.length) sheets.at(-1).append(said());
    else saidAfter.after(said());
  }

  function close() {
    const sheet = sheets.pop();
    if (!sheet) return;
    if (said()) placeSaid();
    sheet.remove();
    sheet.dispatchEvent(new Event("close"));
    app.setBack(sheets.length > 0);
    if (!sheets.length) (document.querySelector(".own") ?? document.body).focus({ preventScroll: true });
  }

  const baseOf = (node) => new URL(node.closest(".sheet")?.dataset.address ?? (table || location.href), location.href);

  function follow(address) {
    const path = address.pathname + address.search;
    const [lesson] = path.match(/[/]learn[/].+/) ?? [];
    if (address.origin !== location.origin) app.follow(address.href);
    // A practice hand is a table page too, and one page shows one table.
    else if (lesson) app.follow(own.site + lesson);
    else if (address.pathname.startsWith("/shown/") || /\.[a-z]+$/.test(address.pathname)) app.follow(own.site + path);
    else void open(path);
  }

  addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (event.target.closest("[data-leave]")) void leave();
    if (!link || event.defaultPrevented || link.protocol === "blob:") return;
    event.preventDefault();
    const address = new URL(link.getAttribute("href"), baseOf(link));
    const isHere = address.hash && address.pathname === baseOf(link).pathname;
    if (isHere) document.getElementById(address.hash.slice(1))?.scrollIntoView();
    else follow(address);
  });

  addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "get" || !form.closest(".sheet") || "act" in form.dataset) return;
    event.preventDefault();
    const address = new URL(form.getAttribute("action") ?? "", baseOf(form));
    address.search = new URLSearchParams(new FormData(form));
    close();
    void open(address.pathname + address.search);
  });

  async function leave() {
    const answer = await fetch("/frame/leave", { method: "POST" });
    finish((await answer.json()).texts.join(" "));
  }

  const small = matchMedia("(max-width: 360px) and (max-height: 320px)");
  let isTile = false;
  const setTile = () => document.documentElement.classList.toggle("as-tile", isTile || small.matches);
  small.addEventListener("change", setTile);
  setTile();

  return {
    open(bridge) {
      app = bridge;
      void begin();
    },
    back: close,
    address: () => sheets.at(-1)?.dataset.address,
    show: (address) => follow(new URL(address, baseOf(document.body))),
    setTile(is) {
      isTile = is;
      setTile();
    },
    setTheme(isDark) {
      document.documentElement.style.colorScheme = isDark ? "dark" : "light";
    },
  };
})();
