"""The few functions that run in the browser. They are constants: nothing of a table is ever put into code.

Tooltips are built of elements whose text is set as text, so names and cells cannot become markup.
"""

from __future__ import annotations

TIP = """(params) => {
  const one = Array.isArray(params) ? params[0] : params;
  const lines = (one && one.data && one.data.tip) || [];
  if (!lines.length) return '';
  const box = document.createElement('div');
  box.className = 'am-tip';
  lines.forEach((line) => {
    const row = document.createElement('div');
    row.textContent = String(line);
    box.appendChild(row);
  });
  return box;
}"""
"""The tooltip of a mark: the lines of its ``tip``, the first one strong."""

BOX = """(params, api) => {
  const lo = api.coord([api.value(0), api.value(2)]);
  const hi = api.coord([api.value(1), api.value(3)]);
  const band = api.size([1, 1]);
  const dx = api.value(4) ? band[0] / 2 : 0;
  const dy = api.value(5) ? band[1] / 2 : 0;
  let x0 = Math.min(lo[0], hi[0]) - dx, x1 = Math.max(lo[0], hi[0]) + dx;
  let y0 = Math.min(lo[1], hi[1]) - dy, y1 = Math.max(lo[1], hi[1]) + dy;
  if (x1 - x0 < 3) { const m = (x0 + x1) / 2; x0 = m - 1.5; x1 = m + 1.5; }
  if (y1 - y0 < 3) { const m = (y0 + y1) / 2; y0 = m - 1.5; y1 = m + 1.5; }
  const c = params.coordSys;
  const left = Math.max(x0, c.x), right = Math.min(x1, c.x + c.width);
  const top = Math.max(y0, c.y), bottom = Math.min(y1, c.y + c.height);
  if (right <= left || bottom <= top) return;
  return {
    type: 'rect',
    shape: { x: left, y: top, width: right - left, height: bottom - top },
    style: { fill: api.visual('color'), stroke: api.visual('borderColor') || api.style().stroke, lineWidth: 1,
             opacity: api.style().opacity },
    emphasis: { style: { lineWidth: 3 } },
  };
}"""
"""A box of the partition: ``value`` is [x from, x to, y from, y to, x has names, y has names]."""

PICK = """(event) => {
  const mark = event.target.closest('[data-place]');
  if (mark) emit(Number(mark.dataset.place));
}"""
"""The place of the mark that was clicked in a drawing."""

ZOOM = """(id, factor) => {
  const chart = getElement(id).chart;
  const zooms = chart.getOption().dataZoom || [];
  zooms.forEach((zoom, i) => {
    const middle = (zoom.start + zoom.end) / 2, half = (zoom.end - zoom.start) / 2 * factor;
    const start = factor ? Math.max(0, middle - half) : 0, end = factor ? Math.min(100, middle + half) : 100;
    chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: i, start, end });
  });
}"""
"""Zoom a chart around its middle; with 0 show everything."""

ZOOMED = """(id) => {
  const zooms = getElement(id).chart.getOption().dataZoom || [];
  return zooms.map((zoom) => [zoom.startValue, zoom.endValue]);
}"""
"""From where to where the axes of a chart are shown."""

DRAG = """(event) => {
  const line = event.target.closest('[data-key]');
  if (line) event.dataTransfer.setData('application/x-amongst-line', line.dataset.key);
}"""
"""A line of a tree is taken."""

DRAG_OVER = """(event) => {
  if (!event.dataTransfer.types.includes('application/x-amongst-line')) return;
  event.preventDefault();
  const tree = event.currentTarget, line = event.target.closest('[data-key]');
  tree.querySelectorAll('.under').forEach((one) => one.classList.remove('under'));
  if (line) line.classList.add('under');
}"""
"""What lies under it is marked."""

DROP = """(event) => {
  const key = event.dataTransfer.getData('application/x-amongst-line');
  const line = event.target.closest('[data-key]');
  if (key) emit([key, line ? line.dataset.key : '']);
}"""
"""Which line was let go on which; on none of them where that is the room below."""
