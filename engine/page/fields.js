// fields.js - the fields that a run saved, as maps: colours, values under the pointer, a cell's
// history, a profile along a line, arrows.

const CELLS_MOST = 4e6; // drawn; of a larger grid every n-th cell of both directions
const viewer = { stores: [], store: null, field: null, map: null, line: null };

function control(label, input) {
  return make("label", {}, label + " ", input);
}

function choice(names, pick) {
  const select = make("select", {}, ...names.map((n) => make("option", { value: n }, n)));
  select.addEventListener("change", () => pick(select.value));
  return select;
}

function checkbox(change) {
  const box = make("input", { type: "checkbox" });
  box.addEventListener("change", change);
  return box;
}

function complain(error) {
  viewer.told.textContent = "The fields cannot be read: " + error.message;
}

// --- drawing -------------------------------------------------------------------------------------

function limits(map) {
  const v = viewer, log = v.log.checked, which = log ? "log" : "linear", auto = map[which] || (map[which] = spread(map.values, log));
  if (v.auto.checked) {
    v.low.value = number(auto[0], 6);
    v.high.value = number(auto[1], 6);
    return auto;
  }
  const low = Number(v.low.value), high = Number(v.high.value);
  const good = Number.isFinite(low) && Number.isFinite(high) && low < high && (!log || low > 0);
  v.low.setAttribute("aria-invalid", String(!good));
  return good ? [low, high] : auto;
}

function drawScale(canvas, ends, table, low, high, log) {
  const g = canvas.getContext("2d");
  canvas.width = 256;
  canvas.height = 1;
  const image = g.createImageData(256, 1);
  new Uint32Array(image.data.buffer).set(table.subarray(0, 256));
  g.putImageData(image, 0, 0);
  const mid = log ? Math.sqrt(low * high) : (low + high) / 2;
  ends.replaceChildren(...[low, mid, high].map((v) => make("span", {}, number(v, 4))));
}

function drawCells(canvas, map, table, low, high, log) {
  const g = canvas.getContext("2d");
  canvas.parentNode.style.maxWidth = "min(60rem, " + ((80 * map.nx) / map.ny).toFixed(1) + "vh)"; // all of it on the screen
  if (canvas.width !== map.nx || canvas.height !== map.ny) [canvas.width, canvas.height] = [map.nx, map.ny];
  const image = g.createImageData(map.nx, map.ny), pixels = new Uint32Array(image.data.buffer);
  for (let j = 0; j < map.ny; j++) { // dry, outside, too little: the page shows through
    const row = pixels.subarray((map.ny - 1 - j) * map.nx, (map.ny - j) * map.nx);
    paintValues(map.values.subarray(j * map.nx, (j + 1) * map.nx), row, table, low, high, log);
  }
  g.putImageData(image, 0, 0);
}

function drawMap() {
  const map = viewer.map;
  if (!map) return;
  const [low, high] = limits(map), table = colourTable(viewer.colours.value), log = viewer.log.checked;
  drawCells(viewer.canvas, map, table, low, high, log);
  drawScale(viewer.scale, viewer.ends, table, low, high, log);
  drawOver();
}

function arrow(g, x, y, dx, dy) {
  const length = Math.hypot(dx, dy), head = Math.min(5, length * 0.5);
  if (length < 1) return;
  const ex = dx / length, ey = dy / length;
  g.moveTo(x - dx / 2, y - dy / 2);
  g.lineTo(x + dx / 2, y + dy / 2);
  g.lineTo(x + dx / 2 - head * (ex + 0.6 * ey), y + dy / 2 - head * (ey - 0.6 * ex));
  g.moveTo(x + dx / 2, y + dy / 2);
  g.lineTo(x + dx / 2 - head * (ex - 0.6 * ey), y + dy / 2 - head * (ey + 0.6 * ex));
}

