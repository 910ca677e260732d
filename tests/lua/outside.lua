-- Cells without data are left out of the domain: not filled, not shown, not counted.
local ria = require "ria"

local function land(_, x, y) if x > 300 and y > 200 then return nil end return -2 end
local dem = ria.field({nx = 40, ny = 30, dx = 10, value = 0}):map(land) -- no data in the north-east

local function lake(out)
  return ria.sim {grid = dem, outside = "wall", tracers = {"dye"}, init = {level = 0, dye = 1},
    boundary = {east = ria.tide {M2 = {0.2, 0}}}, maxima = {"level"}, out = out, overwrite = true}
end

local sim = lake "outside"
sim:every("1 min", {ria.frame "level", ria.save {"bed", "depth", "dye", precision = 1e-3}})
sim:gauge {name = "pier", x = 100, y = 100, every = 10}
sim:run "2 min"
assert(sim:stats("depth").n == 1100, sim:stats("depth").n)
for _, name in ipairs {"bed", "depth", "level", "qx", "dye", "dye_load"} do
  local f = sim:field(name)
  for i, j in ("0 0, 35 10, 35 25"):gmatch "(%d+) (%d+)" do
    local v, out = f:get(math.tointeger(i), math.tointeger(j)), i == "35" and j == "25"
    assert((v ~= v) == out, name .. " " .. i .. " " .. j)
  end
end
local crest = sim:maximum("level"):get(35, 25)
assert(crest ~= crest)
sim:finish()
local report = io.open("outside/run.json"):read "a"
assert(report:find('"outside": "wall",%s*"cells_inside": 1100'), report)

local function says(f, text)
  local ok, message = pcall(f)
  assert(not ok and message:find(text, 1, true), message)
end
says(function() sim:probe(355, 255, "level") end,
  "sim:probe: (355, 255) lies outside the domain: the bed has no value there")
says(function() sim:gauge {name = "hill", x = 355, y = 255, every = 1} end,
  "sim:gauge: gauge 'hill': (355, 255) lies outside the domain: the bed has no value there")
says(function() sim:spill {tracer = "dye", x = 355, y = 255, mass = 1} end,
  "spill 'dye': (355, 255) lies outside the domain: the bed has no value there")
says(function()
  ria.sim {grid = dem, outside = "wall", out = false,
    boundary = {river = ria.inflow {from = {400, 210}, to = {400, 300}, q = 1}}}
end, "boundary 'river' lies outside the domain: the bed has no value in any of its cells")
says(function() ria.sim {grid = dem, out = false} end,
  "'bed' has no data in 100 of 1200 cells, the first (30, 20) at (305, 205): leave them out of" ..
  ' the domain (outside = "wall"), or give them a height (ria.dem: gap = 20 closes holes')
says(function()
  ria.sim {solver = "sediment", grid = {nx = 4, ny = 4, dx = 1}, outside = "wall", out = false}
end, "solver 'sediment' cannot leave cells out of the domain: outside needs one with a bed that " ..
  "stays as it is")
