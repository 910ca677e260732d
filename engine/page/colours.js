// colours.js - colour maps whose lightness rises, or falls to both ends: legible to the colour-blind.

const MAPS = {
  viridis: "440154 482475 414487 355f8d 2a788e 21918c 22a884 44bf70 7ad151 bddf26 fde725",
  cividis: "00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 e1cc55 fee838",
  "blue - orange": "123f73 4b7fb5 a3c1dd f4f4f2 e9b98c cf7a35 8a3b05",
  grey: "101010 f4f4f4",
};

// 257 pixels as a canvas has them, the last one clear
function colourTable(name) {
  const points = (MAPS[name] || MAPS.viridis).split(" ").map((p) => [0, 2, 4].map((k) => parseInt(p.slice(k, k + 2), 16)));
  const table = new Uint8ClampedArray(257 * 4);
  for (let k = 0; k < 256; k++) {
    const at = (k / 255) * (points.length - 1), n = Math.min(Math.floor(at), points.length - 2);
    for (let c = 0; c < 3; c++) table[4 * k + c] = points[n][c] + (at - n) * (points[n + 1][c] - points[n][c]);
    table[4 * k + 3] = 255;
  }
  return new Uint32Array(table.buffer);
}

const PALE = 0x90f7f5f0; // half clear, as bytes alpha, blue, green, red: water with less than a log scale begins with

// Values to pixels; clear where there is none.
function paintValues(values, pixels, table, low, high, log) {
  const from = log ? Math.log(low) : low, scale = 255.999 / ((log ? Math.log(high) : high) - from);
  for (let k = 0; k < values.length; k++) {
    const v = values[k], at = ((log ? Math.log(v) : v) - from) * scale;
    // a comparison with NaN is false
    pixels[k] = at >= 0 ? table[at < 255 ? at | 0 : 255] : log ? (v < low ? PALE : table[256]) : at < 0 ? table[0] : table[256];
  }
}

// Ends beyond which few values lie, far away: the level of films of water on steep ground would else leave one
// colour for all the rest. Not of what is 0 nearly everywhere, as a plume is.
function nearEnds(values, low, high) {
  const some = [], every = Math.ceil(values.length / 20000);
  for (let k = 0; k < values.length; k += every) if (Math.abs(values[k]) < Infinity) some.push(values[k]);
  some.sort((a, b) => a - b);
  const at = (part) => some[Math.round(part * (some.length - 1))], a = at(0.05), b = at(0.95), most = 2 * (b - a);
  if (some.length < 100 || !(b > a) || (low >= 0 && a <= 0)) return [low, high];
  return [a - low > most ? a - 0.1 * most : low, high - b > most ? b + 0.1 * most : high];
}

// The least and greatest value, on a log scale at most six decades; widened where they are one.
function spread(values, log) {
  let low = Infinity, high = -Infinity;
  for (let k = 0; k < values.length; k++) {
    const v = values[k];
    if (!(Math.abs(v) < Infinity) || (log && v <= 0)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low > high) return log ? [1e-6, 1] : [0, 1];
  if (log) return [Math.max(low, high * 1e-6) * (low === high ? 0.1 : 1), high];
  return low < high ? nearEnds(values, low, high) : [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
}
