-- Sides of a smaller run driven by what a larger one saved: ria.nest as level and current.
local ria = require "ria"
local check = require "shared.check"
local near, fails = check.near, check.fails_with
local out = ria.out()

local function radiating(nest) return { kind = "radiate", level = nest, u = nest, v = nest } end

-- --- a tide --------------------------------------------------------------------------------------

local function bed(x, y) return -8 - 2 * math.cos(y / 2000) + 2 * math.sin(x / 1500) end
local sea = ria.sim { grid = { nx = 60, ny = 30, dx = 100 }, bed = bed, out = out .. "/sea",
  overwrite = true, params = { manning = 0.02, order = 1 }, init = { level = 0 },
  boundary = { west = ria.tide { M2 = { 0.5, 0 }, M4 = { 0.2, 30 }, ramp = "20 min" },
    east = { kind = "open", slope = 0 } } }
sea:every(60, ria.save { "level", "u", "v" })
sea:run(4200)
local nest = ria.nest(out .. "/sea")

local function bay(solver, boundary, finer, start)
  return ria.sim { solver = solver, out = false, bed = bed, init = { level = 0 }, start = start,
    grid = { nx = 30 * finer, ny = 16 * finer, dx = 100 / finer, x0 = 1000, y0 = 700 },
    params = { manning = 0.02, order = solver == "shallow_water" and 1 or nil,
      dt = solver == "adi" and 20 or nil },
    boundary = boundary }
end
local function all(nest_of)
  return { west = radiating(nest_of), east = radiating(nest_of), south = radiating(nest_of),
    north = radiating(nest_of) }
end

local function compare(s, most)
  for _, p in ipairs { { 2550, 1450 }, { 1250, 850 }, { 3750, 2150 } } do
    for _, f in ipairs { "level", "u", "v" } do
      local off = math.abs(sea:probe(p[1], p[2], f) - s:probe(p[1], p[2], f))
      assert(off < most, ("%s at %g: %.3g off"):format(f, p[1], off))
    end
  end
end

-- adi: 5.3 mm/s of u at one point, 5e-5 m of level (4.9 mm/s and 2e-4 m before its sides let out
-- what comes at an angle).
for solver, most in pairs { shallow_water = 5e-3, adi = 6e-3 } do
  local s = bay(solver, all(nest), 1)
  s:run(4200)
  compare(s, most)
  local t = s:totals().water
  assert(math.abs(t.relative) < 1e-13 and t.sources == 0)
  fails("level of boundary 'east', point 1 of 16 from the south: its series has values from 0 s to "
    .. "4200 s, and the run needs them", s.run, s, 5000)
  s:close()
end

-- A level alone, a finer grid, and a side that is driven from an event on.
local two = bay("shallow_water", { west = nest, east = { level = nest } }, 2)
two:run(600)
two:boundary("east", { kind = "radiate", level = nest, u = nest, v = nest })
two:run(4200)
near(two:probe(2550, 1450, "level"), sea:probe(2550, 1450, "level"), 3e-3, "level alone")
two:close()

-- --- exact: what is uniform stays so -------------------------------------------------------------

local through = { kind = "open", slope = 0 }
local function stream(name, grid, u, v)
  local s = ria.sim { grid = grid, bed = -5, out = out .. "/" .. name, overwrite = true,
    init = { level = 0.1, u = u, v = v }, boundary = { west = through, east = through,
      south = through, north = through } }
  s:relax { "west", "east", "south", "north", width = 300, time = 30, level = 0.1, u = u, v = v }
  s:every(60, ria.save { "level", "u", "v" })
  s:run(120)
  s:close()
  return ria.nest(out .. "/" .. name)
end
local turned = stream("turned",
  { nx = 40, ny = 40, dx = 50, x0 = 3000, y0 = 700, angle = 30 }, 0.6, 0)
for _, angle in ipairs { 0, 50 } do
  local way = math.rad(30 - angle) -- of the stream, from the axis of this grid
  local u, v = 0.6 * math.cos(way), 0.6 * math.sin(way)
  local s = ria.sim { bed = -5, out = false, init = { level = 0.1, u = u, v = v },
    grid = { nx = 20, ny = 12, dx = 25, x0 = 3200, y0 = 1900, angle = angle },
    boundary = all(turned) }
  s:run(120)
  for i = 0, 19 do
    near(s:field "u":get(i, 6), u, 1e-9, "u of a stream across a grid")
    near(s:field "v":get(i, 0), v, 1e-9, "v of a stream across a grid")
    near(s:field "level":get(i, 11), 0.1, 1e-9, "its level")
  end
  s:close()
end

-- A lake with islands on the side: where it is dry the level lies between those beside it, at the
-- ends it is the nearest. Here there are no islands, and nothing moves.
local lake = ria.sim { grid = { nx = 20, ny = 20, dx = 10 }, out = out .. "/lake", overwrite = true,
  bed = function(_, y) return (y < 30 or y > 170 or (y > 80 and y < 120)) and 2 or -3 end,
  init = { level = 0.25 } }
lake:every(20, ria.save { "level", "u", "v" })
lake:run(40)
lake:close()
local flat = ria.sim { grid = { nx = 10, ny = 20, dx = 10, x0 = 50 }, bed = -3, out = false,
  init = { level = 0.25 }, boundary = { west = radiating(ria.nest(out .. "/lake")) } }
flat:run(40)
local level = flat:field "level"
for i = 0, 9 do
  for j = 0, 19 do near(level:get(i, j), 0.25, 1e-15, "a lake") end
end
flat:close()

-- --- what is wrong is told -----------------------------------------------------------------------

fails("a larger run gives the level, u and v of a boundary: 'q' it has not", bay, "shallow_water",
  { west = { kind = "discharge", q = nest } }, 1)
fails("boundary 'west': (1000, 750) lies outside store", bay, "shallow_water",
  { west = ria.nest(out .. "/lake") }, 1)
fails("it has no dates and this run has some", bay, "shallow_water", { west = nest }, 1,
  "2026-07-14 00:00")
local dry = ria.sim { grid = { nx = 10, ny = 10, dx = 1000 }, out = out .. "/dry", overwrite = true,
  bed = function(x) return x < 5000 and 1 or -3 end, init = { level = 0 } }
dry:every(60, ria.save { "level" })
dry:run(120)
dry:close()
fails("is dry all along the boundary in its frame 0 (0 s)", bay, "shallow_water",
  { west = ria.nest(out .. "/dry") }, 1)
fails("has no u: the larger run must save it, ria.save { \"level\", \"u\", \"v\" }", bay,
  "shallow_water", { west = { kind = "radiate", level = 0, u = ria.nest(out .. "/dry") } }, 1)
sea:close()
