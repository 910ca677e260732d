-- Layers that draw the flow: sponges, and nests in a larger run.
local ria = require "ria"
local check = require "shared.check"
local near, fails = check.near, check.fails_with

-- A hump of water in a channel of 10 km parts into two waves, which leave through sponges. What
-- comes back, as a share of their height, and the water that sponges took, which must be in the
-- account.
local function echo(order, keys)
  local n, dx = 200, 50
  local sim = ria.sim { grid = { nx = n, ny = 3, dx = dx }, bed = -10, out = false,
    params = { order = order }, precision = keys.precision,
    init = { level = function(x) return 0.1 * math.exp(-((x - 4000) / 400) ^ 2) end } }
  if keys.width then
    sim:relax { "west", "east", width = keys.width, time = keys.time, level = 0, u = 0, v = 0 }
  end
  sim:run(1600)
  local most, water = 0, sim:totals().water
  for k = 0, n - 1 do most = math.max(most, math.abs(sim:probe((k + 0.5) * dx, 75, "level"))) end
  sim:close()
  assert(math.abs(water.relative) < (keys.precision == "single" and 1e-8 or 1e-14))
  return most / 0.05, water
end

for order = 1, 2 do
  assert(echo(order, {}) > 0.5)
  for _, case in ipairs { { 500, 20, 1e-3 }, { 1000, 40, 1e-3 }, { 2000, 40, 1e-4 } } do
    local left, water = echo(order, { width = case[1], time = case[2] })
    print(("order %d, %4d m, %d s: %.2g comes back"):format(order, case[1], case[2], left))
    assert(left < case[3])
    assert(water.sources < -1e4) -- the hump, 0.1 m * 400 m * sqrt(pi) * 150 m
  end
  assert(echo(order, { width = 1000, time = 20, precision = "single" }) < 1e-3)
end

-- At rest at the target's level nothing changes, to the bit, over any bed and with dry land.
local function rest(level)
  local sim = ria.sim { grid = { nx = 30, ny = 20, dx = 10 }, out = false,
    bed = function(x, y) return -3 + 4 * math.sin(x / 30) * math.cos(y / 25) end,
    tracers = { salt = { unit = "psu" } }, init = { level = 0.25, salt = 35 } }
  sim:relax { "west", "north", "south", width = 60, time = "10 s", level = level, u = 0, v = 0 }
  local before = sim:field "depth"
  sim:run(100)
  local after, most, dry, salt = sim:field "depth", 0, 0, 0
  for i = 0, 29 do
    for j = 0, 19 do
      most = math.max(most, math.abs(after:get(i, j) - before:get(i, j)))
      if before:get(i, j) == 0 then dry = math.max(dry, after:get(i, j)) end
      assert(after:get(i, j) >= 0)
      local c = sim:field "salt":get(i, j)
      if c == c then salt = math.max(salt, math.abs(c - 35)) end
    end
  end
  sim:close()
  return most, dry, salt
end
local moved, wetted, salted = rest(0.25)
assert(moved < 1e-14 and wetted == 0 and salted < 1e-12)
local sunk, _, kept = rest(0.2)
assert(sunk > 0.04)
assert(kept < 1e-12) -- a concentration without a target stays what it is

-- A level that changes, a concentration that comes in with it, and one layer over another.
local sim = ria.sim { grid = { nx = 40, ny = 4, dx = 25 }, bed = -4, out = false,
  tracers = { dye = {} }, init = { level = 0 } }
sim:relax { "west", width = 200, time = "20 s", name = "sea",
  level = { { 0, 0 }, { 600, 0.3 }, { 4000, 0.3 } }, tracers = { dye = "2 kg/m3" } }
sim:relax { "west", width = 100, time = "1 min", v = 0.1 }
sim:run(4000)
near(sim:probe(12, 50, "level"), 0.3, 1e-3, "level at the side")
near(sim:probe(900, 50, "level"), 0.3, 2e-2, "level inside")
near(sim:probe(12, 50, "dye"), 2, 1e-9, "dye at the side")
near(sim:probe(12, 50, "v"), 0.1, 1e-3, "v at the side")
local t = sim:totals()
assert(t.dye.sources > 1000 and math.abs(t.dye.relative) < 1e-13 and t.water.sources > 0)
fails("sea", sim.run, sim, 5000) -- its series ends
sim:close()

