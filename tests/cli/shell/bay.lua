-- A run with all that a checkpoint has to do with: of continue.sh and ranks_continue.sh.
local ria = require "ria"
local p = ria.params { hours = 3, precision = "double", kick = 100 }
local sim = ria.sim {
  precision = p.precision,
  grid = { nx = 30, ny = 24, dx = 200 },
  bed = function(x) return -6 + 8 * (x / 6000) ^ 2 + 0.2 * math.random() end,
  tracers = { oil = { diffusion = "1 m2/s" }, dye = { decay = "1 1/d" } },
  init = { level = 0 },
  boundary = { west = ria.tide { M2 = { 1, 0 }, ramp = "1 h" }, north = "open" },
  maxima = { "level", "oil" }, budget = "10 min", start = "2026-07-14 06:00",
}
sim:checkpoint { every = "10 min" }
sim:every("30 min", ria.frame { field = "level", width = 160 })
sim:every("1 h", ria.frame { field = "oil", scale = "log", width = 160 })
sim:film { "oil", name = "oil.png" }
sim:every("45 min", ria.save { "level", "oil", precision = 1e-4 })
sim:every("2 h", ria.save { "qx", "dye", name = "exact" })
sim:gauge { name = "pier", x = 2000, y = 2000, every = "1 min" }
sim:gauge { name = "exactly", x = 3000, y = 2000, every = "7 min", exact = true }
sim:section { name = "mouth", line = { { 1000, 0 }, { 1000, 4800 } }, every = "10 min" }
sim:spill { tracer = "dye", x = 2000, y = 3000, radius = 600, rate = "0.5 kg/s", start = "30 min",
  duration = "1 h" }
local late = sim:at("2 h", function() error "was cancelled" end)
local count, last, handle, words = 0, 0, nil, { a = 3, bc = 1, def = 4, gh = 1, ij = 5 }
handle = sim:every("10 min", function(s)
  count, last = count + 1, math.random()
  if count == 10 then s:cancel(handle) s:cancel(late) end
  if count % 5 ~= 0 then return end
  for _, size in pairs(words) do
    s:spill { tracer = "oil", x = 2500 + 100 * size, y = 2000 + 1000 * last, radius = 400,
      mass = p.kick * last * size }
  end
end)
sim:when(function(s) return s:probe(2000, 2000, "level") > 0.5 end,
  function(s) s:boundary("west", ria.tide { M2 = { 0.8, 30 } }) end, { every = "5 min" })
sim:every("20 min", function(s)
  local field, sum = s:field "depth", 0
  for i = 0, 29 do sum = sum + field:get(i, 3) end
  s:set("dye", field:map(function(v) return v > 2 and sum * 1e-6 or 0 end))
  local until_then = os.clock() + 0.03 -- that signals may come while Lua runs
  while os.clock() < until_then do last = last + 0 end
end)
sim:run(p.hours * 3600)
sim:gauge { name = "after", x = 2000, y = 2000, every = "5 min" }
sim:run((p.hours + 0.5) * 3600)
local file = assert(io.open(sim:out() .. "/count.txt", "w"))
file:write(count, " ", last, " ", math.random(), "\n")
file:close()
