// live.js - a run that goes on (ria run --view): how it stands, new frames and times of fields;
// pause, stop, and changes where the run takes them.

const live = { told: null, timer: null, run: null };

async function askServer() {
  const answer = await fetch("served.json");
  return answer.ok ? answer.json() : {};
}

async function act(what, values) {
  const query = Object.entries(values || {}).map(([k, v]) => k + "=" + encodeURIComponent(v)).join("&");
  const answer = await fetch("act/" + what + (query ? "?" + query : ""), { method: "POST" });
  const told = answer.ok ? await answer.json() : { ok: 0, why: answer.statusText };
  $("said").textContent = told.ok ? { spill: "It will be spilled", boundary: "It will change" }[what] ?
    "It happens at " + moment(live.told.stands.next_stop_s) + ", the next time steps land on." : "" : "Not done: " + told.why;
  look().catch(lost);
}

function actButton(text, does) {
  const button = make("button", {}, text);
  button.addEventListener("click", () => does().catch(lost));
  return button;
}

function lost() {
  clearTimeout(live.timer);
  live.timer = null;
  $("stands").textContent = "The program that runs it does not answer any more.";
}

// New frames: times that a series did not have; who looks at the last one stays with it.
function takeFrames(series) {
  const known = new Map(live.run.series.map((s) => [s.name, s]));
  let fresh = false;
  for (const one of series) {
    const s = known.get(one.name);
    if (s && s.times_s.length >= one.times_s.length) continue;
    if (!one.times_s.length) continue;
    if (s) s.times_s = one.times_s; else live.run.series.push(one);
    fresh = true;
  }
  if (!fresh) return;
  const atEnd = !player.times.length || player.at === player.times.length - 1;
  extendPlayer(live.run);
  if (atEnd && !player.timer) go(player.times.length - 1);
}

// A store whose number of times has grown is read again.
async function takeStores(stores) {
  for (const { name, count } of stores) {
    const store = viewer.stores.find((s) => s.name === name);
    if (store && store.times && store.times.length >= count) continue;
    if (!store && viewer.stores.length) continue;
    if (!store) { await openStores(live.run, [name]); continue; }
    await store.open();
    if (viewer.store !== store) continue;
    viewer.field = store.find(viewer.field.name);
    viewer.slider.max = store.times.length - 1;
    if (player.at === player.times.length - 1) showTime(store.times[store.times.length - 1]);
  }
}

function tellLive({ live: l, stands: s }) {
  const share = s && l.t_end_s ? s.time_s / l.t_end_s : 0;
  $("progress").value = share;
  $("stands").textContent = !s ? "" : moment(s.time_s) + (l.t_end_s ? " of " + span(l.t_end_s) : "") + ", " + s.steps + " steps of " +
    number(l.dt_s, 3) + " s (least " + number(s.dt_min_s, 3) + " s: " + (s.cause || "-") + "), mass error " + l.mass_error.toExponential(1) +
    (l.eta_s > 0 ? ", " + span(Math.ceil(l.eta_s)) + " left" : "");
  $("pause").textContent = l.paused ? "go on" : "pause";
  $("pause").disabled = $("halt").disabled = Boolean(l.over);
  if (l.over) $("said").textContent = "The run is over" + (l.code === 0 ? ": its figures and curves come now." : ".");
  $("changes").hidden = !l.may_change;
  const old = $("boundary").value;
  if (s) $("boundary").replaceChildren(...s.boundaries.map((b) => make("option", { value: b.name }, b.name + " (" + b.kind + ")")));
  if (old) $("boundary").value = old;
  if (s) $("made").replaceChildren(...(s.changes || []).map((line) => make("li", {}, make("code", {}, line))));
}

// The page of the run as it ended, at the time that is shown. Who stops a run ends the program that serves it, too.
function showEnd() {
  sessionStorage.setItem("ria.time", String(timeline.t));
  location.reload();
}

async function lookOnce() {
  live.told = await askServer();
  tellLive(live.told);
  if (!live.told.stands) return;
  takeFrames(live.told.stands.series);
  await takeStores(live.told.stands.stores);
  showContents();
}

async function look() {
  if (live.busy) return; // one looks, and comes again
  clearTimeout(live.timer);
  live.busy = true;
  try { await lookOnce(); } finally { live.busy = false; }
  if (!live.told.live.over) live.timer = setTimeout(() => look().catch(lost), 1000);
  else if (live.told.live.code === 0) showEnd();
}

const field = (label, attributes) => {
  const input = make("input", attributes);
  return [control(label, input), input];
};

// Where the pointer chose a cell: a click on the map fills in x and y.
function buildSpill(run) {
  const tracers = (run.tracers || []).map((t) => t.name), inputs = {};
  if (!tracers.length) return null;
  const tracer = make("select", {}, ...tracers.map((n) => make("option", { value: n }, n)));
  const row = make("div", { class: "choices" }, control("tracer", tracer));
  const unit = ((run.budget || []).find((b) => b.name === tracers[0]) || {}).unit || "its unit of amounts";
  for (const [key, label, value] of [["amount", "amount [" + unit + "]", 1000], ["radius", "radius [m]", 3 * run.grid.dx], ["x", "x", ""], ["y", "y", ""]]) {
    const [labelled, input] = field(label, { type: "number", step: "any", value });
    inputs[key] = input;
    row.append(labelled);
  }
  live.place = (x, y) => { inputs.x.value = number(x, 9); inputs.y.value = number(y, 9); };
  row.append(actButton("spill here", () => act("spill", { tracer: tracer.value,
    ...Object.fromEntries(Object.entries(inputs).map(([k, input]) => [k, input.value])) })));
  return row;
}

function startLive(run, told) {
  live.run = run;
  run.series = run.series || [];
  const pause = actButton("pause", () => act(live.told.live.paused ? "resume" : "pause"));
  const stop = actButton("stop", () => act("stop"));
  pause.id = "pause";
  stop.id = "halt";
  const boundary = make("select", { id: "boundary", "aria-label": "boundary" });
  const ends = [["open", "open"], ["close", "wall"]].map(([text, kind]) => actButton(text, () => act("boundary", { name: boundary.value, kind })));
  $("live").append(make("div", { class: "bar" }, make("progress", { id: "progress", max: 1, "aria-label": "progress of the run" }), pause, stop),
    make("p", { id: "stands" }), make("p", { id: "said", role: "status" }),
    make("div", { id: "changes", hidden: "" }, make("h3", {}, "Changes"),
      make("p", { class: "hint" }, "Entered into changes.lua: ria run SCRIPT --changes changes.lua repeats them. A click on the map chooses the place."),
      buildSpill(run), make("div", { class: "choices" }, control("boundary", boundary), ...ends), make("ol", { id: "made" })));
  $("live").hidden = false;
  live.told = told;
  look().catch(lost);
}
