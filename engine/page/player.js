// player.js - the frames of all series, at one time.

const player = { times: [], at: 0, timer: null, series: [], kept: new Map() };
const SPEEDS = [1, 2, 4, 8, 12, 24];

// series.at: where the run is, of two runs
function frameFile(series, n) {
  return (series.at || "") + address("frames", series.name, series.name + "_" + String(n).padStart(6, "0") + ".png");
}

const label = (t) => (timeline.numbered ? "picture " + t : moment(t));

// Browsers keep few pictures decoded: those just ahead are asked for before they are shown.
function fetchAhead(series, n) {
  for (let k = n; k <= Math.min(n + 3, series.times_s.length - 1); k++) {
    const file = frameFile(series, k);
    if (player.kept.has(file)) continue;
    const image = new Image();
    image.src = file;
    player.kept.set(file, image);
    if (player.kept.size > 64) player.kept.delete(player.kept.keys().next().value);
  }
}

function showSeries(series, t) {
  if (series.figure.hidden) return;
  const n = indexAt(series.times_s, t), early = series.times_s[n] > t * (1 + 1e-12) + 1e-9;
  series.figure.classList.toggle("gone", early);
  const file = frameFile(series, n);
  if (series.image.getAttribute("src") !== file) series.image.src = file;
  series.image.alt = (series.long_name || series.name) + " at " + label(series.times_s[n]);
  if (series.tell) series.tell(n, early);
  fetchAhead(series, n + 1);
}

function showFrames(t) {
  player.at = indexAt(player.times, t);
  $("scrub").value = player.at;
  $("scrub").setAttribute("aria-valuetext", label(t));
  $("now").textContent = label(t);
  for (const series of player.series) showSeries(series, t);
}

function go(n) {
  const to = Math.max(0, Math.min(player.times.length - 1, n));
  if (player.times.length) timeline.show(player.times[to]);
}

function play(on) {
  if (player.timer) clearInterval(player.timer);
  player.timer = null;
  const button = $("play");
  button.textContent = on ? "stop" : "play";
  button.setAttribute("aria-label", on ? "stop" : "play");
  if (!on) return;
  if (player.at >= player.times.length - 1) go(0);
  player.timer = setInterval(() => {
    if (player.at >= player.times.length - 1) play(false);
    else if (waiting() < 1) go(player.at + 1);
  }, 1000 / Number($("speed").value));
}

// Pictures that have not come yet: a film does not run ahead of them.
function waiting() {
  return player.series.filter((s) => !s.figure.hidden && !s.image.complete).length;
}

function faster(by) {
  const select = $("speed"), n = select.selectedIndex + by;
  if (n < 0 || n >= SPEEDS.length) return;
  select.selectedIndex = n;
  if (player.timer) play(true);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const tag = event.target.tagName, type = event.target.type;
  const takesText = tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && type !== "range");
  if (takesText || (event.key === " " && tag === "BUTTON") || (type === "range" && event.target.id !== "scrub")) return;
  const does = {
    " ": () => play(!player.timer), ArrowRight: () => go(player.at + 1), ArrowLeft: () => go(player.at - 1),
    Home: () => go(0), End: () => go(player.times.length - 1), "+": () => faster(1), "-": () => faster(-1),
  }[event.key];
  if (!does || !player.times.length) return;
  event.preventDefault();
  does();
}

function addSeries(series, several) {
  const caption = (series.long_name || series.name) + (series.unit ? " [" + series.unit + "]" : "");
  series.image = make("img", { alt: caption, decoding: "sync" });
  series.caption = make("figcaption", {}, (series.side ? series.side + ", " : "") + series.name + ": " + caption);
  series.figure = make("figure", {}, series.image, series.caption);
  series.image.addEventListener("error", () => series.figure.classList.add("gone"));
  $("pictures").append(series.figure);
  if (!several) return;
  const box = make("input", { type: "checkbox" });
  box.checked = true;
  box.addEventListener("change", () => {
    series.figure.hidden = !box.checked;
    showSeries(series, timeline.t);
  });
  series.box = box;
  $("which").append(make("label", {}, box, " " + (series.side ? series.side + " " : "") + series.name));
  if (series.side) return; // two of them belong together
  series.alone = make("button", { class: "small", "aria-pressed": "false" }, "alone");
  series.alone.addEventListener("click", () => showAlone(series.alone.getAttribute("aria-pressed") === "true" ? null : series));
  series.caption.append(" ", series.alone);
}

// One series as wide as the page; all of them again: null.
function showAlone(one) {
  for (const s of player.series.filter((other) => other.alone)) {
    s.alone.setAttribute("aria-pressed", String(s === one));
    s.alone.textContent = s === one ? "all" : "alone";
    s.figure.classList.toggle("alone", s === one);
    s.box.checked = !one || s === one;
    s.figure.hidden = !s.box.checked;
    showSeries(s, timeline.t);
  }
}

// Left of the slider: what each shows, and does.
const BUTTONS = {
  first: ["|\u25C1", "first", "Home", () => go(0)],
  back: ["\u25C1", "one back", "left arrow", () => go(player.at - 1)],
  play: ["play", "play or stop", "space", () => play(!player.timer)],
  on: ["\u25B7", "one on", "right arrow", () => go(player.at + 1)],
  last: ["\u25B7|", "last", "End", () => go(player.times.length - 1)],
};

function addButtons() {
  for (const [id, [text, title, key, does]] of Object.entries(BUTTONS)) {
    const button = make("button", { id, title: title + " (" + key + ")", "aria-label": title }, text);
    button.addEventListener("click", does);
    $("scrub").before(button);
  }
  play(false);
}

// A run that has not ended, or was killed, does not say which frames there are: they are looked for.
function probe(series, found) {
  const image = new Image(), n = series.times_s.length;
  image.onload = () => {
    series.times_s.push(n);
    if (n < 100000) probe(series, found); else found();
  };
  image.onerror = found;
  image.src = frameFile(series, n);
}

// The times of all series, in order, and others that the run has; figures of those that have none yet.
function extendPlayer(run) {
  const all = new Set(run.times || []), series = (run.series || []).filter((s) => s.times_s.length);
  for (const s of series) for (const t of s.times_s) all.add(t);
  player.times = [...all].sort((a, b) => a - b);
  for (const s of series) if (!player.series.includes(s)) addSeries(s, series.length > 1);
  player.series = series;
  $("frames").hidden = !player.times.length;
  $("scrub").max = Math.max(0, player.times.length - 1);
}

function startPlayer(run) {
  extendPlayer(run);
  if (!player.times.length && run.status !== "running") return;
  addButtons();
  for (const v of SPEEDS) $("speed").append(make("option", { value: v }, v + " / s"));
  $("speed").value = 8;
  $("scrub").addEventListener("input", () => go(Number($("scrub").value)));
  $("speed").addEventListener("change", () => player.timer && play(true));
  document.addEventListener("keydown", onKey);
  timeline.listeners.push(showFrames);
}
