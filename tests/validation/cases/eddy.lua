local exact = require "ria.exact"

local g, f, deep, high, radius = 9.81, 1e-4, 50, 0.05, 16e3

-- Gradient-wind balance: v^2 / r + f v = - g d(level)/dr, for a hump of water.
local flow = {
  title = "Geostrophic eddy", lx = 160e3, ly = 160e3, x0 = -80e3, y0 = -80e3, time = 3 * 86400,
  boundary = { west = "open", east = "open", south = "open", north = "open" },
  params = { latitude = math.deg(math.asin(f / (2 * 7.2921159e-5))) },
  state = function(x, y)
    local r = math.sqrt(x * x + y * y)
    local level = high * math.exp(-r * r / (2 * radius ^ 2))
    local pull = g * level / radius ^ 2 -- - g d(level)/dr over r
    local turn = 0.5 * (-f + math.sqrt(f * f - 4 * pull)) -- clockwise: v / r < 0
    return deep + level, -turn * y, turn * x, 1.0
  end,
}

local function energy(sim)
  local u, v, sum = sim:field "u", sim:field "v", 0
  local grid = sim:grid()
  for j = 0, grid.ny - 1 do
    for i = 0, grid.nx - 1 do sum = sum + u:get(i, j) ^ 2 + v:get(i, j) ^ 2 end
  end
  return sum
end

return {
  title = "Geostrophic eddy",
  text = [[An eddy of 16 km radius in balance with its level on 50 m of water, 3 days: the kinetic energy that is left.
On 80 cells the radius is 8 cells.]],
  adi = { manning = 0 },
  sizes = { 40, 80 }, quick = 1,
  figures = { { "energy", "kinetic energy left", "1", more = true, plain = true } },
  demands = { { "second", "energy", n = 80, least = 0.8 } },
  measure = function(n, how)
    local sim = exact.start(flow, n, how)
    local first = energy(sim)
    sim:run(flow.time)
    return { energy = energy(sim) / first }
  end,
}
