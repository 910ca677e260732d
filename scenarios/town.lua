-- town.lua - a river behind a dike, a breach, a town: houses, gardens, a dike and a ditch as shapes.
--
-- Houses raise the ground, streets are smooth and gardens rough, the dike keeps the river out but for the breach,
-- the ditch takes the water round the town. With no file given the town is written below. A GeoJSON of your own needs
-- an attribute `what` (house or garden), and `height` where it is a house. With crs it may be in degrees or in any
-- coordinate system that it names. x0 and y0 are the south-west corner of the 800 m by 400 m that are computed: with
-- the river, the dike and the ditch they move to where your town is.
--
--   ria run scenarios/town.lua                    five minutes of a flood
--   ria run scenarios/town.lua dx=2.5 time=900    finer, longer
--   ria run scenarios/town.lua town=FILE.geojson crs=EPSG:25832 x0=565200 y0=5933800

local ria = require "ria"

local p = ria.params {
  town = { "", help = "GeoJSON with houses and gardens; empty: those of the script" },
  crs = { "", help = "coordinate system of the map, such as EPSG:25832; needed by a file in degrees" },
  x0 = { 0, unit = "m", help = "west side of the map" },
  y0 = { 0, unit = "m", help = "south side of the map" },
  dx = { 5, unit = "m", help = "cell size", min = 0.5, max = 20 },
  time = { 300, unit = "s", help = "simulated time", min = 1 },
  river = { 2.6, unit = "m", help = "level of the river" },
  breach = { 40, unit = "m", help = "width of the breach; 0 = none", min = 0, max = 100 },
  solver = { "shallow_water", choices = { "shallow_water", "adi" }, help = "of the flow" },
}

-- positions from the corner of the map, on it
local function on_map(list)
  for k, at in ipairs(list) do list[k] = { p.x0 + at[1], p.y0 + at[2] } end
  return list
end

-- a rectangle, turned about its corner
local function plot(what, x, y, w, h, angle, height)
  local c, s = math.cos(angle), math.sin(angle)
  local function at(u, v) return { x + u * c - v * s, y + u * s + v * c } end
  return { what = what, height = height, polygon = on_map { at(0, 0), at(w, 0), at(w, h), at(0, h) } }
end

local list = {}
for k = 0, 23 do
  local x, y, angle = 230 + k % 6 * 72, 75 + k // 6 * 78, 0.15 + 0.1 * (k % 4)
  list[#list + 1] = plot("garden", x - 6, y - 8, 52, 46, angle)
  list[#list + 1] = plot("house", x, y, 34, 20, angle, 6 + k % 3)
end
local town = ria.shapes(p.town ~= "" and { p.town } or list)
local houses = town:where { what = "house" }

local gap = p.breach / 2
local south, north = { { 150, -20 }, { 135, 120 } }, { { 165, 330 }, { 140, 420 } }
local function joined(...) -- lists of positions, one behind the other
  local all = {}
  for _, part in ipairs { ... } do table.move(part, 1, #part, #all + 1, all) end
  return on_map(all)
end
local dike = ria.shapes {
  { line = joined(south, { { 150, 200 - gap } }) },
  { line = joined({ { 150, 200 + gap } }, north) },
}
local river = ria.shapes { { polygon = joined({ { -20, -20 } }, south, { { 150, 200 } }, north, { { -20, 420 } }) } }
local ditch = ria.shapes { { line = on_map { { 180, -20 }, { 185, 45 }, { 660, 40 }, { 655, 420 } } } }
local breach, market, outlet = table.unpack(on_map { { 200, 200 }, { 420, 210 }, { 657, 300 } })
local stations = ria.shapes { { point = breach, name = "breach" }, { point = market, name = "market" },
  { point = outlet, name = "ditch" } }
local berth = ria.shapes { { polygon = on_map { { 100, 190 }, { 112, 190 }, { 112, 230 }, { 100, 230 } } } }

local function raster(value)
  return ria.field { nx = math.floor(800 / p.dx), ny = math.floor(400 / p.dx), dx = p.dx, x0 = p.x0, y0 = p.y0,
    crs = p.crs ~= "" and p.crs or nil, value = value }
end
local bed = raster(function(x, y) return 0.3 + (x - p.x0) / 1600 + 0.1 * math.sin((y - p.y0) / 60) end)
bed:dig(river, { bed = -1 })
bed:dig(ditch, { by = 1.2, width = 12 })
bed:raise(houses, { by = "height" })
bed:raise(dike, { crest = 4, width = 6 })
local water = raster(-10)
water:paint(river, { value = p.river, cells = "centre" })

local sim = ria.sim {
  title = "A breach in a dike",
  solver = p.solver,
  grid = bed,
  tracers = { oil = { unit = "g/l" } },
  init = { level = water, manning = 0.02 },
  boundary = { west = { kind = "level", level = p.river }, east = "open" },
  maxima = { "level" },
}
sim:set("manning", town, { by = "what", table = { garden = 0.1, house = 0.3 } })
sim:at(p.time / 6, ria.spill { tracer = "oil", at = berth, mass = "2 t" })
sim:gauge { at = stations, name = "name", every = 5 }
sim:every(p.time / 6, ria.frame { field = "depth", range = { 0, 3 }, width = 1000 })
sim:every(p.time / 6, ria.frame { field = "oil", scale = "log", range = { 1e-3, 10 }, width = 1000 })
sim:run(p.time)
