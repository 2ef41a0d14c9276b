// The page on a casino's log: compares the newest head with those that this browser has seen.
"use strict";

(() => {
  const known = document.getElementById("known");
  const logged = document.getElementById("logged");
  const { casino } = known.dataset;
  const words = JSON.parse(known.dataset.words);
  const SIGNS = { first: "–", good: "✓", begun: "–", waiting: "–" };
  const WRONG = "✗";

  function show(found) {
    const { begun } = heads.recall(casino);
    const sign = SIGNS[found.kind] ?? WRONG;
    logged.dataset.kind = found.kind;
    logged.classList.toggle("wrong", sign === WRONG);
    logged.setAttribute("role", sign === WRONG ? "alert" : "status");
    logged.textContent = `${sign} ${heads.say(found, words)}`;
    const isOlder = begun && found.kind !== "begun";
    document.getElementById("begun").textContent = isOlder ? heads.say({ kind: "begun", ...begun }, words) : "";
    document.getElementById("seen-heads").href = URL.createObjectURL(new Blob([heads.lines(casino)]));
    known.hidden = false;
  }

  async function look() {
    if (logged.dataset.signed === undefined && !heads.recall(casino).seen.length) return;
    const found = await heads.follow(casino);
    const kind = heads.faultOf(casino);
    show(kind ? { kind } : found);
  }

  document.getElementById("forget").addEventListener("click", () => {
    heads.forget(casino);
    void look();
  });
  void look();
})();
