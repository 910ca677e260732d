-- A scenario from one table to its results: what the language promises, in the order of its manual.
local ria = require "ria"

local function near(a, b, tolerance)
  assert(math.abs(a - b) <= (tolerance or 1e-9), ("%.17g is not %.17g"):format(a, b))
end

local size, n = 1000, 20

local function basin(changes)
  local t = {
    grid = {nx = n, ny = n, dx = size / n},
    bed = function(x, y) return -5 + 3 * (x / size) * (y / size) end,
    tracers = {oil = {diffusion = 1}},
    init = {level = 0, oil = 0},
    out = false,
  }
  for key, value in pairs(changes or {}) do t[key] = value end
  return ria.sim(t)
end

-- the table: functions are sampled at cell centres, [ny][nx], south first
do
  local sim = basin()
  local bed = sim:field "bed"
  near(bed:get(0, 0), -5 + 3 * (25 / size) ^ 2)
  near(bed:get(3, 7), -5 + 3 * (175 / size) * (375 / size))
  near(bed:at(175, 375), bed:get(3, 7))
  -- the cell that holds the point, as a gauge has it; between cell centres where it is asked for
  near(bed:at(199, 351), bed:get(3, 7))
  near(bed:at("0.2 km", 375), bed:get(4, 7))
  near(bed:at(200, 375, {interpolate = true}), 0.5 * (bed:get(3, 7) + bed:get(4, 7)))
  assert(bed:at(size, size) == bed:get(n - 1, n - 1))
  assert(bed:at(-1, 0) ~= bed:at(-1, 0)) -- nan: outside
  assert(bed.nx == n and bed.ny == n and bed.dx == 50 and bed.x0 == 0)
  local least, i, j = bed:min()
  assert(i == 0 and j == 0 and least == bed:get(0, 0))
  near(bed:mean() * n * n, bed:sum())
  near(bed:integral(), bed:sum() * 2500, 1e-6)
  assert(bed:count() == n * n)
  assert(sim:time() == 0 and sim:steps() == 0 and sim:out() == nil)
  assert(sim:grid().ny == n and sim:param "cfl" > 0)
end

-- a high-water mark beside dry ground has a value, and water may come onto dry ground: a drain
-- by volume and a spring by flow, named or not, take the same keys
do
  local sim = ria.sim {
    grid = {nx = 20, ny = 20, dx = 5}, out = false, tracers = {"oil"}, maxima = {"level"},
    bed = function(x) return x < 50 and -1 or 0.01 * x end, init = {level = 0},
  }
  local drain = sim:spill {x = 77, y = 52, radius = "8 m", volume = "30 m3", duration = "1 min"}
  local spring = sim:spill {
    tracer = "water", x = 82, y = 22, flow = "500 l/s", start = 10, duration = 20,
  }
  local sewer = sim:spill {tracer = "oil", x = 90, y = 80, flow = 0.1, conc = "2 kg/m3", start = 5}
  sim:run(60)
  near(sim:released(drain), 30)
  near(sim:released(spring), 10)
  near(sim:released(sewer), 0.1 * 2 * 55)
  near(sim:totals().water.sources, 40 + 5.5, 1e-9)
  near(sim:totals().oil.stored, 11, 1e-9)
  local mark = sim:maximum "level"
  local i, j
  for k = 10, 18 do -- eastward along the row of the drain: the last cell that was wet
    local here, next = mark:get(k, 10), mark:get(k + 1, 10)
    if here == here and next ~= next then i, j = k, 10 end
  end
  local x, y = (i + 0.9) * 5, (j + 0.4) * 5
  assert(mark:at(x, y) == mark:get(i, j) and mark:at(x, y) > 0.01 * 50)
  local between = mark:at(x, y, {interpolate = true})
  assert(between ~= between)
end

-- a list that is refused leaves nothing scheduled; what lies after the end of a run is told
do
  local sim = basin()
  local ran = 0
  local function oil(name, tracer)
    return ria.spill {name = name, tracer = tracer or "oil", x = 500, y = 500, mass = 1}
  end
  for _, when in ipairs {5, 1e6} do
    local ok, message = pcall(sim.at, sim, when, {
      oil "a", function() ran = ran + 1 end, oil "b", oil("c", "oyl"),
    })
    assert(not ok and message:find("unknown tracer 'oyl': did you mean 'oil'?", 1, true), message)
  end
  sim:run(20)
  assert(ran == 0 and sim:totals().oil.sources == 0 and sim:summary().unreached == nil)
  sim:at("1 h", {oil "late", function() end})
  sim:run(30)
  assert(sim:summary().unreached == "2 events after the end of the run never happened:" ..
    " spill 'late' at 1 h, an event at 1 h")
  sim:run(3600)
  assert(sim:summary().unreached == nil)
