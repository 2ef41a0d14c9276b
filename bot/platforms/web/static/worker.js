// The service worker: an offline page, and turn notices while no page of the lounge is open. VERSION and PAGE are
// defined before this. No page of a player is ever cached.
"use strict";

const NAME = `ridotto ${VERSION}`;
const FILES = ["/static/ridotto.css", "/static/pages.css", "/static/ridotto.svg", "/static/offline.js"];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(NAME).then((kept) => kept.addAll([PAGE, ...FILES])));
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/frame/")) return;
  const kept = request.mode === "navigate" ? PAGE : FILES.includes(pathname) && pathname;
  if (kept) event.respondWith(fetch(request).catch(() => caches.match(kept)));
});

addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data.json();
  const look = { body, tag, renotify: true, data: url, icon: "/static/icon192.png", badge: "/static/icon192.png" };
  event.waitUntil(Promise.all([registration.showNotification(title, look), navigator.setAppBadge?.(1)]));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(goTo(event.notification.data));
});

async function goTo(url) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === url);
  return there ? there.focus() : clients.openWindow(url);
}
