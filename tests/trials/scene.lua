-- scene.lua - what trials end and continue: a run of any solver with everything that it can leave
-- behind. Each word of a script is in it whose state could be lost: frames with a range of their
-- first, plain ones, two stores, gauges between steps and on them, a section, maxima, a budget,
-- releases at once and over a time, series, a tide that an event exchanges, `when`, handles that
-- are cancelled, random numbers, fields read and set.
--   ria run scene.lua solver=adi order=1 precision=single
local ria = require "ria"
local p = ria.params {
  solver = "shallow_water",
  order = 2,
  precision = "double",
  cells = { 36, help = "cells from west to east" },
  parts = { 6, help = "the run is so many times as long as 20 checkpoints lie apart" },
  keep = { 2, help = "checkpoints that are kept" },
}
local water = p.solver == "shallow_water" or p.solver == "adi"
local nx, ny, dx = p.cells, p.cells * 3 // 4, 100
local lx, ly = nx * dx, ny * dx
local part = water and 1800 or p.solver == "sediment" and 40 or 4e4 -- s
local T = p.parts * part

local s = {
  solver = p.solver,
  precision = p.precision,
  grid = { nx = nx, ny = ny, dx = dx },
  title = "trial",
  budget = part / 3,
}
local fields
if water then
  s.params = { order = p.order, manning = 0.025, wind_speed = 6, smagorinsky = 0.1 }
  if p.solver == "adi" then s.params = { courant = 3, manning = 0.025 } end
  s.bed = function(x, y) return -5 + 7 * (x / lx) ^ 2 + math.sin(y / 700) + 0.2 * math.random() end
  s.init = { level = 0 }
  s.tracers = { oil = { diffusion = "1 m2/s" }, dye = { decay = "1 1/d" } }
  s.boundary = {
    west = ria.tide { M2 = { 1, 0 }, S2 = { 0.3, 40 }, ramp = "30 min" },
    brook = ria.inflow {
      from = { 0.4 * lx, 0 }, to = { 0.5 * lx, 0 }, q = ria.series { { 0, 1 }, { T, 6 } },
    },
    north = "open",
  }
  s.start = "2026-07-14 06:00"
  s.maxima = { "level", "oil" }
  fields = { "level", "oil", "qx", "dye" }
elseif p.solver == "diffusion" then
  s.params = { diffusivity = 0.5, dt = part / 150 }
  s.init = { u = function(x, y) return math.sin(9 * x / lx) + y / ly + 0.1 * math.random() end }
  s.boundary = {
    south = { kind = "value", u = ria.tide { M2 = { 1, 0 } } }, west = "fixed", north = "open",
  }
  s.maxima = { "u" }
  fields = { "u", "source", "u", "source" }
else
  s.params = { alpha = 1, beta = 0.5, marine_alpha = 0.2, dt_min = 1e-3, dt_max = part / 150 }
  s.init = {
    height = function(x, y) return 4 - 10 * x / lx + math.sin(y / 300) + math.random() end,
    sand = function(x) return 0.5 + 0.4 * math.sin(x / 400) end,
  }
  s.boundary = {
    east = "open",
    river = ria.inflow {
      kind = "flux", from = { 0, 0.4 * ly }, to = { 0, 0.6 * ly }, sand = 30, mud = 20,
    },
  }
  s.maxima = { "height" }
  fields = { "height", "sand", "thickness", "sand" }
end

local sim = ria.sim(s)
local kept = { turns = 0 }
sim:checkpoint { every = part / 20, keep = p.keep }
sim:every(part, ria.frame { field = fields[1], width = 120 })
sim:every(part / 2, ria.frame { field = fields[2], width = 96, plain = true })
sim:every(part * 0.7, ria.save { fields[1], fields[2], precision = 1e-4, tile = 16 })
sim:every(part * 1.5, ria.save { fields[3], fields[4], name = "exact" })
sim:gauge { name = "pier", x = 0.3 * lx, y = 0.4 * ly, every = part / 30 }
sim:gauge { name = "exactly", x = 0.5 * lx, y = 0.4 * ly, every = part / 7, exact = true }
if water then
  sim:section { name = "mouth", line = { { 0.2 * lx, 0 }, { 0.2 * lx, ly } }, every = part / 6 }
end

local handle, words, last = nil, { a = 3, bc = 1, def = 4, gh = 1 }, 0
local late = sim:at(T * 0.9, function() error "was cancelled" end)
local function release(k, size)
  if water then
    sim:spill {
      tracer = "oil", x = (0.3 + 0.05 * size) * lx, y = (0.3 + 0.3 * last) * ly, radius = 300,
      mass = 100 * last + k,
    }
  elseif p.solver == "diffusion" then
    local at = size / 10
    sim:set("source", function(x, y) return x > at * lx and y < last * ly and k * 1e-6 or 0 end)
  else
    sim:set("sea_level", math.sin(k) + 0.1 * last * size)
  end
end
handle = sim:every(part / 4, function(now)
  kept.turns = kept.turns + 1
  last = math.random()
  if kept.turns == 4 * p.parts - 1 then now:cancel(handle) end
  if kept.turns == 3 then now:cancel(late) end
  for _, size in pairs(words) do release(kept.turns, size) end
end)
sim:every(part * 0.6, function(now)
  local field, sum = now:field(fields[1]), 0
  for i = 0, nx - 1 do sum = sum + field:get(i, 3) end
  if not water then return end
  local more = 1e-3 * math.abs(sum)
  now:set("dye", now:field("dye"):map(function(v, x) return x > 0.6 * lx and v + more or v end))
end)
if water then
  sim:spill {
    tracer = "dye", x = 0.4 * lx, y = 0.6 * ly, radius = 400, rate = "0.5 kg/s",
    start = 0.6 * part, duration = 1.7 * part,
  }
  sim:when(function(now) return now:probe(0.3 * lx, 0.4 * ly, "level") > 0.3 end,
    function(now) now:boundary("west", ria.tide { M2 = { 0.8, 30 } }) end, { every = part / 8 })
else
  sim:when(function(now) return now:stats(fields[1]).max > 1 end, function(now)
    now:at(now:time() + part / 5, ria.frame { field = fields[1], name = "late", width = 96 })
  end, { every = part / 8 })
end
sim:run(T * 0.8)
sim:gauge { name = "after", x = 0.3 * lx, y = 0.4 * ly, every = part / 10 }
sim:run(T)
local file = assert(io.open(sim:out() .. "/turns.txt", "w"))
file:write(kept.turns, " ", last, " ", math.random(), " ", sim:stats(fields[1]).sum, "\n")
file:close()