end

-- fields come from numbers, text with units, functions, rasters of the same or another grid
do
  local function rough(x) return 0.02 + x / 1e5 end
  local map = ria.field {nx = 5, ny = 5, dx = size / 5, value = rough}
  local sim = basin {bed = "-2 m", init = {level = "50 cm", manning = map, oil = "20 g/m3"}}
  near(sim:field("depth"):max(), 2.5, 1e-12)
  near(sim:field("oil"):min(), 0.02, 1e-12)
  near(sim:field("manning"):at(500, 500, {interpolate = true}), 0.025, 1e-12)
  local twice = map:map(function(v) return 2 * v end)
  near(twice:get(2, 2), 2 * map:get(2, 2))
  sim:set("manning", 0.01)
  near(sim:field("manning"):max(), 0.01, 1e-12)
end

-- events land exactly, in order, and can be cancelled
do
  local sim, seen = basin(), {}
  local function note(name)
    return function(s, info) seen[#seen + 1] = ("%s@%g"):format(name, info.t); assert(s == sim) end
  end
  sim:at("90 s", note "once")
  local handle = sim:every("1 min", note "minute", {stop = "3 min"})
  sim:every(50, note "fifty", {start = 50, stop = 100})
  local list = sim:at(10, {note "a", note "b"})
  assert(math.type(handle) == "integer" and #list == 2)
  sim:cancel(list[2])
  sim:run "2 min"
  sim:cancel(handle)
  sim:run "4 min"
  assert(table.concat(seen, " ") == "minute@0 a@10 fifty@50 minute@60 once@90 fifty@100 minute@120",
    table.concat(seen, " "))
  assert(sim:time() == 240)
end

-- conditions: once, and each time they become true
do
  local sim, once, often = basin(), 0, 0
  local function odd(s) return s:time() // 60 % 2 == 1 end
  sim:when(odd, function() once = once + 1 end, {every = 60})
  sim:when(odd, function() often = often + 1 end, {every = 60, ["repeat"] = true})
  sim:run "10 min"
  assert(once == 1 and often == 5, once .. " " .. often)
end

-- spills: at once, at a time, from an event; the budget knows
do
  local sim = basin()
  local slick = ria.spill {tracer = "oil", x = 500, y = 500, radius = 100, mass = "2 t"}
  local at = sim:at("1 min", slick)
  sim:spill {tracer = "oil", x = 300, y = 300, mass = 10}
  sim:at(100, function(s)
    s:spill {tracer = "oil", x = 500, y = 500, rate = "1 kg/s", duration = 50}
  end)
  sim:run(200)
  near(sim:totals().oil.sources, 2060, 1e-6)
  near(sim:totals().oil.stored, 2060, 1e-6)
  near(sim:released(at), 2000, 1e-6)
  assert(math.abs(sim:totals().water.relative) < 1e-12)
  assert(sim:totals().oil.unit == "kg")
end

-- a spill as a repeating action, and one that is cancelled before its time
do
  local sim = basin()
  sim:every(60, ria.spill {tracer = "oil", x = 500, y = 500, mass = 1}, {start = 60, stop = 240})
  local never = sim:at(100, ria.spill {tracer = "oil", x = 500, y = 500, mass = 1000})
  sim:cancel(never)
  sim:run(300)
  near(sim:totals().oil.sources, 4, 1e-9)
end

-- boundaries: by kind, by series alone, by values, on a stretch; changed on the way
do
  local sim = basin {
    boundary = {
      south = ria.tide {{speed = 360, amp = 0.5, phase = 90}}, -- an hour's period, from rest
      north = "open",
      east = {kind = "level", level = {{0, 0}, {"1 h", 0.2}}, tracers = {oil = "1 kg/m3"}},
      river = ria.inflow {from = {0, 200}, to = {0, 600}, q = "5 m3/s", tracers = {oil = 2}},
    },
  }
  sim:run "20 min"
  local into, out = sim:flux "river"
  near(into, 5 * 1200, 1e-6)
  near(out, 0, 1e-6)
  near(sim:flux("river", "oil"), 2 * 5 * 1200, 1e-6)
  sim:boundary("river", {q = 0})
  sim:boundary("south", "wall")
  local before = sim:flux "south"
  sim:run "30 min"
  near(sim:flux "river", 5 * 1200, 1e-6)
  near(sim:flux "south", before)
  assert(math.abs(sim:totals().water.relative) < 1e-12)
end

-- driving the loop by hand; stopping; reading
do
  local function dam(x) return x < 500 and 0.5 or 0 end
  local sim = basin {init = {level = dam}, maxima = {"level"}}
  sim:step(3)
  assert(sim:steps() == 3)
  sim:advance "10 s"
  local t = sim:time()
  assert(sim:advance(2.5) == t + 2.5)
  local p = sim:probe(100, 100)
  assert(p.level and p.speed and p.oil == 0)
  near(sim:probe(100, 100, "level"), p.level)
  assert(sim:stats("level").max <= sim:maximum("level"):max())
  assert(sim:stats("speed").n == n * n)
  sim:at(sim:time() + 5, function(s) s:stop() end)
  local stop = sim:run "1 d"
  assert(stop < 86400, stop)
  local s = sim:summary()
  assert(s.steps == sim:steps() and s.dt_min > 0 and #s.dt_min_cause > 0)
end

-- several simulations, one of them run from an event of another
do
  local outer, inner = basin(), basin()
  outer:at(10, function() inner:run(20) end)
  outer:run(30)
  assert(outer:time() == 30 and inner:time() == 20)
end

-- inside a coroutine
do
  local sim, seen = basin(), 0
  local thread = coroutine.wrap(function()
    sim:every(10, function() seen = seen + 1 end)
    for _ = 1, 3 do coroutine.yield(sim:advance(10)) end
  end)
  assert(thread() == 10 and thread() == 20 and thread() == 30)
  assert(seen == 4)
end

-- an error in an event ends the run with the script's message; the simulation can be read on
do
  local sim = basin()
  sim:at(30, function() error("the harbour is closed", 0) end)
  local ok, message = pcall(sim.run, sim, 60)
  assert(not ok and message == "the harbour is closed", message)
  assert(sim:time() == 30 and sim:field("level"))
end

-- an error that is no text comes to pcall as it is, also from an event of an event
do
  local thrown = { code = 5 }
  for _, value in ipairs { thrown, 7, false } do
    local sim, inner = basin(), basin()
    inner:at(3, function() error(value) end)
    sim:at(30, function() inner:run(5) end)
    local ok, got = pcall(sim.run, sim, 60)
    assert(not ok and rawequal(got, value), tostring(got))
    ok, got = pcall(sim.set, sim, "level", function() error(value) end)
    assert(not ok and rawequal(got, value), tostring(got))
  end
  local sim = basin()
  sim:at(3, function() error() end)
  local got = table.pack(pcall(sim.run, sim, 60))
  assert(got.n == 2 and got[1] == false and got[2] == nil)
  sim:at(5, function() error "text after it" end)
  local _, message = pcall(sim.run, sim, 60)
  assert(message:find "text after it")
end

-- tracers in order of name, or as listed
do
  local a = basin {tracers = {zinc = {}, ammonia = {}, oil = {}}, init = {}}
  local names = table.concat(a:fields(), " ")
  assert(names:find("ammonia oil zinc", 1, true), names)
  local b = basin {tracers = {"zinc", {name = "ammonia", decay = "1/d"}}, init = {}}
  assert(table.concat(b:fields(), " "):find("zinc ammonia", 1, true))
end

-- single precision
do
  local sim = basin {precision = "single"}
  sim:run(10)
  assert(sim:steps() > 0)
end

-- closing: by hand, by scope; a closed one says so
do
  local sim = basin()
  do
    local scoped <close> = sim
    assert(scoped:time() == 0)
  end
  local ok, message = pcall(sim.time, sim)
  assert(not ok and message:find("the simulation is closed", 1, true))
  assert(tostring(sim) == "ria.sim (closed)")
end

-- callbacks that refer to their simulation do not keep it alive
do
  local weak = setmetatable({}, {__mode = "v"})
  do
    local sim = basin()
    sim:every(10, function() return sim:time() end)
    weak[1] = sim
  end
  collectgarbage()
  collectgarbage()
  assert(weak[1] == nil, "a cycle through a callback is not collected")
end

-- a simulation cannot be taken away while it runs, not even from another one's event
do
  local outer, inner, said = basin(), basin(), nil
  inner:at(5, function() said = select(2, pcall(outer.close, outer)) end)
  outer:at(5, function() inner:run(10) end)
  outer:run(10)
  assert(said:find("the simulation cannot be closed while sim:run is at work", 1, true), said)
  outer:close()
end
