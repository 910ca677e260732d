-- Values along a boundary: points with constituents, or with any value; what is wrong is told.
local ria = require "ria"
local check = require "shared.check"
local near, fails = check.near, check.fails

-- A deep, slow lake of 10 cells along its west side, which takes the level of it.
local function lake(west, keys)
  keys = keys or {}
  local sim = ria.sim { grid = { nx = 3, ny = 10, dx = 100 }, bed = -20, out = false,
    solver = keys.solver, start = keys.start, init = { level = 0 }, params = keys.params,
    boundary = { west = west } }
  sim:run(keys.t or 600)
  local south, north = sim:probe(150, 50, "level"), sim:probe(150, 950, "level")
  sim:close()
  return south, north
end

-- The same in all words there are for it.
local a, b = lake { level = { { at = 0, value = 0.2 }, { at = 1, value = "40 cm" } } }
assert(a > 0.1 and b > a + 0.05)
local ways = {
  { { at = { 0, 0 }, value = 0.2 }, { at = { 0, 1000 }, value = 0.4 } },
  { { at = { -700, 1000 }, value = 0.4 }, { at = { 300, 0 }, value = 0.2 } },
  { { at = 0, value = { { 0, 0.2 }, { 3600, 0.2 } } }, { at = 1, value = 0.4 } },
  ria.tide { { at = 0, M2 = { 0, 0 }, z0 = 0.2 }, { at = 1, M2 = { 0, 0 } }, z0 = 0.4 },
}
for _, way in ipairs(ways) do
  local c, d = lake(way)
  near(c, a, 1e-6)
  near(d, b, 1e-6)
  c, d = lake { kind = "level", level = way }
  near(c, a, 1e-6)
  near(d, b, 1e-6)
end
a, b = lake(ways[1], { solver = "adi", params = { dt = 10 } })
assert(a > 0.1 and b > a + 0.05)

-- Tides with dates, in opposite phase: of opposite sign, and nothing in the middle.
local function opposite(phases)
  return lake(ria.tide { { at = 0, M2 = { 0.02, 10 }, K1 = { 0, 0 } },
    { at = 1, m2 = { 0.02, 190 }, K1 = { 0, 0 } }, phases = phases },
    { start = "2026-07-14", t = 60 })
end
a, b = opposite()
local c = opposite "relative"
near(a, -b, 3e-4)
assert(math.abs(a) > 5e-3 and math.abs(a - c) > 1e-4)

-- From now on: one level, then points again.
local sim = ria.sim { grid = { nx = 3, ny = 10, dx = 100 }, bed = -20, out = false,
  init = { level = 0 }, boundary = { west = ways[1] } }
sim:run(10)
sim:boundary("west", { level = 0.1 })
sim:run(20)
sim:boundary("west", { level = { { at = 0.25, value = 0.1 } } })
sim:run(30)
sim:close()

-- Shares count from the boundary's `from`, in a change too.
local function turned(first, later)
  local sea = ria.sim { grid = { nx = 3, ny = 10, dx = 100 }, bed = -20, out = false,
    init = { level = 0 },
    boundary = { sea = { from = { 0, 1000 }, to = { 0, 0 }, level = first } } }
  if later then sea:boundary("sea", { level = later }) end
  sea:run(600)
  local south, north = sea:probe(150, 50, "level"), sea:probe(150, 950, "level")
  sea:close()
  return south, north
end
local rises = { { at = 0, value = 0 }, { at = 1, value = 0.4 } }
a, b = turned(rises)
assert(a > b + 0.1)
local a2, b2 = turned({ { at = 0, value = 0 }, { at = 1, value = 0 } }, rises)
assert(a2 == a and b2 == b)

-- Series of a file, a column a point, with dates. Points are told as they lie.
local levels = assert(io.open("along_levels.csv", "w"))
levels:write "date,north,south\n2026-07-14 00:00,0.1,0\n2026-07-14 00:10,0.4,0.2\n"
levels:write "2026-07-14 00:20,0.1,0\n"
levels:close()
local column = ria.columns "along_levels.csv"
local function pair(north, south)
  return { { at = 1, value = north }, { at = 0, value = south } }
end
local keys = { start = "2026-07-14" }
a, b = lake(pair(column.north, column.south), keys)
c, a2 = lake(pair({ { 0, 0.1 }, { 600, 0.4 } }, { { 0, 0 }, { 600, 0.2 } }), keys)
assert(a == c and b == a2 and b > a + 0.02)
keys.t = 1800
fails("sim:run: level of boundary 'west', point 1 of 2 from the south: its series has values "
  .. "from 2026-07-14 00:00 to 2026-07-14 00:20, and the run needs them from 2026-07-14 00:00 to "
  .. "2026-07-14 00:30: extend it, or let it hold its end values", lake,
  pair(column.north, column.south), keys)
