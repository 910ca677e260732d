-- ria.run_all: several simulations by turns have the results of each alone, to the bit.
local ria = require "ria"

-- A basin with a tide, a spill, a gauge, a store and an event that opens a side; one for each k.
local function make(k, out)
  local sim = ria.sim {
    grid = { nx = 20 + 7 * k, ny = 12, dx = 10 }, out = out, overwrite = true,
    solver = k == 2 and "adi" or nil, params = k == 2 and { dt = 2 } or nil,
    precision = k == 3 and "single" or nil,
    bed = function(x, y) return -3 + 0.01 * x + 0.3 * math.sin(y / 9 + k) end, init = { level = 0 },
    tracers = { "dye" }, maxima = { "level" },
    boundary = { west = ria.tide { { speed = 720 * k, amp = 0.4 } } },
  }
  sim:spill { tracer = "dye", x = 60, y = 60, radius = 30, mass = 2, start = 20, duration = 30 }
  sim:gauge { name = "pier", x = 50, y = 50, every = 5 }
  if out then sim:every(30, ria.save { "level", "dye" }) end
  sim:at(45 + k, function(s) s:boundary("north", "open") end)
  return sim
end

local function bytes(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local function state(sim)
  local text = { tostring(sim:steps()), ("%a"):format(sim:time()) }
  local size = sim:grid()
  for _, name in ipairs { "level", "qx", "qy", "dye" } do
    local field = sim:field(name)
    for j = 0, size.ny - 1 do
      for i = 0, size.nx - 1 do text[#text + 1] = ("%a"):format(field:get(i, j)) end
    end
  end
  for name, row in pairs(sim:totals()) do
    text[#text + 1] = ("%s %a %a %a"):format(name, row.stored, row.inflow, row.outflow)
  end
  table.sort(text)
  return table.concat(text, "\n")
end

local alone, together, names = {}, {}, { "low", "high", "single" }
for k, name in ipairs(names) do
  alone[k] = make(k, "alone_" .. name)
  alone[k]:run(60)
  alone[k]:run "2 min"
  together[k] = make(k, "together_" .. name)
end
assert(select("#", ria.run_all(together, 60)) == 0)
ria.run_all(together, "2 min")
for k, name in ipairs(names) do
  assert(together[k]:time() == 120)
  assert(state(together[k]) == state(alone[k]), name .. " differs from its run alone")
  together[k]:finish()
  alone[k]:finish()
  for _, file in ipairs { "gauges.csv", "fields.zarr/dye/0.0.0" } do
    local same = bytes("together_" .. name .. "/" .. file) == bytes("alone_" .. name .. "/" .. file)
    assert(same, name .. ": " .. file)
  end
end

-- One that stops lets the others run on; an event may read another and change the script's list.
local a, b = make(1, false), make(1, false)
local both, seen = { a, b }, nil
a:at(40, function(s)
  seen, both[2] = b:time(), nil
  collectgarbage()
  s:stop()
end)
ria.run_all(both, 60)
assert(a:time() == 40 and b:time() == 60 and seen > 35 and seen < 40, seen) -- its last step before

-- So it is where one gives another a function, which may be listed before it, also at once.
local function given(later, swap)
  local first, other, stands = make(1, false), make(2, false), {}
  first:at(10, function()
    other:at(later, function() stands[#stands + 1] = first:time() end)
    if later > 11 then other:at(other:time(), function() stands[#stands + 1] = first:time() end) end
  end)
  ria.run_all(swap and { other, first } or { first, other }, 30)
  return table.concat(stands, " ")
end
for _, later in ipairs { 10.5, 25 } do
  local stands = given(later, false)
  assert(#stands > 0 and given(later, true) == stands, stands .. " and " .. given(later, true))
end

local function fails(expected, ...)
  local ok, message = pcall(ria.run_all, ...)
  assert(not ok and tostring(message):find(expected, 1, true), tostring(message))
end

-- An error comes through as it was thrown. The others have ended, where they are, and say with
-- which; they may run on. Of three the middle one fails: those before it have queued steps.
local thrown, c = { code = 5 }, make(1, "third")
a, b = make(1, "first"), make(3, "second")
b:at(30, function() error(thrown) end)
a:at(20, function()
  fails("ria.run_all: sims[1] (first): a simulation cannot be run from inside an event", { a }, 50)
end)
for _, sim in ipairs { a, c } do sim:every(1, function() end) end
local ok, value = pcall(ria.run_all, { a, b, c }, 60)
assert(not ok and value == thrown)
assert(b:time() == 30 and a:time() < 60 and c:time() < 60)
local function status(out, expected)
  local report = bytes(out .. "/run.json")
  assert(report:find('"status": "' .. expected .. '"', 1, true), report)
  return report:match '"error": "(.-)",\n'
end
for _, out in ipairs { "first", "third" } do
  local message = status(out, "interrupted")
  local with = "ended with sims[2] of the same ria.run_all: "
  assert(message:sub(1, #with) == with, message)
  assert(message:sub(#with + 1) == status("second", "callback"), message)
end
c:run(60)
assert(c:time() == 60)
ria.run_all({ a, b }, 70)
assert(a:time() == 70 and b:time() == 70)
assert(not status("first", "ok") and not status("second", "ok"))

-- A number that goes wrong in the first: the second has ended before it.
local x, y, z = make(1, "fourth"), make(1, "fifth"), make(1, "sixth")
y:at(10, function(s) s:stop() end)
x:at(30, function(s) s:set("level", 1e200) end)
z:every(1, function() end)
fails("ria.run_all: sims[1] (fourth): ", { x, y, z }, 60)
assert(not status("fifth", "ok") and y:time() == 10)
local message = status("sixth", "interrupted")
local failure = status("fourth", "numerical")
assert(message == "ended with sims[1] of the same ria.run_all: " .. failure, message)

-- None can be closed meanwhile.
a:at(80, function() local _, m = pcall(b.close, b); seen = m end)
ria.run_all({ a, b }, 90)
local expected = "sim:close: the simulation cannot be closed while ria.run_all is at work"
assert(seen:find(expected, 1, true), seen)

fails("ria.run_all: sims = a table: expected a list of simulations { a, b, ... }", {}, 1)
fails("ria.run_all: sims = a ria.sim: expected a list of simulations { a, b, ... }", a, 1)
fails("ria.run_all: sims[2] = 5: expected a simulation", { a, 5 }, 100)
fails("ria.run_all: sims[2] is there twice", { a, a }, 100)
b:close()
fails("ria.run_all: sims[2] is closed", { a, b }, 100)
fails("ria.run_all: sims[1] (first): a run to t = 10 s: it must be at or after the present, 90 s",
  { a }, 10)

-- A date is one instant: another time for simulations that start at others.
local function begins(start, zone)
  return ria.sim { grid = { nx = 3, ny = 3, dx = 10 }, bed = -1, out = false, start = start,
    zone = zone }
end
a, b, c = begins "2026-07-13 06:00", begins "2026-07-14", begins("2026-07-14", "+02:00")
ria.run_all({ a, b }, "2026-07-14 06:00")
assert(a:time() == 86400 and b:time() == 21600)
ria.run_all({ b, c }, "2026-07-14T12:00Z")
assert(b:time() == 43200 and c:time() == 50400)
fails("ria.run_all: '2026-07-15' is a date, and this run has none: give it a start, the date of "
  .. "t = 0 (start = \"2026-07-15 00:00\"), or write the time since t = 0, as in '1 d 6 h'",
  { a, begins(nil) }, "2026-07-15")
