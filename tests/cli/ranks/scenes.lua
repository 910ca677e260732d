-- scenes.lua - random scenes of a solver, one after another: each leaves its files in OUT/<seed>, and prints what a script
-- can ask. Whatever the ranks and cuts, all of it is the same, to the byte.
--   ria run scenes.lua solver=adi seeds=1,5,9 rows=3
local ria = require "ria"
local p = ria.params { solver = "shallow_water", seeds = "1", rows = 1, out = "scenes" }

local R = {}
R.__index = R
local function random(seed) return setmetatable({ s = seed * 7919 + 17 }, R) end
function R:bits()
  self.s = (self.s * 6364136223846793005 + 1442695040888963407)
  return (self.s >> 33) & 0x3fffffff
end
function R:real(a, b) return a + (b - a) * (self:bits() / 0x40000000) end
function R:int(a, b) return a + self:bits() % (b - a + 1) end
function R:one(...) return (select(self:int(1, select("#", ...)), ...)) end
function R:chance(x) return self:real(0, 1) < x end

-- ground with basins and hills, some of it dry all over
local function ground(r, lx, ly)
  local a, b, c = r:real(0.5, 3), r:real(-1, 1), r:real(-1, 1)
  local f, g, tilt = r:real(1, 5), r:real(1, 5), r:chance(0.3) and r:real(4, 12) or 0
  return function(x, y)
    return -2.5 + a * math.sin(f * x / lx + b) * math.cos(g * y / ly + c) + tilt * (y / ly) ^ 3
  end
end

-- a stretch of a side, of the west most often: those that cuts go through
local function stretch(r, nx, ny, dx, values)
  local west = values.west or r:chance(0.7)
  values.west = nil
  local n, d = west and ny or nx, dx
  local a = r:int(0, n - 1)
  local b = r:int(a + 1, n)
  values.from = west and { 0, a * d } or { a * d, 0 }
  values.to = west and { 0, b * d } or { b * d, 0 }
  return ria.inflow(values)
end

local scene = {}

function scene.water(r, s, g)
  local adi = p.solver == "adi"
  local lx, ly = g.nx * g.dx, g.ny * g.dx
  s.bed = ground(r, lx, ly)
  if not adi and r:chance(0.2) then
    s.outside = "wall"
    local bed, cx = s.bed, r:real(0.3, 0.7) * lx
    s.bed = ria.field { nx = g.nx, ny = g.ny, dx = g.dx, value = bed }:map(function(v, x, y)
      if x < 2 * g.dx or (x - cx) ^ 2 + (y - ly / 2) ^ 2 < 0.2 * (lx ^ 2 + ly ^ 2) then return v end
    end)
  end
  local h, k = r:real(0, 0.4), r:real(1, 9)
  s.init = { level = function(x, y) return h * math.sin(k * x / lx + y / ly) end }
  s.params = { manning = r:one(0.01, 0.03), latitude = r:one(0, 45), order = r:int(1, 2) }
  s.params.wind_speed = r:one(0, 0, 12)
  s.params.wind_from = r:real(0, 360)
  s.params.smagorinsky = r:one(0, 0, 0.3)
  if adi then s.params.courant = r:one(1, 4) end
  if r:chance(0.3) then
    s.params.manning = 0.02
    s.init.manning = function(x, y) return 0.02 + 0.01 * math.sin(x + 3 * y) end
  end
  if r:chance(0.7) then s.tracers = { dye = { diffusion = r:one(0, 0.5), decay = r:one(0, 1e-3) } } end
  if s.tracers and r:chance(0.3) then s.tracers.salt, s.init.salt = {}, function(_, y) return y / ly end end
  s.boundary = {
    south = r:one("wall", "open"),
    north = r:chance(0.5) and { kind = r:one("level", "radiate"), level = ria.tide { M2 = { r:real(0.1, 0.5), r:int(0, 360) } } } or "wall",
    east = not s.outside and "open" or nil,
  }
  local ring = not s.outside and r:chance(0.25)
  if ring then s.boundary.south, s.boundary.north = "periodic", "periodic" end
  if r:chance(0.7) then s.boundary.brook = stretch(r, g.nx, g.ny, g.dx, { q = r:real(0.5, 5), west = s.outside ~= nil or ring }) end
  local function point(at)
    return { at = at, M2 = { r:real(0.1, 0.3), r:int(0, 360) }, S2 = { r:real(0, 0.2), r:int(0, 360) } }
  end
  if not s.outside and r:chance(0.4) then
    s.boundary[ring and "west" or r:one("west", "west", "north")] = ria.tide { point(0), point(r:real(0.2, 0.7)), point(1), ramp = "1 min" }
  end
  s.maxima = { "level", "speed" }
  return { "level", "u", "v", s.tracers and "dye" or "depth" }
end

