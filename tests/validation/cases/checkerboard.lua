local ria = require "ria"

-- A dye that is 0 or 1 at first, and a second that is what the first lacks, after 400 steps.
local function stir(n, how, speed, limiter)
  local function board(x, y) return (math.floor(x / 3) + math.floor(y / 5)) % 2 end
  local params = { limiter = limiter }
  for k, v in pairs(how.params) do params[k] = v end
  local sim = ria.sim {
    out = false, precision = how.precision, params = params, bed = 0, grid = { nx = n, ny = n, dx = 1 },
    tracers = { dye = {}, rest = {} }, maxima = { "dye", "rest" },
    init = {
      depth = function(x, y) return 1 + 0.3 * math.sin(0.4 * x) * math.cos(0.3 * y) end,
      u = function(x, y) return speed * math.sin(0.35 * x + 0.2 * y) end,
      v = function(x, y) return speed * math.cos(0.25 * y - 0.3 * x) end,
      dye = board, rest = function(x, y) return 1 - board(x, y) end,
    },
  }
  sim:step(400)
  return sim
end

-- Greatest departure from [0, 1] at any step.
local function extreme(sim) return math.max(sim:maximum("dye"):max() - 1, sim:maximum("rest"):max() - 1, 0) end

-- The greatest difference between two simulations in any of what they step.
local function difference(a, b)
  local most = 0
  for _, field in ipairs { "depth", "qx", "qy", "dye_load" } do
    local of_b = b:field(field)
    a:field(field):map(function(v, x, y)
      most = math.max(most, math.abs(v - of_b:at(x, y)))
      return v
    end)
  end
  return most
end

local speeds = { 0.5, 4, 15, 30 }

return {
  title = "Checkerboard of dye",
  text = [[A checkerboard of dye in waves and eddies of Froude numbers from 0.2 to 10, 400 steps between walls: the
greatest departure from the extremes that were there, at any step; none is allowed, not with the steepest
limiter either. Without slopes (limiter = 0) second order has the bits of the first here.]],
  sizes = { 64 }, quick = 1,
  figures = {
    { "v0.5", "at 0.5 m/s", "1", plain = true }, { "v4", "at 4 m/s", "1", plain = true },
    { "v15", "at 15 m/s", "1", plain = true }, { "v30", "at 30 m/s", "1", plain = true },
    { "steepest", "at 15 m/s with limiter = 2", "1", plain = true },
    { "bits", "greatest difference of limiter = 0 from first order", "1", plain = true },
  },
  demands = {
    { "first", "v0.5", n = 64, most = 0 }, { "first", "v4", n = 64, most = 0 },
    { "first", "v15", n = 64, most = 0 }, { "first", "v30", n = 64, most = 0 },
    { "second", "v0.5", n = 64, most = 0 }, { "second", "v4", n = 64, most = 0 },
    { "second", "v15", n = 64, most = 0 }, { "second", "v30", n = 64, most = 0 },
    { "second", "steepest", n = 64, most = 0 }, { "second", "bits", n = 64, most = 0 },
  },
  measure = function(n, how)
    local out = {}
    for _, v in ipairs(speeds) do out[("v%g"):format(v)] = extreme(stir(n, how, v)) end
    if how.scheme == "second" then
      out.steepest = extreme(stir(n, how, 15, 2))
      local first = { params = { order = 1 }, precision = how.precision }
      out.bits = difference(stir(n, how, 4, 0), stir(n, first, 4))
    end
    return out
  end,
}
