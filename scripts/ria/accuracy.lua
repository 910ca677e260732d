-- accuracy.lua - error against seconds: what `ria bench accuracy` runs.
--
-- Four flows with exact solutions (ria.exact) on n, 2 n and 4 n cells along x, at each order of
-- shallow_water. Seconds are those of the steps alone, the fastest of three runs where they are
-- short.

local ria = require "ria"
local exact = require "ria.exact"

local p = ria.params {
  case = { "", help = "vortex, thacker, stoker or square; all if left out" },
  scale = { 1, help = "this many times the cells along a side", min = 0.1, max = 16 },
  precision = { "double", choices = { "double", "single" }, help = "of the numbers" },
  order = { 0, help = "1 or 2; both if left out", min = 0, max = 2 },
}

local cases = {
  { name = "vortex", n = 64, flow = exact.vortex {}, of = "h", what = "L1 of the depth, m" },
  { name = "thacker", n = 64, flow = exact.thacker_plane(), of = "h", what = "L1 of the depth, m" },
  { name = "stoker", n = 200, flow = exact.dam_break {}, of = "h", what = "L1 of the depth, m" },
  { name = "square", n = 90, flow = exact.square(), of = "dye", what = "L1 of the dye, m" },
}

-- Error and seconds.
local function once(case, n, order)
  local r = exact.run(case.flow, n, { precision = p.precision, params = { order = order } })
  local wall = r.sim:summary().wall
  r.sim:close()
  return r[case.of], wall
end

local function measure(case, n, order)
  local off, best = once(case, n, order)
  for _ = 1, best < 0.5 and 2 or 0 do
    local _, wall = once(case, n, order)
    best = math.min(best, wall)
  end
  return off, best
end

-- The coarsest grid on which the second order is no worse than the first on its finest.
local function compare(first, second)
  local fine = first[3]
  for _, row in ipairs(second) do
    if row.off <= fine.off then
      local said = "  order 2 on %d cells: %.2g of the error of order 1 on %d, in %.2g of its time"
      return said:format(row.n, row.off / fine.off, fine.n, row.wall / fine.wall)
    end
  end
  return "  order 2 is nowhere better than order 1 on its finest grid"
end

local function run(case)
  local found = {}
  print(("%s: %s"):format(case.name, case.what))
  for order = p.order > 0 and p.order or 1, p.order > 0 and p.order or 2 do
    local rows = {}
    found[order] = rows
    for k = 1, 3 do
      local n = math.floor(case.n * p.scale + 0.5) << (k - 1)
      local off, wall = measure(case, n, order)
      rows[k] = { n = n, off = off, wall = wall }
      local rate = k > 1 and math.log(rows[k - 1].off / off) / math.log(2)
      print(("  order %d %6d cells   error %.3e %-11s %9.4f s"):format(order, n, off,
        rate and ("(rate %.2f)"):format(rate) or "", wall))
    end
  end
  if found[1] and found[2] then print(compare(found[1], found[2])) end
end

local known = {}
for _, case in ipairs(cases) do
  known[#known + 1] = case.name
  if p.case == "" or p.case == case.name then
    run(case)
    known.done = true
  end
end
if not known.done then
  error(("bench accuracy: unknown case '%s': known are %s"):format(p.case,
    table.concat(known, ", ")), 0)
end
