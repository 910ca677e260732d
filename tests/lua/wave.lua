-- ria.wave: solitary and N-waves as formulas, at a boundary and at the start of a run; what Lua's
-- math lacks. And ria.csv.
local ria = require "ria"
local wave = require "ria.wave"
local check = require "shared.check"
local near, fails = check.near, check.fails_with

-- hyperbolic functions, to the last places also near 0 and far out
near(wave.cosh(1), 1.5430806348152437, 1e-15)
near(wave.sinh(1), 1.1752011936438014, 1e-15)
near(wave.tanh(0.5), 0.46211715726000976, 1e-16)
near(wave.sinh(1e-5) / 1.0000000000166667e-5, 1, 1e-15)
near(wave.tanh(-1e-8), -1e-8, 1e-23)
assert(wave.tanh(800) == 1 and wave.tanh(-800) == -1)

-- the solitary wave: height, speed, shape, and the water in it, 2 H / k for each m of crest
do
  local w = wave.solitary {height = 0.3, depth = 2, level = 1}
  local k = math.sqrt(0.75 * 0.3 / 8)
  near(w.speed, math.sqrt(9.81 * 2.3), 1e-12)
  near(w:elevation(0), 0.3, 1e-15)
  near(w:elevation(3), 0.3 / math.cos(0) / wave.cosh(3 * k) ^ 2, 1e-15)
  assert(w:elevation(1e6) == 0 and w:elevation(-1e6) == 0)
  local sum, dx = 0, 0.05
  for x = -200, 200, dx do sum = sum + w:elevation(x) * dx end
  near(sum, 2 * 0.3 / k, 1e-9)
  local points = w:series()
  near(points[1][2], 1, 0.3e-3 * 1.01)
  near(points[#points][1], 4 * w.lead, 1e-9)
  local at_crest = ria.series(points):at(w.lead)
  near(at_crest, 1.3, 1e-4)
  local u, level = w:velocity {x = 10}, w:surface {x = 10}
  near(level(10, 0), 1.3, 1e-15)
  near(u(10, 0) * 2.3, w.speed * 0.3, 1e-12)
  near(w:velocity {x = 10, towards = -1}(10, 0), -u(10, 0), 1e-15)
end

-- the N-wave: crest and trough of the same height, the trough first unless asked otherwise
do
  local w = wave.n_wave {height = 0.5, depth = 10}
  local high, low = 0, 0
  for x = -300, 300, 0.05 do
    high, low = math.max(high, w:elevation(x)), math.min(low, w:elevation(x))
  end
  near(high, 0.5, 1e-6)
  near(low, -0.5, 1e-6)
  assert(w:elevation(10) < 0 and w:elevation(-10) > 0, "the trough leads")
  assert(wave.n_wave {height = 0.5, depth = 10, leading = "crest"}:elevation(10) > 0)
  near(w.speed, math.sqrt(98.1), 1e-12)
end

fails("wave.solitary: depth is missing", wave.solitary, {height = 1})
fails("wave.solitary: unknown key 'hieght'", wave.solitary, {hieght = 1})
fails("wave.solitary: height = -1: it must be more than 0", wave.solitary, {height = -1, depth = 1})
fails("wave.solitary: height = 1 m: expected a number in SI", wave.solitary,
  {height = "1 m", depth = 1})
fails("wave.solitary: expected a table", wave.solitary, 3)
fails('wave.n_wave: leading = left: expected "trough" or "crest"', wave.n_wave,
  {height = 1, depth = 1, leading = "left"})
fails("wave.solitary: argument 2 is too many", wave.solitary, {height = 1, depth = 1}, 3)

-- In a channel: low waves keep their shape over a few lengths in any model of shallow water. What
-- comes in over the boundary is the wave's volume, and the crest travels with sqrt(g d).
do
  local depth, height, width = 10, 0.1, 5
  local w = wave.solitary {height = height, depth = depth}
  local nx, dx = 400, 5
  local sim = ria.sim {
    grid = {nx = nx, ny = 1, dx = dx, dy = width}, bed = -depth, init = {level = 0}, out = false,
    params = {cfl = 0.9},
    boundary = {
      west = {kind = "level", level = ria.series {hold = true, table.unpack(w:series())}},
    },
  }
  sim:gauge {name = "mid", x = 1000, y = 2, every = 0.5}
  sim:run(w.lead + 120)
  local water = sim:flux("west", "water")
  local volume = 2 * height / w.k * width
  near(water / volume, 1, 0.02)
  local t, level = sim:history("mid", "level")
  local crest = 1
  for k = 2, #level do if level[k] > level[crest] then crest = k end end
  near(t[crest], w.lead + 1000 / math.sqrt(9.81 * depth), 2.5)
  local top = level[crest] / height
  assert(top > 0.6 and top < 1.01, "the crest is " .. top)
end

-- The same wave from inside, running west: none of it runs the other way.
do
  local depth, height = 10, 0.1
  local w = wave.solitary {height = height, depth = depth}
  local sim = ria.sim {
    grid = {nx = 600, ny = 1, dx = 5}, bed = -depth, out = false,
    init = {level = w:surface {x = 1500, towards = -1}, u = w:velocity {x = 1500, towards = -1}},
  }
  sim:run(60)
  local east = 0
  for x = 1700, 2900, 10 do east = math.max(east, math.abs(sim:probe(x, 2, "level"))) end
  assert(east < 0.01 * height, "a wave of " .. east .. " m runs east")
  near(sim:probe(1500 - 60 * math.sqrt(9.81 * depth), 2, "level"), 0.8 * height, 0.2 * height)
end

-- ria.csv: where the table lies, columns of text, no text among numbers
do
  local path = os.tmpname()
  local function put(text)
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
  end
  put "Port authority\ntime,level,remark\ns,m,\n0,1.5,calm\n60,-2,\n"
  local t = ria.csv(path, {skip = 1, units = true})
  assert(t.rows == 2 and t.level[2] == -2 and t.units[2] == "m" and t.units[3] == "")
  assert(t.remark[1] == "calm" and t.remark[2] == "")
  near(ria.series {path = path, column = "level", skip = 1, units = true}:at(60), -2, 0)
  fails(":3: 's' in column 'time': not a number", ria.csv, path, {skip = 1})
  put "north,1\nsouth,2\n"
  t = ria.csv(path, {header = false})
  assert(t[1][2] == "south" and t[2][1] == 1 and t.names[1] == "")
  fails("did you mean 'header'", ria.csv, path, {haeder = false})
  fails("skip is 9", ria.csv, path, {skip = 9})
  fails("skip, header, units and unit go with a path", ria.series, {{0, 1}, {1, 2}, skip = 1})
  os.remove(path)
end
