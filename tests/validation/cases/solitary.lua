local exact = require "ria.exact"

-- The problem of NTHMP's first benchmark: depth 1 m, a beach of 1:19.85, the crest half a wave before it.
local beach, high = 19.85, 0.0185
local k = math.sqrt(0.75 * high)
local crest = -beach - math.log(math.sqrt(20) + math.sqrt(19)) / k

-- Synolakis's (1987) solution of the nonlinear equations on the beach for a wave that comes in as on even
-- ground: the highest level of 2 integral A(k) exp(i k t) / (J0(2 k X) + i J1(2 k X)) dk. In closed form it is
-- 2.831 sqrt(cot b) (H/d)^(5/4), for waves that are short beside the beach: 2.5 % less here.
local function bessel(z)
  local j0, j1, n = 0, 0, 200
  for m = 1, n do
    local a = (m - 0.5) * math.pi / n
    j0, j1 = j0 + math.cos(z * math.sin(a)), j1 + math.cos(a - z * math.sin(a))
  end
  return j0 / n, j1 / n
end

local function exact_runup()
  local a, dk, best, terms = math.pi / (2 * k), 1e-3, 0, {}
  for m = 1, 1000 do
    local w = (m - 0.5) * dk
    local size = 2 * high * (a / math.pi) ^ 2 * w / (0.5 * (math.exp(a * w) - math.exp(-a * w)))
    local j0, j1 = bessel(2 * w * beach)
    local all = 4 * size * dk / (j0 * j0 + j1 * j1)
    terms[m] = { w, all * j0, all * j1 }
  end
  for t = 40, 70, 0.1 do
    local level = 0
    for _, b in ipairs(terms) do
      local phase = b[1] * (t + crest + beach)
      level = level + math.cos(phase) * b[2] + math.sin(phase) * b[3]
    end
    best = math.max(best, level)
  end
  return best
end

local function elevation(x)
  local c = math.exp(k * (x - crest))
  return high * 4 / (c + 1 / c) ^ 2
end

local flow = {
  title = "Solitary wave", lx = 76, x0 = -72, time = 22, smooth = true,
  params = { dry_depth = 1e-6 },
  boundary = { west = { kind = "open", slope = 0 } },
  bed = function(x) return math.max(-1, x / beach) end,
  state = function(x)
    local level = elevation(x)
    local h = math.max(level - math.max(-1, x / beach), 0)
    return h, h > 0 and level * math.sqrt(9.81) or 0, 0, 0
  end,
}

-- The highest level of water deeper than 0.1 mm.
local function runup(n, how)
  local sim = exact.start(flow, n, how)
  local best = -math.huge
  sim:every(0.1, function(s)
    local level, depth = s:field "level", s:field "depth"
    for i = n - 1, 0, -1 do
      if depth:get(i, 0) > 1e-4 then
        best = math.max(best, level:get(i, 0))
        break
      end
    end
  end)
  sim:run(flow.time)
  return best
end

return {
  title = "Run-up of a solitary wave",
  text = [[The first problem of NTHMP's benchmarks (BP01): a wave of 0.0185 of the depth on a beach of 1:19.85. Its
run-up as a part of the exact one (Synolakis 1987; R/d = 0.0883). 10, 20 and 40 cells a depth.]],
  sizes = { 760, 1520, 3040 },
  figures = { { "runup", "run-up, computed / exact", "1", more = true, plain = true } },
  demands = { { "second", "runup", n = 3040, least = 0.98 }, { "second", "runup", n = 3040, most = 1.02 } },
  measure = function(n, how) return { runup = runup(n, how) / exact_runup() } end,
}
