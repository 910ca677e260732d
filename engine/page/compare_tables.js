// compare_tables.js - what differs between two runs: curves of both in one chart, figures, lines of
// the script.

// --- curves --------------------------------------------------------------------------------------

function linesOf(group, side, shift) {
  return group.lines.map((line, k) => ({ name: side.name + " " + line.name, values: line.values, key: line.name,
    time: shift, colour: LINES[k % LINES.length], dash: side.name === "A" ? [] : [6, 3] }));
}

// Charts of a table that both have: A's columns are full lines, B's are dashed in the same colour.
function compareTable(file) {
  const sets = sides.map((side) => {
    const table = readTable(side.run.csv[file].text);
    return { time: table.time.map((t) => t + side.lag), groups: groups(file, table, (side.run.tables || {})[file] || {}) };
  });
  for (const a of sets[0].groups) {
    const b = sets[1].groups.find((g) => g.title === a.title && g.unit === a.unit);
    if (!b) continue;
    const [ours, theirs] = [linesOf(a, sides[0], sets[0].time), linesOf(b, sides[1], sets[1].time)];
    const lines = ours.flatMap((line) => {
      const other = theirs.find((l) => l.key === line.key);
      return other ? [line, { ...other, colour: line.colour }] : [];
    });
    if (lines.length) curves.push(addChart($("charts"), a.title, a.unit, joinTimes(sets.map((s) => s.time)), lines, 16));
  }
}

const curves = [];

function compareCurves() {
  for (const chart of curves.splice(0)) charts.splice(charts.indexOf(chart), 1);
  $("charts").replaceChildren();
  const [a, b] = sides.map((side) => side.run.csv || {});
  for (const file of Object.keys(a)) if (b[file]) compareTable(file);
  $("curves").hidden = !$("charts").childElementCount;
}

// --- figures -------------------------------------------------------------------------------------

// Told elsewhere, or of the page itself.
const LEFT_OUT = new Set(["series", "csv", "files", "tables", "packed", "script", "title"]);
// What a run came to; all else was set.
const OUTCOME = new Set(["status", "error", "warning", "unreached", "time_s", "date", "steps", "dt_mean_s", "dt_min", "budget", "in", "out",
  "state", "released", "released_kg"]);

// Each number and text below a value, by its path; in lists by the name of what is listed.
function flatten(value, path, out) {
  if (value === null || typeof value !== "object") out.set(path.join(" / "), { value, path });
  else if (Array.isArray(value) && value.every((v) => v === null || typeof v !== "object")) out.set(path.join(" / "), { value: value.map((v) => number(v, 9)).join(", "), path });
  else for (const [key, v] of Object.entries(value)) flatten(v, [...path, Array.isArray(value) && v && v.name ? v.name : key], out);
  return out;
}

function figuresOf(run) {
  const told = { ...run, arguments: (run.script || {}).arguments || [] };
  for (const key of LEFT_OUT) delete told[key];
  return flatten(told, [], new Map());
}

// What a budget does not account for, where it is rounding in both.
function isRounding(path, a, b) {
  const last = path[path.length - 1];
  return last === "residual" || (last === "relative" && Math.abs(a) < 1e-9 && Math.abs(b) < 1e-9);
}

function differing() {
  const [a, b] = sides.map((side) => figuresOf(side.run)), out = [];
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const [p, q] = [a.get(key), b.get(key)], path = (p || q).path;
    if (path[path.length - 1] === "name" || (p && q && p.value === q.value)) continue; // lists are by name
    if (p && q && isRounding(path, p.value, q.value)) continue;
    out.push({ key, a: p ? p.value : undefined, b: q ? q.value : undefined, outcome: path.some((part) => OUTCOME.has(part)) });
  }
  return out;
}

const cellText = (v) => (v === undefined ? "not there" : v === null ? "none" : v === "" ? "none" : typeof v === "number" ? number(v, 8) : String(v));