function drawArrows(g, width, height) {
  const { u, v } = viewer.flow, every = Math.ceil(u.nx / (width / 26));
  let most = 0;
  for (let k = 0; k < u.values.length; k++) {
    const s = Math.hypot(u.values[k], v.values[k]);
    if (s > most) most = s;
  }
  if (!most) return;
  g.beginPath();
  for (let j = every >> 1; j < u.ny; j += every)
    for (let i = every >> 1; i < u.nx; i += every) {
      const a = u.values[j * u.nx + i], b = v.values[j * u.nx + i];
      if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
      const s = Math.hypot(a, b), scale = (20 * Math.sqrt(s / most)) / (s || 1); // slow ones are seen, too
      arrow(g, ((i + 0.5) / u.nx) * width, (1 - (j + 0.5) / u.ny) * height, a * scale, -b * scale);
    }
  for (const [colour, line] of [["#ffffffc0", 3], ["#101820", 1.2]]) {
    g.strokeStyle = colour;
    g.lineWidth = line;
    g.stroke();
  }
}

// What lies over the map: arrows, the line of a profile, the cell that was chosen.
function drawOver() {
  const over = viewer.over, ratio = window.devicePixelRatio || 1, map = viewer.map;
  const width = viewer.canvas.clientWidth, height = viewer.canvas.clientHeight;
  over.width = width * ratio;
  over.height = height * ratio;
  const g = over.getContext("2d"), at = (c) => [((c.i / map.step + 0.5) / map.nx) * width, (1 - (c.j / map.step + 0.5) / map.ny) * height];
  g.scale(ratio, ratio);
  if (viewer.flow && viewer.arrows.checked) drawArrows(g, width, height);
  drawMarks(g, ...[viewer.from, viewer.to, viewer.cell].map((c) => c && at(c)));
}

// A line from one point to the other, and rings about the points, those that there are.
function drawMarks(g, from, to, one) {
  for (const [colour, line] of [["#ffffff", 4], ["#101820", 1.8]]) {
    g.strokeStyle = colour;
    g.lineWidth = line;
    g.beginPath();
    if (from && to) { g.moveTo(...from); g.lineTo(...to); }
    for (const [x, y] of [from, to, one].filter(Boolean)) { g.moveTo(x + 5, y); g.arc(x, y, 5, 0, 7); }
    g.stroke();
  }
}

// --- reading -------------------------------------------------------------------------------------

const flowNames = [["u", "v"], ["qx", "qy"]];
const flowOf = (store) => flowNames.find((pair) => pair.every((n) => (store.find(n) || {}).timed));

async function load() {
  const v = viewer, turn = (v.turn = (v.turn || 0) + 1), { store, field } = v;
  const [rows, columns] = field.shape.slice(-2), step = Math.max(1, Math.ceil(Math.sqrt((rows * columns) / CELLS_MOST)));
  const k = field.timed ? v.k : 0, pair = (v.arrows.checked || v.particles.checked) && field.timed ? flowOf(store) : null;
  const map = await store.read(field, k, step);
  const flow = pair ? { u: await store.read(store.find(pair[0]), k, step), v: await store.read(store.find(pair[1]), k, step) } : null;
  if (turn !== v.turn) return; // another was asked for meanwhile
  v.map = map;
  v.flow = flow;
  v.when.textContent = (field.timed ? moment(store.times[k]) : "all of the run") + (step > 1 ? "; every " + nth(step) + " cell" : "");
  drawMap();
  showParticles(flow, store);
  if (v.cell) tell(v.cell);
}

const reload = () => load().catch(complain);

function showTime(t) {
  const v = viewer;
  if (!v.store || !v.store.times || !v.field.timed) return;
  const k = indexAt(v.store.times, t);
  if (k === v.k && v.map) return;
  v.k = k;
  v.slider.value = k;
  v.slider.setAttribute("aria-valuetext", moment(v.store.times[k]));
  reload();
}

