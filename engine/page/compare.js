// compare.js - two runs, A and B, which ria view serves as a/ and b/: their times in step, where a
// place is in the grid of each, and the difference of their fields.

const sides = ["A", "B"].map((name) => ({ name, at: name.toLowerCase() + "/", run: null, clock: { start: null, zone: 0, tail: "" }, lag: 0, stores: [] }));

// Called by index.js of each.
window.ria_page = (run) => {
  sides[document.currentScript.getAttribute("src").startsWith("a/") ? 0 : 1].run = run;
};

// --- times ---------------------------------------------------------------------------------------

// The time that is shown is A's, since its start; B's own is its lag behind it.
const own = (side, t) => t - side.lag;

// The last saved time not after t: its number, -1 where all are after it.
function lastAt(side, times, t) {
  const k = indexAt(times, own(side, t));
  return times.length && times[k] <= own(side, t) * (1 + 1e-12) + 1e-9 ? k : -1;
}

const differs = (a, b) => Math.abs(a - b) > 1e-9 + 1e-9 * Math.max(Math.abs(a), Math.abs(b));

// Times of both in order, each once: what one computes as 3600 the other may as 3600.0000001.
function joinTimes(lists) {
  return lists.flat().sort((a, b) => a - b).filter((t, k, all) => !k || differs(t, all[k - 1]));
}

function timesOf(side) {
  return [...(side.run.series || []).map((s) => s.times_s), ...side.stores.map((s) => s.times || [])].flat().map((t) => t + side.lag);
}

// --- places --------------------------------------------------------------------------------------

// A number of a cell may have a part: i + 0.5 is its centre.
function placeIn(grid, i, j) {
  const a = grid.affine;
  return [a[0] + a[1] * i + a[2] * j, a[3] + a[4] * i + a[5] * j];
}

function indexIn(grid, x, y) {
  const a = grid.affine, det = a[1] * a[5] - a[2] * a[4], dx = x - a[0], dy = y - a[3];
  return [(a[5] * dx - a[2] * dy) / det, (a[1] * dy - a[4] * dx) / det];
}

// The cell that a place lies in, or null.
function cellIn(grid, [x, y]) {
  const [i, j] = indexIn(grid, x, y).map(Math.floor);
  return i >= 0 && j >= 0 && i < grid.nx && j < grid.ny ? { i, j } : null;
}

const centreIn = (grid, c) => placeIn(grid, c.i + 0.5, c.j + 0.5);

function sameCells(a, b) {
  const near = a.affine.every((v, k) => Math.abs(v - b.affine[k]) <= 1e-9 * Math.max(1, Math.abs(v)));
  return a.nx === b.nx && a.ny === b.ny && near;
}

// Why cells of the two have nothing to do with each other, or null.
function strangers(a, b) {
  const name = (grid) => (typeof grid.crs === "string" ? grid.crs : grid.crs ? JSON.stringify(grid.crs) : "coordinates of its own");
  if (name(a) !== name(b)) return "A is in " + name(a) + ", B in " + name(b);
  const corners = [[0, 0], [a.nx, 0], [0, a.ny], [a.nx, a.ny]].map(([i, j]) => indexIn(b, ...placeIn(a, i, j)));
  const beside = (k, n) => corners.every((c) => c[k] <= 0) || corners.every((c) => c[k] >= n);
  return beside(0, b.nx) || beside(1, b.ny) ? "the grids do not overlap" : null;
}

// --- differences ---------------------------------------------------------------------------------

// Between the four centres about a place; the cell that it lies in where one of them has no value.
function valueBetween(map, grid, x, y) {
  const [i, j] = indexIn(grid, x, y).map((v) => v / map.step);
  const inside = i >= 0 && j >= 0 && i < map.nx && j < map.ny;
  if (!inside) return NaN;
  const get = (p, q) => map.values[Math.max(0, Math.min(map.ny - 1, q)) * map.nx + Math.max(0, Math.min(map.nx - 1, p))];
  const i0 = Math.floor(i - 0.5), j0 = Math.floor(j - 0.5), f = i - 0.5 - i0, g = j - 0.5 - j0;
  const v = (get(i0, j0) * (1 - f) + get(i0 + 1, j0) * f) * (1 - g) + (get(i0, j0 + 1) * (1 - f) + get(i0 + 1, j0 + 1) * f) * g;
  return Number.isNaN(v) ? get(Math.floor(i), Math.floor(j)) : v;
}

// B - A in the cells of A.
function differenceOf(a, b, gridA, gridB) {
  const values = new Float64Array(a.values.length), same = sameCells(gridA, gridB) && a.step === b.step;
  for (let j = 0; j < a.ny; j++)
    for (let i = 0; i < a.nx; i++) {
      const k = j * a.nx + i, at = same ? null : placeIn(gridA, (i + 0.5) * a.step, (j + 0.5) * a.step);
      values[k] = (same ? b.values[k] : valueBetween(b, gridB, ...at)) - a.values[k];
    }
  return { nx: a.nx, ny: a.ny, step: a.step, values };
}

