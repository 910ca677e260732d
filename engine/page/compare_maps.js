// compare_maps.js - one field of two runs as maps side by side, and their difference; values under
// the pointer, histories and profiles of both.

const both = { fields: [], field: null, panels: [], at: null, from: null, to: null, chart: null, shown: null };
const DIFFERENCE = "blue - orange";

// --- reading -------------------------------------------------------------------------------------

// Fields that both have, in stores of one name or else in any; "store: name" where one name is in several.
function pairFields() {
  const [a, b] = sides, out = [];
  const partner = (store, f) => [b.stores.find((s) => s.name === store.name), ...b.stores]
    .find((s) => s && (s.find(f.name) || {}).timed === f.timed);
  for (const store of a.stores)
    for (const f of store.fields) {
      const other = partner(store, f);
      if (other) out.push({ name: f.name, stores: [store, other], label: f.name });
    }
  for (const one of out) if (out.filter((o) => o.name === one.name).length > 1) one.label = one.stores[0].name.replace(/\.zarr$/, "") + ": " + one.name;
  return out;
}

// What one has alone.
function tellAlone() {
  const names = sides.map((side) => new Set(side.stores.flatMap((s) => s.fields.map((f) => f.name))));
  sides.forEach((side, n) => {
    const alone = [...names[n]].filter((name) => !names[1 - n].has(name));
    if (alone.length) hint(side.name + " alone has saved " + alone.join(", ") + ".");
  });
}

// The map of a run at the time that is shown: { map, k, t }; map null: none yet.
async function readSide(n, t) {
  const side = sides[n], store = both.field.stores[n], f = store.find(both.field.name);
  const [rows, columns] = f.shape.slice(-2), step = Math.max(1, Math.ceil(Math.sqrt((3 * rows * columns) / CELLS_MOST)));
  const k = f.timed ? lastAt(side, store.times, t) : 0;
  return { map: k < 0 ? null : await store.read(f, k, step), k, t: f.timed && k >= 0 ? store.times[k] : null, unit: f.about.units || "" };
}

// One reading at a time, then the newest that was asked for: however fast it plays, maps come.
async function readBoth() {
  both.again = true;
  if (both.busy) return;
  both.busy = true;
  try {
    while (both.again) {
      both.again = false;
      const field = both.field, shown = await Promise.all([0, 1].map((n) => readSide(n, timeline.t)));
      if (field !== both.field) continue;
      both.shown = shown;
      subtract();
      drawBoth();
    }
  } finally { both.busy = false; }
}

const lament = (error) => { both.told.textContent = "The fields cannot be read: " + error.message; };
const renew = () => { if (both.field) readBoth().catch(lament); };

// Only where a time of one of them is another now.
function stepMaps(t) {
  const known = both.shown, field = both.field;
  if (!field) return;
  const at = field.stores.map((store, n) => (store.find(field.name).timed ? lastAt(sides[n], store.times, t) : 0));
  if (known && !both.busy && known.every((s, n) => s.k === at[n])) return;
  renew();
}

function subtract() {
  const [a, b] = both.shown, grids = sides.map((s) => s.run.grid);
  const why = !a.map || !b.map ? "one of them has nothing yet" : a.unit !== b.unit ? "A is in " + a.unit + ", B in " + b.unit : strangers(...grids);
  both.why = why;
  both.difference = why ? null : differenceOf(a.map, b.map, ...grids);
}

// --- drawing -------------------------------------------------------------------------------------

// [low, high] of each map; one range for both where that is asked for.
function rangesOf(maps) {
  const log = both.log.checked, found = maps.map((map) => (map ? spread(map.values, log) : null)), there = found.filter(Boolean);
  const low = Math.min(...there.map((r) => r[0])), high = Math.max(...there.map((r) => r[1]));
  const common = there.length ? [log ? Math.max(low, high * 1e-6) : low, high] : [0, 1];
  if (both.auto.checked) {
    [both.low.value, both.high.value] = common.map((v) => number(v, 6));
    return found.map((r) => (both.common.checked || !r ? common : r));
  }
  const typed = [Number(both.low.value), Number(both.high.value)];
  const good = typed.every(Number.isFinite) && typed[0] < typed[1] && (!log || typed[0] > 0);
  both.low.setAttribute("aria-invalid", String(!good));
  return found.map(() => (good ? typed : common));
}

