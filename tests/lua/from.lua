-- Hot starts: a run that begins where an earlier one was, on the same grid and on others.
local ria = require "ria"
local check = require "shared.check"
local near, fails = check.near, check.fails_with

local out = os.tmpname()
os.remove(out)

local function bay(x,
  y) return -4 + 6 * ((x - 500) / 700) ^ 2 + 0.5 * math.sin(x / 90) * math.cos(y / 70) end
local function hump(x, y) return 0.4 * math.exp(-((x - 450) ^ 2 + (y - 300) ^ 2) / 150 ^ 2) end

local function copy(t, with)
  local all = {}
  for k, v in pairs(t) do all[k] = v end
  for k, v in pairs(with) do all[k] = v end
  return all
end

local function make(keys)
  local all = { grid = { nx = 50, ny = 40, dx = 20 }, bed = bay, params = { manning = 0.02 },
    tracers = { dye = { unit = "mg/l" } }, init = { level = hump,
      dye = function(x) return x / 1000 end }, out = false }
  return ria.sim(copy(all, keys))
end

-- What it begins with: totals count before the first step.
local function stored(s) return s:totals().water.stored, s:totals().dye.stored end

local function same(a, b, name, tolerance)
  local worst, n = 0, 0
  local f, g = a:field(name), b:field(name)
  for i = 0, 49 do
    for j = 0, 39 do
      local v, w = f:get(i, j), g:get(i, j)
      assert((v == v) == (w == w), name .. ": dry in one")
      if v == v then worst, n = math.max(worst, math.abs(v - w)), n + 1 end
    end
  end
  assert(n > 100 and worst <= tolerance, ("%s differs by %g"):format(name, worst))
  return worst
end

