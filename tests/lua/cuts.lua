-- Boundaries along lines and points of a file: which edges are theirs, on which side; messages.

local ria = require "ria"
local check = require "shared.check"
local put, fails = check.put, check.fails_ending

-- 20 x 10 cells of 100 m by 50 m, from (1000, -100) to (3000, 400)
local function basin(boundary, keys)
  local desc = { grid = { nx = 20, ny = 10, dx = 100, dy = 50, x0 = 1000, y0 = -100 }, bed = -5,
    init = { level = 0 }, boundary = boundary, out = false }
  for key, value in pairs(keys or {}) do desc[key] = value end
  return ria.sim(desc)
end

-- The discharge per metre along a side after a step, as the cells that take it, "south 3-6 9".
local function edges(entry, keys)
  local sim = basin({ cut = entry }, keys)
  sim:advance(0.01)
  local found = {}
  local h = sim:field "depth"
  local sides = { south = { 20, function(k) return k, 0 end }, north = { 20,
    function(k) return k, 9 end },
    west = { 10, function(k) return 0, k end }, east = { 10, function(k) return 19, k end } }
  for _, side in ipairs { "south", "north", "west", "east" } do
    local n, cell = table.unpack(sides[side])
    local runs, first = {}, nil
    for k = 0, n do
      local i, j = cell(math.min(k, n - 1))
      local x, y = 1050 + 100 * i, -75 + 50 * j
      local wet = k < n and h:at(x, y) > 5 + 1e-9
      if wet and not first then first = k end
      if not wet and first then
        runs[#runs + 1] = first == k - 1 and tostring(first) or first .. "-" .. k - 1
        first = nil
      end
    end
    found[side] = table.concat(runs, " ")
  end
  return found
end

local function lies(side, cells, entry, keys)
  entry.q = entry.q or 40
  local found = edges(entry, keys)[side]
  assert(found == cells, ("%s: got '%s', expected '%s'"):format(side, found, cells))
end

-- A line along a side, on it, outside, inside: edges whose middles face it
lies("south", "2-5", { line = { { 1200, -100 }, { 1600, -100 } } })
lies("south", "2-5", { line = { { 1250, -150 }, { 1550, -60 } } })
lies("south", "3-4", { line = { { 1251, -100 }, { 1549, -100 } } })
lies("north", "0-19", { line = { { 500, 430 }, { 5000, 370 } } })
lies("west", "1-3", { line = { { 1000, -50 }, { 1090, 100 } } })
-- what is farther off than the reach is not faced
lies("south", "2-3", { line = { { 1200, -100 }, { 1400, -100 }, { 1400, 100 }, { 1900, 100 } } })
lies("south", "2-8", { line = { { 1200, -100 }, { 1400, -100 }, { 1400, 100 }, { 1900, 100 } },
  reach = 200 })
-- a gap where it turns away, and what lies behind it
lies("south", "2-3 9-10", { line = { { 1200, -100 }, { 1400, -100 }, { 1400, 100 }, { 1900,
  100 }, { 1900, -100 },
  { 2100, -100 } } })
-- across: at least the edge that it crosses, or is nearest to
lies("east", "6", { line = { { 2500, 220 }, { 3500, 220 } } })
lies("east", "6", { line = { { 2980, 210 } } })
-- near a corner the side counts that the line runs along
lies("south", "0-3", { line = { { 1000, -75 }, { 1400, -75 } } })
lies("west", "0-9", { line = { { 1000, -100 }, { 1000, 400 } } })
lies("west", "0-9", { line = { { 1050, -100 }, { 1050, 400 } } })
-- round a corner, the side says which
local round = { { 1000, 150 }, { 1000, -100 }, { 1500, -100 } }
lies("west", "0-4", { line = round, side = "west" })
lies("south", "0-4", { line = round, side = "south" })

-- shapes of files; points make one line
local lines = ria.shapes { crs = "model", path = put("lines.geojson", [=[
{"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"name": "mouth"},
  "geometry": {"type": "LineString", "coordinates": [[1200,-100],[1600,-100]]}},
 {"type": "Feature", "properties": {"name": "two"},
  "geometry": {"type": "MultiLineString",
    "coordinates": [[[1200,410],[1400,410]],[[2000,390],[2300,390]]]}},
 {"type": "Feature", "properties": {"name": "ditch"},
  "geometry": {"type": "Polygon", "coordinates": [[[1200,410],[1400,410],[1400,300],[1200,410]]]}}
]}]=]) }
lies("south", "2-5", { line = lines:where { name = "mouth" } })
lies("north", "2-3 10-12", { line = lines:where { name = "two" } })
local ends = ria.shapes { path = put("ends.csv", "x [km],y [km]\n3.0,0.2\n3.0,0.05\n"), crs =
  "model" }
lies("east", "3-5", { line = ends })

-- degrees, in a run with a system
local map = { grid = { nx = 20, ny = 10, dx = 100, dy = 50, x0 = 500000, y0 = 4680000 }, crs =
  "EPSG:32629" }