-- --- at shapes, and by a map ---------------------------------------------------------------------

-- A line along the side is the side, to the bit.
local function beside(where)
  local s = ria.sim { grid = { nx = 24, ny = 8, dx = 25 }, bed = -4, out = false,
    tracers = { dye = {} },
    init = { level = function(x, y) return 0.1 * math.sin(x / 90 + y) end } }
  where.width, where.time, where.level, where.u = 200, 20, 0.1, 0.05
  where.tracers = { dye = 1 }
  s:relax(where)
  s:run(200)
  local out = { s:field "level", s:field "u", s:field "dye" }
  s:close()
  return out
end
local side, line = beside { "west" }, beside { at = { { 0, -50 }, { 0, 250 } } }
for k = 1, 3 do
  for i = 0, 23 do
    for j = 0, 7 do assert(side[k]:get(i, j) == line[k]:get(i, j)) end
  end
end

-- Still water: a concentration goes to its target at the rate that is said, nowhere else.
local pools = ria.shapes { { polygon = { { 40, 40 }, { 120, 40 }, { 120, 80 }, { 40, 80 } } },
  { polygon = { { 150, 0 }, { 170, 0 }, { 170, 20 }, { 150, 20 } } } }
local function still(where)
  local s = ria.sim { grid = { nx = 20, ny = 10, dx = 10 }, bed = -4, out = false,
    tracers = { dye = {} }, init = { level = 0 } }
  where.time, where.tracers = "100 s", { dye = 2 }
  s:relax(where)
  s:run(100)
  local dye = s:field "dye"
  s:close()
  return dye
end
local dye = still { at = pools }
local by_map = still { map = function(x, y)
  return (x > 40 and x < 120 and y > 40 and y < 80 or x > 150 and x < 170 and y < 20) and 1 or 0
end }
local half = still { map = pools:share(dye):map(function(v) return v / 2 end) }
local wide = still { at = pools, width = 20 }
for i = 0, 19 do
  for j = 0, 9 do
    local pool = i >= 4 and i < 12 and j >= 4 and j < 8 or (i == 15 or i == 16) and j < 2
    near(dye:get(i, j), pool and 2 * (1 - math.exp(-1)) or 0, pool and 0.01 or 0, "in a pool")
    near(half:get(i, j), pool and 2 * (1 - math.exp(-0.5)) or 0, pool and 0.01 or 0, "by halves")
    assert(by_map:get(i, j) == dye:get(i, j))
    if pool then assert(wide:get(i, j) == dye:get(i, j)) end
  end
end
near(wide:get(3, 5), 2 * (1 - math.exp(-0.75 ^ 2)), 0.01, "5 m beside a pool")
near(wide:get(13, 5), 2 * (1 - math.exp(-0.25 ^ 2)), 0.01, "15 m beside a pool")
assert(wide:get(14, 5) == 0)

-- The edge of a domain that runs askew: a hump's waves leave a diamond through the layer along it.
local function diamond(layer)
  local s = ria.sim { grid = ria.field { nx = 40, ny = 40, dx = 50, value = -10 }:map(
      function(z, x, y) return math.abs(x - 1000) + math.abs(y - 1000) < 980 and z or nil end),
    outside = "wall", out = false, params = { order = 1 },
    init = { level = function(x, y)
      return 0.1 * math.exp(-((x - 1000) ^ 2 + (y - 1000) ^ 2) / 150 ^ 2)
    end } }
  if layer then
    s:relax { at = { { 1000, 20 }, { 1980, 1000 }, { 1000, 1980 }, { 20, 1000 }, { 1000, 20 } },
      width = 400, time = 15, level = 0, u = 0, v = 0 }
  end
  s:run(250)
  local level = s:field "level"
  s:close()
  return math.max(level:max(), -level:min())
end
local left = diamond(true)
assert(left < 3e-4 and diamond(false) > 20 * left, left)

-- The same bits in any number of threads and parts: cli.parts and the random scenes look at that.

