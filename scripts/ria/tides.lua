--- Working with tidal constituents as tables { M2 = {amplitude m, phase deg}, ... }, the form that
-- ria.tide takes: phases are those at Greenwich in a run with a start, else relative to t = 0.
--
--   local tides = require "ria.tides"
--   local offshore = { M2 = {1.12, 78}, S2 = {0.39, 107} }
--   south = ria.tide(tides.scale(offshore, 0.9))
--
--   local seen = ria.csv "gauges.csv"   -- of a run with zone = "+02:00"
--   local values = seen["a.level"]
--   local offshore, how = tides.fit { dates = seen.date, values = values, zone = "+02:00" }
--   local level = tides.predict(offshore, { "2026-07-14 06:30", "2026-07-14 07:00" })
--   south = ria.tide(tides.read "harbour.csv") -- what `ria tide --csv harbour.csv` has written

local ria = require "ria"
local tides = {}

local rad = math.pi / 180

--- Speeds of the constituents used most, deg/h.
tides.speeds = {
  Q1 = 13.3986609, O1 = 13.9430356, P1 = 14.9589314, K1 = 15.0410686,
  N2 = 28.4397295, M2 = 28.9841042, S2 = 30.0, K2 = 30.0821373,
  MN4 = 57.4238337, M4 = 57.9682084, MS4 = 58.9841042, M6 = 86.9523127,
}

-- Keys of a tide that are no constituents.
local other = {z0 = true, ramp = true, phases = true, nodal = true}

local function map(set, f)
  local result = {}
  for name, value in pairs(set) do
    result[name] = (other[name] or type(value) ~= "table") and value or f(name, value)
  end
  return result
end

local others = {} -- speeds of constituents that the table above leaves out, by any of their names

local function speed_of(name, level)
  local speed = tides.speeds[name] or others[name]
  if speed then return speed end
  local known, now = pcall(ria.tide_state, name, "2000-01-01")
  if not known then
    error(("no speed known for constituent '%s'"):format(tostring(name)), level)
  end
  others[name] = now.speed
  return now.speed
end

--- All amplitudes multiplied by a factor.
function tides.scale(set, factor)
  return map(set, function(_, c) return {c[1] * factor, c[2]} end)
end

--- The same tide, later by `seconds` (earlier when negative).
function tides.delay(set, seconds)
  return map(set, function(name, c)
    return {c[1], (c[2] + speed_of(name, 5) * seconds / 3600) % 360}
  end)
end

-- Phases and nodal factors of one kind cannot be mixed with those of another.
local function check_alike(a, b)
  for key, usual in pairs {phases = "auto", nodal = "daily"} do
    local p, q = a[key] or usual, b[key] or usual
    if p ~= q then error(("%s of the two tides differ: '%s' and '%s'"):format(key, p, q), 3) end
  end
end

--- Between two places: w = 0 is a, w = 1 is b. The complex amplitude is interpolated, never the
-- phase by itself, which jumps at 360, and z0 where both are numbers. An error where phases or
-- nodal of the two differ.
function tides.between(a, b, w)
  local result, names = {}, {}
  check_alike(a, b)
  for name in pairs(a) do names[name] = true end
  for name in pairs(b) do names[name] = true end
  for name in pairs(names) do
    if other[name] then
      result[name] = a[name] or b[name]
    else
      local p, q = a[name] or {0, 0}, b[name] or {0, 0}
      local re = (1 - w) * p[1] * math.cos(p[2] * rad) + w * q[1] * math.cos(q[2] * rad)
      local im = (1 - w) * p[1] * math.sin(p[2] * rad) + w * q[1] * math.sin(q[2] * rad)
      result[name] = {math.sqrt(re * re + im * im), math.atan(im, re) / rad % 360}
    end
  end
  if type(a.z0) == "number" and type(b.z0) == "number" then
    result.z0 = (1 - w) * a.z0 + w * b.z0
  end
  return result
end

--- Level of the tide at time t (s), without z0 and ramp, with its phases relative to t = 0: a run
-- with a start has another (tides.predict).
function tides.level(set, t)
  local names, sum = {}, 0
  for name in pairs(set) do
    if not other[name] then names[#names + 1] = name end
  end
  table.sort(names) -- the same sum every time
  for _, name in ipairs(names) do
    local c = set[name]
    sum = sum + c[1] * math.cos((speed_of(name, 3) * t / 3600 - c[2]) * rad)
  end
  return sum
end

--- Amplitude at springs and at neaps, from M2 and S2.
function tides.spring_neap(set)
  local m2, s2 = set.M2 and set.M2[1] or 0, set.S2 and set.S2[1] or 0
  return m2 + s2, math.abs(m2 - s2)
end

-- The row of a table of constituents as part of a set.
local function take_row(set, path, table_of, k)
  local name, amp, phase = table_of.constituent[k], table_of.amplitude[k], table_of.phase[k]
  if set[name == "Z0" and "z0" or name] then
    error(("%s: constituent '%s' is there twice"):format(path, name), 3)
  end
  set[name == "Z0" and "z0" or name] = name == "Z0" and amp or {amp, phase}
end

--- The set of a table of constituents as `ria tide --csv` writes it: columns constituent, amplitude
-- (m), phase (deg at Greenwich) and, if it is there, nodal. Row Z0 is the mean level.
function tides.read(path)
  local table_of = ria.csv(path)
  for _, column in ipairs {"constituent", "amplitude", "phase"} do
    if not table_of[column] then error(("%s has no column '%s'"):format(path, column), 2) end
  end
  local set = {phases = "greenwich", nodal = table_of.nodal and table_of.nodal[1]}
  for k = 1, table_of.rows do take_row(set, path, table_of, k) end
  return set
end

require "ria.strict" ("tides", tides)

-- Functions of C, as they are: they name the caller's line and refuse surplus arguments.

--- Levels of the tide at a list of dates (text, or seconds since 1970), { zone = } of the dates:
-- ria.tide_predict. Phases are those at Greenwich unless the set says otherwise.
tides.predict = ria.tide_predict

--- Harmonic analysis of a record { dates =, values =, names =, rayleigh =, nodal =, zone = }: the
-- set, and how good it is (ria.tide_fit).
tides.fit = ria.tide_fit

return tides