fails("ria.sim: boundary 'west': level of the point at 1 of the way along it: the times of "
  .. "a series are dates, and the run has no start: give it the date of t = 0 (start = "
  .. "\"2026-07-14 00:00\")", lake, pair(column.north, 0), {})

local M2 = { 1, 0 }
local function lacks(k, other)
  return ("ria.tide: point %d has no S2, which point %d has: give it there too, with the amplitude "
    .. "0 if it has none"):format(k, other)
end
fails(lacks(2, 1), ria.tide, { { at = 0, M2 = M2, S2 = M2 }, { at = 1, M2 = M2 } })
fails(lacks(1, 3), ria.tide,
  { { at = 0, M2 = M2 }, { at = 0.5, M2 = M2 }, { at = 1, M2 = M2, S2 = M2 } })
fails("ria.tide: [2].at = 1.5 is out of range: 0 .. 1, the share of the boundary's length",
  ria.tide, { { at = 0, M2 = M2 }, { at = 1.5, M2 = M2 } })
fails("ria.tide: [2].at = nil: expected a point {x, y}, or a share of the boundary from 0 to 1",
  ria.tide, { { at = 0, M2 = M2 }, { M2 = M2 } })
fails("ria.tide: unknown key 'M2' beside a list of points: constituents are given at each point, "
  .. "and z0, ramp, phases and nodal once for all", ria.tide, { { at = 0, M2 = M2 }, M2 = M2 })
fails("ria.tide: point 1 has no mean level (z0, A0 in a file), which point 2 has: give it there "
  .. "too, or once beside the points", ria.tide,
  { { at = 0, M2 = M2 }, { at = 1, M2 = M2, z0 = 0 } })
local many = {}
for k = 1, 10001 do many[k] = { at = k / 10001, value = 0 } end
fails("ria.sim: boundary 'west': 'level' is given at 10001 points, and up to 10000 are taken: "
  .. "in between values lie on the line", lake, many)
local ok, told = pcall(ria.tide, { { at = 0, ramp = 3 } })
assert(not ok and told:find("unknown constituent 'ramp': one of z0, at, M2", 1, true), told)
fails("ria.tide: unknown constituent 'M22': did you mean 'M2'?", ria.tide, { { at = 0, M22 = M2 } })
fails("ria.sim: missing key 'boundary.west[2].value': what it is there", lake,
  { { at = 0, value = 1 }, { at = 1 } })
fails("ria.sim: unknown key 'boundary.west[1].valeu': did you mean 'value'?", lake,
  { { at = 0, valeu = 1 } })
fails("ria.sim: unknown key 'boundary.west.ramp': a value at points is a list { at =, value = }",
  lake, { { at = 0, value = 1 }, ramp = 3 })
fails("ria.sim: boundary 'west': 'curve' of kind 'rating' is one for the whole boundary: it cannot "
  .. "differ along it; give each piece of the side a boundary of its own, with `from` and `to`",
  lake, { kind = "rating", curve = { { at = 0, value = 1 }, { at = 1, value = 3 } } })
fails("ria.sim: boundary 'west': two points of 'level' are at one place of the west side, "
  .. "0 m from its south end", lake,
  { { at = 0, value = 1 }, { at = { 0, 0 }, value = 3 } })
fails("ria.sim: boundary.west[1].value: 's' in '3 s' is a unit of time: expected a length (mm, "
  .. "cm, m, km, ft, nmi, mi)", lake, { { at = 0, value = "3 s" } })

-- A discharge at points: each has the piece of the boundary that is nearer to it than to others.
local function channel(solver, boundary)
  return ria.sim { solver = solver, out = false, grid = { nx = 6, ny = 10, dx = 100 },
    bed = -4, init = { level = 0 }, tracers = { dye = {} }, boundary = boundary }
end
-- at 1, 6.5 and 10 cells: the pieces meet behind 4 and behind 8 cells
local three = { { at = { 0, 650 }, value = 30 }, { at = 0.1, value = { { 0, 10 }, { 600, 10 } } },
  { at = 1, value = -5 } }
local function three_by(place)
  place.q, place.tracers = three, { dye = 2 }
  return place
