-- derivative.lua - vorticity of the Taylor-Green vortex by finite differences of orders 2 to 8.
--
-- The velocity u = sin x cos y cos z, v = -cos x sin y cos z, w = 0 has a known curl. The script takes it
-- with ria.curl on grids of n/4, n/2 and n points along a side, prints the errors of each order, draws
-- vorticity and error on a slice, and repeats the check of the paper that the eighth-order stencil comes
-- from (a cosine on 64^3 points in single precision). There is no simulation in it: fields of three
-- dimensions, where --device says, and what can be asked of them.

local ria = require "ria"

local p = ria.params {
  n = { 64, help = "points along a side", min = 36, max = 1024 },
  precision = { "double", choices = { "single", "double" }, help = "of the vortex" },
}

local out = ria.out()
local sin, cos, pi = math.sin, math.cos, math.pi
local orders = { 2, 4, 6, 8 }

local function vortex_field(n, init)
  return ria.field3 { nx = n, ny = n, nz = n, lx = 2 * pi, periodic = true, precision = p.precision,
    dy = 2 * pi / n, dz = 2 * pi / n, init = init }
end

local function vortex(n)
  local velocity = {
    vortex_field(n, function(x, y, z) return sin(x) * cos(y) * cos(z) end),
    vortex_field(n, function(x, y, z) return -cos(x) * sin(y) * cos(z) end),
    vortex_field(n, 0),
  }
  local vorticity = {
    vortex_field(n, function(x, y, z) return -cos(x) * sin(y) * sin(z) end),
    vortex_field(n, function(x, y, z) return -sin(x) * cos(y) * sin(z) end),
    vortex_field(n, function(x, y, z) return 2 * sin(x) * sin(y) * cos(z) end),
  }
  return velocity, vorticity
end

-- Root mean square of the length of a - b.
local function distance(a, b)
  local sum = 0
  for k = 1, 3 do sum = sum + (a[k] - b[k]):rms() ^ 2 end
  return math.sqrt(sum)
end

-- Errors of each order on each grid.
local side = p.n // 1 | 0 -- whole
local sizes, errors = { side // 4, side // 2, side }, {}
local curl, exact
print(("vorticity of the Taylor-Green vortex, %s precision: rms error"):format(p.precision))
print(("  %-8s %12s %12s %12s  %s"):format("order", sizes[1] .. "^3", sizes[2] .. "^3", sizes[3] .. "^3", "rate"))
for _, order in ipairs(orders) do errors[order] = {} end
for s, n in ipairs(sizes) do
  local velocity, vorticity = vortex(n)
  for _, order in ipairs(orders) do
    curl, exact = ria.curl(velocity, { order = order }), vorticity
    errors[order][s] = distance(curl, vorticity)
  end
end
for _, order in ipairs(orders) do
  local e = errors[order]
  print(("  %-8d %12.3e %12.3e %12.3e  %.2f"):format(order, e[1], e[2], e[3],
    math.log(e[1] / e[2]) / math.log(sizes[2] / sizes[1])))
end

-- Pictures: the curl of the eighth order on the finest grid, and how far it is off.
local z = pi / 8
local plane = ("z = %.2f m"):format(z)
curl[3]:slice { z = z }:draw {
  path = out .. "/vorticity.png", title = "Taylor-Green vortex", label = "vorticity about z", unit = "1/s",
  note = plane, map = "balance", range = { -2, 2 }, width = 860,
}
local enstrophy = 0.5 * (curl[1] * curl[1] + curl[2] * curl[2] + curl[3] * curl[3])
enstrophy:slice { z = z }:draw {
  path = out .. "/enstrophy.png", title = "Taylor-Green vortex", label = "enstrophy", unit = "1/s^2",
  note = plane, map = "matter", width = 860,
}
local miss = curl[3] - exact[3]
miss:slice { z = z }:draw {
  path = out .. "/error.png", title = "Taylor-Green vortex: error of the eighth order",
  label = "error of the vorticity", unit = "1/s", note = plane, map = "balance", range = "symmetric", width = 860,
}

local panel = { title = "rms error of the vorticity", xlabel = "log2 of the points along a side",
  ylabel = "log10 of the error" }
for _, order in ipairs(orders) do
  local x, y = {}, {}
  for s, n in ipairs(sizes) do x[s], y[s] = math.log(n, 2), math.log(errors[order][s], 10) end
  panel[#panel + 1] = { label = "order " .. order, x = x, y = y }
end
ria.plot { path = out .. "/errors.png", panel, height = 420 }

-- Identities: the divergence of a curl is nothing but rounding, as is the curl of a gradient.
local f = vortex_field(side, function(x, y, w) return sin(x) * cos(2 * y) * sin(w + 1) end)
print(("  div curl %.1e, curl grad %.1e (rms)"):format(ria.divergence(curl):rms(),
  ria.curl(f:gradient())[1]:rms()))

-- The paper's check. Its 64 points take the first for the last: the period is 63 distances. Its cosine
-- has an argument in single precision, which is most of the error.
local function single(v) return (string.unpack("f", string.pack("f", v))) end
local two_pi = single(2 * pi)
local function argument(x) return single(single(two_pi * (math.floor(63 * x) - 1)) / 63) end
local function line(init)
  return ria.field3 { nx = 63, ny = 64, nz = 64, dx = 1 / 63, periodic = true, precision = "single", init = init }
end
local off = line(function(x) return cos(argument(x)) end):derivative "x" -
  line(function(x) return -2 * pi * sin(argument(x)) end)
print(("a cosine on 64^3 points, single precision: rms error %.2e, largest %.2e (paper: 7.28e-06, 2.86e-05)")
  :format(off:rms(), math.max(off:max(), -off:min())))
print(("written to %s/: vorticity.png, enstrophy.png, error.png, errors.png"):format(out))
