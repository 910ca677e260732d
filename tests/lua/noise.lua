-- ria.synth's noise, which is computed in C, beside the formula in Lua: the same bits everywhere.
require "ria"
local synth = require "ria.synth"

math.randomseed(20261121)

local function lattice(ix, iy, seed)
  local h = ix * 0x27d4eb2f165667c5 ~ iy * 0x165667b19e3779f9 ~ seed
  h = (h ~ (h >> 29)) * 0x3f58476d1ce4e5b9
  h = (h ~ (h >> 32)) * 0x14d049bb133111eb
  h = h ~ (h >> 29)
  return (h & 0xfffff) / 524287.5 - 1
end

local function scramble(seed) return seed * 0x2545f4914f6cdd1d end

local function noise(x, y, scrambled)
  local ix, iy = math.floor(x), math.floor(y)
  local u, v = x - ix, y - iy
  u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
  local sw, se = lattice(ix, iy, scrambled), lattice(ix + 1, iy, scrambled)
  local nw, ne = lattice(ix, iy + 1, scrambled), lattice(ix + 1, iy + 1, scrambled)
  local south, north = sw + (se - sw) * u, nw + (ne - nw) * u
  return south + (north - south) * v
end

local function fbm(o)
  return function(x, y)
    local sum, total = 0, 0
    for k = 1, o.octaves do
      local height, size = o.gain ^ (k - 1), o.scale / 2 ^ (k - 1)
      sum = sum + height * noise(x / size, y / size, scramble(o.seed + k))
      total = total + height
    end
    return sum / total
  end
end

local function same(a, b, ...)
  if string.pack("<d", a) ~= string.pack("<d", b) then
    error(("%a is not %a at (%.17g, %.17g), seed %d"):format(a, b, ...), 2)
  end
end

-- anywhere: near and far, on both sides of 0, with any seed
local function somewhere()
  local magnitude = 2.0 ^ math.random(-40, 62)
  return (2 * math.random() - 1) * magnitude
end
for _ = 1, 20000 do
  local x, y, seed = somewhere(), somewhere(), math.random(0)
  same(synth.noise(x, y, seed), noise(x, y, scramble(seed)), x, y, seed)
end

-- at the points of the lattice, just beside them, and at both ends of it
local special = {
  0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2, -3, 0x1p-1074, -0x1p-1074, -0x1p-60, 1 - 0x1p-53,
  -1 - 0x1p-52, 0x1p31, -0x1p31 - 0.5, 0x1p52 + 0.5, -0x1p52 - 1, 0x1p53, 1e18, -1e18,
  0x1p63 - 1024, -0x1p63,
}
for _, x in ipairs(special) do
  for _, y in ipairs(special) do
    for _, seed in ipairs { 0, 1, -1, math.maxinteger, math.mininteger } do
      same(synth.noise(x, y, seed), noise(x, y, scramble(seed)), x, y, seed)
    end
  end
end
same(synth.noise(0.3, 0.7), noise(0.3, 0.7, 0), 0.3, 0.7, 0)

-- octaves, along rows as a grid is sampled and here and there, two functions by turns
local options = {
  { scale = 1000, octaves = 4, gain = 0.5, seed = 1 },
  { scale = 333.3, octaves = 1, gain = 0.5, seed = -5 },
  { scale = 0.1, octaves = 7, gain = 0.63, seed = math.maxinteger },
  { scale = -40, octaves = 3, gain = -2, seed = 12 },
  { scale = 7e9, octaves = 24, gain = 1, seed = 300 },
}
same(synth.fbm()(123.4, 567.8), fbm(options[1])(123.4, 567.8), 123.4, 567.8, 1)
for k, o in ipairs(options) do
  local other = options[k % #options + 1]
  local f, g = synth.fbm(o), synth.fbm(other)
  local f_lua, g_lua = fbm(o), fbm(other)
  for j = -20, 20 do
    for i = -20, 20 do
      local x, y = (i + 0.5) * 21, (j + 0.5) * 17.3
      same(f(x, y), f_lua(x, y), x, y, o.seed)
      same(g(x, y), g_lua(x, y), x, y, other.seed)
    end
  end
  for _ = 1, 500 do
    local x, y = somewhere() / 0x1p40, somewhere() / 0x1p40
    same(f(x, y), f_lua(x, y), x, y, o.seed)
  end
end
assert(type(synth.fbm()) == "function")

-- a seed that is whole, however it is written
same(synth.noise(0.3, 0.7, 7.0), synth.noise(0.3, 0.7, 7), 0.3, 0.7, 7)

-- what has no noise says so where it is asked
local function says(text, f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok and message:find(text, 1, true), ("'%s' is not in: %s"):format(text, message))
end
for _, x in ipairs { 0 / 0, 1 / 0, -1 / 0, 0x1p63, -0x1p63 - 2048, 1e300 } do
  says("there is no noise at (", synth.noise, x, 0)
  says("there is no noise at (", synth.noise, 0, x)
  says("there is no noise at (", function() return (synth.fbm { scale = 1 }(x, 0)) end)
  says("there is no noise at (", function() return (synth.fbm { scale = 1 }(0, x)) end)
end
local flat = synth.fbm { scale = 0 }
local line = debug.getinfo(1, "l").currentline + 1
local function ask() return (flat(1, 1)) end
says(("noise.lua:%d: ria.synth: there is no noise at"):format(line), ask)
says("number expected, got no value", synth.fbm {}, 1)
says("number expected, got string", synth.fbm {}, 1, "east")
says("a seed must be a whole number", synth.noise, 1, 1, 1.5)
says("a seed must be a whole number", synth.fbm, { seed = 0.5 })
says("unknown key 'octavs'", synth.fbm, { octavs = 3 })
