-- ria.field3 in Lua: making, derivatives, vectors, arithmetic, slices as pictures, messages.
local ria = require "ria"

local function near(a, b, tolerance) assert(math.abs(a - b) <= tolerance, a .. " is not " .. b) end

-- making; the members of the grid
local f = ria.field3 { nx = 24, ny = 20, nz = 16, lx = 2, ly = 3, dz = 0.25, x0 = 5,
  periodic = { x = true },
  init = function(x, y, z) return x + 10 * y + 100 * z end }
assert(f.nx == 24 and f.nz == 16 and f.lx == 2 and f.dy == 3 / 20)
assert(f.dz == 0.25 and f.x0 == 5 and f.z0 == 0)
near(f:get(0, 0, 0), 5 + 1 / 24 + 10 * 0.075 + 100 * 0.125, 1e-12)
assert(tostring(f) == "ria.field3 24 x 20 x 16 points, double precision")

-- derivatives: of a plane they are exact, and closed ends lean
near(f:derivative("z"):min(), 100, 1e-9)
near(f:derivative("y", { order = 2 }):max(), 10, 1e-9)
local wave = ria.field3 { nx = 32, ny = 32, nz = 32, lx = 1, periodic = true, precision = "single" }
wave:set(function(x, y) return math.sin(2 * math.pi * x) * math.cos(2 * math.pi * y) end)
near(wave:laplacian():max(), 8 * math.pi ^ 2 * math.cos(math.pi / 32) ^ 2, 0.02)
local slope = wave:gradient()
assert(#slope == 3 and slope[3]:max() == 0)
near(slope[1]:rms(), math.pi, 1e-4)
near(ria.curl(slope)[3]:rms(), 0, 1e-3)
near((ria.divergence(slope, { order = 6 }) - wave:laplacian { order = 6 }):rms(), 0, 0.05)

-- arithmetic and sums
local g = 2 * wave - wave + wave * wave * -1 + -wave
near(g:min(), -wave:stats().max ^ 2, 1e-5)
assert(wave:copy():sum() == wave:sum() and wave:stats().n == 32 ^ 3)
near(wave:map(function(v, x) return v * 0 + x end):mean(), 0.5, 1e-6)

-- slices are rasters, and rasters are drawn
local plane = f:slice { y = 1 }
assert(plane.nx == 24 and plane.ny == 16 and plane.dy == 0.25 and plane.x0 == 5)
near(plane:get(3, 2), f:get(3, 6, 2), 0)
plane:draw { path = "slice.png", title = "A plane", label = "value", unit = "m", note = "y = 1 m",
  map = "deep" }
local file = assert(io.open("slice.png", "rb"))
assert(file:read(4) == "\137PNG")
file:close()
os.remove "slice.png"

-- memory is given back, by hand and by the collector
for _ = 1, 60 do ria.field3 { nx = 128, ny = 128, nz = 64, dx = 1 } end
f:free()
f:free()

-- messages
local function said(text, ...)
  local ok, message = pcall(...)
  assert(not ok and message:find(text, 1, true), ("expected '%s' in: %s"):format(text, message))
end
said("the field was freed", f.copy, f)
said("unknown axis 'yy': did you mean 'y'?", wave.derivative, wave, "yy")
said("order = 5: it may be 2, 4, 6 or 8", wave.derivative, wave, "x", { order = 5 })
said("unknown key 'oder': did you mean 'order'?", wave.gradient, wave, { oder = 2 })
said("there is no field3:grdient: did you mean field3:gradient?",
  function() return wave:grdient() end)
said("give dx, the distance between points, or lx", ria.field3, { nx = 4, ny = 4, nz = 4 })
said("dx and lx are both given", ria.field3, { nx = 4, ny = 4, nz = 4, dx = 1, lx = 1 })
said("unknown key 'periodic.w'", ria.field3,
  { nx = 4, ny = 4, nz = 4, dx = 1, periodic = { w = true } })
said("a derivative of order 8 needs 9 points along z, where it is closed: there are 4",
  function() ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1 }:derivative "z" end)
said("the fields differ: 32 x 32 x 32 points and 4 x 4 x 4",
  function() return wave + ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1 } end)
said("a list of three fields", ria.curl, { wave, wave })
said("vector", ria.divergence, wave)
said("expected a number", function() return wave * "x" end)
said("name one plane: f:slice { z = 0.5 }", wave.slice, wave, { x = 0, y = 0 })
said("z = 7 lies outside of the field: 0 .. 1 m", wave.slice, wave, { z = 7 })
said("unknown colour map 'dep': did you mean 'deep'?", plane.draw, plane,
  { path = "x.png", map = "dep" })
said("gave nil at point (0, 0, 0): a number is needed", ria.field3,
  { nx = 2, ny = 2, nz = 2, dx = 1, init = function() end })

-- A function that would free what it is called for.
local doomed = ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1 }
said("the field cannot be freed while field3:set is at work", doomed.set, doomed,
  function() doomed:free() return 1 end)
doomed = ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1 }
said("the field cannot be freed while field3:map is at work", doomed.map, doomed,
  function() doomed:free() return 1 end)
