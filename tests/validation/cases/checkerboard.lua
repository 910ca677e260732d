local ria = require "ria"

-- Greatest departure from [0, 1] of a dye that is 0 or 1 at first, at any step: a second dye is what the first lacks.
local function extreme(n, how, speed)
  local function board(x, y) return (math.floor(x / 3) + math.floor(y / 5)) % 2 end
  local function h(x, y) return 1 + 0.3 * math.sin(0.4 * x) * math.cos(0.3 * y) end
  local sim = ria.sim {
    out = false, precision = how.precision, params = how.params, bed = 0, grid = { nx = n, ny = n, dx = 1 },
    tracers = { dye = {}, rest = {} }, maxima = { "dye", "rest" },
    init = {
      depth = h,
      u = function(x, y) return speed * math.sin(0.35 * x + 0.2 * y) end,
      v = function(x, y) return speed * math.cos(0.25 * y - 0.3 * x) end,
      dye = board, rest = function(x, y) return 1 - board(x, y) end,
    },
  }
  sim:step(400)
  return math.max(sim:maximum("dye"):max() - 1, sim:maximum("rest"):max() - 1, 0)
end

local speeds = { 0.5, 4, 15, 30 }

return {
  title = "Checkerboard of dye",
  text = [[A checkerboard of dye in waves and eddies of Froude numbers from 0.2 to 10, 400 steps between walls: the
greatest departure from the extremes that were there, at any step. None but the last digit of the
concentration is allowed.]],
  sizes = { 64 }, quick = 1,
  figures = {
    { "v0.5", "at 0.5 m/s", "1", plain = true }, { "v4", "at 4 m/s", "1", plain = true },
    { "v15", "at 15 m/s", "1", plain = true }, { "v30", "at 30 m/s", "1", plain = true },
  },
  demands = {
    { "first", "v0.5", n = 64, most = 1e-15 }, { "first", "v4", n = 64, most = 1e-15 },
    { "first", "v15", n = 64, most = 1e-15 }, { "first", "v30", n = 64, most = 1e-15 },
    { "second", "v0.5", n = 64, most = 1e-15 }, { "second", "v4", n = 64, most = 1e-15 },
    { "second", "v15", n = 64, most = 1e-15 }, { "second", "v30", n = 64, most = 1e-15 },
  },
  measure = function(n, how)
    local out = {}
    for _, v in ipairs(speeds) do out[("v%g"):format(v)] = extreme(n, how, v) end
    return out
  end,
}
