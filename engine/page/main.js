// main.js - index.js calls ria_page with all that it knows of the run.

// What index.js leaves out, since it differs from run to run; only where the page is served.
function showMachine() {
  if (location.protocol === "file:") return;
  fetchFile("run.json").then((answer) => answer && answer.json()).then((told) => {
    if (!told) return;
    const names = { device: "device", threads: "threads", ranks: "ranks", wall_s: "wall time [s]", cell_steps_per_s: "cells a second",
      written: "written" };
    const rows = Object.keys(names).filter((k) => told[k] !== undefined).map((k) => ({ name: names[k], value: number(told[k], 5) }));
    addTable($("tables").querySelector(".pair"), "Machine", rows, [["", (r) => r.name], ["value", (r) => r.value]]);
  }).catch(() => {});
}

function show(run) {
  setClock(run);
  showHead(run);
  startPlayer(run);
  showMaps(run);
  showCurves(run);
  showSummary(run);
  showScript(run);
  showFiles(run);
  startFields(run);
  showMachine();
  showContents();
  startCharts();
  const times = player.times, kept = keptTime();
  timeline.show(kept !== null ? kept : times.length ? times[0] : 0);
}

// What live.js has left: the time that was shown when the run ended.
function keptTime() {
  const kept = location.protocol === "file:" ? null : sessionStorage.getItem("ria.time");
  if (kept !== null) sessionStorage.removeItem("ria.time");
  return kept === null ? null : Number(kept);
}

window.ria_page = async (run) => {
  if (run.status !== "running") return show(run);
  const told = location.protocol === "file:" ? {} : await askServer().catch(() => ({}));
  if (told.live && !told.live.over) {
    run.series = [];
    run.watched = true;
    show(run);
    return startLive(run, told);
  }
  timeline.numbered = true;
  const series = (run.series || []).slice();
  const next = () => {
    const one = series.shift();
    if (!one) return show(run);
    one.times_s = [];
    probe(one, next);
  };
  next();
};