end
for _, solver in ipairs { "shallow_water", "adi" } do
  local share = solver == "adi" and 0.1 or 1e-9 -- its first step brings half a step's water
  local cuts = {
    west = three_by {},
    sea = ria.inflow(three_by { from = { 0, 0 }, to = { 0, 1000 } }),
    shore = ria.inflow(three_by { line = { { 0, 0 }, { 0, 1000 } } }),
  }
  for name, boundary in pairs(cuts) do
    local run = channel(solver, { [name] = boundary })
    run:run(600)
    for k, q in ipairs { 10, 30, -5 } do
      local into, out = run:flux(("%s.%d"):format(name, k))
      near(into - out, q * 600, share * math.abs(q) * 600)
    end
    near(run:flux(name .. ".1", "dye"), 2 * run:flux(name .. ".1"), 0.01)
    assert(run:probe(50, 450, "level") > run:probe(50, 350, "level"))
    run:boundary(name .. ".3", { q = 0 })
    if name == "west" then
      local into, out = run:flux "west"
      near(into - out, 35 * 600, share * 35 * 600)
      fails("sim:boundary: boundary 'west' lies in pieces, 'west.1' to 'west.3': change these",
        run.boundary, run, "west", { q = 3 })
    else
      fails(("sim:flux: boundary '%s' lies in pieces, from '%s.1' on: name one of them"):format(
        name, name), run.flux, run, name)
    end
    run:close()
  end
end
do -- a hundred rivers by the dates of one file: each has its own column, on any side of the others
  local file = assert(io.open("hundred_rivers.csv", "w"))
  local head, first, last = { "date" }, { "2026-07-14 00:00" }, { "2026-07-14 00:10" }
  for k = 1, 100 do
    head[k + 1], first[k + 1], last[k + 1] = "r" .. k, k / 10, k / 5
  end
  for _, row in ipairs { head, first, last } do
    file:write(table.concat(row, ","), "\n")
  end
  file:close()
  local by_name, points = ria.columns "hundred_rivers.csv", {}
  for k = 100, 1, -1 do
    points[#points + 1] = { at = (k - 0.5) / 100, value = by_name["r" .. k] }
  end
  local coast = ria.sim { start = "2026-07-14", grid = { nx = 3, ny = 100, dx = 100 }, bed = -9,
    init = { level = 0 }, out = false, boundary = { west = { q = points } } }
  coast:run "10 min"
  for k = 1, 100 do near(coast:flux("west." .. k), 0.15 * k * 600, 1e-6 * k) end
  near(coast:flux "west", 0.15 * 5050 * 600, 1e-3)
  coast:close()
end
-- a boundary with a gap, and one told from its north
local gap = ria.shapes {
  { line = { { 0, 0 }, { 0, 300 } } }, { line = { { 0, 600 }, { 0, 1000 } } } }
local run = channel("shallow_water", {
  a = ria.inflow { line = gap,
    q = { { at = { 0, 0 }, value = 6 }, { at = { 0, 1000 }, value = 8 } } },
  b = ria.inflow { from = { 600, 1000 }, to = { 600, 0 },
    q = { { at = 0, value = 1 }, { at = 1, value = 2 } } } })
run:run(10)
near(run:flux "a.1", 60, 1e-6)
near(run:flux "a.2", 80, 1e-6)
near(run:flux "b.1", 20, 1e-6) -- the southern one
near(run:flux "b.2", 10, 1e-6)
run:close()
do -- names may be long, and those that only begin alike are others
  local long = ("the Eden below the weir, "):rep(8)
  local named = channel("shallow_water", { [long] = ria.inflow { from = { 0, 0 }, to = { 0, 1000 },
    q = { { at = 0, value = 6 }, { at = 1, value = 8 } } },
    [long .. ".10"] = ria.inflow { from = { 600, 0 }, to = { 600, 1000 }, q = 2 } })
  named:run(10)
  near(named:flux(long .. ".1"), 60, 1e-6)
  near(named:flux(long .. ".2"), 80, 1e-6)
  near(named:flux(long .. ".10"), 20, 1e-6)
  fails(("sim:flux: boundary '%s' lies in pieces, from '%s.1' on: name one of them"):format(long,
    long), named.flux, named, long)
  local ok_short, told_short = pcall(named.flux, named, long:sub(1, 70))
  assert(not ok_short and told_short:find("no boundary is named", 1, true), told_short)
  named:close()
end
fails("ria.sim: boundary 'west': no edge is nearer to point 2 of 3 (from south or west) than to "
  .. "the others: leave it out, or take smaller cells", channel, "shallow_water", { west = {
  q = { { at = 0.5, value = 1 }, { at = 0.52, value = 1 }, { at = 0.54, value = 1 } } } })
