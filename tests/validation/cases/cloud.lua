local exact = require "ria.exact"

return {
  title = "Cloud of dye that diffuses",
  text = [[A Gaussian cloud that a uniform current of (1, 0.6) m/s carries while it diffuses (0.5 m^2/s), 20 s: an
exact solution that needs no sources. L1 error of the dye over a square of 120 m. `stirred`: half of the
diffusion is that of eddies.]],
  sizes = { 60, 120, 240 },
  figures = { { "dye", "dye, h C", "m" }, { "stirred", "dye, h C, with eddies", "m" } },
  single = "dye",
  demands = {
    { "first", "dye", rate = 0.75 }, { "first", "stirred", rate = 0.75 },
    { "second", "dye", rate = 1.9 }, { "second", "stirred", rate = 1.9 },
  },
  measure = function(n, how)
    return {
      dye = exact.run(exact.cloud {}, n, how).dye, stirred = exact.run(exact.cloud { eddy = 0.25 }, n, how).dye,
    }
  end,
}
