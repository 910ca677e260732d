local exact = require "ria.exact"

return {
  title = "Cloud of dye that diffuses",
  text = [[A Gaussian cloud that a uniform current of (1, 0.6) m/s carries while it diffuses (0.5 m^2/s), 20 s: an
exact solution that needs no sources. L1 error of the dye over a square of 120 m.]],
  sizes = { 60, 120, 240 },
  figures = { { "dye", "dye, h C", "m" } },
  single = "dye",
  demands = {
    { "first", "dye", rate = 0.75 },
    { "second", "dye", rate = 1.9, missed = "diffusion is of first order in time" },
  },
  measure = function(n, how) return { dye = exact.run(exact.cloud {}, n, how).dye } end,
}
