local exact = require "ria.exact"

-- Cells in which the dye is between a tenth and nine tenths.
local function front(sim)
  local dye, depth, count = sim:field "dye", sim:field "depth", 0
  for i = 0, sim:grid().nx - 1 do
    local c = dye:get(i, 0)
    if depth:get(i, 0) > 1e-5 and c > 0.1 and c < 0.9 then count = count + 1 end
  end
  return count
end

return {
  title = "Dam breaks",
  text = [[Stoker's, 5 m onto 1 m, and Ritter's, onto dry ground, along 1000 m after 25 s, with dye behind the dam: L1
error of the depth, also along y, and the cells across the dye's front in Stoker's (between 0.1 and 0.9).]],
  sizes = { 200, 400, 800 },
  figures = {
    { "stoker", "Stoker", "m" }, { "stoker_y", "Stoker, along y", "m" }, { "ritter", "Ritter", "m" },
    { "ritter_y", "Ritter, along y", "m" },
    { "front", "cells across the dye's front", "1", plain = true, slack = 1 },
  },
  single = "stoker",
  demands = {
    { "first", "stoker", rate = 0.7 }, { "first", "ritter", rate = 0.68 },
    { "second", "stoker", n = 400, of_first = 0.35 }, { "second", "stoker_y", n = 400, of_first = 0.35 },
    { "second", "ritter", n = 400, of_first = 0.35 }, { "second", "ritter_y", n = 400, of_first = 0.35 },
    { "second", "front", n = 400, most = 6 },
  },
  measure = function(n, how)
    local out = {}
    for _, name in ipairs { "stoker", "ritter" } do
      local f = exact.dam_break { shallow = name == "stoker" and 1 or 0 }
      local r = exact.run(f, n, how)
      out[name], out[name .. "_y"] = r.h, exact.run(exact.turned(f), n, how).h
      if name == "stoker" then out.front = front(r.sim) end
      if how.profile then
        local x, now, truth = exact.profile(f, r.sim, "depth", f.time)
        out.profile = out.profile or {}
        out.profile[#out.profile + 1] = { title = f.title, x = x, now = now, exact = truth }
      end
    end
    return out
  end,
}