// As its pictures were drawn, where they have one range; else that of what is shown.
function takeRange(name) {
  const v = viewer, drawn = (v.run.series || []).find((s) => s.field === name && s.range);
  v.auto.checked = !drawn;
  v.log.checked = Boolean(drawn && drawn.log);
  if (drawn) [v.low.value, v.high.value] = drawn.range.map((end) => number(end, 6));
}

function pickField(name) {
  const v = viewer;
  takeRange(name);
  v.field = v.store.find(name);
  v.names.value = name;
  v.map = null;
  v.unit = v.field.about.units || "";
  v.slider.parentNode.hidden = !v.field.timed;
  v.canvas.setAttribute("aria-label", "map of " + (v.field.about.long_name || name) + "; arrow keys move a cell, Enter draws its history");
  reload();
}

function pickStore(name) {
  const v = viewer;
  v.store = v.stores.find((s) => s.name === name);
  v.names.replaceChildren(...v.store.fields.map((f) => make("option", { value: f.name }, f.name)));
  v.slider.max = v.store.times ? Math.max(0, v.store.times.length - 1) : 0;
  v.k = v.store.times ? indexAt(v.store.times, timeline.t) : 0;
  v.slider.value = v.k;
  v.arrows.parentNode.hidden = v.particles.parentNode.hidden = !flowOf(v.store);
  const drawn = v.drawn.find((name) => v.store.find(name)); // what the run drew first
  pickField(drawn || v.store.fields[0].name);
}

// --- pointing ------------------------------------------------------------------------------------

const valueAt = (map, c) => map.values[Math.floor(c.j / map.step) * map.nx + Math.floor(c.i / map.step)];

function placeOf(c) {
  const a = viewer.affine;
  return [a[0] + a[1] * (c.i + 0.5) + a[2] * (c.j + 0.5), a[3] + a[4] * (c.i + 0.5) + a[5] * (c.j + 0.5)];
}

// ", lon -8.83012, lat 42.37012" of a place in cells of the run's grid, where the run knows it: between the
// nodes of the lattice that index.js has.
function degreesAt(run, i, j) {
  const e = run.earth;
  if (!e) return "";
  const at = (part) => Math.max(0, Math.min(1, part)) * (e.n - 1), u = at(i / run.grid.nx), w = at(j / run.grid.ny);
  const p = Math.min(Math.floor(u), e.n - 2), q = Math.min(Math.floor(w), e.n - 2), f = u - p, g = w - q, k = q * e.n + p;
  const between = (v) => (1 - g) * ((1 - f) * v[k] + f * v[k + 1]) + g * ((1 - f) * v[k + e.n] + f * v[k + e.n + 1]);
  const lon = between(e.lon);
  return ", lon " + (lon - 360 * Math.round(lon / 360)).toFixed(5) + ", lat " + between(e.lat).toFixed(5);
}

function cellAt(event, canvas, map) {
  const box = canvas.getBoundingClientRect();
  const i = Math.floor(((event.clientX - box.left) / box.width) * map.nx), j = Math.floor((1 - (event.clientY - box.top) / box.height) * map.ny);
  return i < 0 || j < 0 || i >= map.nx || j >= map.ny ? null : { i: i * map.step, j: j * map.step };
}

function tell(c) {
  const v = valueAt(viewer.map, c), [x, y] = placeOf(c);
  viewer.told.textContent = viewer.field.name + " " + (Number.isNaN(v) ? "no value (dry or outside)" : number(v, 6) + " " + viewer.unit) +
    " at x " + number(x, 9) + ", y " + number(y, 9) + degreesAt(viewer.run, c.i + 0.5, c.j + 0.5) + " (cell " + c.i + ", " + c.j + ")";
}

// A chart below the map in the place of the one before.
function chartBelow(title, xs, values, along) {
  viewer.below.replaceChildren();
  charts.splice(charts.indexOf(viewer.line), viewer.line ? 1 : 0);
  viewer.line = addChart(viewer.below, title, viewer.unit, xs, [{ name: viewer.field.name, values }]);
  viewer.line.along = along;
  paint(viewer.line);
}

