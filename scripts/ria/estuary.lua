--- The ria of scenarios/ria_spill.lua and nested.lua: a drowned river valley of 21 km, made up
-- after those of north-west Spain, as a function of (x, y) that gives the bed in metres, z up.
--
--   local estuary = require "ria.estuary"
--   ria.sim { grid = { nx = 160, ny = 160, dx = estuary.size / 160 }, bed = estuary.bed(), ... }

local synth = require "ria.synth"

local km = 1000
local estuary = { size = 21e3 } -- m, along each side

-- The bed: a valley whose axis runs from the south-west corner to the river in the north-east.
--
--   along, across   km along and across the axis, bent by noise into coves and heads
--   half            half-width of the water, 22 km exp(-along / 9.5 km): a funnel
--   depth           of the thalweg, from 50 m at the sea to 3 m at the river
--
-- The valley's sides rise as |across / half|^1.7 to mean sea level; beyond are a bank of 6 m and
-- hills of some 230 m. Within 3 m of the level the slopes are drawn out to tidal flats. Eight
-- islands stand in it.
function estuary.bed()
  local seed = 300
  local function noise(width, octaves, layer)
    return synth.fbm { scale = width * km, octaves = octaves, seed = seed + layer }
  end
  local bend_x, bend_y = noise(5, 4, 0), noise(5, 4, 10)
  local ragged_x, ragged_y = noise(1.1, 3, 40), noise(1.1, 3, 50)
  local hills, rough = noise(3, 5, 20), noise(1.3, 4, 30)
  local c, s = math.cos(math.rad(39)), math.sin(math.rad(39))
  local islands = { -- x, y, half-widths in km; height in m
    { 5.2, 8.6, 1.5, 1.0, 75 }, { 9.3, 5.6, 0.9, 1.3, 55 }, { 10.6, 11.0, 1.1, 0.6, 34 },
    { 14.2, 11.0, 0.7, 0.5, 20 }, { 2.4, 4.6, 0.6, 0.5, 45 }, { 8.0, 9.4, 0.35, 0.35, 26 },
    { 6.4, 3.2, 0.4, 0.3, 38 }, { 3.2, 7.0, 0.3, 0.25, 40 },
  }

  return function(x, y)
    local bx, by = x / km + 2.6 * bend_x(x, y), y / km + 2.6 * bend_y(x, y)
    local along, across = bx * c + by * s, by * c - bx * s
    local meander = 1.6 * math.sin(along / 3.6) * math.min(1, along / 12) - 0.2
    local half = 0.22 + 22 * math.exp(-along / 9.5)
    local depth = 2.5 + 46 * math.exp(-along / 8.5)
    local off = math.abs(across - meander)

    local z
    if off < half then
      z = depth * ((off / half) ^ 1.7 - 1)
    else
      local bank = 6 * (1 - math.exp(-(off - half) / 0.25))
      local hill = 230 * (1 - math.exp(-((off - half) / 3.2) ^ 1.4))
      z = bank + hill * (0.7 + 0.7 * hills(x, y))
    end
    z = z - 0.72 * (z + 0.2) * math.exp(-((z + 0.2) / 3.2) ^ 2)
    z = z + (1.2 + 30 * synth.smoothstep(3, 60, z)) * rough(x, y)

    local ix, iy = x / km + 0.8 * ragged_x(x, y), y / km + 0.8 * ragged_y(x, y)
    for k = 1, #islands do
      local island = islands[k]
      local east = (ix - island[1]) / island[3]
      if east * east < 12 then -- most are too far away: this is asked once a cell and island
        local north = (iy - island[2]) / island[4]
        local r2 = east * east + north * north
        if r2 < 12 then z = z + (island[5] + 12) * math.exp(-1.2 * r2) end
      end
    end
    return z
  end
end

return estuary
