// zarr.js - the compressed fields of a run, read from its stores: Zarr 2, chunks of zlib or none,
// where the page is served (ria view); from the disk, where a page may fetch nothing, from fields.js.

const TILES_KEPT = 256 << 20; // bytes

async function fetchFile(path) {
  const answer = await fetch(path);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(path + ": " + answer.status + " " + answer.statusText);
  return answer;
}

async function inflate(answer, compressor) {
  if (!compressor) return answer.arrayBuffer();
  if (compressor.id !== "zlib") throw new Error("chunks are packed by " + compressor.id + ", not by zlib");
  return new Response(answer.body.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

function numbers(bytes, dtype) {
  const kind = { "<f4": Float32Array, "<f8": Float64Array, "<i4": Int32Array, "<i8": BigInt64Array }[dtype];
  if (!kind) throw new Error("numbers are " + dtype);
  const values = new kind(bytes);
  return kind === BigInt64Array ? Float64Array.from(values, Number) : values;
}

class Store {
  constructor(name, at = "") {
    this.name = name;
    this.at = at; // where the run is, of two runs
    this.tiles = new Map(); // in the order of use
    this.bytes = 0;
    this.coarse = 1; // every n-th cell is there
  }

  // Fields over y and x, those over time too, and the times.
  async open() {
    const answer = await fetchFile(this.at + address(this.name) + "/.zmetadata");
    if (!answer) throw new Error(this.name + " is not there");
    const all = (await answer.json()).metadata;
    const names = Object.keys(all).filter((k) => k.endsWith("/.zarray")).map((k) => k.slice(0, -8));
    const fields = [];
    let times = null;
    for (const name of names) {
      const about = all[name + "/.zattrs"] || {}, dims = (about._ARRAY_DIMENSIONS || []).join();
      const array = { name, about, ...all[name + "/.zarray"], timed: dims === "time,y,x" };
      if (array.timed || dims === "y,x") fields.push(array);
      else if (name === "time") times = await this.line(array);
    }
    Object.assign(this, { fields, times }); // at once: a store that is opened again is in use
  }

  async line(array) {
    const out = [];
    for (let k = 0; k * array.chunks[0] < array.shape[0]; k++) {
      const answer = await fetchFile(this.at + address(this.name, array.name, String(k)));
      if (answer) out.push(...numbers(await inflate(answer, array.compressor), array.dtype));
    }
    return out.slice(0, array.shape[0]);
  }

  find(name) {
    return this.fields.find((f) => f.name === name);
  }

  // All values of a tile, or null where its file is left out: it has none.
  async unpack(array, path) {
    const answer = await fetchFile(path);
    return answer ? numbers(await inflate(answer, array.compressor), array.dtype) : null;
  }

  // The same, kept.
  async tile(array, k, tj, ti) {
    const key = [...(array.timed ? [k] : []), tj, ti].join(array.dimension_separator || ".");
    const path = this.at + address(this.name, array.name) + "/" + key;
    let values = this.tiles.get(path);
    if (values === undefined) {
      values = await this.unpack(array, path, k);
      this.bytes += values ? values.byteLength : 0;
    }
    this.tiles.delete(path);
    this.tiles.set(path, values);
    for (const [old, kept] of this.tiles) {
      if (this.bytes <= TILES_KEPT || old === path) break;
      this.bytes -= kept ? kept.byteLength : 0;
      this.tiles.delete(old);
    }
    return values;
  }

  // The field at the k-th time, every n-th cell of both directions: { nx, ny, step, values }, row 0 in the south.
  async read(array, k, step) {
    const [rows, columns] = array.shape.slice(-2), [cy, cx] = array.chunks.slice(-2);
    const ny = Math.ceil(rows / step), nx = Math.ceil(columns / step), values = new Float64Array(nx * ny).fill(NaN);
    const wanted = [];
    for (let tj = 0; tj * cy < rows; tj++) for (let ti = 0; ti * cx < columns; ti++) wanted.push([tj, ti]);
    await Promise.all(wanted.map(async ([tj, ti]) => {
      const tile = await this.tile(array, k, tj, ti);
      if (!tile) return;
      for (let j = Math.ceil((tj * cy) / step); j * step < Math.min(rows, (tj + 1) * cy); j++)
        for (let i = Math.ceil((ti * cx) / step); i * step < Math.min(columns, (ti + 1) * cx); i++)
          values[j * nx + i] = tile[(j * step - tj * cy) * cx + i * step - ti * cx];
    }));
    return { nx, ny, step: step * this.coarse, values };
  }

  // One cell at all times; told: how far it is.
  async history(array, x, y, told) {
    const i = Math.floor(x / this.coarse), j = Math.floor(y / this.coarse);
    const [cy, cx] = array.chunks.slice(-2), tj = Math.floor(j / cy), ti = Math.floor(i / cx), out = [];
    for (let k = 0; k < this.times.length; k += 8) {
      const some = [];
      for (let n = k; n < Math.min(k + 8, this.times.length); n++) some.push(this.tile(array, n, tj, ti));
      for (const tile of await Promise.all(some)) out.push(tile ? tile[(j - tj * cy) * cx + i - ti * cx] : NaN);
      told(out.length);
    }
    return out;
  }
}

// A store as fields.js has it: a frame is one tile of floats, zlib in base64.
class PackedStore extends Store {
  constructor(told, step) {
    super(told.name);
    this.coarse = step;
    this.times = told.times_s.length ? told.times_s : null;
    const shape = [Math.ceil(told.ny / step), Math.ceil(told.nx / step)];
    this.fields = told.fields.map((f) => ({ ...f, about: f.about || {}, dtype: "<f4", compressor: { id: "zlib" },
      shape: f.timed ? [told.times_s.length, ...shape] : shape, chunks: f.timed ? [1, ...shape] : shape }));
  }

  async open() {}

  async unpack(array, path, k) {
    const text = atob(array.values[array.timed ? k : 0]);
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    return numbers(await inflate(new Response(bytes), array.compressor), array.dtype);
  }
}

// fields.js beside the page, a script: what it calls ria_fields with.
function loadPacked(file) {
  return new Promise((resolve, reject) => {
    window.ria_fields = resolve;
    const script = make("script", { src: address(file) });
    script.addEventListener("error", () => reject(new Error(file + " beside the page is missing")));
    document.head.append(script);
  });
}