-- --- a larger run and what is nested in it -------------------------------------------------------

local out = ria.out()
local sea = { kind = "open", slope = 0 } -- behind a layer: lets through what the layer holds

local function bed(x, y) return -8 - 2 * math.cos(y / 2000) + 2 * math.sin(x / 1500) end

-- A tide enters from the west, a plume goes with it.
local function coarse(keys)
  local s = ria.sim { grid = { nx = 60, ny = 50, dx = 100 }, bed = bed,
    out = out .. "/" .. keys.name, overwrite = true, params = { manning = 0.02 },
    tracers = { dye = { unit = keys.unit } },
    start = keys.start, init = { level = 0 },
    boundary = {
      west = ria.tide { M2 = { 0.5, 0 }, M4 = { 0.2, 30 }, ramp = "20 min", phases = "relative" },
      east = { kind = "open", slope = 0 } } }
  s:spill { tracer = "dye", x = 600, y = 2000, radius = 300, flow = "1 m3/s", conc = 1 }
  s:every(180, ria.save { "level", "u", "v", "dye", "depth" })
  s:run(keys.t or 5400)
  return s
end

-- A bay of it, with cells `finer` times smaller.
local function bay(finer, keys)
  local s = ria.sim { bed = bed,
    grid = { nx = 40 * finer, ny = 30 * finer, dx = 100 / finer, x0 = 1000, y0 = 1000 },
    out = false, params = { manning = 0.02 }, tracers = { dye = {} }, start = keys.start,
    precision = keys.precision, init = keys.init or { level = 0 },
    boundary = { west = sea, east = sea, south = sea, north = sea } }
  s:relax { "west", "east", "south", "north", width = 600, time = 60, nest = keys.nest }
  return s
end

local function compare(a, b, fields)
  local most = {}
  for _, f in ipairs(fields) do most[f] = 0 end
  for _, p in ipairs { { 3050, 2450 }, { 2050, 1850 }, { 4250, 3050 }, { 1550, 3350 } } do
    for f in pairs(most) do
      most[f] = math.max(most[f], math.abs(a:probe(p[1], p[2], f) - b:probe(p[1], p[2], f)))
    end
  end
  return most
end

local large = coarse { name = "coarse" }
local nest = ria.nest(out .. "/coarse")
assert(tostring(nest):find "ria.nest")
for _, finer in ipairs { 1, 3 } do
  local s = bay(finer, { nest = nest })
  s:run(5400)
  local off = compare(large, s, { "level", "u", "v" })
  print(("%d times finer: level %.2g m, u %.2g m/s, v %.2g m/s")
    :format(finer, off.level, off.u, off.v))
  assert(off.level < 3e-3 and off.u < 5e-3 and off.v < 5e-3)
  local there, here = large:probe(1550, 2050, "dye"), s:probe(1550, 2050, "dye")
  print(("  dye %.3g, in the larger run %.3g"):format(here, there))
  assert(there > 1e-4 and math.abs(here - there) < 0.2 * there)
  local totals = s:totals()
  assert(math.abs(totals.water.relative) < 1e-14 and math.abs(totals.dye.relative) < 1e-12)
  assert(totals.dye.sources > 0)
  s:close()
end

-- In one go and in pieces that end anywhere: the same bits, for frames are read at their own times.
local whole, pieces = bay(1, { nest = nest }), bay(1, { nest = nest })
whole:run(1200)
for k = 1, 20 do pieces:run(60 * k) end
near(whole:probe(3050, 2450, "level"), pieces:probe(3050, 2450, "level"), 1e-4, "in pieces")
whole:close()
pieces:close()

-- A uniform flow nested in itself stays as it is.
local stream = ria.sim { grid = { nx = 30, ny = 10, dx = 50 }, bed = -5,
  out = out .. "/stream", overwrite = true,
  init = { level = 0.1, u = 0.7 }, boundary = { west = sea, east = sea } }
stream:relax { "west", "east", width = 300, time = 30, level = 0.1, u = 0.7, v = 0 }
stream:every(60, ria.save { "level", "u", "v" })
stream:run(600)
local part = ria.sim { grid = { nx = 20, ny = 10, dx = 50, x0 = 250 }, bed = -5, out = false,
  init = { level = 0.1, u = 0.7 }, boundary = { west = sea, east = sea } }
