local exact = require "ria.exact"

return {
  title = "Drawdown at a beach",
  text = [[Water drawn down at a plane beach of 1/10 and let go, after Carrier and Greenspan: the nonlinear solution
with its moving shoreline. L1 errors over the 30 m before the shore.]],
  sizes = { 220, 440, 880 },
  figures = { { "h", "depth", "m" }, { "q", "discharge", "m^2/s" } },
  single = "h",
  demands = { { "first", "h", rate = 0.85 }, { "second", "h", rate = 1.45 } },
  measure = function(n, how)
    local f = exact.beach()
    local r = exact.run(f, n, how)
    local out = { h = r.h, q = r.q }
    if how.profile then
      local x, now, truth = exact.profile(f, r.sim, "depth", f.time)
      out.profile = { { title = f.title, x = x, now = now, exact = truth } }
    end
    return out
  end,
}