function scene.diffusion(r, s, g)
  local lx, ly = g.nx * g.dx, g.ny * g.dx
  local k = r:real(1, 9)
  s.init = { u = function(x, y) return math.sin(k * x / lx) + y / ly end }
  s.params = { diffusivity = r:real(0.5, 2), safety = r:one(0.5, 0.9), steps_per_pass = r:one(0, 1, 3) }
  if r:chance(0.5) then s.init.diffusivity = function(x, y) return 1 + 0.5 * math.sin(x * y) end end
  if r:chance(0.5) then s.init.source = function(x) return x > lx / 2 and 0.01 or 0 end end
  if r:chance(0.4) then
    s.boundary = { south = "periodic", north = "periodic", west = r:one("open", "fixed") }
  else
    s.boundary = { south = { kind = "value", u = 1 }, north = r:one("open", "fixed"), west = "open" }
    if r:chance(0.6) then s.boundary.part = stretch(r, g.nx, g.ny, g.dx, { kind = "flux", q = 0.3 }) end
  end
  s.maxima = { "u" }
  return { "u" }
end

function scene.sediment(r, s, g)
  local lx, ly = g.nx * g.dx, g.ny * g.dx
  local a, k = r:real(1, 5), r:real(1, 6)
  s.init = {
    height = function(x, y) return 5 - 10 * x / lx + a * math.sin(k * y / ly) end,
    sand = function(x, y) return 0.5 + 0.4 * math.sin(x / lx + k * y / ly) end,
  }
  s.params = { alpha = r:real(0.1, 1), beta = r:real(0.1, 2), marine_alpha = r:one(1, 0.2), dt_min = 1e-3 }
  s.boundary = { east = r:one("open", "closed"), north = r:one("open", "closed") }
  if r:chance(0.8) then s.boundary.river = stretch(r, g.nx, g.ny, g.dx, { kind = "flux", sand = 0.3, mud = 0.2 }) end
  return { "height", "sand" }
end

local function outputs(r, sim, fields, g, t)
  sim:every(t / 3, ria.save { fields[1], fields[2], precision = r:one(0, 1e-5), level = r:one(0, 1, 1, 4), tile = r:one(16, 17, 40) })
  sim:every(t / 2, ria.save { fields[#fields], name = "more", tile = 16 })
  sim:every(t / 2, ria.frame { field = fields[1], width = 96 })
  for k = 1, 3 do
    local x, y = (r:int(1, g.nx) - 0.5) * g.dx, (r:int(1, g.ny) - 0.5) * g.dx
    if pcall(sim.probe, sim, x, y, fields[1]) then
      sim:gauge { name = "g" .. k, x = x, y = y, every = t / r:int(2, 9), exact = k == 2 }
    end
  end
end

local function spills(r, sim, s, g, t)
  local lx, ly = g.nx * g.dx, g.ny * g.dx
  for _ = 1, s.tracers and 2 or 0 do
    local spill = { tracer = "dye", x = r:real(0.2, 0.8) * lx, y = r:real(0.2, 0.8) * ly, radius = r:real(0, 0.4) * ly, mass = 3 }
    if r:chance(0.5) then spill.duration = t / 3 end
    pcall(sim.spill, sim, spill) -- on dry ground it cannot be, and no rank has it then
  end
end

local function tell(sim, fields)
  print(sim:time(), sim:steps())
  for _, f in ipairs(fields) do
    local st = sim:stats(f)
    print(f, st.min, st.max, st.sum, st.n)
  end
  local totals, names = sim:totals(), {}
  for name in pairs(totals) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local of = totals[name]
    print(name, of.stored, of.inflow, of.outflow, of.sources)
  end
end

local function run(seed)
  local r = random(seed)
  local g = { nx = r:int(1, 45), ny = math.max(p.rows, r:one(r:int(1, 9), r:int(8, 60), r:int(20, 60))), dx = 10 }
  local s = { solver = p.solver, grid = g, precision = r:one("double", "double", "single"), out = p.out .. "/" .. seed }
  local fields = (scene[p.solver] or scene.water)(r, s, g)
  local sim = ria.sim(s)
  local t = p.solver == "sediment" and 300 or p.solver == "diffusion" and 200 or 20
  outputs(r, sim, fields, g, t)
  spills(r, sim, s, g, t)
  sim:every(t / 2, function(x) tell(x, fields) end)
  if r:chance(0.4) then
    sim:at(t / 4, function(x)
      local f = fields[1]
      local old = x:field(f)
      x:set(f, function(px, py)
        local v = old:at(px, py)
        return v == v and v + 0.01 * math.sin(px + py) or -100 -- a dry cell has no level
      end)
    end)
  end
  local well, why = pcall(sim.run, sim, t)
  print(seed, g.nx, g.ny, well, why)
  tell(sim, fields)
end

for seed in p.seeds:gmatch "%d+" do run(tonumber(seed)) end
