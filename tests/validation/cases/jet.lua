local exact = require "ria.exact"

-- L1 error of the discharge along the jet.
local function error_of(n, how)
  local f = exact.jet {}
  local sim = exact.start(f, n, how)
  sim:run(f.time)
  local grid, q, sum = sim:grid(), sim:field "qy", 0
  for i = 0, grid.nx - 1 do
    local _, _, qy = exact.means(f, grid.x0 + (i + 0.5) * grid.dx, 0, f.time, grid.dx, grid.dy)
    sum = sum + math.abs(q:get(i, 0) - qy)
  end
  sim:close()
  return { q = sum / grid.nx }
end

return {
  title = "Jet that eddies spread",
  text = [[A jet of a Gaussian's shape that a uniform current of 1 m/s carries across itself, 20 s with a constant eddy
viscosity of 0.5 m^2/s: an exact solution. L1 error over 120 m.]],
  sizes = { 60, 120, 240 },
  figures = { { "q", "discharge along the jet", "m^2/s" } },
  single = "q",
  demands = { { "first", "q", rate = 0.75 }, { "second", "q", rate = 1.9 } },
  measure = error_of,
}
