local laboratory = require "laboratory"

local function run(how, n, params, picture)
  params.cells = n
  return laboratory.run(how, {
    script = "simple_beach.lua", params = params,
    data = laboratory.folder(how.options, "simple_beach", "canonical_profiles.txt"), pictures = picture,
  })
end

local function number(text, pattern)
  local found = assert(text:match(pattern), "validation: scenarios/simple_beach.lua says nothing of " .. pattern)
  return tonumber(found)
end

-- The run-up of one of the tank's waves, as a part of the one measured.
local function ratio(text)
  return number(text, "run%-up: ([%d.]+)") / number(text, "%(measured ([%d.]+)%)")
end

return {
  title = "Solitary waves on a plane beach",
  text = [[NTHMP's BP01 and BP04 (scenarios/simple_beach.lua), 20 cells a depth. Beside the exact solution of a wave of
0.019 of the depth: RMS differences of eight profiles and of the levels at two points, in parts of the wave's
height. Beside the laboratory, with Manning 0.01: profiles of waves of 0.0185 (30 cm deep) and 0.3, which breaks
(15 cm deep), and the run-up of waves of 0.0185, 0.045 and 0.3 as a part of the measured one (a line through the
five waves nearest in height).]],
  sizes = { 20 },
  figures = {
    { "profiles", "exact profiles", "1", plain = true }, { "near", "level at x/d = 0.25", "1", plain = true },
    { "far", "level at x/d = 9.95", "1", plain = true },
    { "low", "measured profiles, 0.0185", "1", plain = true }, { "high", "measured profiles, 0.3", "1", plain = true },
    { "runup_0.0185", "run-up of 0.0185, computed / measured", "1", plain = true, more = true },
    { "runup_0.045", "run-up of 0.045, computed / measured", "1", plain = true, more = true },
    { "runup_0.3", "run-up of 0.3, computed / measured", "1", plain = true, more = true },
  },
  demands = {
    { "second", "profiles", n = 20, most = 0.015 }, { "second", "near", n = 20, most = 0.03 },
    { "second", "far", n = 20, most = 0.015 },
    { "second", "low", n = 20, most = 0.17 }, { "second", "high", n = 20, most = 0.17 },
    { "second", "runup_0.0185", n = 20, least = 0.9 }, { "second", "runup_0.0185", n = 20, most = 1.1 },
    { "second", "runup_0.045", n = 20, least = 0.9 }, { "second", "runup_0.045", n = 20, most = 1.1 },
    { "second", "runup_0.3", n = 20, least = 0.85 }, { "second", "runup_0.3", n = 20, most = 1.15 },
  },
  pictures = {
    second = { "beach_exact.png", "beach_gauges.png", "beach_0.0185.png", "beach_0.3.png" },
  },
  ready = laboratory.ready("simple_beach", "canonical_profiles.txt"),
  measure = function(n, how)
    local second = how.scheme == "second"
    local exact = run(how, n, { height = 0.019, manning = 0 },
      second and { ["simple_beach.png"] = "beach_exact.png", ["simple_beach_gauges.png"] = "beach_gauges.png" })
    local low = run(how, n, { height = 0.0185 }, second and { ["simple_beach.png"] = "beach_0.0185.png" })
    local middle = run(how, n, { height = 0.045 })
    local high = run(how, n, { height = 0.3, depth = "15 cm" },
      second and { ["simple_beach.png"] = "beach_0.3.png" })
    return {
      profiles = number(exact, "exact profiles: RMS ([%d.]+)") / 100,
      near = number(exact, "level at x/d = 0.25: RMS ([%d.]+)") / 100,
      far = number(exact, "level at x/d = 9.95: RMS ([%d.]+)") / 100,
      low = number(low, "measured profiles: RMS ([%d.]+)") / 100,
      high = number(high, "measured profiles: RMS ([%d.]+)") / 100,
      ["runup_0.0185"] = ratio(low), ["runup_0.045"] = ratio(middle), ["runup_0.3"] = ratio(high),
    }
  end,
}
