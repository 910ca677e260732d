-- ria_spill.lua - a pollutant spill in a ria, after section 6 of Vinas et al. (2012).
--
-- A drowned river valley, 21 km square, half of it land: islands, tidal flats, a river at the head. Tides
-- of five constituents come in over the west and south sides; the other sides are closed. At high water
-- after six hours a ship loses 500 t of a dissolved pollutant within 400 m; an outfall in the upper
-- estuary runs all the time. Watch the ebb draw the patch out between the islands and the flood
-- bring part of it back.
--
-- Flow and tracers are of second order in space and time; strong friction and the outfall of first in time.
-- order=1 halves the time and smears the patch: eddies of the islands die, and hardly any of it reaches the sea.
--
--   ria run scenarios/ria_spill.lua                    36 hours: under a minute on two cores
--   ria run scenarios/ria_spill.lua grid=1000 days=7   the size and time of the paper: for a GPU
--   ria run scenarios/ria_spill.lua dem=bay.asc        your own bathymetry (z up, m; land above 0)
--   ria run scenarios/ria_spill.lua order=1            first order, as in the paper, in half the time
--   ria run scenarios/ria_spill.lua solver=adi dt=30   implicit, in steps of 30 s
--
-- The bed is made below; tides and river resemble those of the rias of north-west Spain, not any one of
-- them.

local ria = require "ria"
local synth = require "ria.synth"

local p = ria.params {
  grid = { 160, help = "cells along a side", min = 40, max = 20000 },
  days = { 1.5, unit = "d", help = "simulated time", min = 0.01 },
  dem = { "", help = "elevation file (.asc or .asc.gz) instead of the synthetic bed" },
  river = { 60, unit = "m^3/s", help = "river discharge at the head", min = 0 },
  mass = { 500, unit = "t", help = "mass spilled", min = 0.001 },
  precision = { "double", choices = { "single", "double" }, help = "of the numbers; single is twice as fast" },
  every = { 60, unit = "min", help = "time between frames", min = 1 },
  solver = { "shallow_water", choices = { "shallow_water", "adi" }, help = "of the flow" },
  order = { 2, help = "order in space and time; of tracers alone with solver=adi", min = 1, max = 2 },
  dt = { 30, unit = "s", help = "time step of solver=adi; the other finds its own", min = 0.1 },
}

local size, km = 21e3, 1000

-- The bed: a valley whose axis runs from the south-west corner to the river in the north-east.
--
--   along, across   km along and across the axis, bent by noise into coves and heads
--   half            half-width of the water, 22 km exp(-along / 9.5 km): a funnel
--   depth           of the thalweg, from 50 m at the sea to 3 m at the river
--
-- The valley's sides rise as |across / half|^1.7 to mean sea level; beyond are a bank of 6 m and hills of
-- some 230 m. Within 3 m of the level the slopes are drawn out to tidal flats. Eight islands stand in it.
local function estuary()
  local seed = 300
  local function noise(width, octaves, layer)
    return synth.fbm { scale = width * km, octaves = octaves, seed = seed + layer }
  end
  local bend_x, bend_y = noise(5, 4, 0), noise(5, 4, 10)
  local ragged_x, ragged_y = noise(1.1, 3, 40), noise(1.1, 3, 50)
  local hills, rough = noise(3, 5, 20), noise(1.3, 4, 30)
  local c, s = math.cos(math.rad(39)), math.sin(math.rad(39))
  local islands = { -- x, y, half-widths in km; height in m
    { 5.2, 8.6, 1.5, 1.0, 75 }, { 9.3, 5.6, 0.9, 1.3, 55 }, { 10.6, 11.0, 1.1, 0.6, 34 },
    { 14.2, 11.0, 0.7, 0.5, 20 }, { 2.4, 4.6, 0.6, 0.5, 45 }, { 8.0, 9.4, 0.35, 0.35, 26 },
    { 6.4, 3.2, 0.4, 0.3, 38 }, { 3.2, 7.0, 0.3, 0.25, 40 },
  }

  return function(x, y)
    local bx, by = x / km + 2.6 * bend_x(x, y), y / km + 2.6 * bend_y(x, y)
    local along, across = bx * c + by * s, by * c - bx * s
    local meander = 1.6 * math.sin(along / 3.6) * math.min(1, along / 12) - 0.2
    local half = 0.22 + 22 * math.exp(-along / 9.5)
    local depth = 2.5 + 46 * math.exp(-along / 8.5)
    local off = math.abs(across - meander)

    local z
    if off < half then
      z = depth * ((off / half) ^ 1.7 - 1)
    else
      local bank = 6 * (1 - math.exp(-(off - half) / 0.25))
      local hill = 230 * (1 - math.exp(-((off - half) / 3.2) ^ 1.4))
      z = bank + hill * (0.7 + 0.7 * hills(x, y))
    end
    z = z - 0.72 * (z + 0.2) * math.exp(-((z + 0.2) / 3.2) ^ 2)
    z = z + (1.2 + 30 * synth.smoothstep(3, 60, z)) * rough(x, y)

    local ix, iy = x / km + 0.8 * ragged_x(x, y), y / km + 0.8 * ragged_y(x, y)
    for k = 1, #islands do
      local island = islands[k]
      local east = (ix - island[1]) / island[3]
      if east * east < 12 then -- most are too far away: this is asked once a cell and island
        local north = (iy - island[2]) / island[4]
        local r2 = east * east + north * north
        if r2 < 12 then z = z + (island[5] + 12) * math.exp(-1.2 * r2) end
      end
    end
    return z
  end