async function drawHistory(c) {
  const { store, field } = viewer, [x, y] = placeOf(c);
  viewer.cell = c;
  if (live.place) live.place(x, y);
  viewer.from = viewer.to = null;
  drawOver();
  tell(c);
  if (!field.timed) return;
  const values = await store.history(field, c.i, c.j, (n) => { viewer.below.textContent = "history: " + n + " of " + store.times.length + " times"; });
  chartBelow(field.name + " at x " + number(x, 9) + ", y " + number(y, 9), store.times, values, false);
}

function drawProfile(from, to) {
  const map = viewer.map, n = Math.max(2, Math.ceil(Math.hypot(to.i - from.i, to.j - from.j) / map.step) + 1);
  const [x0, y0] = placeOf(from), [x1, y1] = placeOf(to), length = Math.hypot(x1 - x0, y1 - y0), xs = [], values = [];
  for (let k = 0; k < n; k++) {
    const f = k / (n - 1), c = { i: Math.round(from.i + f * (to.i - from.i)), j: Math.round(from.j + f * (to.j - from.j)) };
    xs.push(f * length);
    values.push(valueAt(map, c));
  }
  viewer.from = from;
  viewer.to = to;
  viewer.cell = null;
  drawOver();
  chartBelow(viewer.field.name + " along the line, m from its begin, at " + viewer.when.textContent, xs, values, true);
}

// What the pointer and keys do on a map, which is at.map(): at.point(c), at.drag(from, to) and, at its end,
// at.line(from, to), at.pick(c); by arrow keys at.move(c), from at.cell().
function watchPointer(canvas, at) {
  let begun = null;
  const under = (event) => at.map() && cellAt(event, canvas, at.map());
  canvas.addEventListener("pointermove", (event) => {
    const c = under(event);
    if (!c) return;
    at.point(c);
    if (begun) at.drag(begun, c);
  });
  canvas.addEventListener("pointerdown", (event) => { begun = under(event); });
  canvas.addEventListener("pointerup", (event) => {
    const c = begun && under(event), far = c && Math.hypot(c.i - begun.i, c.j - begun.j) > 2 * at.map().step;
    if (c && far) at.line(begun, c);
    else if (c) at.pick(c);
    begun = null;
  });
  canvas.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key], map = at.map();
    if (!map || (!by && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    const c = at.cell() || { i: map.step * (map.nx >> 1), j: map.step * (map.ny >> 1) };
    if (!by) { at.pick(c); return; }
    const clamp = (v, n) => Math.max(0, Math.min((n - 1) * map.step, v));
    at.move({ i: clamp(c.i + by[0] * map.step, map.nx), j: clamp(c.j + by[1] * map.step, map.ny) });
  });
}

const pointing = {
  map: () => viewer.map,
  cell: () => viewer.cell,
  point: tell,
  drag(from, to) { Object.assign(viewer, { from, to }); drawOver(); },
  line: drawProfile,
  pick: (c) => drawHistory(c).catch(complain),
  move(c) { viewer.cell = c; drawOver(); tell(c); },
};

// --- the whole -----------------------------------------------------------------------------------