function rangeOfDifference(most) {
  if (both.fit.checked) both.most.value = number(most || 1, 6);
  const typed = Number(both.most.value), good = Number.isFinite(typed) && typed > 0;
  both.most.setAttribute("aria-invalid", String(!good));
  return good ? typed : most || 1;
}

function drawPanel(panel, map, table, low, high, log) {
  panel.map = map;
  panel.layers.hidden = panel.scale.hidden = panel.ends.hidden = !map;
  if (!map) return;
  panel.layers.style.maxWidth = "min(60rem, " + ((70 * map.nx) / map.ny).toFixed(1) + "vh)";
  drawCells(panel.canvas, map, table, low, high, log);
  drawScale(panel.scale, panel.ends, table, low, high, log);
}

function drawBoth() {
  if (!both.shown) return;
  const maps = both.shown.map((s) => s.map), log = both.log.checked, table = colourTable(both.colours.value), ranges = rangesOf(maps);
  maps.forEach((map, n) => drawPanel(both.panels[n], map, table, ...ranges[n], log));
  const m = both.difference ? measure(both.difference.values) : null, most = m ? rangeOfDifference(m.most) : 1;
  drawPanel(both.panels[2], both.difference, colourTable(DIFFERENCE), -most, most, false);
  tellTimes();
  tellDifference(m);
  drawPlaces();
  if (both.at) tellPlace();
}

function tellTimes() {
  both.shown.forEach((s, n) => {
    const side = sides[n], store = both.field.stores[n], every = s.map && s.map.step > 1 ? "; every " + nth(s.map.step) + " cell" : "";
    both.panels[n].when.textContent = s.k < 0 ? "nothing saved yet; the first at " + moment(store.times[0], side.clock)
      : (s.t === null ? "all of the run" : moment(s.t, side.clock)) + every;
  });
}

// The difference in words: how it was taken, and how great it is.
function tellDifference(m) {
  const panel = both.panels[2], [a, b] = both.shown, unit = a.unit ? " " + a.unit : "", grids = sides.map((s) => s.run.grid);
  if (!both.difference) { panel.when.textContent = "There is no difference to show: " + both.why + "."; return; }
  const apart = a.t !== null && b.t !== null ? b.t + sides[1].lag - (a.t + sides[0].lag) : 0, map = both.difference;
  const at = m.n ? centreIn(grids[0], { i: (m.where % map.nx) * map.step, j: Math.floor(m.where / map.nx) * map.step }) : null;
  panel.when.textContent = [
    !m.n ? "No cell has a value in both." : m.most === 0 ? "The same in all " + m.n + " cells."
      : "greatest " + number(m.most, 4) + unit + " at x " + number(at[0], 9) + ", y " + number(at[1], 9) + "; mean " + number(m.mean, 3) + ", RMS " + number(m.rms, 3) + unit + "; " + m.n + " cells.",
    differs(apart, 0) ? " B's saved time is " + span(Math.abs(apart)) + (apart > 0 ? " after" : " before") + " A's." : "",
    sameCells(...grids) ? "" : " The grids differ: B is taken between the centres of its cells (bilinear) at those of A's; at a shore from the cell that holds the place.",
  ].join("");
}

// Where a place is on the canvas of a panel.
function onCanvas(panel, [x, y]) {
  const [i, j] = indexIn(panel.grid, x, y).map((v) => v / panel.map.step);
  return [(i / panel.map.nx) * panel.canvas.clientWidth, (1 - j / panel.map.ny) * panel.canvas.clientHeight];
}

function drawPlaces() {
  const ratio = window.devicePixelRatio || 1;
  for (const panel of both.panels) {
    if (!panel.map) continue;
    [panel.over.width, panel.over.height] = [panel.canvas.clientWidth * ratio, panel.canvas.clientHeight * ratio];
    const g = panel.over.getContext("2d");
    g.scale(ratio, ratio);
    drawMarks(g, ...[both.from, both.to, both.at].map((p) => p && onCanvas(panel, p)));
  }
}

// --- pointing ------------------------------------------------------------------------------------

function valueIn(panel, at) {
  const c = panel.map && cellIn(panel.grid, at);
  return c ? valueAt(panel.map, c) : NaN;
}