part:relax { "west", "east", width = 300, time = 30, nest = ria.nest(out .. "/stream/fields.zarr") }
part:run(600)
for k = 0, 19 do
  near(part:probe(275 + 50 * k, 225, "u"), 0.7, 1e-12, "a uniform stream")
  near(part:probe(275 + 50 * k, 225, "level"), 0.1, 1e-12, "its level")
end
stream:close()
part:close()

-- --- dates ---------------------------------------------------------------------------------------

local dated = coarse { name = "dated", start = "2026-07-14 00:00", t = 1080 }
local later = bay(1, { nest = ria.nest(out .. "/dated"), start = "2026-07-14 00:08" })
later:run(600)
near(later:probe(1050, 2450, "level"), dated:probe(1050, 2450, "level"), 5e-3, "dates count")
fails("has frames from 2026-07-14 00:00 to 2026-07-14 00:18, and the run needs them at "
  .. "2026-07-14 01:08", later.run, later, 3600)
later:close()
dated:close()

-- --- what is wrong is told -----------------------------------------------------------------------

fails("there is no store", ria.nest, out .. "/nowhere")
fails("this run has none: give ria.sim a start", bay, 1, { nest = ria.nest(out .. "/dated") })
fails("it has no dates and this run has some", bay, 1, { nest = nest, start = "2026-07-14 00:00" })
local other = coarse { name = "other", unit = "mg/l", t = 360 }
other:close()
fails("'dye' is in mg/l, here it is in kg/m^3", bay, 1, { nest = ria.nest(out .. "/other") })

local small = ria.sim { grid = { nx = 10, ny = 10, dx = 1000 }, bed = -5, out = false,
  init = { level = 0 } }
local function relax(keys) small:relax(keys) end
fails("name the sides", relax, { width = 100, time = 10, level = 0 })
fails("unknown side 'wset'", relax, { "wset", width = 100, time = 10, level = 0 })
fails("missing key 'width'", relax, { "west", time = 10, level = 0 })
fails("out of range", relax, { "west", width = 2000, time = 0, level = 0 })
fails("draws nothing", relax, { "west", width = 2000, time = 10 })
fails("unknown tracer", relax, { "west", width = 2000, time = 10, tracers = { oil = 1 } })
local far = ria.shapes { { line = { { -9e5, 0 }, { -9e5, 10 } } } }
local edge = { { 0, 0 }, { 500, 500 } }
fails("no shape meets the grid", relax, { at = far, width = 2000, time = 10, level = 0 })
fails("along sides, at shapes or by a map: one of them", relax,
  { "west", at = edge, width = 2000, time = 10, level = 0 })
fails("its width must be more than 0 (within polygons alone", relax,
  { at = edge, time = 10, level = 0 })
fails("its map is 2 in cell (0, 0): it must be 0 to 1", relax, { map = 2, time = 10, level = 0 })
fails("its map is 0 in all cells", relax, { map = 0, time = 10, level = 0 })
fails("a layer by a map has no width", relax, { map = 1, width = 10, time = 10, level = 0 })
fails("lies outside store", relax, { "west", "east", width = 2000, time = 10, nest = nest })
fails("a larger run: ria.nest", relax, { "west", width = 2000, time = 10, nest = "out" })
small:close()
local plate = ria.sim { solver = "diffusion", grid = { nx = 8, ny = 8, dx = 1 }, out = false }
fails("has no layers that draw its flow", plate.relax, plate,
  { "west", width = 2, time = 1, level = 0 })
plate:close()

