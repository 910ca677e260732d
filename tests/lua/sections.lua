-- Sections: what flows through a line. A steady river, lines at any angle, closed lines, tracers,
-- an account of volume, masks, names, messages.

local ria = require "ria"
local check = require "shared.check"
local fails, near = check.fails_ending, check.near

local function last(sim, name, column)
  local _, v = sim:history(name, column)
  return v[#v]
end

-- A river of 200 m3/s that brings 2 mg/l, when it is steady
for _, solver in ipairs { "shallow_water", "adi" } do
  local sim = ria.sim { solver = solver, grid = { nx = 40, ny = 12, dx = 25, x0 = 100 }, bed = -3,
    init = { level = 0, dye = 0 }, params = { manning = 0.1 }, tracers = { dye = { unit =
      "mg/l" } },
    boundary = { west = { q = 200, tracers = { dye = 2 } }, east = { level = 0 } }, out = false }
  local every = "1 h"
  sim:section { name = "across", line = { { 600, 300 }, { 600, 0 } }, every = every }
  sim:section { name = "back", line = { { 600, 0 }, { 600, 300 } }, every = every }
  sim:section { name = "slant", line = { { 350, 310 }, { 720, 140 }, { 500, -20 } }, every = every }
  sim:section { name = "half", line = { { 600, 300 }, { 600, 150 } }, every = every }
  sim:section { name = "ring", line = { { 300, 60 }, { 420, 250 }, { 700, 110 }, { 300, 60 } },
    every = every }
  sim:section { name = "to and fro", every = every,
    line = { { 600, 300 }, { 600, 0 }, { 601, 0 }, { 601, 120 }, { 601, 0 } } }
  sim:run "6 h"
  local function tells(name, q) near(last(sim, name, "discharge"), q, 1e-3, solver .. " " ..
    name) end
  tells("across", -200)
  near(last(sim, "across", "dye"), -0.4, 4e-5, solver .. " dye")
  assert(last(sim, "back", "discharge") == -last(sim, "across", "discharge"))
  tells("slant", -200)
  tells("half", -100)
  tells("ring", 0)
  near(last(sim, "to and fro", "discharge"), last(sim, "across", "discharge"), 1e-12, "to and fro")
  fails("section 'across' does not record 'dy': did you mean 'dye'?", sim.history, sim, "across",
    "dy")
end

-- What passes the mouth of a basin in a rising tide is what the basin gains.
do
  local sim = ria.sim { grid = { nx = 60, ny = 20, dx = 50 }, out = false, init = { level = 0 },
    bed = function(x, y) return -4 + x / 1000 + 0.5 * math.sin(y / 90) end,
    boundary = { west = { level = ria.tide { M2 = { 0.5, 90 } } } } }
  sim:section { name = "mouth", line = { { 1510, 1000 }, { 1510, 0 } }, every = "10 s" }
  local function volume()
    local h, sum = sim:field "depth", 0
    for j = 0, 19 do
      for i = 30, 59 do sum = sum + h:at(25 + 50 * i, 25 + 50 * j) * 2500 end
    end
    return sum
  end
  local before = volume()
  sim:run "1 h"
  local t, q = sim:history("mouth", "discharge")
  local passed = 0
  for k = 2, #t do passed = passed - 0.5 * (q[k] + q[k - 1]) * (t[k] - t[k - 1]) end
  local gained = volume() - before
  assert(gained > 1e4)
  near(passed / gained, 1, 5e-3, "passed")
end

-- Through what is left out of the domain nothing goes; files, units, places
do
  local bed = ria.field { nx = 10, ny = 10, dx = 100, value = -2, crs = "EPSG:32629", x0 = 500000,
    y0 = 4680000 }:map(function(z, _, y) return y < 4680500 and z or nil end)
  local sim = ria.sim { grid = bed, bed = bed, outside = "wall", init = { level = 0, v = 1 },
    out = "wall", overwrite = true,
    tracers = { oil = {}, algae = { unit = "count(algae)/l" } }, units_row = true }
  local lon, lat = sim:lonlat(500500, 4680000)
  local lines = ria.shapes { { line = { { 500300, 4680000 }, { 500300, 4681000 } }, id = "A1" },
    { line = { { 500600, 4680000 }, { 500600, 4681000 } }, id = "A2" } }
  local handles = sim:section { name = "id", line = lines, every = 60 }
  sim:section { name = "place", line = { { lon = lon, lat = lat }, { 500500, 4680450 } }, every =
    60 }
  assert(#handles == 2)
  fails("section 'bank': its line passes between no two cells of the domain, x 500000 to 501000, y "
    .. "4680000 to 4681000", sim.section, sim,
    { name = "bank", line = { { 500000, 4680500 }, { 501000, 4680500 } }, every = "1 min" })
  sim:section { name = "off", line = { { 500000, 4680400 }, { 501000, 4680400 } }, every = "1 min",
    exact = true }
  sim:run(60)
  local _, off = sim:history("off", "discharge")
  assert(off[1] == -2000)
  sim:cancel(handles[1])
  sim:run(120)
  sim:close()
  local f = assert(io.open "wall/gauges.csv")
  assert(f:read() == "time_s,A1.discharge,A1.algae,A1.oil,A2.discharge,A2.algae,A2.oil,"
    .. "place.discharge,place.algae,place.oil")
  assert(f:read() == "s,m3 s-1,count(algae) s-1,kg s-1,m3 s-1,count(algae) s-1,kg s-1,"
    .. "m3 s-1,count(algae) s-1,kg s-1")
  f:close()
end

local sim = ria.sim { grid = { nx = 10, ny = 10, dx = 10 }, bed = -1, init = { level = 0 }, out =
  false }
local function refused(message, keys)
  keys.every = keys.every or 10
  fails(message, sim.section, sim, keys)
end
refused("section 'far': its line passes between no two cells of the domain, x 0 to 100, y 0 to 100",
  { name = "far", line = { { 300, 0 }, { 300, 100 } } })
refused("section 'flat': shape 1 is a polygon: a section is a line, or goes from point to point",
  { name = "flat", line = ria.shapes { { polygon = { { 0, 0 }, { 9, 0 }, { 9, 9 } } } } })
refused("missing key 'line': ria.shapes \"sections.geojson\", or places", { name = "none" })
sim:gauge { name = "a", x = 5, y = 5, every = 10 }
refused("there is a gauge named 'a' already", { name = "a", line = { { 50, 0 }, { 50, 100 } } })
local plate = ria.sim { solver = "diffusion", grid = { nx = 9, ny = 9, dx = 1 }, out = false,
  init = { u = 0 }, params = { diffusivity = 1 } }
fails("section 'cut': solver 'diffusion' has no discharges qx and qy", plate.section, plate,
  { name = "cut", line = { { 5, 0 }, { 5, 9 } }, every = 1 })

-- A turned grid: places are the map's
do
  local turned = ria.sim { grid = { nx = 10, ny = 6, dx = 10, x0 = 100, y0 = 200, angle = 30 },
    bed = -2, init = { level = 0, u = 0.5 }, out = false }
  local c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
  local function place(x, y) return { 100 + c * x - s * y, 200 + s * x + c * y } end
  turned:section { name = "across", line = { place(50, 60), place(50, 0) }, every = 1 }
  turned:run(0.01)
  near(last(turned, "across", "discharge"), -60, 1e-9, "turned")
end

-- A tracer goes with the water upstream, either way
for _, u in ipairs { 0.5, -0.5 } do
  local front = ria.sim { grid = { nx = 10, ny = 6, dx = 10 }, bed = -2, out = false,
    init = { level = 0, u = u, dye = function(x) return x < 50 and 3 or 1 end },
    tracers = { "dye" } }
  front:section { name = "front", line = { { 50, 60 }, { 50, 0 } }, every = 1 }
  front:run(0.01)
  local _, dye = front:history("front", "dye")
  near(dye[1], u > 0 and -180 or 60, 1e-9, "front")
end
