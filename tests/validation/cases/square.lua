local exact = require "ria.exact"

-- Cells across the western front, in the row through the middle.
local function front(sim, n)
  local dye, count = sim:field "dye", 0
  local j = math.floor(140 * n / 180)
  for i = 0, j do
    local c = dye:get(i, j)
    if c > 0.1 and c < 0.9 then count = count + 1 end
  end
  return count
end

return {
  title = "Square of dye",
  text = [[A square of dye of 40 x 40 cells (on 180) that a uniform current carries over 100 cells along the diagonal:
the L1 error as a part of all the dye, and the cells across a front (between 0.1 and 0.9).]],
  sizes = { 90, 180, 360 }, quick = 1,
  figures = {
    { "dye", "dye", "1" }, { "front", "cells across a front", "1", plain = true, slack = 1 },
  },
  demands = { { "second", "dye", n = 180, most = 0.22 }, { "second", "front", n = 180, most = 6 } },
  measure = function(n, how)
    local r = exact.run(exact.square(), n, how)
    return { dye = r.dye * (180 / 40) ^ 2, front = front(r.sim, n) }
  end,
}
