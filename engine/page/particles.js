// particles.js - particles that go with the flow of the time that is shown, over the map of a field.
//
// They are moved here, a few thousand of them, and drawn by WebGL 2 or, where there is none, on a
// plain canvas. A place is in cells of the map that is drawn, from its south-western corner. Each
// picture adds a place to the trails, which are a ring of TRAIL + 1 lists: x, y, life. Two places of
// different lives are not joined: the particle has set out elsewhere. Trails are as long as the flow is
// fast; water at rest has dots.

const TRAIL = 16, LIFE = 4, FASTEST = 80, STILL = 1 / 30; // places; s; pixels a second; s between pictures that do not move
const swarm = { n: 0, past: [], newest: 0, left: null, wet: null, flow: null, most: 0, pace: 0, timer: null, then: 0, held: false, seen: true, draw: null, at: [0, 0], slow: false };
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

// --- moving --------------------------------------------------------------------------------------

// The velocity there in cells a second into swarm.at, bilinear over wet cells; false on dry ground.
function flowAt(x, y) {
  const { u, v } = swarm.flow, nx = u.nx, ny = u.ny, i = Math.floor(x), j = Math.floor(y);
  if (!(i >= 0 && j >= 0 && i < nx && j < ny) || !Number.isFinite(u.values[j * nx + i] + v.values[j * nx + i])) return false;
  const fx = Math.min(Math.max(x - 0.5, 0), nx - 1), fy = Math.min(Math.max(y - 0.5, 0), ny - 1), i0 = Math.floor(fx), j0 = Math.floor(fy);
  let sum = 0, a = 0, b = 0;
  for (let c = 0; c < 4; c++) {
    const east = c & 1, north = c >> 1, k = Math.min(j0 + north, ny - 1) * nx + Math.min(i0 + east, nx - 1);
    const w = (east ? fx - i0 : 1 - fx + i0) * (north ? fy - j0 : 1 - fy + j0), p = u.values[k], q = v.values[k];
    if (!w || !Number.isFinite(p + q)) continue;
    sum += w;
    a += w * p;
    b += w * q;
  }
  swarm.at[0] = a / sum / swarm.cell[0];
  swarm.at[1] = b / sum / swarm.cell[1];
  return true;
}

function setOut(to, k) {
  const cell = swarm.wet[Math.floor(Math.random() * swarm.wet.length)], nx = swarm.flow.u.nx;
  to[3 * k] = (cell % nx) + Math.random();
  to[3 * k + 1] = Math.floor(cell / nx) + Math.random();
  to[3 * k + 2] += 1;
  swarm.left[k] = LIFE * (0.4 + 0.6 * Math.random());
}

// On by dt seconds of watching: by the midpoint's velocity. Who gets to dry ground, leaves or has lived long sets out elsewhere.
function moveParticles(dt) {
  const from = swarm.past[swarm.newest], h = dt * swarm.pace;
  swarm.newest = (swarm.newest + 1) % swarm.past.length;
  const to = swarm.past[swarm.newest];
  to.set(from);
  for (let k = 0; k < swarm.n; k++) {
    const x = from[3 * k], y = from[3 * k + 1];
    let good = (swarm.left[k] -= dt) > 0 && flowAt(x, y);
    if (good) good = flowAt(x + 0.5 * h * swarm.at[0], y + 0.5 * h * swarm.at[1]);
    if (good) {
      to[3 * k] = x + h * swarm.at[0];
      to[3 * k + 1] = y + h * swarm.at[1];
      good = flowAt(to[3 * k], to[3 * k + 1]);
    }
    if (!good) setOut(to, k);
  }
}

// The speed, in cells a second, that only one in a hundred wet cells has more of.
function fastOf() {
  const { u, v } = swarm.flow, every = Math.ceil(swarm.wet.length / 20000), speeds = [];
  for (let k = 0; k < swarm.wet.length; k += every)
    speeds.push(Math.hypot(u.values[swarm.wet[k]] / swarm.cell[0], v.values[swarm.wet[k]] / swarm.cell[1]));
  return speeds.sort((a, b) => a - b)[Math.floor(0.99 * (speeds.length - 1))] || 0;
}

