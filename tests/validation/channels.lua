-- channels.lua - steady flows: the depth, and how constant the discharge is.
local exact = require "ria.exact"

local channels = {}

-- The greatest departure of q from the flow's, as a part of it; two cells of a jump do not count: those with the
-- greatest departure within three of it.
local function unsteady(f, sim)
  local grid, q = sim:grid(), sim:field "qx"
  local off = {}
  for i = 0, grid.nx - 1 do
    local x = grid.x0 + (i + 0.5) * grid.dx
    if not f.around or f.around(x) then
      off[#off + 1] = { math.abs(q:get(i, 0) / f.q - 1), f.jump and math.abs(x - f.jump) < 3 * grid.dx }
    end
  end
  table.sort(off, function(a, b) return a[1] > b[1] end)
  local spared = 0
  for _, o in ipairs(off) do
    if not (o[2] and spared < 2) then return o[1] end
    spared = spared + 1
  end
end

--- measure() of a case of steady flows: flows = { kind = function() return flow end }. Figures: the kind's own
-- name (L1 of the depth) and q_<kind>.
function channels.measure(make, kinds)
  local flows = {}
  return function(n, how)
    local out = {}
    for _, kind in ipairs(kinds) do
      flows[kind] = flows[kind] or make(kind)
      local f = flows[kind]
      local cells = math.floor(n * f.lx / (f.part or f.lx) + 0.5) -- with the reaches
      local r = exact.run(f, cells, how)
      out[kind], out["q_" .. kind] = r.h, unsteady(f, r.sim)
      if how.profile then
        local x, now, truth = exact.profile(f, r.sim, "depth", f.time)
        out.profile = out.profile or {}
        out.profile[#out.profile + 1] = { title = f.title, n = cells, x = x, now = now, exact = truth }
      end
      r.sim:close()
    end
    return out
  end
end

function channels.figures(kinds)
  local out = {}
  for _, kind in ipairs(kinds) do
    out[#out + 1] = { kind, "depth, " .. kind, "m" }
    out[#out + 1] = { "q_" .. kind, "discharge, greatest departure, " .. kind, "1", slack = 2e-4 }
  end
  return out
end

return channels