function tellPlace() {
  const at = both.at, unit = both.shown[0].unit, cells = sides.map((side) => cellIn(side.run.grid, at));
  for (const panel of both.panels) {
    const v = valueIn(panel, at);
    panel.value.textContent = !panel.map ? "" : Number.isNaN(v) ? "no value (dry or outside)" : number(v, 6) + " " + unit;
  }
  const words = sides.map((side, n) => (cells[n] ? "cell " + cells[n].i + ", " + cells[n].j + " of " + side.name : "outside " + side.name));
  const same = cells[0] && cells[1] && cells[0].i === cells[1].i && cells[0].j === cells[1].j;
  const home = sides[cells[0] ? 0 : 1].run, degrees = cells.some(Boolean) ? degreesAt(home, ...indexIn(home.grid, ...at)) : "";
  both.told.textContent = both.field.name + " at x " + number(at[0], 9) + ", y " + number(at[1], 9) + degrees + " (" + (same ? "cell " + cells[0].i + ", " + cells[0].j : words.join(", ")) + ")";
}

function forgetChart() {
  if (both.below) both.below.replaceChildren();
  if (both.chart) charts.splice(charts.indexOf(both.chart), 1);
  both.chart = null;
}

function chartBoth(title, unit, xs, lines, along) {
  forgetChart();
  lines.forEach((line, n) => { line.dash = DASHES[n]; });
  both.chart = addChart(both.below, title, unit, xs, lines, 2);
  both.chart.along = along;
  paint(both.chart);
}

// Of values at times of their own what there is at t: the last not after it.
function lastOf(values, times, t) {
  const k = indexAt(times, t);
  return times.length && times[k] <= t * (1 + 1e-12) + 1e-9 ? values[k] : NaN;
}

async function historyOf(at) {
  both.at = at;
  both.from = both.to = null;
  drawPlaces();
  tellPlace();
  const field = both.field, lines = [];
  if (!field.stores[0].find(field.name).timed) return;
  for (const [n, side] of sides.entries()) {
    const store = field.stores[n], c = cellIn(side.run.grid, at), f = store.find(field.name);
    const values = c ? await store.history(f, c.i, c.j, (k) => { both.below.textContent = "history of " + side.name + ": " + k + " of " + store.times.length + " times"; }) : store.times.map(() => NaN);
    lines.push({ name: side.name, values, time: store.times.map((t) => t + side.lag) });
  }
  if (field !== both.field) return;
  const times = joinTimes(lines.map((line) => line.time)), [a, b] = lines;
  lines.push({ name: "B - A", time: times, values: times.map((t) => lastOf(b.values, b.time, t) - lastOf(a.values, a.time, t)) });
  chartBoth(field.name + " at x " + number(at[0], 9) + ", y " + number(at[1], 9), both.shown[0].unit, times, lines, false);
}

function profileOf(from, to) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]), shown = both.panels.filter((p) => p.map);
  const cells = shown.map((p) => { const [a, b] = [from, to].map((at) => indexIn(p.grid, ...at)); return Math.hypot(b[0] - a[0], b[1] - a[1]) / p.map.step; });
  const n = Math.max(2, Math.round(Math.max(...cells)) + 1), xs = [], places = [];
  for (let k = 0; k < n; k++) {
    const f = k / (n - 1);
    xs.push(f * length);
    places.push([0, 1].map((c) => from[c] + f * (to[c] - from[c])));
  }
  Object.assign(both, { from, to, at: null });
  drawPlaces();
  chartBoth(both.field.name + " along the line, m from its begin, at " + label(timeline.t), both.shown[0].unit, xs,
    both.panels.map((p) => ({ name: p.name, values: places.map((at) => valueIn(p, at)) })), true);
}

// What is done in one map is done in all: cells become places.
function pointIn(panel) {
  const place = (c) => centreIn(panel.grid, { i: c.i + (panel.map.step - 1) / 2, j: c.j + (panel.map.step - 1) / 2 });
  const move = (c) => { both.at = place(c); drawPlaces(); tellPlace(); };
  watchPointer(panel.canvas, {
    map: () => panel.map,
    cell() {
      const c = both.at && cellIn(panel.grid, both.at), s = panel.map.step;
      return c && { i: c.i - (c.i % s), j: c.j - (c.j % s) };
    },
    point: move,
    drag(from, to) { Object.assign(both, { from: place(from), to: place(to), at: null }); drawPlaces(); },
    line: (from, to) => profileOf(place(from), place(to)),
    pick: (c) => historyOf(place(c)).catch(lament),
    move,
  });
}