do
  local sim = basin(nil, map)
  local lon0, lat0 = sim:lonlat(500000, 4680100)
  local lon1, lat1 = sim:lonlat(500000, 4680300)
  local file = put("shore.geojson", ([=[{"type": "LineString",
    "coordinates": [[%.10f,%.10f],[%.10f,%.10f]]}]=])
    :format(lon0, lat0, lon1, lat1))
  local function count(line)
    local other = basin({ cut = { q = 40, line = line } }, map)
    other:advance(0.01)
    local h, cells = other:field "depth", {}
    for k = 0, 9 do if h:at(500050, 4680025 + 50 * k) > 5 + 1e-9 then cells[#cells + 1] = k end end
    return table.concat(cells, " ")
  end
  assert(count(ria.shapes(file)) == "2 3 4 5")
  assert(count { { lon = lon0, lat = lat0 }, { lon = lon1, lat = lat1 } } == "2 3 4 5")
end

-- every kind; values along it count from where the line begins
do
  local level = { { at = 0, value = 0.1 }, { at = 1, value = 0.3 } }
  local sim = basin({ sea = { level = level, line = { { 1800, -100 }, { 1200, -100 } } }, north =
    "open",
    weir = { kind = "rating", curve = { { 0, 0 }, { 50, 1 } }, line = { { 3000, 0 }, { 3000,
      200 } } } })
  sim:advance(1)
  local h = sim:field "level"
  assert(h:at(1750, -75) > 0 and h:at(1250, -75) > h:at(1750, -75))
  local tide = basin { sea = { level = ria.tide { M2 = { 1, 0 } }, line = round, side = "south" } }
  tide:advance(10)
  assert(tide:field "level":at(1050, -75) > 0)
end
do -- diffusion has sides, too
  local plate = ria.sim { solver = "diffusion", grid = { nx = 20, ny = 10, dx = 1 }, out = false,
    init = { u = 0 },
    params = { diffusivity = 1 }, boundary = { stove = { kind = "value", u = 1, line = { { 4,
      0 }, { 9, 0 } } } } }
  plate:advance(0.05)
  local u = plate:field "u"
  assert(u:at(4.5, 0.5) > 0.01 and u:at(8.5, 0.5) > 0.01 and u:at(10.5, 0.5) < u:at(8.5, 0.5) / 5)
end

-- messages
local function refused(message, entry, keys)
  entry.q = entry.q or 1
  fails(message, basin, { cut = entry }, keys)
end
refused("boundary: its line, from (1500, 100) to (2000, 120), is 200 m from the nearest side, "
  .. "south, and its reach is 50 m: boundaries lie on the grid's four sides; give a larger reach, "
  .. "or is the line in other coordinates?", { line = { { 1500, 100 }, { 2000, 120 } } })
refused("boundary: its line runs along both the west and the south side, and a boundary lies on "
  .. "one: split it, by two boundaries with this line, one with side = \"west\" and one with side "
  .. "= \"south\"", { line = round })
refused("boundary: its line meets both the west and the east side, and a boundary lies on one: "
  .. "split it, by two boundaries with this line, one with side = \"west\" and one with side = "
  .. "\"east\"", { line = { { 900, 110 }, { 3100, 110 } } })
refused("boundary: its line comes nowhere within 50 m of the north side; the nearest side is west, "
  .. "0 m away: name that one, or give a larger reach", { line = round, side = "north" })
refused("boundary: lines.geojson:7 is a polygon: a boundary is named by lines or by points",
  { line = lines:where { name = "ditch" } })
refused("reach belongs to a line: line = ria.shapes \"shore.geojson\"",
  { reach = 3, side = "west" })
refused("a boundary lies along a line, or from a point to another: not both",
  { line = round, from = { 1000, 0 }, to = { 1000, 100 } })
refused("expected ria.shapes \"shore.geojson\", or places: { {x, y}, {lon =, lat =}, ... }",
  { line = {} })
fails("a boundary on a stretch of the west side cannot be called 'west': that is the name of a "
  .. "whole side", basin, { west = { q = 1, line = { { 1000, 0 }, { 1000, 100 } } } })
do
  local sim = basin { cut = { q = 40, line = { { 1200, -100 }, { 1600, -100 } } } }
  fails("boundary 'cut': where a boundary lies cannot change: leave `line` out", sim.boundary, sim,
    "cut", { q = 3, line = round })
  sim:boundary("cut", { q = 3 })
end
do -- what a change says of the place may not differ from it
  local river = ria.inflow { q = 4, from = { 1200, -100 }, to = { 1600, -100 } }
  local sim = basin { river = river, east = { kind = "level", level = 0 } }
  sim:boundary("river", river)
  sim:boundary("river", { q = 3, side = "south" })
  sim:boundary("east", { level = 1, side = "east" })
  local function elsewhere(name, entry, is, leave)
    fails(("boundary '%s' lies on %s side, and where a boundary lies cannot change: leave %s "
      .. "out, or let one boundary end (kind = \"wall\") where another, named in ria.sim from the "
      .. "start, begins"):format(name, is, leave), sim.boundary, sim, name, entry)
  end
  elsewhere("river", { q = 3, from = { 1200, -100 }, to = { 1800, -100 } }, "4 edges of the south",
    "`from` and `to`")
  elsewhere("river", { q = 3, from = { 1200, 400 }, to = { 1600, 400 } }, "4 edges of the south",
    "`from` and `to`")
  elsewhere("river", { q = 3, side = "north" }, "4 edges of the south", "`side`")
  elsewhere("east", { level = 2, side = "west" }, "10 edges of the east", "`side`")
  fails("from and to go together: one end is missing", sim.boundary, sim, "river",
    { q = 3, from = { 1200, -100 } })
  fails("reach belongs to a line: line = ria.shapes \"shore.geojson\"", sim.boundary, sim, "river",
    { q = 3, reach = 100 })
  fails("boundary: from and to lie on the south side, and it is to be on the north one: leave "
    .. "`side` out, or give points of that side", basin, { river = { q = 4, side = "north",
      from = { 1200, -100 }, to = { 1600, -100 } } })
end
fails("solver 'adi' has no boundaries of the kind 'free', which are of 'shallow_water': see "
  .. "`ria help adi`", ria.sim, { solver = "adi", grid = { nx = 4, ny = 4, dx = 9 }, out = false,
    boundary = { west = "free" } })
do -- of two that overlap the one whose name comes later has the edges; none may be left without
  local long, short = { { 1000, -100 }, { 2000, -100 } }, { { 1200, -100 }, { 1600, -100 } }
  local function covered(name, n, by)
    return ("boundary '%s' lets nothing through: others cover all of its edges (%d), %s: of two "
      .. "that overlap the one added later has them (in a scenario stretches come after sides, "
      .. "each by name): move one, leave one out, or take smaller cells"):format(name, n, by)
  end
  fails(covered("river", 4, "'sea' (4)"), basin, { river = { q = 4, line = short },
    sea = { level = 0, line = long } })
  fails(covered("river", 4, "'sea' (4)"), basin, {
    river = { q = 4, line = short }, ["river.mouth"] = { level = 0, -- by its name no piece of it
      line = { { 2400, -100 }, { 2800, -100 } } }, sea = { level = 0, line = long } })
  -- pieces too, of a side, of a stretch and of a ria.inflow, by one boundary or by several
  local west = { q = { { at = 0, value = 5 }, { at = 1, value = 7 } } } -- of 5 and 5 edges
  local mouth = { level = 0, from = { 1000, 100 }, to = { 1000, 400 } }
  fails(covered("west.2", 5, "'mouth' (5)"), basin, { west = west, mouth = mouth })
  fails(covered("west.2", 5, "'sea' (3), 'mouth' (2)"), basin, { west = west,
    mouth = { level = 0, from = { 1000, 100 }, to = { 1000, 300 } },
    sea = { level = 0, from = { 1000, 250 }, to = { 1000, 400 } } })
  fails(covered("a.2", 5, "'mouth' (5)"), basin, { mouth = mouth,
    a = ria.inflow { q = west.q, from = { 1000, -100 }, to = { 1000, 400 } } })
  local inner, all = { 1000, 400 }, { 1000, -100 }
  fails(covered("west", 10, "'mouth' (10)"), basin, { west = { q = 5 },
    mouth = { level = 0, from = all, to = inner } })
  fails(covered("all", 10, "'mouth' (10)"), basin, { all = { level = 0, from = all, to = inner },
    mouth = { level = 1, from = all, to = inner } })
  -- a side that brings no discharge may lie under stretches, a piece may keep an edge
  basin({ west = { level = 0 }, mouth = { level = 0, from = all, to = inner } }):close()
  basin({ west = west, mouth = { level = 0, from = { 1000, 200 }, to = inner } }):close()
  local sim = basin { south = "open", bay = { level = 0, line = long },
    river = { q = 40, line = short } }
  sim:advance(0.01)
  assert(sim:flux "river" > 0)
end
do -- what is left out of the domain
  local bed = ria.field { nx = 20, ny = 10, dx = 100, dy = 50, x0 = 1000, y0 = -100,
    value = -5 }:map(function(z, x) return x < 1500 and z or nil end)
  refused("boundary 'cut' lies outside the domain: the bed has no value in any of its cells",
    { line = { { 1600, -100 }, { 1900, -100 } } }, { grid = bed, bed = bed, outside = "wall" })
end

do -- a turned grid: places are the map's
  local c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
  local function place(x, y) return { 100 + c * x - s * y, 200 + s * x + c * y } end
  local sim = ria.sim { grid = { nx = 10, ny = 6, dx = 10, x0 = 100, y0 = 200, angle = 30 },
    bed = -2, init = { level = 0 }, out = false,
    boundary = { cut = { q = 4, line = { place(99, 20), place(102, 50) } } } }
  sim:advance(0.01)
  local h = sim:field "depth"
  for j = 0, 5 do
    local p = place(95, 5 + 10 * j)
    assert((h:at(p[1], p[2]) > 2 + 1e-9) == (j >= 2 and j < 5))
  end
end
