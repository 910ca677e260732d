// chart.js - lines over time on a canvas, with a mark at the time that is shown.

// Okabe and Ito's colours, told apart also by those who see few of them; dashes tell the next eight.
const LINES = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#8c7a00", "#808080"];
const DASHES = [[], [6, 3], [2, 3]];

function parseCsv(text) {
  const rows = [];
  let row = [], cell = "", quoted = false;
  for (let k = 0; k < text.length; k++) {
    const c = text[k];
    if (quoted) {
      if (c === '"' && text[k + 1] === '"') { cell += c; k++; }
      else if (c === '"') quoted = false;
      else cell += c;
    } else if (c === '"') quoted = true;
    else if (c === ",") { row.push(cell); cell = ""; }
    else if (c === "\n") { row.push(cell); rows.push(row); row = []; cell = ""; }
    else if (c !== "\r") cell += c;
  }
  return rows;
}

// { time: [...], columns: [{ name, values }] }: columns of numbers, gaps as NaN
function readTable(text) {
  const rows = parseCsv(text), head = rows.shift() || [];
  const value = (cell) => (cell === undefined || cell.trim() === "" ? NaN : Number(cell));
  while (rows.length && Number.isNaN(value(rows[0][0]))) rows.shift(); // units
  const columns = head.map((name, k) => ({ name, values: rows.map((r) => value(r[k])) }));
  return { time: columns.length ? columns[0].values : [], columns: columns.slice(1).filter((c) => c.name !== "date") };
}

// Round steps of an axis, at most n of them.
function ticks(low, high, n) {
  const rough = (high - low) / n, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) out.push(k * step);
  return out;
}

function timeTicks(low, high, n) {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000,
    864000, 2592000, 7776000, 31557600];
  const step = steps.find((s) => (high - low) / s <= n);
  if (!step) return ticks(low, high, n);
  const shift = clock.start === null ? 0 : ((clock.start + clock.zone) / 1000) % step;
  const out = [];
  for (let k = Math.ceil((low + shift) / step - 1e-9); k * step - shift <= high + step * 1e-9; k++) out.push(k * step - shift);
  return out;
}

function timeLabel(t, width) {
  if (clock.start === null) return span(t);
  const text = date(t);
  return width > 3 * 86400 ? text.slice(5, 10) : text.slice(11, 16) === "00:00" ? text.slice(5, 10) : text.slice(11, 16);
}

