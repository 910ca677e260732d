-- ria.params with nothing overridden. What overrides do is tested from the command line.
local ria = require "ria"

local p = ria.params {
  wind = 3,
  days = {2, "how long", unit = "d", min = 0},
  map = {"deep", choices = {"deep", "amp"}},
  fast = false,
  dem = "",
  tide = {m2 = {1.12, "amplitude", unit = "m"}, s2 = 0.39},
}
assert(p.wind == 3 and math.type(p.wind) == "integer")
assert(p.days == 172800) -- in SI, ready for sim:run
assert(p.map == "deep" and p.fast == false and p.dem == "")
assert(p.tide.m2 == 1.12 and p.tide.s2 == 0.39)
assert(next(ria.args) == nil)
