local two_pi = 2 * math.pi
local function bed(x) return 0.2 * math.sin(two_pi * x) ^ 2 end

-- The ends are out of reach: only the metre in the middle counts.
local flow = {
  title = "Smooth flow over a smooth bed", lx = 2, x0 = -0.5, time = 0.1, smooth = true, bed = bed,
  boundary = { west = "open", east = "open" },
  around = function(x) return x > 0 and x < 1 end,
  state = function(x)
    local h = 1.5 + 0.1 * math.sin(two_pi * x) - bed(x)
    return h, (0.4 + 0.05 * math.cos(two_pi * x)) / h, 0, 0.5 + 0.2 * math.sin(two_pi * x) / h
  end,
}

return {
  title = "Smooth flow over a smooth bed",
  text = [[Waves and a current over a wavy bed, 0.1 s: how far a run is from the means of one on cells half as long
(L1, of a metre in the middle that the ends do not reach). Cells are those of two metres.]],
  sizes = { 200, 400, 800, 1600 }, quick = 3,
  figures = { { "h", "depth", "m" }, { "dye", "dye, h C", "m" } },
  single = "h",
  demands = {
    { "first", "h", rate = 0.95 }, { "first", "dye", rate = 0.95 },
    { "second", "h", rate = 1.9 }, { "second", "dye", rate = 1.9 },
  },
  measure = require "halves" (flow),
}
