// tables.js - what the run says of itself: notices, figures, curves, maxima, script, files.

// columns: [[title, row => value], ...]; numbers to the right
function addTable(parent, title, rows, columns) {
  if (!rows || !rows.length) return;
  const used = columns.filter(([, get]) => rows.some((r) => get(r) !== undefined && get(r) !== null));
  const isNumber = ([, get]) => rows.every((r) => typeof get(r) !== "string");
  const head = make("tr", {}, ...used.map((c) => make("th", { scope: "col", class: isNumber(c) ? "number" : null }, c[0])));
  const body = rows.map((r) => make("tr", {}, ...used.map((c) =>
    make("td", { class: isNumber(c) ? "number" : null }, number(c[1](r), 6)))));
  parent.append(make("section", {}, make("h3", {}, title),
    make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": title },
      make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)))));
}

function notice(kind, text) {
  if (text) $("notices").append(make("p", { class: "notice " + kind }, text));
}

// How it ended, and what it was: for the head of a page.
function standing(run) {
  const good = run.status === "ok", g = run.grid || {};
  const words = [run.solver, g.nx + " x " + g.ny + " cells of " + number(g.dx) + (g.dy !== g.dx ? " x " + number(g.dy) : "") + " m",
    (run.precision || "") + " precision", run.time_s === undefined ? null : span(run.time_s) + " simulated in " + run.steps + " steps"];
  const status = { ok: "finished", running: "running" }[run.status] || run.status;
  return [make("span", { class: "status " + (good ? "good" : run.status === "running" ? "" : "bad") }, status), ": ",
    words.filter(Boolean).join(", ")];
}

function showHead(run) {
  document.title = run.title || "ria";
  $("title").textContent = run.title || "A run of ria";
  $("what").append(...standing(run));
  if (run.error) notice("bad", "The run ended early: " + run.error);
  notice("", run.warning);
  notice("", run.unreached);
  if (run.status === "running" && !run.watched)
    notice("", "This was written when the run began: it is still under way, or was killed. Its figures and curves come when it ends; pictures are those found now, numbered.");
}

const pairs = (object) => Object.entries(object || {}).map(([name, value]) => ({ name, value }));
const amounts = (object) => pairs(object).map((p) => p.name + " " + number(p.value, 5)).join(", ");
const place = (at) => (at ? "(" + at.map((v) => number(v, 8)).join(", ") + ")" : undefined);

function showSummary(run) {
  const to = $("tables"), d = run.dt_min || {};
  const times = [["start", run.start], ["end", run.date], ["simulated", run.time_s === undefined ? undefined : span(run.time_s)],
    ["steps", run.steps], ["step, mean [s]", run.dt_mean_s], ["step, least [s]", d.dt_s],
    ["at", d.time_s === undefined ? undefined : moment(d.time_s)], ["cause", d.cause], ["began from", run.from],
    ["system", (run.grid || {}).crs], ["version", run.ria]];
  addTable(to, "Budget", run.budget, ["name", "unit", "initial", "inflow", "outflow", "sources", "decayed", "stored", "residual", "relative"]
    .map((key) => [key, (r) => r[key]]));
  addTable(to, "Boundaries", run.boundaries, [["name", (b) => b.name], ["kind", (b) => b.kind], ["side", (b) => b.side],
    ["cells", (b) => b.cells], ["from", (b) => place(b.from)], ["to", (b) => place(b.to)], ["given", (b) => amounts(b.given) || undefined], ["in", (b) => amounts(b.in)],
    ["out", (b) => amounts(b.out)]]);
  addTable(to, "Spills", run.spills, [["name", (s) => s.name], ["tracer", (s) => s.tracer], ["x", (s) => s.x], ["y", (s) => s.y],
    ["radius", (s) => s.radius], ["shapes", (s) => s.shapes], ["from", (s) => moment(s.start_s)],
    ["until", (s) => (s.stop_s === null ? "" : moment(s.stop_s))], ["given", (s) => amounts(s.given) || undefined], ["state", (s) => s.state],
    ["released", (s) => (s.released === undefined ? s.released_kg : s.released)], ["unit", (s) => s.unit]]);
  addTable(to, "Gauges", run.gauges, ["name", "x", "y", "lon", "lat"].map((key) => [key, (g) => g[key]]));
  addTable(to, "Tracers", run.tracers, [["name", (t) => t.name], ["unit", (t) => t.unit], ["decay [1/s]", (t) => t.decay_per_s],
    ["diffusion [m2/s]", (t) => t.diffusion_m2_per_s]]);
  const two = make("div", { class: "pair" });
  to.append(two);
  addTable(two, "Times", times.filter((t) => t[1]).map(([name, value]) => ({ name, value: number(value, 6) })),
    [["", (r) => r.name], ["value", (r) => r.value]]);
  addTable(two, "Parameters", pairs(run.parameters).map((p) => ({ name: p.name, value: number(p.value, 8) })),
    [["", (r) => r.name], ["value", (r) => r.value]]);
}