// Others, of another number, or the same in another flow. The pace stays while a store is looked at, so that times can be compared.
function takeFlow(flow, store) {
  const a = viewer.affine, step = flow.u.step, count = Math.round((viewer.canvas.clientWidth * viewer.canvas.clientHeight) / 200);
  const wet = [];
  for (let k = 0; k < flow.u.values.length; k++) if (Number.isFinite(flow.u.values[k] + flow.v.values[k])) wet.push(k);
  const n = wet.length ? Math.min(4000, Math.ceil((count * wet.length) / flow.u.values.length)) : 0;
  const fresh = n !== swarm.n || !swarm.flow || swarm.flow.u.nx !== flow.u.nx || store !== swarm.store;
  if (store !== swarm.store) swarm.most = 0;
  Object.assign(swarm, { flow, store, wet, n, cell: [Math.hypot(a[1], a[4]) * step, Math.hypot(a[2], a[5]) * step] });
  swarm.most = Math.max(swarm.most, n ? fastOf() : 0);
  swarm.pace = swarm.most ? FASTEST / (swarm.most * (viewer.canvas.clientWidth / flow.u.nx)) : 0;
  if (!fresh) return;
  swarm.past = Array.from({ length: TRAIL + 1 }, () => new Float32Array(3 * n));
  swarm.left = new Float32Array(n);
  for (let k = 0; k < n; k++) setOut(swarm.past[swarm.newest = 0], k);
  for (const list of swarm.past) list.set(swarm.past[0]);
  for (let k = 0; k < TRAIL; k++) moveParticles(STILL);
}

// --- drawing -------------------------------------------------------------------------------------

const trailAt = (back) => swarm.past[(swarm.newest + swarm.past.length - back) % swarm.past.length];

// Whole trails or, many times faster, what was drawn before, paler, and the newest legs.
function drawPlain(g, width, height, ratio, whole) {
  const px = width / swarm.flow.u.nx, py = height / swarm.flow.u.ny;
  g.globalAlpha = whole ? 1 : 2.5 / TRAIL;
  g.globalCompositeOperation = "destination-out";
  g.fillRect(0, 0, width, height);
  g.globalCompositeOperation = "source-over";
  g.lineCap = "round";
  for (let back = whole ? TRAIL - 1 : 0; back >= 0; back--) {
    const to = trailAt(back), from = trailAt(back + 1);
    g.beginPath();
    for (let k = 0; k < 3 * swarm.n; k += 3) {
      if (from[k + 2] !== to[k + 2]) continue;
      g.moveTo(from[k] * px, height - from[k + 1] * py);
      g.lineTo(to[k] * px, height - to[k + 1] * py);
    }
    g.globalAlpha = 1 - back / TRAIL;
    for (const [colour, wide] of [["#ffffff90", 3], ["#101820", 1.6]]) {
      g.strokeStyle = colour;
      g.lineWidth = wide * ratio;
      g.stroke();
    }
  }
}