end

local dem = p.dem ~= "" and ria.dem(p.dem) or nil
local grid = dem or { nx = p.grid, ny = p.grid, dx = size / p.grid }

-- Where things are, as fractions of the domain, so that another DEM can be tried at once.
local width = dem and dem.nx * dem.dx or size
local height = dem and dem.ny * dem.dy or size
local x0, y0 = dem and dem.x0 or 0, dem and dem.y0 or 0
local function at(fx, fy) return x0 + fx * width, y0 + fy * height end

local tide = ria.tide {
  M2 = { 1.12, 78 }, S2 = { 0.39, 107 }, N2 = { 0.24, 58 }, K1 = { 0.07, 60 }, O1 = { 0.06, 318 },
  ramp = "2 h",
}

local boundary = { west = tide, south = tide } -- land to the north and east, except the river
if not dem then
  boundary.river = ria.inflow { from = { size, 18.3e3 }, to = { size, 20.2e3 }, q = p.river }
end

local params = { manning = 0.025, order = p.order }
if p.solver == "adi" then params.dt, params.eddy = p.dt, 5 end

local sim = ria.sim {
  title = "Spill in a ria",
  solver = p.solver,
  precision = p.precision,
  grid = grid,
  bed = dem or estuary(),
  params = params,
  tracers = { oil = { unit = "kg/m^3" }, effluent = { decay = "0.5 1/d" } },
  init = { level = 0 },
  boundary = boundary,
  maxima = { "level", "speed", "oil" },
}

local sx, sy = at(0.36, 0.33)
local ox, oy = at(0.786, 0.667)
sim:at("6 h", ria.spill { name = "ship", tracer = "oil", x = sx, y = sy, radius = 400, mass = p.mass })
sim:spill { name = "outfall", tracer = "effluent", x = ox, y = oy, radius = 150, rate = "0.2 kg/s" }

local each = p.every
sim:every(each, ria.frame { field = "oil", scale = "log", range = { 1e-5, 1e-1 }, arrows = true })
sim:every(each, ria.frame { field = "level", range = { -2, 2 } })
sim:every("1 h", ria.save { "level", "qx", "qy", "oil", "effluent", precision = 1e-6 })

for _, where in ipairs { { "mouth", 0.12, 0.30 }, { "narrows", 0.57, 0.38 }, { "head", 0.81, 0.76 } } do
  local x, y = at(where[2], where[3])
  sim:gauge { name = where[1], x = x, y = y, every = "5 min" }
end

sim:run(p.days)
