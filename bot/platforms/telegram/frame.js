// Telegram's side of the page: the person's identity, and requests to the app. Native apps show the page in a web view
// and receive events through a proxy; web apps embed it in a frame and receive messages.
"use strict";

{
  const { home: HOME } = document.body.dataset;
  const launched = new URLSearchParams(location.hash.slice(1));
  // Remove Telegram's data from the address and the history.
  history.replaceState(null, "", location.pathname + location.search);

  function post(event, data = {}) {
    const written = JSON.stringify({ eventType: event, eventData: data });
    if (window.TelegramWebviewProxy) window.TelegramWebviewProxy.postEvent(event, JSON.stringify(data));
    else if (window.external && "notify" in window.external) window.external.notify(written);
    else if (parent !== window) parent.postMessage(written, HOME);
  }

  function take(event, data) {
    if (event === "theme_changed") setTheme(data?.theme_params ?? {});
    if (event === "safe_area_changed" || event === "content_safe_area_changed") setInsets(event, data ?? {});
    if (event === "back_button_pressed") frame.back();
    if (event === "viewport_changed" && data?.height) {
      document.documentElement.style.setProperty("--frame-height", `${data.height}px`);
    }
  }

  // Native apps call this by name; web apps send a message.
  window.Telegram = { WebView: { receiveEvent: take } };
  window.TelegramGameProxy = window.Telegram.WebView;
  window.TelegramGameProxy_receiveEvent = take;
  addEventListener("message", ({ data, origin, source }) => {
    if (origin !== HOME || source !== parent || typeof data !== "string") return;
    try {
      const { eventType, eventData } = JSON.parse(data);
      take(eventType, eventData);
    } catch {
      // Not every message is JSON.
    }
  });

  function setTheme({ bg_color: colour }) {
    if (!/^#[0-9a-f]{6}$/i.test(colour ?? "")) return;
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    frame.setTheme(0.3 * red + 0.6 * green + 0.1 * blue < 128);
  }

  const insets = {};
  function setInsets(event, sides) {
    insets[event] = sides;
    for (const side of ["top", "right", "bottom", "left"]) {
      const sum = Object.values(insets).reduce((all, one) => all + (Number(one[side]) || 0), 0);
      document.documentElement.style.setProperty(`--frame-${side}`, `${sum}px`);
    }
  }

  frame.open({
    prove: async () => ({ data: launched.get("tgWebAppData") ?? "", table: new URLSearchParams(location.search).get("table") ?? "" }),
    ready() {
      post("web_app_ready");
      post("web_app_expand");
      post("web_app_setup_swipe_behavior", { allow_vertical_swipe: false });
      for (const what of ["theme", "safe_area", "content_safe_area"]) post(`web_app_request_${what}`);
    },
    setBack: (isOpen) => post("web_app_setup_back_button", { is_visible: isOpen }),
    setTurn(isMine) {
      post("web_app_setup_closing_behavior", { need_confirmation: isMine });
      if (isMine) post("web_app_trigger_haptic_feedback", { type: "notification", notification_type: "warning" });
    },
    celebrate: () => post("web_app_trigger_haptic_feedback", { type: "notification", notification_type: "success" }),
    follow: (address) => post("web_app_open_link", { url: address }),
  });
  setTheme(JSON.parse(launched.get("tgWebAppThemeParams") || "{}"));
}
