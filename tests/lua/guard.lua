-- Nothing that Lua runs while a function of ria works can free what it works on: a function that
-- was given, a finaliser, a coroutine. Every function and method that scripts can reach is called
-- here while the collector runs at nearly every allocation, and each time a finaliser tries to free
-- all there is. They are found in the metatables: one without a call below fails the test. The
-- sanitizers show what goes wrong.

local ria = require "ria"

local function basin()
  local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -3, tracers = { "oil" },
    init = { level = function(x) return x / 100 end }, maxima = { "level" }, out = false,
    start = "2026-07-14", crs = "EPSG:25829" }
  sim:gauge { name = "pier", x = 5, y = 5, every = 1 }
  sim:run(1)
  return sim
end

local function cube() return ria.field3 { nx = 4, ny = 4, nz = 4, lx = 1, init = 1 } end
local function plane() return ria.field { nx = 3, ny = 3, dx = 1, value = 2 } end
local function spots()
  return ria.shapes { { polygon = { { 0, 0 }, { 2, 0 }, { 2, 2 } }, c = "a" },
    { point = { 1, 1 }, c = "a" } }
end
local function nothing() end
local function call(name, ...)
  local args = table.pack(...)
  return function(o) return o[name](o, table.unpack(args, 1, args.n)) end
end

