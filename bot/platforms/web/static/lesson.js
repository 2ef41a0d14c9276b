// The bubble of a practice hand: points at the next press and covers as little as possible.
"use strict";

const FAR_PX = 12;
const EDGE_PX = 6;
const WIDTHS_PX = [360, 280, 460, 210, 600];
const FAR_COSTS = 20;
const BANDS = ".choices, .answers, .spots, .areas, .seat, .others, .ways";
// How much it matters to cover each of these.
const SEEN = [
  ["[data-press], .ways a, .own .card, .part-side", 8],
  [".card, .spot, .own :is(.paid, .holds), .head", 1],
];

function boxOf(node) {
  return node.getBoundingClientRect();
}

function pointedAt(bubble) {
  const found = [...document.querySelectorAll(".at [data-key]")].filter((node) => keyOf(node).trim() === bubble.dataset.at);
  return found.find((node) => node.checkVisibility());
}

function overlap(a, b) {
  const [width, height] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
  return width > 0 && height > 0 ? width * height : 0;
}

// Possible places: above, below, left or right of its target, or of everything beside the target, with the tip at the
// target.
function* placesFor(spot, band, width, height) {
  const { left, top, right, bottom } = spot;
  const slide = (from, to, size, most) => {
    const [least, last] = [Math.max(EDGE_PX, from - size + 20), Math.min(most - EDGE_PX - size, to - 20)];
    return [4, 3, 5, 2, 6, 1, 7, 0, 8].map((step) => Math.min(Math.max(least, least + ((last - least) * step) / 8), most - EDGE_PX - size));
  };
  for (const x of slide(left, right, width, innerWidth)) {
    for (const from of [spot, band]) {
      yield { side: "above", x, y: from.top - FAR_PX - height };
      yield { side: "below", x, y: from.bottom + FAR_PX };
    }
  }
  for (const y of slide(top, bottom, height, innerHeight)) {
    for (const from of [spot, band]) {
      yield { side: "left", x: from.left - FAR_PX - width, y };
      yield { side: "right", x: from.right + FAR_PX, y };
    }
  }
}

function placeBubble() {
  const bubble = document.querySelector(".bubble");
  const target = bubble && pointedAt(bubble);
  for (const old of document.querySelectorAll("[data-next]")) if (old !== target) delete old.dataset.next;
  if (!target) return;
  target.dataset.next = "";
  if (target.matches(SPOTS)) markSpot(target);
  const spot = boxOf(target);
  const band = boxOf(target.closest(BANDS));
  const seen = SEEN.flatMap(([nodes, weight]) => {
    const shown = [...document.querySelectorAll(nodes)].filter((node) => node.checkVisibility());
    return shown.map((node) => [boxOf(node), weight]);
  });
  const found = [];
  for (const most of WIDTHS_PX) {
    const width = Math.min(most, innerWidth - 2 * EDGE_PX);
    bubble.style.width = `${width}px`;
    const height = bubble.offsetHeight;
    for (const { side, x, y } of placesFor(spot, band, width, height)) {
      const box = { left: x, top: y, right: x + width, bottom: y + height };
      const isIn = x >= EDGE_PX && y >= EDGE_PX && box.right <= innerWidth - EDGE_PX && box.bottom <= innerHeight - EDGE_PX;
      if (!isIn) continue;
      const covers = seen.reduce((sum, [one, weight]) => sum + weight * overlap(box, one), 0);
      const far = Math.max(spot.top - box.bottom, box.top - spot.bottom, spot.left - box.right, box.left - spot.right);
      found.push({ side, x, y, width, cost: covers + FAR_COSTS * far });
    }
  }
  const best = found.sort((a, b) => a.cost - b.cost)[0];
  if (!best) return;
  const { side, x, y, width } = best;
  const isUpright = side === "above" || side === "below";
  const tip = isUpright ? (spot.left + spot.right) / 2 - x : (spot.top + spot.bottom) / 2 - y;
  bubble.style.width = `${width}px`;
  bubble.style.translate = `${x}px ${y}px`;
  bubble.style.setProperty("--tip", `${Math.min(Math.max(tip, 14), (isUpright ? width : bubble.offsetHeight) - 14)}px`);
  bubble.dataset.side = side;
}

for (const kind of ["resize", "answered"]) addEventListener(kind, placeBubble);
addEventListener("click", () => requestAnimationFrame(placeBubble));
addEventListener("load", placeBubble);
placeBubble();
