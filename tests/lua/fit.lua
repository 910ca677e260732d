-- sim:fit: constituents of a field in every cell are those of its values at the same instants.
local ria = require "ria"
local tides = require "ria.tides"
local check = require "shared.check"
local near, fails = check.near, check.fails

local wide = { nx = 24, ny = 10, dx = 500 }

-- A bay with a bank that falls dry, by dates or without.
local function bay(keys)
  return ria.sim { grid = wide, init = { level = 0 }, out = keys.out or false, overwrite = true,
    start = keys.start, zone = keys.zone, precision = keys.precision, solver = keys.solver,
    bed = function(x, y) return -6 + 7 * math.exp(-((x - 6e3) ^ 2 + (y - 2e3) ^ 2) / 1e6) end,
    boundary = { west = { level = ria.tide { M2 = { 0.5, 40 }, M4 = { 0.1, 90 },
      ramp = "2 h" } } } }
end

-- Cells, and what a function that lands on the same instants sees there.
local cells = { { 250, 2250 }, { 4250, 4750 }, { 11750, 250 } }

local function watch(sim, field, every, from)
  local seen = {}
  for k = 1, #cells do seen[k] = { dates = {}, values = {} } end
  sim:every(every, function(s)
    for k, at in ipairs(cells) do
      seen[k].dates[#seen[k].dates + 1] = s:time()
      seen[k].values[#seen[k].values + 1] = s:probe(at[1], at[2], field)
    end
  end, { from = from })
  return seen
end

-- By dates: tides.fit of the same values, to rounding.
local function by_dates(keys, field, tolerance)
  local sim = bay(keys)
  sim:fit { "M2", "M4", field = field, from = "6 h", every = "20 min" }
  local seen = watch(sim, field, "20 min", "6 h")
  sim:run "40 h"
  local start = 1784073600 - 7200 -- 2026-07-15 00:00 +02:00
  for k, at in ipairs(cells) do
    for i, t in ipairs(seen[k].dates) do seen[k].dates[i] = start + t end
    seen[k].names = { "M2", "M4" }
    local set = tides.fit(seen[k])
    for _, name in ipairs(seen[k].names) do
      local map = field .. "_" .. name
      local amplitude = sim:field(map .. "_amplitude"):at(at[1], at[2])
      local off = (sim:field(map .. "_phase"):at(at[1], at[2]) - set[name][2] + 180) % 360 - 180
      near(amplitude, set[name][1], tolerance, map)
      near(off * amplitude, 0, 60 * tolerance, map)
    end
    near(sim:field(field .. "_Z0"):at(at[1], at[2]), set.z0, tolerance, "Z0")
  end
  sim:close()
end
local dated = { start = "2026-07-15 00:00", zone = "+02:00" }
by_dates(dated, "level", 1e-12)
by_dates({ start = dated.start, zone = dated.zone, precision = "single" }, "level", 1e-6)
by_dates({ start = dated.start, zone = dated.zone, solver = "adi" }, "speed", 1e-12)

-- Without dates phases are relative to t = 0: by the definition, from the values that were seen.
-- A cell that falls dry has no constituents.
local sim = bay { out = "fit" }
sim:fit { "M2", from = "6 h", every = "15 min" }
local seen = watch(sim, "level", "15 min", "6 h")
local plain = bay {}
local mid
sim:every("10 h",
  ria.frame { field = "level_M2_amplitude", phase = "level_M2_phase", phase_step = 1 })
sim:every("10 h", ria.save { "level_M2_amplitude", "level", name = "maps", level = 0 })
sim:at("20 h", function(s) mid = s:field "level_M2_amplitude" end)
fails("ria.frame: frames of 'level_Z0': lines of equal phase need a map of phases "
  .. "(\"level_M2_phase\", of sim:fit), and 'level_M2_amplitude' is in m", sim.every, sim, "1 h",
  ria.frame { field = "level_Z0", phase = "level_M2_amplitude" })
fails("ria.frame: frames of 'level_Z0': lines of equal phase each 7 degrees do not close: "
  .. "give a part of 360",
  sim.every, sim, "1 h", ria.frame { field = "level_Z0", phase = "level_M2_phase", phase_step = 7 })
fails("ria.frame: unknown field 'level_M3_amplitude': did you mean 'level_M2_amplitude'?",
  sim.every, sim, "1 h", ria.frame "level_M3_amplitude")
fails("ria.save: unknown field 'level_M2_phas': did you mean 'level_M2_phase'?",
  sim.every, sim, "1 h", ria.save { "level", "level_M2_phas" })
sim:run "30 h"
local m, b = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }, { 0, 0, 0 }
for i, t in ipairs(seen[2].dates) do
  local w = math.rad(ria.tide_state("M2", 0).speed) * t / 3600
  local row = { 1, math.cos(w), math.sin(w) }
  for p = 1, 3 do
    for q = 1, 3 do m[p][q] = m[p][q] + row[p] * row[q] end
    b[p] = b[p] + row[p] * seen[2].values[i]
  end
end
for p = 1, 3 do -- Gauss
  for r = p + 1, 3 do
    local f = m[r][p] / m[p][p]
    for q = p, 3 do m[r][q] = m[r][q] - f * m[p][q] end
    b[r] = b[r] - f * b[p]
  end
end
local x = {}
for p = 3, 1, -1 do
  local sum = b[p]
  for q = p + 1, 3 do sum = sum - m[p][q] * x[q] end
  x[p] = sum / m[p][p]
end
local at = cells[2]
near(sim:field "level_M2_amplitude":at(at[1], at[2]), math.sqrt(x[2] ^ 2 + x[3] ^ 2), 1e-12, "M2")
near(sim:field "level_M2_phase":at(at[1], at[2]), math.deg(math.atan(x[3], x[2])) % 360, 1e-9, "M2")
local amplitude = sim:field "level_M2_amplitude"
local bank = amplitude:at(6e3, 2e3)
assert(bank ~= bank and amplitude:count() < 240 and amplitude:count() > 200)
near(amplitude:at(250, 2250), 0.5, 0.05, "M2 at the mouth")

-- Maps are drawn with their lines, and stand in the store.
amplitude:draw { path = "fit/M2.png", phase = sim:field "level_M2_phase", phase_step = 1 }
fails("field:draw: lines of equal phase each 7 degrees do not close: give a part of 360",
  amplitude.draw, amplitude, { path = "fit/no.png", phase = amplitude, phase_step = 7 })
fails("field:draw: the phases have 3 x 2 cells, and the field to draw has 24 x 10", amplitude.draw,
  amplitude, { path = "fit/no.png", phase = ria.field { nx = 3, ny = 2, dx = 1, value = 0 } })
fails("field:draw: phase = 5: expected a field", amplitude.draw, amplitude,
  { path = "fit/no.png", phase = 5 })
sim:close()
local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end
for _, name in ipairs { "level_Z0", "level_M2_amplitude", "level_M2_phase" } do
  assert(exists("fit/tides.zarr/" .. name .. "/0.0"), name)
end

-- A save holds the map of its time; before the samples tell, nothing.
local function saved(k)
  local file = io.open(("fit/maps.zarr/level_M2_amplitude/%d.0.0"):format(k), "rb")
  if not file then return nil end
  local bytes = file:read "a"
  file:close()
  return bytes
end
local known = 0
for j = 0, 9 do
  for i = 0, 23 do
    for k, field in pairs { [2] = mid, [3] = amplitude } do
      local v, w = string.unpack("<d", saved(k), 8 * (24 * j + i) + 1), field:get(i, j)
      assert(v == w or (v ~= v and w ~= w))
      if v == v then known = known + 1 end
    end
  end
end
assert(known > 400 and not saved(0) and saved(2) ~= saved(3))
for k = 0, 3 do
  assert(exists(("fit/frames/level_M2_amplitude/level_M2_amplitude_%06d.png"):format(k)))
end

-- A fit shortens no step and changes no bit.
local fitted = bay {}
fitted:fit { "M2", "M4", every = "7 min" }
for _, s in ipairs { plain, fitted } do s:run "5 h" end
assert(plain:steps() == fitted:steps())
for i = 0, 23 do
  for j = 0, 9 do
    local p, q = plain:field "level":get(i, j), fitted:field "level":get(i, j)
    assert(p == q or (p ~= p and q ~= q))
  end
end
plain:close()

-- What is refused.
fails("sim:field: M2 and the mean cannot be told apart in a record of 4 h 47 min: that takes 13 h "
  .. "(rayleigh = 1): leave one of them out", fitted.field, fitted, "level_M2_phase")
fails("sim:fit: there is a fit of 'level' already", fitted.fit, fitted, { "S2" })
fails("sim:fit: name the constituents: sim:fit { \"M2\", \"S2\" }", fitted.fit, fitted, {})
fails("sim:fit: tide: unknown constituent 'M22': did you mean 'M2'?", fitted.fit, fitted,
  { "M22", field = "speed" })
fails("sim:fit: the mean is always fitted: leave 'Z0' out", fitted.fit, fitted,
  { "M2", "Z0", field = "speed" })
fails("sim:fit: tide: unknown constituent 'xyzzy': there are M2, S2, N2, K1, O1 and 32 more",
  fitted.fit, fitted, { "xyzzy", field = "speed" })
fails("sim:fit: constituent 'm2' is given twice", fitted.fit, fitted,
  { "M2", "m2", field = "speed" })
fails("sim:fit: unknown key 'evry': did you mean 'every'?", fitted.fit, fitted,
  { "M2", evry = "1 h" })
fails("sim:fit: unknown field 'levle': did you mean 'level'?", fitted.fit, fitted,
  { "M2", field = "levle" })
fails("sim:fit: nodal factors belong to dates, and the run has no start", fitted.fit, fitted,
  { "M2", field = "speed", nodal = "none" })
fails("sim:field: unknown field 'level_M3_phase': did you mean 'level_M2_phase'?", fitted.field,
  fitted, "level_M3_phase")

-- Cancelled, it keeps what it has; a new one begins at the present.
local handle = fitted:fit { "M8", field = "qx", every = "2 min" }
fitted:run "12 h"
fitted:cancel(handle)
local kept = fitted:field "qx_M8_amplitude":at(4250, 4750)
fitted:run "13 h"
assert(kept == fitted:field "qx_M8_amplitude":at(4250, 4750) and kept > 0)
fails("sim:fit: a fit from 3600 s to 1800 s has no times", function()
  return fitted:fit { "M2", field = "speed", from = "1 h", to = "30 min" }
end)
fails("sim:fit: a fit from 3600 s: the run is at 46800 s already (leave `from` out to begin now)",
  fitted.fit, fitted, { "M2", field = "speed", from = "1 h" })
fails("sim:fit: a fit to 3600 s has no times: its first sample would be at 47400 s", fitted.fit,
  fitted, { "M2", field = "speed", to = "1 h" })
fitted:fit { "M2", field = "speed", from = "13 h", to = "14 h" } -- the present is not past
fitted:close()

-- Its last time may be its first: one sample.
local young = bay {}
fails("sim:fit: a fit to 100 s has no times: its first sample would be at 600 s", young.fit, young,
  { "M2", to = "100 s" })
young:fit { "M2", to = "10 min" }
young:run "1 h"
fails("sim:field: the fit of 'level' has 1 sample so far: 1 constituent and the mean need 3",
  young.field, young, "level_M2_phase")
young:close()
