-- tidal_channel.lua - a tide runs up a winding channel between flats that fall dry.
--
-- An estuary 40 km long: a channel 8 m deep at the mouth and 4 m at the head winds between flats near mean
-- sea level. The tide comes in from the west, a small river from the east, and salt with the sea. At high
-- water the flats are under water, at low water the channel alone is left.
--
-- Flow and salt are of second order in space and time, but where slopes are given up: on flats that fall dry.
-- With order=1 salt is mixed across the channel, and the explicit solver drains films off the flats too fast.
--
--   ria run scenarios/tidal_channel.lua                        implicit, steps of a minute
--   ria run scenarios/tidal_channel.lua dt=30                  shorter ones
--   ria run scenarios/tidal_channel.lua solver=shallow_water   explicit, steps of some 6 s
--   ria run scenarios/tidal_channel.lua wind=15                a gale from the sea on top of the tide
--
-- The implicit steps may be many times as long as a wave takes through a cell, but not longer than the flow
-- does: at 1 m/s and 100 m some 100 s. With dt=300 the account still closes and the picture is noise.

local ria = require "ria"

local p = ria.params {
  cells = { 400, help = "cells along the estuary", min = 40, max = 20000 },
  days = { 2, unit = "d", help = "simulated time", min = 0.01 },
  range = { 1.5, unit = "m", help = "amplitude of the tide", min = 0, max = 4 },
  river = { 50, unit = "m^3/s", help = "river discharge", min = 0 },
  wind = { 0, unit = "m/s", help = "speed of the wind", min = 0, max = 60 },
  wind_from = { 270, help = "where it comes from, degrees clockwise from north", min = -360, max = 360 },
  latitude = { 0, help = "of the Coriolis force, degrees north", min = -90, max = 90 },
  solver = { "adi", choices = { "adi", "shallow_water" }, help = "of the flow" },
  order = { 2, help = "order in space and time; of salt alone with solver=adi", min = 1, max = 2 },
  dt = { 60, unit = "s", help = "time step of solver=adi", min = 0.1 },
  precision = { "double", choices = { "single", "double" }, help = "of the numbers" },
}

local length, width = 40e3, 8e3
local dx = length / p.cells

local function axis(x)
  return width / 2 + 1100 * math.sin(2 * math.pi * x / 13e3) * (0.4 + 0.6 * x / length)
end

local function bed(x, y)
  local half = 350 + 900 * math.exp(-x / 12e3)
  local off = (y - axis(x)) / half
  local thalweg = -4 - 4 * math.exp(-x / 15e3)
  local flat = 0.5 + 1.5 * (x / length)
  local side = math.max(0, math.abs(y - width / 2) - 2600 + 500 * math.cos(x / 2100))
  local ripples = 0.25 * math.sin(x / 900 + 2 * math.cos(y / 700)) * math.sin(y / 500)
  local z = flat + (thalweg - flat) * math.exp(-off * off / 2)
  return z + ripples * math.min(1, off * off) + 8e-3 * side
end

local params = {
  manning = 0.025, wind_speed = p.wind, wind_from = p.wind_from, latitude = p.latitude, order = p.order,
}
-- With 2 m2/s ripples two cells long stay on the falling tide and take its energy; with 10 they do not.
-- Half of what the solver bears (dx^2 / (4 dt)) bounds it for long steps and small cells.
if p.solver == "adi" then
  params.dt, params.eddy = p.dt, math.min(10, dx * dx / (8 * p.dt))
end

local sim = ria.sim {
  title = "A tidal channel",
  solver = p.solver,
  precision = p.precision,
  grid = { nx = p.cells, ny = math.floor(width / dx + 0.5), dx = dx },
  bed = bed,
  params = params,
  tracers = { salt = { unit = "g/kg" } },
  init = { level = 0, salt = function(x) return 35 / (1 + math.exp((x - 15e3) / 2e3)) end },
  boundary = {
    west = {
      level = ria.tide { M2 = { p.range, 0 }, S2 = { 0.3 * p.range, 30 }, ramp = "3 h" },
      tracers = { salt = 35 },
    },
    east = ria.inflow { q = p.river },
  },
  maxima = { "level", "speed" },
}

sim:every("1 h", ria.frame { field = "level", range = { -2, 2 }, arrows = true, width = 1400 })
sim:every("1 h", ria.frame { field = "salt", range = { 0, 35 }, width = 1400 })
for k, x in ipairs { 1e3, 14e3, 27e3 } do
  sim:gauge { name = "g" .. k, x = x, y = axis(x), every = "10 min" }
end
sim:run(p.days)
