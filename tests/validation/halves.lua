-- halves.lua - convergence without an exact solution: a run against one on cells half as long.
local exact = require "ria.exact"

-- Depth and load of the dye, from the west.
local function row(f, n, how)
  local sim = exact.start(f, n, how)
  sim:run(f.time)
  local depth, load, out = sim:field "depth", sim:field "dye_load", {}
  for i = 0, n - 1 do out[i + 1] = { depth:get(i, 0), load:get(i, 0) } end
  sim:close()
  return out
end

-- measure() of a case: how far a run of the channel f on n cells is from the means of one on 2 n, where
-- f.around says. Runs are kept for the next n.
return function(f)
  local known = {}
  local function run(n, how)
    local key = ("%s %s %d"):format(how.scheme, how.precision, n)
    known[key] = known[key] or row(f, n, how)
    return known[key]
  end
  return function(n, how)
    local coarse, fine = run(n, how), run(2 * n, how)
    local h, dye, count = 0, 0, 0
    for i = 1, n do
      if f.around((f.x0 or 0) + (i - 0.5) * f.lx / n) then
        local a, b, c = coarse[i], fine[2 * i - 1], fine[2 * i]
        h = h + math.abs(a[1] - 0.5 * (b[1] + c[1]))
        dye = dye + math.abs(a[2] - 0.5 * (b[2] + c[2]))
        count = count + 1
      end
    end
    return { h = h / count, dye = dye / count }
  end
end