function showMaps(run) {
  if (run.status === "running") return; // they come when it ends
  for (const name of (run.files || {}).maxima || []) {
    const file = address("maxima", name + ".png");
    const image = make("img", { src: file, alt: "the greatest " + name + " of the run", loading: "lazy" });
    image.addEventListener("error", () => { image.parentNode.parentNode.hidden = true; });
    $("maxima").append(make("figure", {}, make("a", { href: file }, image), make("figcaption", {}, name)));
    $("maps").hidden = false;
  }
}

// Gauges: a chart a unit. The budget: a chart a quantity, whose name its columns begin with.
function groups(file, table, units) {
  const out = new Map(), budget = file === "budget.csv";
  for (const column of table.columns) {
    const unit = units[column.name] || "", cut = column.name.lastIndexOf("_");
    const key = budget && cut > 0 ? column.name.slice(0, cut) : unit;
    if (!out.has(key)) out.set(key, { title: budget ? "budget of " + key : file.replace(/\.csv$/, ""), unit, lines: [] });
    out.get(key).lines.push({ name: budget ? column.name.slice(cut + 1) : column.name, values: column.values });
  }
  return [...out.values()];
}

function showCurves(run) {
  for (const [file, csv] of Object.entries(run.csv || {})) {
    const table = readTable(csv.text);
    if (!table.time.length || !table.columns.length) continue;
    $("curves").hidden = false;
    for (const g of groups(file, table, (run.tables || {})[file] || {})) addChart($("charts"), g.title, g.unit, table.time, g.lines);
    if (csv.every > 1)
      $("charts").append(make("p", { class: "hint" }, file + ": every " + csv.every + "th row is drawn; the file has all."));
  }
}

const WORDS = new Set(("and break do else elseif end false for function goto if in local nil not or repeat return then true " +
  "until while").split(" "));
const TOKENS = /(--\[(=*)\[[\s\S]*?(?:\]\2\]|$)|--[^\n]*)|(\[(=*)\[[\s\S]*?(?:\]\4\]|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|(\b0[xX][\da-fA-F.]+|\b\d+\.?\d*(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)/g;

// Lua with its words, texts, notes and figures set apart.
function highlight(text) {
  const pre = make("pre", { tabindex: "0" });
  let from = 0;
  for (const m of text.matchAll(TOKENS)) {
    const kind = m[1] ? "note" : m[3] ? "text" : m[5] ? "figure" : WORDS.has(m[6]) ? "word" : null;
    if (!kind) continue;
    pre.append(text.slice(from, m.index), make("span", { class: kind }, m[0]));
    from = m.index + m[0].length;
  }
  pre.append(text.slice(from));
  return pre;
}

const quote = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'");

function showScript(run) {
  if (!run.script) return;
  const command = ["ria", "run", run.script.path, ...run.script.arguments].map(quote).join(" ");
  const copy = make("button", {}, "copy");
  copy.addEventListener("click", () => {
    if (navigator.clipboard) navigator.clipboard.writeText(command).then(() => { copy.textContent = "copied"; }, () => {});
  });
  $("listing").append(make("p", {}, "To repeat the run (version " + run.ria + "): "), make("pre", { tabindex: "0" }, command),
    navigator.clipboard ? copy : "");
  if (run.script.text) $("listing").append(make("h3", {}, run.script.path), highlight(run.script.text));
  $("script").hidden = false;
}

function showFiles(run) {
  const files = run.files || {}, item = (path, ...words) => $("list").append(make("li", {}, make("a", { href: path }, path),
    [": " + words.filter(Boolean).join(", ")].filter((text) => text.length > 2)[0]));
  const some = (count, words) => (run.status === "running" ? "" : count + " " + words); // not known before the end
  for (const f of files.frames || []) item("frames/" + address(f.name) + "/", some(f.count, "pictures"));
  for (const s of files.stores || []) item(address(s.name) + "/", "a Zarr store", some(s.count, "times"));
  for (const t of [...(files.gauges || []), ...(files.budget || [])]) item(address(t.name), some(t.count, "rows"));
  item("run.json", "all figures");
}

// Again where a section has come.
function showContents() {
  const sections = [...document.querySelectorAll("main > section:not([hidden])")];
  if ($("contents").childElementCount === sections.length) return;
  $("contents").replaceChildren(...sections.map((s) => make("a", { href: "#" + s.id }, s.querySelector("h2").textContent)));
}
