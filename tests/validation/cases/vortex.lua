local exact = require "ria.exact"

return {
  title = "Travelling vortex with dye",
  text = [[A vortex that a current of (1, 0.6) m/s carries over a flat bed for 2 s, with dye in it: an exact solution.
L1 errors over a square of 12 m. `turned`: of the depth, along the other diagonal with x and y changed over.]],
  sizes = { 64, 128, 256 },
  figures = {
    { "h", "depth", "m" }, { "q", "discharge along x", "m^2/s" }, { "dye", "dye, h C", "m" },
    { "turned", "depth, the other way", "m" },
  },
  single = "h",
  demands = {
    { "first", "h", rate = 0.7 }, { "first", "q", rate = 0.75 }, { "first", "dye", rate = 0.8 },
    { "second", "h", rate = 1.9 }, { "second", "q", rate = 1.9 }, { "second", "dye", rate = 1.9 },
    { "second", "turned", rate = 1.9, from = 64, to = 128 },
    { "second", "h", n = 256, most = 2e-5 },
  },
  measure = function(n, how)
    local r = exact.run(exact.vortex {}, n, how)
    local turned = n <= 128 and exact.run(exact.vortex { u = -0.6, v = 1 }, n, how)
    return { h = r.h, q = r.q, dye = r.dye, turned = turned and turned.h or nil }
  end,
}
