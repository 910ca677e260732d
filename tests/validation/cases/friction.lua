local two_pi = 2 * math.pi
local function bed(x) return -0.005 * x + 0.01 * math.sin(two_pi * x / 40) end

local flow = {
  title = "Unsteady flow with friction", lx = 80, x0 = -20, time = 8, smooth = true, bed = bed,
  params = { manning = 0.05 },
  boundary = { west = "open", east = "open" },
  around = function(x) return x > 0 and x < 40 end,
  state = function(x)
    local h = 0.15 + 0.02 * math.sin(two_pi * x / 20)
    return h, (0.08 + 0.02 * math.cos(two_pi * x / 20)) / h, 0, 0.5 + 0.2 * math.sin(two_pi * x / 40)
  end,
}

return {
  title = "Unsteady flow with friction",
  text = [[Waves of 2 cm on a rough slope 15 cm deep (Manning 0.05, so that friction stops the flow within seconds), 8
s: a run against one on cells half as long (L1, of 40 m that the ends do not reach). Cells are those of 80
m.]],
  sizes = { 200, 400, 800 },
  figures = { { "h", "depth", "m" }, { "dye", "dye, h C", "m" } },
  single = "h",
  demands = {
    { "first", "h", rate = 0.9 },
    -- friction at the end of a step is of first order in time (backward Euler, so that films stay stable)
    { "second", "h", rate = 0.9 }, { "second", "dye", rate = 0.9 },
  },
  measure = require "halves" (flow),
}
