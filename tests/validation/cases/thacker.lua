local exact = require "ria.exact"

-- The error after a period as a part of the water.
local function off(f, n, how)
  local r = exact.run(f, n, how)
  local profile = how.profile and { title = f.title, exact.profile(f, r.sim, "depth", f.time) }
  return r.h / r.sim:field("depth"):mean(), profile
end

return {
  title = "Thacker's bowl",
  text = [[A plane surface that goes round in a parabolic bowl, and a paraboloid that swings up and down, after one
period: the depth's error as a part of all the water. Both have a moving shoreline.]],
  adi = { manning = 0, dt = 0.02, drying_depth = 1e-4, flooding_depth = 2e-4 },
  sizes = { 32, 64, 128 },
  figures = { { "plane", "plane", "1" }, { "paraboloid", "paraboloid", "1" } },
  single = "plane",
  demands = {
    { "first", "plane", rate = 0.85 }, { "first", "paraboloid", rate = 0.85 },
    { "second", "plane", rate = 1.45 }, { "second", "paraboloid", rate = 1.45 },
    { "second", "plane", n = 128, of_first = 0.36 }, { "second", "paraboloid", n = 128, of_first = 0.36 },
  },
  measure = function(n, how)
    local plane, a = off(exact.thacker_plane(), n, how)
    local paraboloid, b = off(exact.thacker_paraboloid(), n, how)
    local out = { plane = plane, paraboloid = paraboloid }
    if a then
      out.profile = {}
      for k, c in ipairs { a, b } do
        out.profile[k] = { title = c.title .. ", a section", x = c[1], now = c[2], exact = c[3] }
      end
    end
    return out
  end,
}
