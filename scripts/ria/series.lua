--- Builders of series: lists of points {t, value} that can stand wherever a scenario takes a value
-- that changes in time, and that ria.series turns into one with options.
--
--   local series = require "ria.series"
--   q = series.hydrograph { base = 30, peak = 250, start = 6 * 3600, rise = 8 * 3600 }
--
-- Times are seconds from the start of the run.

local series = {}

local function check(options, known, name)
  for key in pairs(options) do
    if not known[key] then
      error(("series.%s: unknown key '%s'"):format(name, tostring(key)), 3)
    end
  end
end

local function need(options, key, name)
  local value = options[key]
  if type(value) ~= "number" then
    error(("series.%s: %s = %s: expected a number"):format(name, key, tostring(value)), 3)
  end
  return value
end

--- Sample f(t) from t0 to t1 every dt (and at t1).
function series.sample(f, t0, t1, dt)
  if not (dt > 0 and t1 > t0) then
    error("series.sample: expected t0 < t1 and dt > 0", 2)
  end
  local points = {}
  local n = math.floor((t1 - t0) / dt + 1e-9)
  for k = 0, n do
    local t = t0 + k * dt
    points[#points + 1] = {t, f(t)}
  end
  if points[#points][1] < t1 - 1e-9 * dt then points[#points + 1] = {t1, f(t1)} end
  return points
end

--- A flood wave: from base to peak in a smooth rise, then back exponentially.
-- base, peak; start; rise: time to the peak; fall: time to drop to 1/e of the excess (3 x rise);
-- stop: last time (10 falls after the peak); dt: spacing of the points (rise / 20).
function series.hydrograph(o)
  check(o, {base = true, peak = true, start = true, rise = true, fall = true, stop = true,
    dt = true}, "hydrograph")
  local base, peak = need(o, "base", "hydrograph"), need(o, "peak", "hydrograph")
  local rise, start = need(o, "rise", "hydrograph"), o.start or 0
  local fall = o.fall or 3 * rise
  local stop = o.stop or start + rise + 10 * fall
  local function flow(t)
    if t <= start then return base end
    if t < start + rise then
      return base + (peak - base) * 0.5 * (1 - math.cos(math.pi * (t - start) / rise))
    end
    return base + (peak - base) * math.exp(-(t - start - rise) / fall)
  end
  return series.sample(flow, math.min(0, start), stop, o.dt or rise / 20)
end

--- `value` from start to stop, `base` (0) before and after, with edges of `edge` seconds (1).
function series.pulse(o)
  check(o, {value = true, base = true, start = true, stop = true, edge = true, till = true},
    "pulse")
  local value, base = need(o, "value", "pulse"), o.base or 0
  local start, stop = need(o, "start", "pulse"), need(o, "stop", "pulse")
  local edge = o.edge or 1
  if stop <= start + edge then error("series.pulse: stop must lie after start and its edge", 2) end
  local points = {}
  if start > 0 then points[1] = {0, base} end
  points[#points + 1] = {start, base}
  points[#points + 1] = {start + edge, value}
  points[#points + 1] = {stop, value}
  points[#points + 1] = {stop + edge, base}
  if o.till and o.till > stop + edge then points[#points + 1] = {o.till, base} end
  return points
end

--- Repeat a list of points with a period, n times.
function series.cycle(points, period, n)
  local all = {}
  for k = 0, n - 1 do
    for _, p in ipairs(points) do
      local t = p[1] + k * period
      if #all == 0 or t > all[#all][1] then all[#all + 1] = {t, p[2]} end
    end
  end
  return all
end

--- Multiply values by `scale`, then add `offset`; shift times by `delay`.
function series.map(points, o)
  check(o, {scale = true, offset = true, delay = true}, "map")
  local all = {}
  for k, p in ipairs(points) do
    all[k] = {p[1] + (o.delay or 0), p[2] * (o.scale or 1) + (o.offset or 0)}
  end
  return all
end

--- The value at time t, linear between points, the end values beyond.
function series.at(points, t)
  local lo, hi = 1, #points
  if t <= points[lo][1] then return points[lo][2] end
  if t >= points[hi][1] then return points[hi][2] end
  while hi - lo > 1 do
    local mid = (lo + hi) // 2
    if points[mid][1] <= t then lo = mid else hi = mid end
  end
  local a, b = points[lo], points[hi]
  return a[2] + (b[2] - a[2]) * (t - a[1]) / (b[1] - a[1])
end

return require "ria.strict" ("series", series)
