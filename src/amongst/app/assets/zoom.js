// A part of a drawing, larger: by the wheel, by a hand that drags, by buttons, and by keys.
// What is looked at is the viewBox of the drawing; its marks stay as they are, so a click still finds its node.
(() => {
  const MOST = 40;
  const STEP = 1.4;
  const wholes = new WeakMap();

  function whole(svg) {
    if (!wholes.has(svg)) wholes.set(svg, svg.getAttribute("viewBox").split(" ").map(Number));
    return wholes.get(svg);
  }
  function look(svg, x, y, width, height) {
    const [left, top, most, tall] = whole(svg);
    const w = Math.min(Math.max(width, most / MOST), most);
    const h = Math.min(Math.max(height, tall / MOST), tall);
    const inside = (at, from, size, room) => Math.min(Math.max(at, from), from + room - size);
    svg.setAttribute("viewBox", [inside(x, left, w, most), inside(y, top, h, tall), w, h].join(" "));
  }
  const seen = (svg) => svg.getAttribute("viewBox").split(" ").map(Number);

  // Larger or smaller around a place of the drawing, its middle where none is told.
  function zoom(svg, factor, place) {
    const [, , most, tall] = whole(svg);
    const [x, y, w, h] = seen(svg);
    const box = svg.getBoundingClientRect();
    // Both sides are scaled until the part fills the window, so that a wide drawing becomes readable.
    const wide = Math.min(w / factor, most);
    const high = Math.min(Math.max(wide * (box.height / box.width), 1), tall);
    const [px, py] = place || [x + w / 2, y + h / 2];
    look(svg, px - ((px - x) / w) * wide, py - ((py - y) / h) * high, wide, factor < 1 && wide >= most ? tall : high);
  }
  function placeOf(svg, event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }
  function move(svg, dx, dy) {
    const [x, y, w, h] = seen(svg);
    look(svg, x + dx * w, y + dy * h, w, h);
  }
  const drawingOf = (target) => {
    const box = target.closest && target.closest(".am-zoomed");
    return box && box.querySelector("svg.chart");
  };

  document.addEventListener("click", (event) => {
    const asked = event.target.closest && event.target.closest("[data-zoom]");
    const svg = asked && drawingOf(asked);
    if (!svg) return;
    if (asked.dataset.zoom === "all") look(svg, ...whole(svg));
    else zoom(svg, asked.dataset.zoom === "in" ? STEP : 1 / STEP);
  });
  document.addEventListener("wheel", (event) => {
    const svg = event.target.closest && event.target.closest(".am-window") && drawingOf(event.target);
    if (!svg || !(event.ctrlKey || event.metaKey || document.activeElement === svg.closest(".am-window"))) return;
    event.preventDefault();
    zoom(svg, event.deltaY < 0 ? STEP : 1 / STEP, placeOf(svg, event));
  }, { passive: false });
  document.addEventListener("keydown", (event) => {
    if (!event.target.classList || !event.target.classList.contains("am-window")) return;
    const svg = drawingOf(event.target);
    const by = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -0.2], ArrowDown: [0, 0.2] }[event.key];
    if (by) move(svg, ...by);
    else if (event.key === "+" || event.key === "=") zoom(svg, STEP);
    else if (event.key === "-") zoom(svg, 1 / STEP);
    else if (event.key === "0") look(svg, ...whole(svg));
    else return;
    event.preventDefault();
  });

  // A hand that drags moves what is seen; only a click that did not move chooses a node.
  let held = null;
  document.addEventListener("pointerdown", (event) => {
    const svg = event.target.closest && event.target.closest(".am-window") && drawingOf(event.target);
    held = svg && event.button === 0 ? { svg, x: event.clientX, y: event.clientY, from: seen(svg), moved: false } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    held.moved = held.moved || Math.hypot(dx, dy) > 4;
    if (!held.moved) return;
    const scale = held.svg.getScreenCTM().a;
    const [x, y, w, h] = held.from;
    look(held.svg, x - dx / scale, y - dy / scale, w, h);
  });
  document.addEventListener("pointerup", () => { if (held && !held.moved) held = null; });
  document.addEventListener("click", (event) => {
    if (held && held.moved) event.stopPropagation();
    held = null;
  }, true);
})();
