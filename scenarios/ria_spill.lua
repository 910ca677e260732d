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
-- The bed is made in scripts/ria/estuary.lua; tides and river resemble those of the rias of north-west Spain,
-- not any one of them. nested.lua steps a bay of this run on a finer grid.

local ria = require "ria"
local estuary = require "ria.estuary"

local p = ria.params {
  grid = { 160, help = "cells along a side", min = 40, max = 20000 },
  days = { 1.5, unit = "d", help = "simulated time", min = 0.01 },
  dem = { "", help = "elevation file (.asc or .asc.gz) instead of the synthetic bed" },
  river = { 60, unit = "m^3/s", help = "river discharge at the head", min = 0 },
  mass = { 500, unit = "t", help = "mass spilled", min = 0.001 },
  precision = { "double", choices = { "single", "double" }, help = "of the numbers; single is twice as fast" },
  every = { 60, unit = "min", help = "time between frames", min = 1 },
  save = { 60, unit = "min", help = "time between saves; 10 for nested.lua", min = 1 },
  solver = { "shallow_water", choices = { "shallow_water", "adi" }, help = "of the flow" },
  order = { 2, help = "order in space and time; of tracers alone with solver=adi", min = 1, max = 2 },
  dt = { 30, unit = "s", help = "time step of solver=adi; the other finds its own", min = 0.1 },
}

local size = estuary.size
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
  bed = dem or estuary.bed(),
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
sim:every(p.save, ria.save { "level", "u", "v", "oil", "effluent", precision = 1e-6 })

for _, where in ipairs { { "mouth", 0.12, 0.30 }, { "narrows", 0.57, 0.38 }, { "head", 0.81, 0.76 } } do
  local x, y = at(where[2], where[3])
  sim:gauge { name = where[1], x = x, y = y, every = "5 min" }
end

sim:run(p.days)