-- The calls of each class by the name of the member; "make" and "free" are the object's own.
local classes = {
  ["ria.sim"] = {
    make = basin, free = function(o) o:close() end,
    set = call("set", "level", function(x) return #{ { x } } end), field = call("field", "level"),
    maximum = call("maximum", "level"), probe = call("probe", 15, 15),
    stats = call("stats", "level"),
    totals = call "totals", summary = call "summary", time = call "time",
    date = call "date", sun = call("sun", 8, 42), steps = call "steps",
    xy = call("xy", -9, 0), lonlat = call("lonlat", 5e5, 5), crs = call "crs",
    out = call "out", grid = call "grid", fields = call "fields", param = call("param", "manning"),
    run = call("run", 2), advance = call("advance", 1), step = call("step", 1),
    start = call "start",
    stop = call "stop", finish = call "finish", report = nothing, -- would print
    at = call("at", 2, { nothing, nothing }), every = call("every", 1, nothing, { start = 3 }),
    when = call("when", nothing, { nothing }, { every = 1 }),
    spill = call("spill", { tracer = "oil", x = 5, y = 5, mass = 1 }),
    cancel = function(o) o:cancel { o:at(5, nothing) } end,
    released = function(o) o:released(o:spill { tracer = "oil", x = 5, y = 5, mass = 1 }) end,
    boundary = function(o) pcall(o.boundary, o, "west", { kind = "open" }) end,
    flux = function(o) pcall(o.flux, o, "west", "oil") end,
    vary = call("vary", "wind_speed", { { 0, 1 }, { 1e9, 2 } }),
    gauge = call("gauge", { name = "quay", x = 5, y = 5, every = 1, fields = { "level" } }),
    film = function(o) pcall(o.film, o, { "level", name = "film.png" }) end,
    section = call("section", { name = "mouth", line = { { 5, 0 }, { 5, 9 } }, every = 1 }),
    relax = call("relax", { "west", width = 5, time = 1, level = 0 }),
    fit = function(o) pcall(o.fit, o, { "M2", every = 1 }) end,
    checkpoint = function(o) pcall(o.checkpoint, o, { every = 1 }) end,
    restarted = call "restarted",
    history = call("history", "pier", "level"), close = call "close",
    __tostring = tostring, __close = function(o) local _ <close> = o end,
  },
  ["ria.field3"] = {
    make = cube, free = function(o) o:free() end,
    get = call("get", 1, 1, 1), set = call("set", function(x) return #{ { x } } end),
    stats = call "stats", copy = call "copy", map = call("map", function(v) return #{ { v } } end),
    slice = call("slice", { z = 0.5 }), gradient = call "gradient",
    derivative = call("derivative", "x", { order = 2 }), laplacian = call "laplacian",
    min = call "min", max = call "max", sum = call "sum", mean = call "mean", rms = call "rms",
    free_ = call "free", __tostring = tostring, __close = function(o) local _ <close> = o end,
    __add = function(o) return o + o end, __sub = function(o) return o - o end,
    __mul = function(o) return o * o, 2 * o end, __unm = function(o) return -o end,
  },
  ["ria.field"] = {
    make = plane, free = nothing,
    get = call("get", 1, 1), set = call("set", 1, 1, 3), at = call("at", 1, 1), min = call "min",
    max = call "max", sum = call "sum", mean = call "mean", count = call "count",
    integral = call "integral", size = call "size", write = call("write", "guard.asc"),
    map = call("map", function(v) return #{ { v } } end),
    draw = call("draw", { path = "guard.png", title = "t", width = 64, height = 64 }),
    raise = call("raise", spots(), { by = 1 }),
    dig = call("dig", spots(), { bed = function() return 1 end }),
    paint = call("paint", spots(), { by = "c", table = { a = 1 } }), mask = call("mask", spots()),
    __tostring = tostring,
  },
  ["ria.shapes"] = {
    make = spots, free = nothing, __tostring = tostring, __len = function(o) return #o end,
    each = function(o) for f in o:each() do assert(f.kind) end end,
    values = call("values", "c"), share = function(o) o:share(plane()) end,
    where = function(o) o:where { c = "a" } o:where(function() return { {} } end) end,
  },
  ["ria.series"] = {
    make = function() return ria.series { { 0, 1 }, { 5, 2 } } end, free = nothing,
    at = call("at", 1), span = call "span",
  },
  ["ria.crs"] = {
    make = function() return ria.crs "EPSG:25829" end, free = nothing, __tostring = tostring,
    forward = call("forward", { -9, -8 }, { 42, 43 }), inverse = call("inverse", 5e5, 4e6),
  },
  ["ria.description"] = {
    make = function() return ria.frame "level" end, free = nothing, __tostring = tostring,
  },
  ["ria.csv"] = {}, ["ria.guard"] = {}, -- seen by nobody
}

-- Functions of the module, with a simulation and a field that are freed meanwhile.
local csv = assert(io.open("guard.csv", "w"))
csv:write "t,v\n0,1\n5,2\n"
csv:close()
local functions = {
  run_all = function(sim) return ria.run_all({ sim, basin() }, 3) end,
  sim = basin, crs = function() return ria.crs "EPSG:25829" end, field3 = cube, field = plane,
  curl = function(_, f) return ria.curl { f, f, f } end,
  divergence = function(_, f) return ria.divergence({ f, f, f }, { order = 2 }) end,
  dem = function() return pcall(ria.dem, { "none.asc", gap = 2 }) end,
  series = function() return ria.series "guard.csv", ria.series { { 0, 1 }, { 5, 2 } } end,
  columns = function() return ria.columns "guard.csv" end,
  tide = function() return ria.tide { M2 = { 1, 2 }, { speed = 3, amp = 1 } } end,
  inflow = function() return ria.inflow { from = { 0, 0 }, to = { 1, 0 }, q = 1 } end,
  spill = function() return ria.spill { tracer = "oil", x = 1, y = 1, mass = 1 } end,
  frame = function() return ria.frame { field = "level", range = { 0, 1 } } end,
  save = function() return ria.save { "level", "qx", precision = 1e-3 } end,
  csv = function() return ria.csv "guard.csv" end,
  shapes = function() return spots() end,
  nest = function() return pcall(ria.nest, "none") end,
  soundings = function() return pcall(ria.soundings, { "none.xyz", dx = 5 }) end,
  colormap = function() return ria.colormap "viridis" end,
  plot = function() return ria.plot { path = "guard.png", { { x = { 0, 1 }, y = { 0, 1 } } } } end,
  out = function() return ria.out() end,
  tide_state = function() return ria.tide_state("M2", "2026-07-14") end,
  tide_predict = function() return ria.tide_predict({ M2 = { 1, 2 } }, { "2026-07-14" }) end,
  tide_fit = function()
    return pcall(ria.tide_fit, { dates = { "2026-07-14" }, values = { 1 }, names = { "M2" } })
  end,
  sun = function() return ria.sun("2026-07-14", 8, 42) end,
  params = function() return pcall(ria.params, { n = 3, m = { 4, choices = { "a" } } }) end,
  tridiag = function(_, f) return pcall(ria.tridiag, { a = f, b = f, c = f, d = f }) end,
}

-- --- what runs meanwhile ------------------------------------------------------------------------

local tries, armed = 0, nil

-- From the n-th time that the collector comes a finaliser calls `free` each time it does.
local function arm(free, n)
  armed = free
  local function again()
    setmetatable({}, { __gc = function()
      if not armed then return end
      n = n - 1
      if n < 0 then
        tries = tries + 1
        pcall(free)
      end
      again()
    end })
  end
  again()
end

local function run_all_the_time()
  collectgarbage("incremental", 1, 1000, 1)
  collectgarbage "stop"
  collectgarbage "restart" -- forgets when the next cycle was due
end
local function run_seldom() collectgarbage("incremental", 200, 100, 13) end

local function try(what, make, free, work)
  for n = 0, 6 do
    collectgarbage()
    local sim, field, object = basin(), cube(), make and make()
    arm(function()
      if object then free(object) end
      sim:close()
      field:free()
    end, n)
    run_all_the_time()
    pcall(work, object or sim, field)
    armed = nil
    run_seldom()
    -- whatever became of the call, it does not hold the object any longer
    if object then
      local ok, message = pcall(free, object)
      assert(ok or message:find "is closed", what .. ": " .. tostring(message))
    end
  end
end

-- The methods behind __index, which may be a function that has them as an upvalue.
local function methods_of(index)
  while type(index) == "function" do index = select(2, debug.getupvalue(index, 1)) end
  return index or {}
end

local function sorted(t)
  local names = {}
  for name in pairs(t) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local internal = { __gc = true, __index = true, __name = true, __metatable = true }

local function members(class)
  local found = {}
  for name in pairs(class) do if not internal[name] then found[name] = true end end
  for name in pairs(methods_of(class.__index)) do found[name] = true end
  return sorted(found)
end

local metatables, seen = {}, 0
for class, mt in pairs(debug.getregistry()) do
  if type(class) == "string" and type(mt) == "table" and rawget(mt, "__name") == class then
    if class:find "^ria%." then metatables[class] = mt end
  end
end
for _, class in ipairs(sorted(metatables)) do
  local calls = assert(classes[class], "no calls for " .. class .. ": add them to this test")
  for _, name in ipairs(members(metatables[class])) do
    local work = calls[name == "free" and "free_" or name]
    assert(work, "no call of " .. class .. ":" .. name .. ": add one to this test")
    try(class .. ":" .. name, calls.make, calls.free, work)
    seen = seen + 1
  end
end
assert(seen > 60, seen .. " calls")

for _, name in ipairs(sorted(ria)) do
  if type(ria[name]) == "function" then
    local work = assert(functions[name], "no call of ria." .. name .. ": add one to this test")
    try("ria." .. name, nil, nil, work)
  end
end
assert(tries > 1000, tries .. " tries")
for _, name in ipairs { "guard.asc", "guard.png", "guard.csv" } do os.remove(name) end

-- --- what is said ------------------------------------------------------------------------------

-- What f says when it is called by `work`; the object must still be there, and free itself after.
local function said(expected, work, f)
  local message
  pcall(work, function(...)
    message = select(2, pcall(f))
    return ... and 1 or 0
  end)
  message = tostring(message):gsub("^.-:%d+: ", "")
  assert(message == expected, message)
  f()
end

local sim, field
local function close() sim:close() end
local function free() field:free() end

for _, name in ipairs { "run", "advance", "step" } do
  sim = basin()
  said("sim:close: the simulation cannot be closed while sim:" .. name .. " is at work", function(f)
    sim:every(0.01, f)
    sim[name](sim, 2)
  end, close)
end

sim = basin()
said("sim:close: the simulation cannot be closed while sim:set is at work",
  function(f) sim:set("level", f) end, close)

sim = basin()
said("sim:close: the simulation cannot be closed while sim:run is at work", function(f)
  sim:when(f, nothing, { every = 0.5 })
  sim:run(3)
end, close)

-- in a coroutine of an event
sim = basin()
said("sim:close: the simulation cannot be closed while sim:run is at work", function(f)
  sim:at(2, function() coroutine.wrap(f)() end)
  sim:run(3)
end, close)

-- in a finaliser, which Lua would turn into a warning: the simulation stays open
sim = basin()
said("sim:close: the simulation cannot be closed while sim:run is at work", function(f)
  sim:at(2, function()
    setmetatable({}, { __gc = f })
    collectgarbage()
    assert(sim:time() == 2)
  end)
  sim:run(3)
end, close)

-- at the end of a scope
sim = basin()
said("sim:close: the simulation cannot be closed while sim:run is at work", function(f)
  sim:at(2, f)
  sim:run(3)
end, function() local _ <close> = sim end)

for _, name in ipairs { "set", "map" } do
  field = cube()
  said("field3:free: the field cannot be freed while field3:" .. name .. " is at work",
    function(f) field[name](field, f) end, free)
end

-- --- what else may be pulled away --------------------------------------------------------------

-- The history of a gauge moves when the simulation runs on.
do
  local s = basin()
  s:run(20)
  arm(function() s:run(s:time() + 50) end, 0)
  run_all_the_time()
  local t, v = s:history("pier", "level")
  armed = nil
  run_seldom()
  assert(#t == #v and #t >= 20 and t[#t] == #t - 1, #t)
end

-- Callbacks run on the thread that runs, though a coroutine that is gone was here since.
do
  local s, n = basin(), 0
  s:every(1, function()
    coroutine.wrap(function() n = n + s:time() - s:time() + 1 end)()
    collectgarbage()
    collectgarbage()
  end)
  s:run(30)
  assert(n == 30, n)
end

-- Names in a table that somebody changes while it is read.
do
  run_all_the_time()
  for n = 0, 30 do
    local maxima, tracers, boundary = { "lev" .. "el" }, {}, {}
    for k = 1, 5 do tracers["tracer" .. k] = { unit = "unit" .. k } end
    for k = 1, 5 do
      boundary["stretch" .. k] = { kind = "open", from = { 0, k }, to = { 0, k + 1 } }
    end
    arm(function()
      maxima[1] = "le" .. "vel"
      for k = 1, 5 do
        if tracers["tracer" .. k] then tracers["tracer" .. k].unit = nil end
      end
      collectgarbage()
    end, n)
    pcall(ria.sim, { grid = { nx = 8, ny = 8, dx = 10 }, bed = -3, out = false, maxima = maxima,
      tracers = tracers, boundary = boundary })
    armed = nil
  end
  run_seldom()
end

-- A call that failed in a coroutine that nobody closes holds nothing.
do
  local s = basin()
  local thread = coroutine.create(function() s:set("level", function() error "no" end) end)
  assert(not coroutine.resume(thread))
  s:close()
end

-- Coroutines are resumed, wrapped and closed as Lua does it, though ria watches which one runs.
do
  local closed = 0
  local function held()
    local _ <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
    coroutine.yield(1)
    error { "inside" }
  end
  local thread = coroutine.create(held)
  assert(select(2, coroutine.resume(thread)) == 1)
  assert(coroutine.close(thread) and closed == 1 and coroutine.status(thread) == "dead")
  assert(not coroutine.resume(thread))
  thread = coroutine.create(held)
  assert(coroutine.resume(thread))
  local ok, why = coroutine.resume(thread)
  assert(not ok and why[1] == "inside" and closed == 1)
  ok, why = coroutine.close(thread)
  assert(not ok and why[1] == "inside" and closed == 2)
  local next = coroutine.wrap(held)
  assert(next() == 1)
  ok, why = pcall(next)
  assert(not ok and why[1] == "inside" and closed == 3)
  for _, name in ipairs { "resume", "close", "wrap" } do
    ok, why = pcall(coroutine[name], 5)
    assert(not ok and why:find "^bad argument #1 to '.*' %(.* expected", why)
  end
end