const LEG = `#version 300 es
in vec3 before, after; // x, y, life
uniform vec2 cells, pixels;
uniform float wide;
out float across;
void main() {
  vec2 a = before.xy / cells * pixels, b = after.xy / cells * pixels, way = b - a;
  float far = length(way), side = float(gl_VertexID & 1) * 2.0 - 1.0;
  vec2 e = far > 0.001 ? way / far : vec2(1.0, 0.0);
  across = side * wide;
  vec2 p = (gl_VertexID < 2 ? a - e * wide * 0.7 : b + e * wide * 0.7) + vec2(-e.y, e.x) * across;
  gl_Position = before.z == after.z ? vec4(p / pixels * 2.0 - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;
const LEG_INK = `#version 300 es
precision highp float;
in float across;
uniform float wide, young;
out vec4 colour;
void main() {
  float core = 1.0 - smoothstep(0.35, 0.65, abs(across) / wide);
  colour = vec4(mix(vec3(1.0), vec3(0.06, 0.09, 0.13), core), 1.0) * young * mix(0.55, 1.0, core);
}`;

function program(gl) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, LEG], [gl.FRAGMENT_SHADER, LEG_INK]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.bindAttribLocation(made, 0, "before");
  gl.bindAttribLocation(made, 1, "after");
  gl.linkProgram(made);
  return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : null;
}

// A function that draws, or null: a list of places is a buffer, of which each picture brings one.
function glPainter(gl) {
  const made = program(gl), buffers = [], held = [];
  if (!made) return null;
  const at = Object.fromEntries(["cells", "pixels", "wide", "young"].map((name) => [name, gl.getUniformLocation(made, name)]));
  gl.useProgram(made);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  for (let k = 0; k < 2; k++) { gl.enableVertexAttribArray(k); gl.vertexAttribDivisor(k, 1); }
  const bring = (k) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[k] || (buffers[k] = gl.createBuffer()));
    gl.bufferData(gl.ARRAY_BUFFER, swarm.past[k], gl.DYNAMIC_DRAW);
    held[k] = swarm.past[k];
  };
  return (width, height, ratio) => {
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(at.cells, swarm.flow.u.nx, swarm.flow.u.ny);
    gl.uniform2f(at.pixels, width, height);
    gl.uniform1f(at.wide, 1.6 * ratio);
    for (let k = 0; k < swarm.past.length; k++) if (k === swarm.newest || held[k] !== swarm.past[k]) bring(k);
    for (let back = TRAIL - 1; back >= 0; back--) {
      const ring = (b) => buffers[(swarm.newest + swarm.past.length - b) % swarm.past.length];
      [ring(back + 1), ring(back)].forEach((buffer, k) => { gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 0, 0); });
      gl.uniform1f(at.young, 1 - back / TRAIL);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, swarm.n);
    }
  };
}

// WebGL without a GPU is slower than a plain canvas.
function isSlow(gl) {
  const more = gl.getParameter(gl.RENDERER) === "WebKit WebGL" && gl.getExtension("WEBGL_debug_renderer_info");
  return /SwiftShader|llvmpipe|software/i.test(gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

// A canvas that has had one sort of context gets no other: each try has its own.
function makePainter(plain) {
  const layer = make("canvas", { class: "over", "aria-hidden": "true" });
  if (swarm.canvas) swarm.canvas.remove();
  swarm.canvas = layer;
  viewer.over.before(layer);
  const gl = plain ? null : layer.getContext("webgl2", { failIfMajorPerformanceCaveat: !swarm.slow });
  const paint = gl && (swarm.slow || !isSlow(gl)) ? glPainter(gl) : null;
  if (gl && !paint) return makePainter(true);
  layer.addEventListener("webglcontextlost", () => { makePainter(true); drawParticles(true); });
  const g = gl ? null : layer.getContext("2d");
  swarm.by = gl ? "WebGL 2" : "canvas";
  swarm.draw = paint || ((width, height, ratio, whole) => drawPlain(g, width, height, ratio, whole));
}

function drawParticles(whole) {
  const layer = swarm.canvas, ratio = window.devicePixelRatio || 1;
  const width = Math.round(viewer.canvas.clientWidth * ratio), height = Math.round(viewer.canvas.clientHeight * ratio);
  if (!swarm.flow || !width || !height) return;
  if (layer.width !== width || layer.height !== height) [layer.width, layer.height] = [width, height];
  swarm.draw(width, height, ratio, whole);
}

// --- going and standing --------------------------------------------------------------------------

function nextPicture(now) {
  moveParticles(Math.min(0.05, Math.max(0, (now - swarm.then) / 1000)));
  swarm.then = now;
  drawParticles(false);
  swarm.timer = requestAnimationFrame(nextPicture);
}

// They move while they are to be seen, and while nobody asks for less motion: then they stand as streaks.
function goOrStand() {
  const on = viewer.particles.checked && swarm.flow, goes = on && !swarm.held && !calm.matches && !document.hidden && swarm.seen;
  if (swarm.timer !== null) cancelAnimationFrame(swarm.timer);
  swarm.timer = null;
  viewer.hold.hidden = !on || calm.matches;
  viewer.hold.textContent = swarm.held ? "let particles go on" : "hold particles";
  if (swarm.canvas) swarm.canvas.hidden = !on;
  if (!on) return;
  swarm.then = performance.now();
  if (goes) swarm.timer = requestAnimationFrame(nextPicture); else drawParticles(true);
}

function tellPace() {
  const speeds = viewer.particles.checked && swarm.n && swarm.pace && flowOf(viewer.store)[0] === "u";
  viewer.pace.textContent = speeds ? "Particles show the flow of this time alone, " + number(Number(swarm.pace.toPrecision(2)), 9) + " times as fast." : "";
}

// What fields.js calls when the flow of another time has been read, or there is none.
function showParticles(flow, store) {
  const on = flow && viewer.particles.checked;
  if (on && !swarm.draw) makePainter(false);
  if (on) takeFlow(flow, store); else swarm.flow = null;
  tellPace();
  goOrStand();
}

// The controls beside the arrows, and what stops them.
function particleControls(reload) {
  const v = viewer;
  v.particles = checkbox(reload);
  v.hold = make("button", { type: "button", hidden: "" });
  v.hold.addEventListener("click", () => { swarm.held = !swarm.held; goOrStand(); });
  v.pace = make("p", { class: "hint" });
  document.addEventListener("visibilitychange", goOrStand);
  calm.addEventListener("change", goOrStand);
  new IntersectionObserver((all) => { swarm.seen = all[all.length - 1].isIntersecting; goOrStand(); }).observe(v.canvas);
  return [control("particles", v.particles), v.hold];
}