// --- the whole -----------------------------------------------------------------------------------

function makePanel(name, caption, grid) {
  const panel = { name, grid, map: null, canvas: make("canvas", { tabindex: 0, role: "img" }), over: make("canvas", { class: "over", "aria-hidden": "true" }),
    scale: make("canvas", { class: "scale", "aria-hidden": "true" }), ends: make("div", { class: "ends" }), when: make("span", {}), value: make("output", { class: "value" }) };
  panel.layers = make("div", { class: "layers" }, panel.canvas, panel.over);
  panel.figure = make("figure", { class: "map" }, make("figcaption", {}, make("b", {}, caption), " ", panel.value), panel.layers, panel.scale, panel.ends,
    make("figcaption", {}, panel.when));
  pointIn(panel);
  return panel;
}

function buildControls() {
  const v = both, redraw = drawBoth, end = () => make("input", { type: "number", step: "any" });
  v.names = choice(v.fields.map((f) => f.label), pickBoth);
  v.colours = choice(Object.keys(MAPS), redraw);
  [v.auto, v.common, v.log, v.fit] = [checkbox(redraw), checkbox(redraw), checkbox(redraw), checkbox(redraw)];
  v.auto.checked = v.common.checked = v.fit.checked = true;
  [v.low, v.high, v.most] = [end(), end(), end()];
  for (const box of [v.low, v.high]) box.addEventListener("change", () => { v.auto.checked = false; redraw(); });
  v.most.addEventListener("change", () => { v.fit.checked = false; redraw(); });
  return make("div", { class: "choices" }, control("field", v.names), control("colours", v.colours), control("from", v.low), control("to", v.high),
    control("range of what is shown", v.auto), control("one range for both", v.common), control("log", v.log),
    control("difference \u00b1", v.most), control("as great as what is shown", v.fit));
}

function buildMaps() {
  const v = both, [a, b] = sides.map((s) => s.run.grid);
  v.panels = [makePanel("A", "A", a), makePanel("B", "B", b), makePanel("B - A", "B \u2212 A", a)];
  v.told = make("p", { role: "status", class: "hint" }, "Point for values, click for a place's history in both, draw a line for a profile.");
  v.below = make("div", {});
  $("viewer").append(buildControls(), make("div", { class: "tiles three" }, ...v.panels.map((p) => p.figure)), v.told, v.below);
  window.addEventListener("resize", () => v.shown && drawPlaces());
}

function pickBoth(name) {
  const v = both;
  v.field = v.fields.find((f) => f.label === name);
  v.names.value = name;
  v.shown = v.difference = null;
  const about = v.field.stores[0].find(v.field.name).about;
  v.panels.forEach((p) => p.canvas.setAttribute("aria-label", "map of " + (about.long_name || v.field.name) + ", " + p.name + "; arrow keys move a cell, Enter draws its history in both"));
  renew();
}

async function openSide(side) {
  const files = side.run.files || {}, names = storesNamed(side.run);
  if (files.maxima && files.maxima.length && files.maxima_made !== false) names.push("maxima.zarr");
  for (const name of names) {
    const store = new Store(name, side.at);
    if (!(await fetchFile(side.at + address(name) + "/.zmetadata"))) continue; // of a run under way: not yet
    await store.open();
    if (store.fields.length) side.stores.push(store);
  }
}

async function startMaps() {
  if (typeof DecompressionStream === "undefined") return hint("This browser cannot unpack fields (it has no DecompressionStream).");
  try {
    for (const side of sides) await openSide(side);
  } catch (error) { return hint("The fields cannot be read: " + error.message); }
  both.fields = pairFields();
  const none = sides.filter((side) => !side.stores.length).map((side) => side.name);
  if (!both.fields.length) {
    hint(none.length ? none.join(" and ") + (none.length > 1 ? " have" : " has") + " saved no fields: below are the pictures (ria.save in the script saves fields)." : "No field was saved by both.");
    return tellAlone();
  }
  $("fields").hidden = false;
  buildMaps();
  tellAlone();
  const drawn = (sides[0].run.series || []).map((s) => s.field).find((name) => both.fields.some((f) => f.name === name));
  timeline.listeners.push(stepMaps);
  pickBoth((both.fields.find((f) => f.name === drawn) || both.fields[0]).label);
}