function range(lines) {
  let low = Infinity, high = -Infinity;
  for (const line of lines) for (const v of line.values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (low > high) return [0, 1];
  if (low === high) return [low - (Math.abs(low) || 1) * 0.1, high + (Math.abs(high) || 1) * 0.1];
  return [low - (high - low) * 0.04, high + (high - low) * 0.04];
}

// Of many points on one pixel the lowest and the highest are drawn, in the order in which they come.
function drawLine(g, line, xs, y) {
  g.beginPath();
  let pen = false, column = null, low = 0, high = 0, lowFirst = true;
  const flush = () => {
    if (column === null) return;
    for (const v of low === high ? [low] : lowFirst ? [low, high] : [high, low]) {
      if (pen) g.lineTo(column, y(v)); else g.moveTo(column, y(v));
      pen = true;
    }
    column = null;
  };
  for (let k = 0; k < xs.length; k++) {
    const v = line.values[k], x = Math.round(xs[k] * 2) / 2;
    if (!Number.isFinite(v)) { flush(); pen = false; continue; }
    if (x !== column) { flush(); column = x; low = high = v; continue; }
    if (v < low) { low = v; lowFirst = false; }
    if (v > high) { high = v; lowFirst = true; }
  }
  flush();
  g.stroke();
}

function axes(g, chart, box) {
  const [low, high] = chart.range, [t0, t1] = chart.domain;
  g.fillStyle = style("--faint");
  g.strokeStyle = style("--line");
  g.lineWidth = 1;
  g.textAlign = "right";
  g.textBaseline = "middle";
  for (const v of ticks(low, high, 5)) {
    const y = chart.y(v);
    g.beginPath(); g.moveTo(box.left, y); g.lineTo(box.right, y); g.stroke();
    g.fillText(number(v, 6), box.left - 6, y);
  }
  g.textBaseline = "top";
  g.textAlign = "center";
  const room = Math.max(2, Math.floor((box.right - box.left) / 90));
  for (const t of chart.along ? ticks(t0, t1, room) : timeTicks(t0, t1, room)) {
    const x = chart.x(t);
    g.beginPath(); g.moveTo(x, box.top); g.lineTo(x, box.bottom); g.stroke();
    const label = chart.along ? number(t) : timeLabel(t, t1 - t0), half = g.measureText(label).width / 2;
    g.fillText(label, Math.min(x, box.right + 10 - half), box.bottom + 4);
  }
}

// All of a chart but its mark is drawn once and kept.
function paint(chart) {
  const ratio = window.devicePixelRatio || 1, width = chart.canvas.clientWidth, height = chart.height;
  if (!width) return;
  chart.canvas.width = Math.round(width * ratio);
  chart.canvas.height = Math.round(height * ratio);
  chart.canvas.style.height = height + "px";
  const shown = chart.lines.filter((l) => l.shown), box = { left: 70, right: width - 10, top: 8, bottom: height - 24 };
  chart.range = range(shown);
  chart.box = box;
  const [t0, t1] = chart.domain, [low, high] = chart.range;
  chart.x = (t) => box.left + ((t - t0) / (t1 - t0 || 1)) * (box.right - box.left);
  chart.y = (v) => box.bottom - ((v - low) / (high - low)) * (box.bottom - box.top);
  chart.kept = make("canvas", { width: chart.canvas.width, height: chart.canvas.height });
  const g = chart.kept.getContext("2d");
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.font = "12px system-ui, sans-serif";
  axes(g, chart, box);
  const xs = chart.time.map(chart.x);
  for (const line of shown) {
    const at = line.time ? line.time.map(chart.x) : xs;
    g.strokeStyle = line.colour;
    g.lineWidth = 1.6;
    g.setLineDash(line.dash);
    drawLine(g, line, at, chart.y);
  }
  mark(chart, timeline.t);
}

function mark(chart, t) {
  if (!chart.kept) return;
  const g = chart.canvas.getContext("2d"), box = chart.box;
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.clearRect(0, 0, chart.canvas.width, chart.canvas.height);
  g.drawImage(chart.kept, 0, 0);
  g.setTransform(window.devicePixelRatio || 1, 0, 0, window.devicePixelRatio || 1, 0, 0);
  if (chart.along) return;
  for (const line of chart.lines) {
    const time = line.time || chart.time;
    line.value.textContent = time.length ? number(line.values[indexAt(time, t)], 5) || "-" : "";
  }
  const x = chart.x(t);
  if (x < box.left - 1 || x > box.right + 1) return;
  g.strokeStyle = style("--ink");
  g.lineWidth = 1.5;
  g.beginPath(); g.moveTo(x, box.top); g.lineTo(x, box.bottom); g.stroke();
}

function legendOf(chart) {
  const legend = make("div", { class: "legend" });
  for (const line of chart.lines) {
    const box = make("input", { type: "checkbox" }), key = make("span", { class: "key" });
    box.checked = line.shown;
    key.style.background = line.dash.length
      ? "repeating-linear-gradient(90deg, " + line.colour + " 0 " + line.dash[0] + "px, transparent 0 " + (line.dash[0] + line.dash[1]) + "px)"
      : line.colour;
    line.value = make("output", {});
    box.addEventListener("change", () => { line.shown = box.checked; paint(chart); });
    legend.append(make("label", {}, box, key, line.name + " ", line.value));
  }
  return legend;
}

// A click, or a finger, chooses the time.
function seek(chart) {
  chart.canvas.addEventListener("pointerdown", (event) => {
    if (chart.along) return;
    const at = event.clientX - chart.canvas.getBoundingClientRect().left, box = chart.box, [t0, t1] = chart.domain;
    const t = t0 + ((at - box.left) / (box.right - box.left)) * (t1 - t0);
    timeline.show(Math.max(t0, Math.min(t1, t)));
  });
}

// lines: [{ name, values }], of the unit, with a time, colour and dash of their own or the chart's; shown: how many at first
function addChart(parent, title, unit, time, lines, shown) {
  const chart = { time, height: 240, lines, domain: time.length ? [time[0], time[time.length - 1]] : [0, 1] };
  lines.forEach((line, k) => {
    line.colour = line.colour || LINES[k % LINES.length];
    line.dash = line.dash || DASHES[Math.floor(k / LINES.length) % DASHES.length];
    line.shown = k < (shown || LINES.length);
  });
  chart.canvas = make("canvas", { role: "img", "aria-label": title + ": " + lines.map((l) => l.name).join(", ") });
  const head = make("h3", {}, title + (unit ? " [" + unit + "]" : ""));
  parent.append(make("figure", { class: "chart" }, head, chart.canvas, legendOf(chart)));
  seek(chart);
  charts.push(chart);
  return chart;
}

const charts = [];
function startCharts() {
  const again = () => charts.forEach(paint);
  timeline.listeners.push((t) => charts.forEach((chart) => mark(chart, t)));
  window.addEventListener("resize", again);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  again();
}
