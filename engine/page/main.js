// main.js - index.js calls ria_page with all that it knows of the run.

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
  showContents();
  startCharts();
  const times = player.times;
  timeline.show(times.length ? times[0] : 0);
}

window.ria_page = (run) => {
  if (run.status !== "running") return show(run);
  const series = (run.series || []).slice();
  const next = () => {
    const one = series.shift();
    if (!one) return show(run);
    one.times_s = [];
    probe(one, next);
  };
  next();
};
