// util.js - elements, numbers, dates. Text of the run becomes text nodes and nothing else.

const $ = (id) => document.getElementById(id);

// make("td", { class: "number" }, "3.5", element, ...): attributes whose value is null are left out
function make(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined) e.setAttribute(key, value);
  for (const child of children) if (child !== null && child !== undefined) e.append(child);
  return e;
}

// A path below the folder of the run, as an address: no part of it leads anywhere else.
function address(...parts) {
  return parts.map((part) => encodeURIComponent(String(part)).replace(/^\.+$/, "_")).join("/");
}

function number(v, digits) {
  if (v === null || v === undefined || Number.isNaN(v)) return "";
  if (typeof v !== "number") return String(v);
  if (v === 0) return "0";
  const a = Math.abs(v);
  const text = a >= Math.max(1e6, 10 ** (digits || 5)) || a < 1e-3 ? v.toExponential((digits || 5) - 1) : v.toPrecision(digits || 5);
  return text.includes("e") ? text.replace(/\.?0+e/, "e") : text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

// 93784 -> "1 d 2 h 3 min 4 s"
function span(t) {
  if (t === null || t === undefined) return "";
  const sign = t < 0 ? "-" : "", parts = [];
  let s = Math.round(Math.abs(t) * 1000) / 1000;
  for (const [unit, length] of [["d", 86400], ["h", 3600], ["min", 60]]) {
    const n = Math.floor(s / length);
    if (n) parts.push(n + " " + unit);
    s -= n * length;
  }
  s = Math.round(s * 1000) / 1000;
  if (s || !parts.length) parts.push(s + " s");
  return sign + parts.join(" ");
}

// The clock of the run: dates where it has a start, in its own zone.
const clock = { start: null, zone: 0, tail: "" };

function setClock(run, c = clock) {
  const epoch = run.epoch ? Date.parse(run.epoch.replace(" ", "T").replace(/Z?$/, "Z")) : NaN;
  if (!run.start || Number.isNaN(epoch)) return;
  c.start = epoch;
  c.zone = (run.zone_s || 0) * 1000;
  c.tail = (run.start.match(/(Z|[+-]\d\d:\d\d)$/) || [""])[0].replace("Z", "UTC");
}

function date(t, c = clock) {
  if (c.start === null) return "";
  return new Date(c.start + c.zone + t * 1000).toISOString().slice(0, 19).replace("T", " ");
}

function moment(t, c = clock) {
  return c.start === null ? span(t) : date(t, c) + " " + c.tail + " (" + span(t) + ")";
}

// The last index whose time is not after t, 0 where all are.
function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (times[mid] <= t * (1 + 1e-12) + 1e-9) low = mid; else high = mid - 1;
  }
  return low;
}

// Who wants to know when the time that is shown has changed, and what it is.
// numbered: times are not known, and pictures are counted instead.
const timeline = {
  t: 0, listeners: [], numbered: false,
  show(t) {
    this.t = t;
    for (const listener of this.listeners) listener(t);
  },
};

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
