// Discord's side of the page: greets the app that embeds it, requests a code by which the server identifies the person,
// and tells the page what to show. The page is never replaced, because the conversation with the app cannot begin
// again.
"use strict";

{
  const HANDSHAKE = 0;
  const FRAME = 1;
  const CLOSE = 2;
  const { client, home: HOME } = document.body.dataset;
  const asked = new URLSearchParams(location.search);
  const waiting = new Map();
  let number = 0;

  function post(kind, data) {
    parent.postMessage([kind, data], HOME);
  }

  function call(cmd, args) {
    number += 1;
    const nonce = String(number);
    post(FRAME, { cmd, args, nonce });
    return new Promise((resolve, reject) => waiting.set(nonce, { resolve, reject }));
  }

  const ready = new Promise((resolve) => {
    addEventListener("message", ({ data, origin, source }) => {
      if (origin !== HOME || source !== parent || !Array.isArray(data) || data[0] !== FRAME) return;
      const { cmd, evt, nonce, data: said } = data[1] ?? {};
      if (cmd === "DISPATCH" && evt === "READY") {
        resolve();
      } else if (cmd === "DISPATCH") {
        happen(evt, said ?? {});
      } else if (waiting.has(nonce)) {
        const { resolve: take, reject } = waiting.get(nonce);
        waiting.delete(nonce);
        if (evt === "ERROR") reject(new Error(said?.message));
        else take(said);
      }
    });
  });

  // Layout modes: focused 0, picture in picture 1, grid 2.
  function happen(event, { layout_mode: mode }) {
    if (event === "ACTIVITY_LAYOUT_MODE_UPDATE") frame.setTile(mode > 0);
  }

  async function askCode() {
    await ready;
    const { code } = await call("AUTHORIZE", {
      client_id: client,
      response_type: "code",
      state: "",
      prompt: "none",
      scope: ["identify"],
    });
    return { code, instance: asked.get("instance_id") ?? "", table: asked.get("custom_id") ?? "" };
  }

  post(HANDSHAKE, { v: 1, encoding: "json", client_id: client, frame_id: asked.get("frame_id") });
  frame.open({
    prove: askCode,
    ready() {
      for (const evt of ["ACTIVITY_LAYOUT_MODE_UPDATE", "ORIENTATION_UPDATE"]) {
        post(FRAME, { cmd: "SUBSCRIBE", evt, nonce: `s${evt}` });
      }
      // Allow both orientations: the table fits either.
      void call("SET_ORIENTATION_LOCK_STATE", { lock_state: 1, picture_in_picture_lock_state: 3, grid_lock_state: 3 }).catch(() => {});
    },
    setBack() {},
    setTurn: (isMine) => void call("SET_CONFIG", { use_interactive_pip: isMine }).catch(() => {}),
    celebrate() {},
    follow: (address) => void call("OPEN_EXTERNAL_LINK", { url: address }).catch(() => {}),
  });
  addEventListener("pagehide", () => post(CLOSE, { code: 1000, message: "" }));
}
