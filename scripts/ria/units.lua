--- Units as factors to SI, and times as people read them.
--
--   local u = require "ria.units"
--   local dx = 0.5 * u.km            -- 500 m
--   print(u.duration(90 * u.min))    -- 1 h 30 min
--
-- Wherever ria takes a quantity it also takes text: "0.5 km", "90 min", "12 t".

local units = {
  -- time, s
  s = 1, min = 60, h = 3600, d = 86400, week = 604800, yr = 31557600,
  -- length, m
  mm = 1e-3, cm = 1e-2, m = 1, km = 1e3, nmi = 1852, ft = 0.3048,
  -- area, m^2
  ha = 1e4, km2 = 1e6,
  -- volume, m^3
  l = 1e-3, m3 = 1, hm3 = 1e6,
  -- mass, kg
  mg = 1e-6, g = 1e-3, kg = 1, t = 1e3,
  -- speed, m/s
  kn = 1852 / 3600, kmh = 1 / 3.6,
}

--- The decay rate (1/s) that halves an amount in `time` seconds.
function units.half_life(time) return math.log(2) / time end

--- The decay rate (1/s) that leaves a tenth after `time` seconds (T90, as for bacteria).
function units.t90(time) return math.log(10) / time end

--- Seconds as "2 d 3 h 20 min".
function units.duration(seconds)
  local parts = {}
  local rest = math.floor(math.abs(seconds) + 0.5)
  for _, part in ipairs {{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}} do
    local n = rest // part[2]
    if n > 0 then parts[#parts + 1] = ("%d %s"):format(n, part[1]) end
    rest = rest % part[2]
  end
  local text = #parts > 0 and table.concat(parts, " ") or "0 s"
  return seconds < 0 and "-" .. text or text
end

return require "ria.strict" ("units", units)
