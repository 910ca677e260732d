-- heat.lua - a plate with a hot spot, and a burner that moves.
--
-- A steel plate, 1 m by 0.6 m, cold water along its western edge, a warm jacket along the eastern one,
-- insulated above and below. It begins with a hot spot; a burner heats it and is carried on to the next place
-- every `hold` seconds by an event that sets the field `source` again. An insert of ten times lower
-- diffusivity shields a part of the plate. The account of heat is printed at the end: what came in, what
-- went out, what the burner gave.

local ria = require "ria"

local p = ria.params {
  grid = { 320, help = "cells along the plate", min = 20, max = 20000 },
  time = { 24, unit = "min", help = "simulated time", min = 0.1 },
  hold = { 4, unit = "min", help = "how long the burner stays in a place", min = 0.1 },
  insert = { true, help = "with the insert; without it several steps are done in one pass" },
  precision = { "single", choices = { "single", "double" }, help = "of the numbers" },
}

local time, hold = p.time, p.hold -- s
local length, height = 1.0, 0.6
local dx = length / p.grid
local steel, ceramic = 1.2e-5, 1.2e-6 -- m2/s
local ny = math.max(1, math.floor(height / dx + 0.5))

local function bump(x, y, x0, y0, radius)
  return math.exp(-((x - x0) ^ 2 + (y - y0) ^ 2) / radius ^ 2)
end

local sim = ria.sim {
  solver = "diffusion",
  title = "A plate, a burner that moves",
  precision = p.precision,
  grid = { nx = p.grid, ny = ny, dx = dx },
  params = { diffusivity = steel },
  init = {
    u = function(x, y) return 20 + 80 * bump(x, y, 0.28, 0.40, 0.06) end,
    diffusivity = p.insert and function(x, y)
      return math.abs(x - 0.62) < 0.02 and y > 0.12 and y < 0.48 and ceramic or steel
    end or nil,
  },
  boundary = {
    west = { kind = "value", u = 10 },
    east = { kind = "value", u = 40 },
  },
  maxima = { "u" },
}

-- Where the burner stands, in turn, and what it gives, degrees per second at its centre.
local places = { { 0.25, 0.18 }, { 0.45, 0.30 }, { 0.55, 0.45 }, { 0.75, 0.15 }, { 0.80, 0.42 }, { 0.40, 0.12 } }
local power = 1.2

local function carry(s, info)
  local at = places[math.floor(info.t / hold + 0.5) % #places + 1]
  s:set("source", function(x, y) return power * bump(x, y, at[1], at[2], 0.035) end)
end

sim:at(0, carry)
sim:every(hold, carry)
sim:every(time / 48, ria.frame {
  field = "u", map = "matter", range = { 10, 100 }, width = 1000, title = "Temperature of the plate, degrees C",
})
sim:gauge { name = "behind_the_insert", x = 0.68, y = 0.3, every = time / 240 }
sim:gauge { name = "before_the_insert", x = 0.56, y = 0.3, every = time / 240 }
sim:run(time)