-- The same grid: the run goes on as if it had not ended. What was saved is the state, and with
-- velocities and concentrations in its place it is the same but for rounding.
for order = 1, 2 do
  for _, names in ipairs { { "depth", "qx", "qy", "dye_load" }, { "depth", "level", "u", "v",
    "dye" } } do
    local dir = ("%s/exact-%d-%d"):format(out, order, #names)
    local a = make { out = dir, params = { manning = 0.02, order = order } }
    a:every("60 s", ria.save(copy(names, {})))
    a:run(120)
    local b = make { from = dir, params = { manning = 0.02, order = order }, init = {} }
    for _, name in ipairs { "depth", "qx", "qy", "dye_load" } do
      local tolerance = #names == 4 and 0 or 1e-14
      same(a, b, name, tolerance)
    end
    a:run(240)
    b:at(60, function() end) -- steps land there as those of `a` do
    b:run(120)
    for _, name in ipairs { "depth", "qx", "qy", "dye" } do
      local worst = same(a, b, name, 1e-12)
      print(("order %d, %s: %s differs by %.2g"):format(order, table.concat(names, " "), name,
        worst))
    end
    a:close()
    b:close()
  end
end

-- A store to begin from, with dates, in the middle of a wave.
local saved = make { out = out .. "/a", start = "2026-07-14 00:00", zone = "+02:00" }
saved:every("60 s", ria.save { "bed", "depth", "level", "u", "v", "dye" })
saved:run(180)
local water, dye = stored(saved)

-- Without a start the run begins at the frame's date; the frame may be chosen.
local later = make { from = out .. "/a", zone = nil }
assert(later:date() == "2026-07-13T22:03:00Z", later:date())
later:close()
later = make { from = { out .. "/a/fields.zarr", at = "2026-07-14 00:01" },
  start = "2026-07-14 05:00", zone = "+02:00" }
assert(later:date() == "2026-07-14T05:00:00+02:00", later:date())
later:close()
fails("'2026-07-14 00:02:30'; the nearest of its 4 is at = \"2026-07-14T00:02:00+02:00\"", make,
  { from = { out .. "/a", at = "2026-07-14 00:02:30" }, start = "2026-07-14 00:00",
    zone = "+02:00" })
fails("are dates: write at = \"2026-07-14 06:00\"", make, { from = { out .. "/a", at = "2 min" } })
fails("has no dates: write the time since its t = 0", make, { from = { out .. "/exact-1-4",
  at = "2026-07-14 00:02" } })

-- Finer, coarser, turned, by parts of cells: water and dye are kept, and dye of one concentration
-- stays of one concentration.
local grids = {
  finer = { nx = 100, ny = 80, dx = 10 },
  coarser = { nx = 25, ny = 20, dx = 40 },
  uneven = { nx = 43, ny = 31, dx = 1000 / 43, dy = 800 / 31 },
}
for name, grid in pairs(grids) do
  for _, precision in ipairs { "double", "single" } do
    local s = make { grid = grid, from = out .. "/a", init = {}, precision = precision }
    local w, d = stored(s)
    local tolerance = precision == "double" and 1e-12 or 1e-6
    print(("%s, %s: water off by %.2g, dye by %.2g"):format(name, precision, w / water - 1,
      d / dye - 1))
    near(w / water, 1, tolerance, name .. ": water")
    near(d / dye, 1, tolerance, name .. ": dye")
    s:run(20)
    s:close()
  end
end

-- A turned grid within the earlier one: what is there is as it was, to the order of the cells.
local turned = make { grid = { nx = 20, ny = 20, dx = 15, x0 = 400, y0 = 150, angle = 30 },
  from = out .. "/a", init = {} }
for _, at in ipairs { { 450, 300 }, { 500, 350 }, { 420, 260 } } do
  local x, y = at[1], at[2]
  near(turned:probe(x, y, "level"), saved:probe(x, y, "level"), 0.02, "level on a turned grid")
  near(turned:probe(x, y, "u_east"), saved:probe(x, y, "u"), 0.05, "u on a turned grid")
  near(turned:probe(x, y, "v_north"), saved:probe(x, y, "v"), 0.05, "v on a turned grid")
  near(turned:probe(x, y, "dye"), saved:probe(x, y, "dye"), 0.03, "dye on a turned grid")
end
turned:close()
local stream = make { bed = -5, init = { level = 0, u = 0.8, v = -0.3 }, out = out .. "/stream" }
stream:at(0, ria.save { "depth", "level", "qx", "qy" })
stream:run(1)
stream:close()
for _, angle in ipairs { 30, 90, -120 } do
  local s = make { bed = -5, grid = { nx = 10, ny = 8, dx = 15, x0 = 400, y0 = 400, angle = angle },
    from = { out .. "/stream", at = 0 }, init = {} }
  near(s:stats("u_east").min, 0.8, 1e-13, "stream to the east")
  near(s:stats("v_north").max, -0.3, 1e-13, "stream to the north")
  s:close()
end

-- A lake at rest with salt of one concentration, islands and a shore, stays at rest on any grid.
local function ground(x, y) return -3 + 4 * math.sin(x / 130) * math.cos(y / 110) end
local lake = make { bed = ground, init = { level = 0.25, dye = 35 }, out = out .. "/lake" }
lake:at(0, ria.save { "bed", "depth", "level", "dye" })
lake:run(1)
grids.turned = { nx = 60, ny = 30, dx = 11, x0 = 200, y0 = 40, angle = 25 }
for name, grid in pairs(grids) do
  local s = make { bed = ground, grid = grid, from = out .. "/lake", init = {} }
  local z, c = s:stats("level"), s:stats("dye")
  print(("lake, %s: level %.6f, flat to %.2g, dye to %.2g"):format(name, z.mean, z.max - z.min,
    c.max - c.min))
  assert(z.max - z.min < 1e-13 and math.abs(z.mean - 0.25) < 0.02)
  assert(math.abs(c.max - 35) < 1e-11 and math.abs(c.min - 35) < 1e-11)
  s:close()
  s = make { bed = ground, grid = grid, from = { out .. "/lake", keep = "level" }, init = {} }
  near(s:stats("level").mean, 0.25, 1e-13, "kept level")
  s:close()
end

-- Another bed on the same cells; an island that rises; a bed from the store.
local raised = make { from = out .. "/a", init = {}, bed = function(x, y)
  return bay(x, y) + 8 * math.exp(-((x - 500) ^ 2 + (y - 400) ^ 2) / 60 ^ 2)
end }
near(stored(raised) / water, 1, 1e-12, "water beside a new island")
raised:close()
local as_was = ria.sim { grid = { nx = 50, ny = 40, dx = 20 }, tracers = { dye =
  { unit = "mg/l" } }, from = out .. "/a", out = false }
near(as_was:probe(500, 400, "bed"), bay(510, 410), 1e-12, "a bed from the store")
near(stored(as_was) / water, 1, 1e-12, "water over it")
as_was:close()

-- Cells beyond the earlier run keep what they were set to.
local wider = make { grid = { nx = 100, ny = 40, dx = 20 }, from = out .. "/a",
  bed = function() return -5 end,
  init = { level = 1, dye = 7 } }
near(wider:probe(1500, 300, "level"), 1, 1e-14, "beyond")
near(wider:probe(1500, 300, "dye"), 7, 1e-14, "beyond")
assert(math.abs(wider:probe(500, 300, "dye") - 7) > 5)
wider:close()

-- Tracers that one of them lacks; units; places; damaged and wrong files.
local other = make { from = out .. "/a", tracers = { dye = { unit = "mg/l" }, oil = {} }, init =
  { level = 0 } }
assert(other:totals().oil.stored == 0 and other:totals().dye.stored > 0)
other:close()
local without = ria.sim { grid = { nx = 50, ny = 40, dx = 20 }, bed = bay, from = out .. "/a",
  out = false }
near(without:totals().water.stored / water, 1, 1e-12, "water alone")
without:close()
fails("'dye' is in mg/l, here it is in kg/m^3", make, { from = out .. "/a", tracers = { dye =
  {} } })
fails("has no values within this grid", make, { from = out .. "/a", grid = { nx = 50, ny = 40,
  dx = 20, x0 = 5000 } })
fails("from: out/nowhere: there is no store", make, { from = "out/nowhere" })
fails("000002.ria: this is a checkpoint", make, { from = "out/checkpoints/000002.ria" })
fails("from = { ... } begins with one path", make, { from = { at = "6 h" } })
fails("results of an earlier run", make, { from = 3 })
fails("'from.kep': did you mean 'keep'?", make, { from = { out .. "/a", kep = "level" } })
fails("has neither depth nor level", function()
  local s = make { out = out .. "/speeds" }
  s:at(0, ria.save { "u", "v" })
  s:run(1)
  s:close()
  make { from = out .. "/speeds" }
end)

-- The other solvers: adi goes on from what cells say of it; heat and sediment keep their integrals.
local tide = make { solver = "adi", params = { manning = 0.02, dt = 2 }, out = out .. "/adi",
  precision = "double" }
tide:every("60 s", ria.save { "depth", "level", "qx", "qy", "dye" })
tide:run(120)
local again = make { solver = "adi", params = { manning = 0.02, dt = 2 }, from = out .. "/adi",
  init = {} }
near(stored(again) / stored(tide), 1, 1e-12, "water of adi")
same(tide, again, "level", 1e-12)
tide:run(180)
again:run(60)
print(("adi goes on within %.2g m"):format(same(tide, again, "level", 0.02)))
tide:close()
again:close()

local plate = ria.sim { solver = "diffusion", grid = { nx = 30, ny = 30, dx = 1 },
  out = out .. "/plate",
  params = { diffusivity = 1 }, init = { u = function(x, y) return 20 + x - y * x / 30 end } }
plate:at(0, ria.save { "u" })
plate:run(1)
for _, n in ipairs { 30, 60, 15, 37 } do
  local s = ria.sim { solver = "diffusion", grid = { nx = n, ny = n, dx = 30 / n }, out = false,
    params = { diffusivity = 1 }, from = { out .. "/plate", at = 0 } }
  local first = ria.sim { solver = "diffusion", grid = { nx = 30, ny = 30, dx = 1 }, out = false,
    params = { diffusivity = 1 }, init = { u = function(x, y) return 20 + x - y * x / 30 end } }
  near(s:stats("u").sum / first:stats("u").sum, 1, 1e-13, "heat")
  first:close()
  s:close()
end
plate:close()

local basin = ria.sim { solver = "sediment", grid = { nx = 20, ny = 20, dx = 1000 },
  out = out .. "/basin",
  bed = function(x) return x / 1000 end, init = { sand = 0.25, alpha = 1, beta = 1 } }
basin:at(0, ria.save { "height", "sand" })
basin:run(1000)
local finer = ria.sim { solver = "sediment", grid = { nx = 40, ny = 40, dx = 500 }, out = false,
  from = out .. "/basin",
  init = { alpha = 1, beta = 1 } }
near(finer:stats("height").sum / basin:stats("height").sum, 1, 1e-9, "height")
near(finer:probe(5000, 5000, "sand"), 0.25, 1e-12, "sand")
finer:close()
basin:close()
saved:close()
lake:close()
os.execute("rm -rf '" .. out .. "'")