-- Stores that are damaged, under a name of their own: what to do to them, and what is said.
local function sh(command) assert(os.execute(command)) end
local function write(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end
local function read(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read "a"
  f:close()
  return text
end
local bad = out .. "/bad.zarr"
local function damaged(f, message, when)
  sh(("rm -rf '%s' && cp -r '%s/coarse/fields.zarr' '%s'"):format(bad, out, bad))
  f(bad)
  if when == 0 then
    fails(message, bay, 1, { nest = ria.nest(bad) })
  elseif when then
    local s = bay(1, { nest = ria.nest(bad) })
    fails(message, s.run, s, when)
    s:close()
  else
    fails(message, ria.nest, bad)
  end
end
local function edit(file, from, to)
  return function(path)
    local text, n = read(path .. "/" .. file):gsub(from, to)
    assert(n > 0, file)
    write(path .. "/" .. file, text)
  end
end
damaged(function(p) os.remove(p .. "/u/3.0.0") end, "a chunk is missing", 600)
damaged(function(p) write(p .. "/v/2.0.0", "no zlib") end, "v/2.0.0: the chunk is damaged", 600)
damaged(function(p) write(p .. "/level/0.0.0", "") end, "level/0.0.0: the chunk is damaged", 600)
damaged(edit("level/.zarray", "50, 60", "50, 61"), "level: its shape is not that of time, y and x")
damaged(edit("dye/.zarray", "zlib", "blosc"), "dye: its chunks are packed otherwise than by zlib")
damaged(edit("u/.zarray", '"zarr_format": 2', '"zarr_format": 3'), "u: it is not of Zarr version 2")
damaged(edit("u/.zarray", "^{", ""), "u: its .zarray is not JSON")
damaged(edit("u/.zarray", '"chunks": %[1', '"chunks": [2'), "u: its chunks are not tiles")
damaged(edit("u/.zarray", "f8", "i4"), "u: its chunks are not tiles")
damaged(edit("u/.zarray", '"shape": %[%d+', '"shape": [-1'), "u: its shape cannot be read")
damaged(edit("x/.zattrs", '"m"', '"km"'), "x: it is not in m")
damaged(edit("time/.zattrs", '"s"', '"h"'),
  "time: it is neither in s nor in seconds, minutes, hours or days since a date")
damaged(function(p) os.remove(p .. "/time/0") end, "time: a chunk of it is missing")
damaged(function(p) os.remove(p .. "/y/.zarray") end, "y: there is no such array")
damaged(function(p)
  local times = read(p .. "/time/0")
  write(p .. "/time/0", times:sub(9, 16) .. times:sub(1, 8) .. times:sub(17))
end, "time: its times do not grow")
damaged(function(p)
  local x = read(p .. "/x/0")
  write(p .. "/x/0", x:sub(1, 8) .. x:sub(1, 8) .. x:sub(17))
end, "x: its cells are not evenly apart")
damaged(function(p) sh(("rm -rf '%s/level' '%s/u' '%s/v' '%s/dye'"):format(p, p, p, p)) end,
  "it has none of level, u, v and this run's tracers, but depth", 0)
sh(("rm -rf '%s'"):format(bad))
large:close()

-- --- turned grids --------------------------------------------------------------------------------

-- A stream along the axis of a grid at 30 degrees; an upright and another turned grid within it.
local turned = ria.sim { bed = -5, out = out .. "/turned", overwrite = true,
  grid = { nx = 40, ny = 40, dx = 50, x0 = 3000, y0 = 700, angle = 30 },
  init = { level = 0.1, u = 0.6 }, boundary = { west = sea, east = sea } }
turned:relax { "west", "east", width = 300, time = 30, level = 0.1, u = 0.6, v = 0 }
turned:every(60, ria.save { "level", "u", "v" })
turned:run(120)
turned:close()
for _, angle in ipairs { 0, 50 } do
  local way = math.rad(30 - angle) -- of the stream, from the axis of this grid
  local u, v = 0.6 * math.cos(way), 0.6 * math.sin(way)
  local s = ria.sim { bed = -5, out = false, init = { level = 0.1, u = u, v = v },
    grid = { nx = 20, ny = 12, dx = 25, x0 = 3200, y0 = 1900, angle = angle },
    boundary = { west = sea, east = sea, south = sea, north = sea } }
  s:relax { "west", "east", "south", "north", width = 100, time = 10,
    nest = ria.nest(out .. "/turned") }
  s:run(120)
  for i = 0, 19 do
    near(s:field "u":get(i, 6), u, 1e-9, "u of a stream across a grid")
    near(s:field "v":get(i, 6), v, 1e-9, "v of a stream across a grid")
  end
  s:close()
end
