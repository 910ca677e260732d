-- A simulation goes on in the directory of one that ended: its fields, gauges and what its events
-- have counted are those of a run that was never ended. What is done otherwise is refused.
local ria = require "ria"

local folder = "checkpoint.out"
assert(os.execute("rm -rf " .. folder))

local function basin(name, changes)
  changes = changes or {}
  local sim = ria.sim {
    grid = { nx = 24, ny = 16, dx = 50 }, bed = changes.bed or -4, tracers = { "dye" },
    init = { level = function(x) return 0.3 * math.cos(x / 300) end }, title = "basin",
    out = folder .. "/" .. name, resume = changes.resume, maxima = { "level" }, budget = 60,
  }
  local o = { sim = sim, seen = 0, told = {} }
  sim:checkpoint { every = "3 min", keep = 3 }
  sim:gauge { name = "pier", x = 300, y = 300, every = 10 }
  sim:every("1 min", function(s)
    o.seen = o.seen + s:stats("level").max
    o.told[#o.told + 1] = s:restarted() or 0
  end)
  sim:when(function(s) return s:probe(300, 300, "level") < 0 end, function(s)
    s:spill { tracer = "dye", x = 600, y = 400, radius = 100, mass = changes.mass or 5,
      duration = 400 }
  end, { every = 20 })
  return o
end

local function refused(words, f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok, "was not refused: " .. words)
  assert(tostring(message):find(words, 1, true), message)
end

local whole = basin "whole"
whole.sim:run "20 min"
assert(whole.sim:restarted() == nil)

local first = basin "parted"
first.sim:run "10 min"
first.sim:close()

local again = basin("parted", { resume = true })
assert(again.sim:restarted() == nil, "it has not come there")
again.sim:run "20 min"
assert(again.sim:restarted() == 600, again.sim:restarted())
assert(again.seen == whole.seen, "what an event has counted")
assert(#again.told == #whole.told and again.told[9] == 0 and again.told[13] == 600)
for _, name in ipairs { "level", "dye", "qx" } do
  local a, b = whole.sim:field(name), again.sim:field(name)
  for j = 0, 15 do
    for i = 0, 23 do
      assert(a:get(i, j) == b:get(i, j) or a:get(i, j) ~= a:get(i, j), name)
    end
  end
end
local t, v = whole.sim:history("pier", "level")
local t2, v2 = again.sim:history("pier", "level")
assert(#t == 121 and #t2 == #t, #t2)
for k = 1, #v do assert(v[k] == v2[k]) end
whole.sim:close()
again.sim:close()

local function text(name, file)
  local f = assert(io.open(("%s/%s/%s"):format(folder, name, file), "rb"))
  local all = f:read "a"
  f:close()
  return all
end
for _, file in ipairs { "gauges.csv", "budget.csv", "maxima/level.png" } do
  assert(text("whole", file) == text("parted", file), file)
end

-- done otherwise: before the run, and in it
refused("differs", function()
  local o = basin("parted", { resume = true, bed = -4.5 })
  o.sim:run "20 min"
end)
refused("cannot be continued", function()
  local o = basin("parted", { resume = true, mass = 6 })
  o.sim:run "20 min"
end)

-- nothing there yet: from the beginning
local new = basin("new", { resume = true })
new.sim:run "5 min"
assert(new.sim:restarted() == nil and #new.told == 6)
refused("before the run starts", new.sim.checkpoint, new.sim, { every = 60 })
new.sim:close()

refused("'evry'", function() basin("keys").sim:checkpoint { evry = 60 } end)
refused("out of range", function() basin("keep").sim:checkpoint { keep = 0 } end)
refused("checkpoints need", function()
  basin("none").sim:checkpoint { at_end = false }
end)
refused("an output directory", function()
  local sim = ria.sim { grid = { nx = 3, ny = 3, dx = 1 }, bed = -1, init = { level = 0 },
    out = false }
  sim:checkpoint()
end)

-- math.random begins alike in every process, and pairs goes in order
local order = {}
for name in pairs { gamma = 1, alpha = 1, [2] = 1, beta = 1, [1] = 1, delta = 1 } do
  order[#order + 1] = tostring(name)
end
assert(table.concat(order, " ") == "1 2 alpha beta delta gamma", table.concat(order, " "))
assert(math.random(1, 1 << 30) == 177966494, "seed")
