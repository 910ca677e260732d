--- Synthetic terrain: functions of (x, y) in metres that give bed elevations in metres, z up.
--
-- The same arguments give the same terrain every time. The noise in it has the same bits on every
-- machine.
--
--   local synth = require "ria.synth"
--   local ria_bed = synth.valley { mouth = {3e3, 3e3}, head = {22e3, 30e3} }
--   ria.sim { bed = ria_bed, ... }
--
-- The builders return plain functions, so that they can be added, cut and mixed by hand.

local noise = require "ria.noise" -- in C (bindings/lua/noise.c): it is asked many times a cell

local synth = {}

local exp, sqrt, abs, sin, pi = math.exp, math.sqrt, math.abs, math.sin, math.pi
local tointeger = math.tointeger

local function check(options, known, name)
  for key in pairs(options) do
    if known[key] == nil then
      local names = {}
      for other in pairs(known) do names[#names + 1] = other end
      table.sort(names)
      error(("synth.%s: unknown key '%s': one of %s"):format(name, tostring(key),
        table.concat(names, ", ")), 4)
    end
  end
end

-- Options with defaults; a key that has no default is an error at the caller's line.
local function with_defaults(options, defaults, name)
  if type(options) ~= "table" then
    error(("synth.%s: expected a table { key = value }, not a %s"):format(name, type(options)), 3)
  end
  check(options, defaults, name)
  local all = {}
  for key, value in pairs(defaults) do all[key] = value end
  for key, value in pairs(options) do all[key] = value end
  return all
end

--- 0 below a, 1 above b, a smooth S between.
function synth.smoothstep(a, b, x)
  local t = (x - a) / (b - a)
  if t <= 0 then return 0.0 end
  if t >= 1 then return 1.0 end
  return t * t * (3 - 2 * t)
end

--- From a to b as t goes from 0 to 1.
function synth.mix(a, b, t) return a + (b - a) * t end

--- The greater of a and b, rounded off over a height k.
function synth.smooth_max(a, b, k)
  local t = 0.5 + 0.5 * (a - b) / k
  if t <= 0 then return b end
  if t >= 1 then return a end
  return b + (a - b) * t + k * t * (1 - t)
end

--- The smaller of a and b, rounded off over a height k.
function synth.smooth_min(a, b, k) return -synth.smooth_max(-a, -b, k) end

-- The seed as the lattice wants it.
local function scramble(seed)
  return (tointeger(seed) or error("synth: a seed must be a whole number", 3)) * 0x2545f4914f6cdd1d
end

--- Value noise: smooth bumps of size 1, in [-1, 1]; x and y below 2^63, in magnitude.
function synth.noise(x, y, seed) return noise.at(x, y, scramble(seed or 0)) end

--- Rough ground: octaves of noise, each half as wide and `gain` times as high as the last.
-- scale: size of the largest bumps, m. The result stays in [-1, 1].
function synth.fbm(options)
  local o = with_defaults(options or {}, {scale = 1000, octaves = 4, gain = 0.5, seed = 1}, "fbm")
  local layers, total = {}, 0
  for k = 1, o.octaves do
    local height = o.gain ^ (k - 1)
    layers[k] = {size = o.scale / 2 ^ (k - 1), height = height, seed = scramble(o.seed + k)}
    total = total + height
  end
  return noise.sum(layers, total)
end

--- A bell-shaped hill (or hole, with a negative height).
function synth.hill(options)
  local o = with_defaults(options, {x = 0, y = 0, height = 10, radius = 500}, "hill")
  return function(x, y)
    local dx, dy = (x - o.x) / o.radius, (y - o.y) / o.radius
    return o.height * exp(-(dx * dx + dy * dy))
  end
end

-- The same for use in here, several times a cell: nothing counts their arguments.
local smoothstep, mix, bumps = synth.smoothstep, synth.mix, synth.noise
local smooth_max, smooth_min = synth.smooth_max, synth.smooth_min

--- Raise islands out of a bed: each {x, y, radius =, top =}. Where an island stands the bed rises
-- smoothly to `top` (m above datum); a radius and a half away it is as it was.
function synth.islands(bed, list)
  return function(x, y)
    local z = bed(x, y)
    for k = 1, #list do
      local island = list[k]
      local dx, dy = x - island[1], y - island[2]
      local radius = island.radius or 400
      local r = sqrt(dx * dx + dy * dy) / radius
      r = r * (1 + 0.45 * bumps(x / radius, y / radius, k)) -- not a disc
      if r < 1.5 then
        local w = 1 - smoothstep(0.3, 1.5, r)
        z = mix(z, smooth_max(z, island.top or 15, 1), w)
      end
    end
    return z
  end
end

local valley_defaults = {
  mouth = {3e3, 3e3}, head = {22e3, 30e3}, -- ends of the axis, m
  mouth_width = 15e3, head_width = 300,    -- half width of the channel there, m
  taper = 1.4,                             -- how it narrows: 1 = evenly, more = early
  mouth_depth = 55, head_depth = 2.5,      -- depth of the thalweg below datum, m
  bend = 1500, bends = 1.5,                -- how far the axis swings to its sides (m), how often
  flats = 0.25,                            -- width of the tidal flats, of the channel's half width
  flat_low = -1.2, flat_high = 1.4,        -- elevation at their seaward and landward edge, m
  hills = 180, hill_scale = 2500,          -- height of the land and how far inland it is reached, m
  coves = 0.6, coves_scale = 5000,         -- reach of capes and coves, of the width; their size, m
  rough = 1.0,                             -- unevenness of the sea bed, m
  seed = 7,
}

--- A drowned river valley (a ria): a funnel that narrows and shoals from the sea to the river.
--
-- Along the axis, s = 0 at the mouth and 1 at the head:
--   half width  head_width + (mouth_width - head_width) (1 - s)^taper
--   depth       head_depth + (mouth_depth - head_depth) (1 - s)^1.5
-- Seaward of the mouth both go on growing; beyond the head the river keeps its width and depth.
-- Across the axis, r = distance / half width:
--   r < 1                 the channel: a parabola from the thalweg up to flat_low
--   1 < r < 1 + flats     tidal flats: a gentle slope from flat_low to flat_high
--   beyond                land, rising by `hills` over some hill_scale, with rough ground
--
-- Returns the bed as a function, and an object to place things by:
--   valley.axis(s) -> x, y    valley.half_width(s)    valley.depth(s)
function synth.valley(options)
  local o = with_defaults(options or {}, valley_defaults, "valley")
  local ax, ay = o.head[1] - o.mouth[1], o.head[2] - o.mouth[2]
  local length = sqrt(ax * ax + ay * ay)
  ax, ay = ax / length, ay / length
  local ground = synth.fbm {scale = o.hill_scale, octaves = 5, seed = o.seed}
  local shore = synth.fbm {scale = o.coves_scale, octaves = 4, seed = o.seed + 100}

  local valley = {}

  local function swing(s) -- sideways, m; none at the ends
    if s <= 0 or s >= 1 then return 0 end
    return o.bend * sin(pi * s) * sin(2 * pi * o.bends * s)
  end

  function valley.half_width(s)
    if s >= 1 then return o.head_width end
    return o.head_width + (o.mouth_width - o.head_width) * (1 - s) ^ o.taper
  end

  function valley.depth(s)
    if s >= 1 then return o.head_depth end
    if s <= 0 then return o.mouth_depth * (1 - 0.6 * s) end
    return o.head_depth + (o.mouth_depth - o.head_depth) * (1 - s) ^ 1.5
  end

  function valley.axis(s)
    local n = swing(s)
    return o.mouth[1] + s * length * ax - n * ay, o.mouth[2] + s * length * ay + n * ax
  end

  local function bed(x, y)
    local dx, dy = x - o.mouth[1], y - o.mouth[2]
    local s = (dx * ax + dy * ay) / length
    local w = valley.half_width(s)
    local n = abs(-dx * ay + dy * ax - swing(s))
    local r = n / w * (1 + o.coves * shore(x, y) * smoothstep(0.3, 1.0, n / w))
    local edge = 1 + o.flats
    if r < 1 then
      local thalweg = -valley.depth(s)
      return mix(thalweg, o.flat_low, r * r) + o.rough * ground(x * 3, y * 3) * (1 - r)
    end
    if r < edge then return mix(o.flat_low, o.flat_high, (r - 1) / o.flats) end
    local inland = (r - edge) * w
    local rise = 1 - exp(-inland / o.hill_scale)
    return o.flat_high + o.hills * rise * (0.75 + 0.5 * ground(x, y))
  end

  valley.bed = bed
  return bed, valley
end

--- Where two terrains meet the lower one wins, rounded off: valleys that join.
function synth.join(a, b, k)
  k = k or 5
  return function(x, y) return smooth_min(a(x, y), b(x, y), k) end
end

return require "ria.strict" ("synth", synth)
