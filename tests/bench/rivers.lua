-- rivers.lua - what hundreds of rivers cost: a step of a pond of 10 m with so many hydrographs.
--
-- Each has 2001 rows of its own. As spills they lie all over the pond, as stretches side by side in
-- the west, then in the east. Prints microseconds a step of the fastest of some turns.
--
--   for n in 0 10 675; do ria run tests/bench/rivers.lua rivers=$n as=stretches --device cuda; done

local ria = require "ria"

local p = ria.params {
  rivers = { 675, help = "how many", min = 0, max = 100000 },
  as = { "spills", choices = { "spills", "stretches" }, help = "what they are" },
  q = { 2, unit = "m3/s", help = "of one, in the mean; 1e-6: a calm pond", min = 0 },
  radius = { 0, unit = "m", help = "of a spill; cells are of 10 m", min = 0 },
  solver = { "shallow_water", choices = { "shallow_water", "adi" }, help = "of the flow" },
  order = { 2, help = "of solver=shallow_water", min = 1, max = 2 },
  dt = { 0, unit = "s", help = "step of solver=adi; 0: by the flow", min = 0 },
  n = { 1000, help = "cells along a side", min = 4, max = 16000 },
  steps = { 240, help = "of a turn", min = 1 },
  turns = { 5, help = "one after another", min = 1 },
  precision = { "double", choices = { "single", "double" }, help = "of the numbers" },
}

local dx = 10
local length = p.n * dx

local function hydrograph(k)
  local rows = {}
  for i = 0, 2000 do rows[i + 1] = { 60 * i, p.q * (1 + 0.5 * math.sin(0.01 * i + k)) } end
  return ria.series(rows)
end

local boundary = {}
for k = 0, p.as == "stretches" and p.rivers - 1 or -1 do
  local east, j = k // p.n, k % p.n
  assert(east < 2, "more rivers than two sides have cells")
  local x, y = east * length, j * dx
  boundary["river" .. k] = ria.inflow {
    from = { x, y + 0.2 * dx }, to = { x, y + 0.8 * dx }, q = hydrograph(k),
  }
end

local params = { manning = 0.025 }
if p.solver == "adi" then params.dt = p.dt else params.order = p.order end

local sim = ria.sim {
  solver = p.solver,
  grid = { nx = p.n, ny = p.n, dx = dx },
  bed = -10,
  init = { level = 0 },
  params = params,
  precision = p.precision,
  boundary = boundary,
  out = false,
}
for k = 0, p.as == "spills" and p.rivers - 1 or -1 do
  sim:spill {
    x = (37 * k % p.n + 0.5) * dx, y = (k * 613 // 7 % p.n + 0.5) * dx, radius = p.radius,
    flow = hydrograph(k),
  }
end

sim:step(p.steps)
local best = math.huge
for _ = 1, p.turns do
  local before = sim:summary().wall
  sim:step(p.steps)
  best = math.min(best, sim:summary().wall - before)
end
print(("%s, %s, %d x %d, %d %s: %.1f us a step, at %.17g s"):format(p.solver, p.precision, p.n,
  p.n, p.rivers, p.as, 1e6 * best / p.steps, sim:time()))