// { n, most, where: the number of that value, mean, rms } of the values that there are
function measure(values) {
  const m = { n: 0, most: 0, where: -1, mean: 0, rms: 0 };
  values.forEach((v, k) => {
    if (!Number.isFinite(v)) return;
    m.n++;
    m.mean += v;
    m.rms += v * v;
    if (m.where < 0 || Math.abs(v) > m.most) [m.most, m.where] = [Math.abs(v), k];
  });
  m.mean /= m.n || 1;
  m.rms = Math.sqrt(m.rms / (m.n || 1));
  return m;
}

// --- the whole -----------------------------------------------------------------------------------

function showRuns(names) {
  document.title = names.a + " and " + names.b;
  for (const side of sides) {
    const folder = names[side.name.toLowerCase()], run = side.run;
    $("runs").append(make("p", { class: "run" }, make("b", {}, side.name), " ", make("a", { href: side.at }, folder), " ",
      run.title ? run.title + ". " : "", ...standing(run)));
    for (const text of [run.error && "ended early: " + run.error, run.warning, run.unreached])
      if (text) notice(text === run.warning ? "" : "bad", side.name + ": " + text);
    if (run.status === "running")
      notice("", side.name + ": this run is still under way, or was killed: what it saved is shown, and what it saves next; pictures and curves come when it ends.");
  }
}

// By what they go in step: only where both have dates, and begin at different ones.
function chooseLag(run) {
  const [a, b] = sides.map((s) => s.clock.start);
  if (a === null || b === null || a === b) return;
  const select = choice(["time since the start", "date"], (by) => {
    sides[1].lag = by === "date" ? (b - a) / 1000 : 0;
    keepStep(run);
    forgetChart();
    compareCurves();
    charts.forEach(paint);
  });
  $("lag").append(select);
  $("lag").hidden = false;
}

// All times of both; the pictures of B lag as its fields do.
function keepStep(run) {
  for (const s of run.series) s.times_s = s.own.map((t) => t + s.of.lag);
  run.times = joinTimes(sides.map(timesOf));
  extendPlayer(run);
  timeline.show(player.times.length ? player.times[indexAt(player.times, timeline.t)] : 0);
}

// Pictures of the same name stand side by side.
function bothSeries() {
  const [a, b] = sides.map((side) => (side.run.series || []).filter((s) => s.times_s.length).map((s) => ({ ...s, own: s.times_s, of: side, at: side.at, side: side.name })));
  const pairs = a.flatMap((s) => [s, b.find((other) => other.name === s.name)]), rest = b.filter((s) => !pairs.includes(s));
  return [...pairs, ...rest].filter(Boolean);
}

function tellPictures(run) {
  for (const s of run.series) {
    const when = make("span", { class: "when" });
    s.figure.querySelector("figcaption").append(make("br"), when);
    s.tell = (n, early) => { when.textContent = early ? "none yet; the first at " + moment(s.own[0], s.of.clock) : moment(s.own[n], s.of.clock); };
  }
  $("shots").hidden = !run.series.length;
}

// --- a run that goes on --------------------------------------------------------------------------

const WATCH = 2000; // ms

const lose = (error) => both.told && lament(error);

// Whether the page is to be loaded again: it is over, or has saved its first fields.
async function watchSide(side) {
  const answer = await fetchFile(side.at + "run.json"), none = !side.stores.length;
  if (answer && (await answer.json()).status !== "running") return true;
  if (none) await openSide(side);
  else for (const store of side.stores) await store.open();
  return none && side.stores.length > 0;
}

// Times that stores have got meanwhile; who looks at the last one stays with it.
async function watchRuns(run) {
  const going = sides.filter((side) => side.run.status === "running");
  if (!going.length) return;
  for (const side of going) if (await watchSide(side)) return location.reload();
  const atEnd = player.at === player.times.length - 1;
  if (joinTimes(sides.map(timesOf)).length > player.times.length) {
    keepStep(run);
    if (atEnd && !player.timer) go(player.times.length - 1);
  }
  setTimeout(() => watchRuns(run).catch(lose), WATCH);
}

async function startComparing() {
  const missing = sides.filter((side) => !side.run);
  for (const side of missing) notice("bad", side.name + ": index.js cannot be read beside index.html; ria view " + side.name + " alone shows no more.");
  if (missing.length) return;
  const names = await fetchFile("served.json").then((answer) => answer.json());
  for (const side of sides) setClock(side.run, side.clock);
  setClock(sides[0].run);
  showRuns(names);
  await startMaps();
  const run = { series: bothSeries(), times: joinTimes(sides.map(timesOf)) };
  startPlayer(run);
  tellPictures(run);
  chooseLag(run);
  compareCurves();
  compareFigures();
  compareScripts();
  showContents();
  startCharts();
  timeline.show(player.times.length ? player.times[0] : 0);
  watchRuns(run).catch(lose);
}