function change(a, b) {
  if (typeof a !== "number" || typeof b !== "number") return "";
  const share = a !== 0 ? (100 * (b - a)) / Math.abs(a) : NaN;
  return number(b - a, 5) + (Math.abs(share) < 1e4 ? " (" + (share > 0 ? "+" : "") + (Math.abs(share) < 100 ? number(share, 3) : share.toFixed(0)) + " %)" : "");
}

function compareFigures() {
  const rows = differing();
  for (const [title, outcome] of [["What was set", false], ["What came of it", true]]) {
    const some = rows.filter((r) => r.outcome === outcome).map((r) => ({ ...r, change: change(r.a, r.b) }));
    if (some.length)
      addTable($("tables"), title, some, [["", (r) => r.key], ["A", (r) => cellText(r.a)], ["B", (r) => cellText(r.b)], ["B \u2212 A", (r) => r.change]]);
    else $("tables").append(make("h3", {}, title), make("p", {}, "Nothing differs."));
  }
}

// --- the script ----------------------------------------------------------------------------------

const LINES_MOST = 4e6, SHOWN_MOST = 600;

// The longest lines in common of both, by lengths of what is left: [[kind, text], ...], kind " ", "-" or "+".
function commonLines(a, b) {
  const width = b.length + 1, left = new Uint16Array((a.length + 1) * width), out = [];
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      left[i * width + j] = a[i] === b[j] ? left[(i + 1) * width + j + 1] + 1 : Math.max(left[(i + 1) * width + j], left[i * width + j + 1]);
  let i = 0, j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) { out.push([" ", a[i++]]); j++; }
    else if (left[(i + 1) * width + j] >= left[i * width + j + 1]) out.push(["-", a[i++]]);
    else out.push(["+", b[j++]]);
  }
  return [...out, ...a.slice(i).map((l) => ["-", l]), ...b.slice(j).map((l) => ["+", l])];
}

// null: too long to be told apart line by line.
function lineDifference(a, b) {
  let begin = 0, end = 0;
  while (begin < a.length && begin < b.length && a[begin] === b[begin]) begin++;
  while (end < a.length - begin && end < b.length - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [p, q] = [a, b].map((lines) => lines.slice(begin, lines.length - end));
  if (p.length * q.length > LINES_MOST) return null;
  const same = (lines) => lines.map((l) => [" ", l]);
  return [...same(a.slice(0, begin)), ...commonLines(p, q), ...same(a.slice(a.length - end))];
}

// Lines that differ, with two about them.
function excerpt(lines) {
  const pre = make("pre", { tabindex: "0", class: "lines" }), near = (k) => lines.slice(Math.max(0, k - 2), k + 3).some((l) => l[0] !== " ");
  let shown = 0, gap = false;
  lines.forEach(([kind, text], k) => {
    if (!near(k) || shown >= SHOWN_MOST) { gap = true; return; }
    if (gap) pre.append(make("span", { class: "gap" }, "...\n"));
    gap = false;
    shown++;
    pre.append(make("span", { class: { "-": "less", "+": "more" }[kind] || null }, (kind === "-" ? "\u2212" : kind) + " " + text + "\n"));
  });
  if (gap) pre.append(make("span", { class: "gap" }, shown < SHOWN_MOST ? "..." : "... (more)"));
  return pre;
}

function compareScripts() {
  const texts = sides.map((side) => (side.run.script || {}).text), say = (text) => $("listing").append(make("p", {}, text));
  $("script").hidden = false;
  if (!texts.every((t) => typeof t === "string")) return say("One of the runs does not bring its script along.");
  if (texts[0] === texts[1]) return say("Both ran the same script.");
  const lines = lineDifference(...texts.map((t) => t.split("\n")));
  if (!lines) return say("The scripts have too little in common to be compared line by line.");
  say("\u2212 is only in A (" + sides[0].run.script.path + "), + only in B (" + sides[1].run.script.path + ").");
  $("listing").append(excerpt(lines));
}