function build() {
  const v = viewer;
  v.names = choice([], pickField);
  v.colours = choice(Object.keys(MAPS), drawMap);
  v.auto = checkbox(drawMap);
  v.auto.checked = true;
  v.log = checkbox(drawMap);
  v.arrows = checkbox(reload);
  v.low = make("input", { type: "number", step: "any" });
  v.high = make("input", { type: "number", step: "any" });
  for (const end of [v.low, v.high]) end.addEventListener("change", () => { v.auto.checked = false; drawMap(); });
  v.slider = make("input", { type: "range", min: 0, value: 0, "aria-label": "time of the fields" });
  v.slider.addEventListener("input", () => {
    const t = v.store.times[Number(v.slider.value)];
    if (timeline.numbered) showTime(t); else timeline.show(t);
  });
  v.when = make("p", { class: "hint" });
  v.told = make("p", { role: "status" });
  v.canvas = make("canvas", { tabindex: 0, role: "img" });
  v.over = make("canvas", { class: "over", "aria-hidden": "true" });
  v.scale = make("canvas", { class: "scale", "aria-hidden": "true" });
  v.ends = make("div", { class: "ends" });
  v.below = make("div", {});
  $("viewer").append(
    make("div", { class: "choices" }, v.stores.length > 1 ? control("store", choice(v.stores.map((s) => s.name), pickStore)) : null,
      control("field", v.names), control("colours", v.colours), control("from", v.low), control("to", v.high),
      control("range of what is shown", v.auto), control("log", v.log), control("arrows", v.arrows), ...particleControls(reload)),
    make("div", { class: "bar" }, v.slider), v.when, v.pace,
    make("figure", { class: "map" }, make("div", { class: "layers" }, v.canvas, v.over), v.scale, v.ends, v.told,
      make("figcaption", {}, "Point for values, click for a cell's history, draw a line for a profile.")),
    v.below);
  watchPointer(v.canvas, pointing);
  window.addEventListener("resize", () => v.map && (drawOver(), showParticles(v.flow, v.store)));
}

function hint(text, ...more) {
  $("viewer").append(make("p", { class: "hint" }, text, ...more));
  $("fields").hidden = false;
}

const nth = (n) => n + ({ 1: "st", 2: "nd", 3: "rd" }[n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] || "th");

// What is said of fields that fields.js has in part.
function thinned({ step, every }) {
  const parts = [step > 1 ? "every " + nth(step) + " cell of both directions" : null, every > 1 ? "every " + nth(every) + " time" : null];
  return parts.some(Boolean) ? "From the disk this page has " + parts.filter(Boolean).join(" and ") + "; the whole of it: " : "";
}

async function storesOf(run, names) {
  if (location.protocol !== "file:") return names.map((name) => new Store(name));
  const packed = await loadPacked(run.packed);
  if (thinned(packed)) hint(thinned(packed), make("code", {}, "ria view DIRECTORY"), ".");
  return packed.stores.map((told) => new PackedStore(told, packed.step));
}

// Of a run under way, or one that was killed, index.js does not know which have been made.
function storesNamed(run) {
  return ((run.files || {}).stores || []).filter((s) => s.made !== false || run.status === "running").map((s) => s.name);
}

async function openStores(run, names) {
  for (const store of await storesOf(run, names)) {
    if (run.status === "running" && !(await fetchFile(address(store.name) + "/.zmetadata"))) continue;
    await store.open();
    if (store.fields.length) viewer.stores.push(store);
  }
  $("fields").hidden = !viewer.stores.length;
  if (!viewer.stores.length) return;
  build();
  if (!timeline.numbered) timeline.listeners.push(showTime);
  pickStore(viewer.stores[0].name);
}

function startFields(run) {
  viewer.run = run;
  viewer.affine = run.grid.affine;
  viewer.drawn = (run.series || []).map((s) => s.field);
  if (run.watched) return; // live.js finds them
  const names = storesNamed(run);
  if ((run.files || {}).maxima && run.files.maxima.length && run.files.maxima_made !== false) names.push("maxima.zarr");
  if (!names.length) return;
  if (location.protocol === "file:" && !run.packed)
    return hint("Fields can be looked at where the page is served, since from the disk it may not read them: ", make("code", {}, "ria view DIRECTORY"), ".");
  if (typeof DecompressionStream === "undefined") return hint("This browser cannot unpack fields (it has no DecompressionStream).");
  $("fields").hidden = false;
  openStores(run, names).catch((error) => hint("The fields cannot be read: " + error.message));
}
