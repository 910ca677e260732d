-- A port's year: its gauge is analysed, predicted, and a run of the bay before it compared with the
-- prediction.
--
--   ria run port.lua                       a year made by this script, with weather and gaps
--   ria run port.lua gauge=harbour.csv     a record of yours: dates and levels in m
--   ria check --trusted port.lua           it writes that year with io, which limited scripts have not got

local ria = require "ria"
local tides = require "ria.tides"

local p = ria.params {
  gauge = { "", help = "a record of levels by dates; one is made if left out" },
  start = { "2026-07-14", help = "of the run that is compared" },
  days = { 2, "simulated time", unit = "d" },
  grid = { 60, help = "cells along the bay", min = 10, max = 1000 },
}
local names = { "M2", "S2", "N2", "K1", "O1", "M4" }

-- A synthetic gauge: constituents, surges of some days, noise, and a week that is missing.
-- It goes to gauge.csv, for you to look at, and is not read back: of several ranks one writes.
local function make_gauge(path)
  local set = { M2 = { 0.9, 95 }, S2 = { 0.3, 130 }, N2 = { 0.18, 75 }, K1 = { 0.07, 60 },
    O1 = { 0.06, 330 }, M4 = { 0.03, 200 }, z0 = 0.1 }
  local dates, values, file = {}, {}, assert(io.open(path, "w"))
  for hour = 0, 365 * 24 do dates[#dates + 1] = 1767225600 + 3600 * hour end -- 2026
  file:write "date,level\n"
  for k, level in ipairs(tides.predict(set, dates)) do
    local surge = 0.15 * math.sin(k / 37) * math.sin(k / 311) + 0.02 * (math.random() - 0.5)
    local gone = k > 3000 and k < 3168
    local text = gone and "" or ("%.3f"):format(level + surge)
    values[k] = tonumber(text) or (0 / 0)
    file:write(tostring(os.date("!%Y-%m-%dT%H:%M:%SZ", dates[k])), ",", text, "\n")
  end
  file:close()
  return { dates, values }
end

local record = p.gauge ~= "" and ria.csv(p.gauge) or make_gauge(ria.out() .. "/gauge.csv")
local seen = { dates = record[1], values = record[2], names = names }

-- The bay: the port lies at its head, the tide of the port comes in at its mouth.
local set, how = tides.fit(seen)
print(("%d levels, %.3f m RMS left, %.1f %% explained"):format(how.n, how.residual, 100 * how.explained))
set.ramp = 3 * 3600
local sim = ria.sim { grid = { nx = p.grid, ny = p.grid // 4, dx = 12e3 / p.grid }, start = p.start,
  bed = function(x) return -12 + 6 * x / 12e3 end, init = { level = set.z0 },
  boundary = { west = { level = ria.tide(set) } } }
sim:gauge { name = "port", x = 11e3, y = 1500, every = "10 min", fields = { "level" } }
sim:run(p.days)

-- Compared, in three lines.
local t, level = sim:history("port", "level")
for k = 1, #t do t[k] = sim:date(t[k]) end
set.ramp = nil
local port, square, n, hours = tides.predict(set, t), 0, 0, {}
for k = 1, #t do
  hours[k] = (k - 1) / 6
  if hours[k] >= 12 then square, n = square + (level[k] - port[k]) ^ 2, n + 1 end
end
print(n > 0 and ("the run is %.3f m RMS from the port's prediction"):format(math.sqrt(square / n))
  or "the run is too short to be compared: its first 12 h are left out")
ria.plot { path = sim:out() .. "/port.png", title = "The port, predicted and run",
  { ylabel = "m", xlabel = "hours from " .. p.start, { x = hours, y = port, label = "predicted" },
    { x = hours, y = level, label = "run" } } }
