-- Constituents of points from files: Delft3D's .bca and CSV; what is wrong is told with its line.
local ria = require "ria"
local check = require "shared.check"
local fails = check.fails

local function write(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

local function file(name, text, keys)
  write(name, text)
  local t = { path = name }
  for k, v in pairs(keys or {}) do t[k] = v end
  return ria.tide(t)
end

-- Both files say what this says.
local list = { { at = { 0, 0 }, z0 = 0.1, M2 = { 1.2, 80 }, S2 = { 0.4, 110 } },
  { at = 1, M2 = { 1.3, 95.5 }, S2 = { 0.42, 128 } }, ramp = 600, z0 = 0.3 }
local bca = [[
* astronomic components
southA
A0         0.1
M2         1.2     80.0
S2         4.0E-1  110
elsewhere
M2 9 9
S2 9 9
southB
M2         1.3     95.5
LABDA2     0.5     3
S2         0.42    128
]]
bca = bca:gsub("\n", "\r\n"):gsub("LABDA2[^\r]*\r\n", "")
local csv = [[
point,x,y,constituent,amplitude,phase
a,0,0,M2,1.2,80
b,0,1000,m2,1.3,95.5
a,0,0,S2,0.4,110
a,0,0,Z0,0.1,
b,0,1000,S2,0.42,128
]]
local at = { southA = { 0, 0 }, southB = 1 }

local function same(tide, other)
  assert(#tide == #other)
  for k, p in ipairs(tide) do
    for _, t in ipairs { 0, 500, 5e3, 1e5 } do
      assert(p.value:at(t) == other[k].value:at(t))
    end
  end
end
local exact = ria.tide(list)
same(file("points.bca", bca, { at = at, ramp = 600, z0 = 0.3 }), exact)
same(file("points.csv", csv, { ramp = 600, z0 = 0.3 }), exact)
same(file("nameless.csv", csv:gsub("point,", ""):gsub("\n[ab],", "\n"), { ramp = 600, z0 = 0.3 }),
  exact)
local first = ria.tide { { at = 0, z0 = 0.1, M2 = { 1.2, 80 } } }
same(file("points.bca", bca, { at = { southA = 0 }, only = { "M2" } }), first)
same({ file("points.csv", csv, { only = { "M2" }, z0 = 0 })[1] }, first)

-- A file with one point is a tide.
local one = file("one.bca", "harbour\nM2 1.5 30\n")
assert(one:at(0) == ria.tide({ M2 = { 1.5, 30 } }):at(0))

-- It drives a side.
local sim = ria.sim { grid = { nx = 3, ny = 10, dx = 100 }, bed = -20, out = false,
  init = { level = 0 }, boundary = { west = file("points.bca", bca, { at = at, z0 = 0 }) } }
sim:run(60)
sim:close()

local function wrong(message, text, keys)
  fails("ria.tide: " .. message, file, "wrong.bca", text, keys)
end
wrong("wrong.bca:1: expected the name of a point before its constituents", "M2 1 2\n")
wrong("wrong.bca:3: point 'a': unknown constituent 'M22': did you mean 'M2'?",
  "# by hand\na\nM22 1 2\n")
wrong("wrong.bca:2: point 'a': unknown constituent '3MKS2': `only` names those to take",
  "a\n3MKS2 1 2\n")
wrong("wrong.bca:2: expected a constituent, its amplitude and its phase, or the name of a point",
  "a\nM2 1\n")
wrong("wrong.bca:2: expected a constituent, its amplitude and its phase, or the name of a point",
  "a\nM2 1 2 3 4 5\n")
wrong("wrong.bca:2: expected the amplitude, a number, not '1,2'", "a\nM2 1,2 3\n")
wrong("wrong.bca:2: expected the phase, a number, not 'nan'", "a\nM2 1 nan\n")
wrong("wrong.bca:3: expected the mean level, a number, not 'x'", "a\nM2 1 2\nA0 x\n")
wrong("wrong.bca:2: point 'a': the amplitude of M2 is -1: it must be 0 or more", "a\nM2 -1 2\n")
wrong("wrong.bca:3: point 'a' has m2 twice", "a\nM2 1 2\nm2 1 2\n")
wrong("wrong.bca:3: point 'a' is there twice", "a\nM2 1 2\na\n")
wrong("wrong.bca: point 'b' has no S2, which point 'a' has", "a\nM2 1 2\nS2 1 2\nb\nM2 1 2\n")
wrong("wrong.bca: point 'a' has no S2, which point 'b' has", "a\nM2 1 2\nb\nM2 1 2\nS2 1 2\n")
wrong("wrong.bca: point 'b' has no constituents", "b\n")
wrong("wrong.bca: it has no points", "\n* nothing\n")
wrong("wrong.bca: `only` names 'K1', which its points, 'a' to begin with, do not have",
  "a\nM2 1 2\n", { only = { "M2", "K1" } })
wrong("wrong.bca has 2 points (a, b) and does not say where they are: at = { a = {x, y}, ... }, or "
  .. "shares of the boundary from 0 to 1", "a\nM2 1 2\nb\nM2 1 2\n")
wrong("unknown point 'soutA': did you mean 'southA'?", "southA\nM2 1 2\n", { at = { soutA = 0 } })
wrong("needs either a path or constituents, not both", "a\nM2 1 2\n", { { at = 0 } })
local function row(message, text)
  fails("ria.tide: " .. message, file, "wrong.csv", text)
end
local head = "point,x,y,constituent,amplitude,phase\n"
row("wrong.csv:3: point 'a' was at (0, 1) before", head .. "a,0,1,M2,1,2\na,0,2,S2,1,2\n")
row("wrong.csv:2: point 'a': the phase of M2 is missing", head .. "a,0,1,M2,1,\nb,0,1,M2,1,3\n")
row("wrong.csv:3: point 'a': unknown constituent 'M22': did you mean 'M2'?",
  head .. "a,0,1,M2,1,2\na,0,1,M22,1,2\n")

-- A mean at some points only is an error, unless there is one for all; other keys are told.
local means = "a\nA0 0.1\nM2 1 2\nb\nM2 1 2\n"
wrong("point 2 has no mean level (z0, A0 in a file), which point 1 has: give it there too, or once "
  .. "beside the points", means, { at = { a = 0, b = 1 } })
file("means.bca", means, { at = { a = 0, b = 1 }, z0 = 0 })
wrong("unknown key 'M2' beside a path: the file has the constituents; at, only, z0, ramp, phases "
  .. "and nodal may stand there", "a\nM2 1 2\n", { M2 = { 1, 2 } })
local many = {}
for k = 1, 10001 do many[k] = ("p%d\nM2 1 2\n"):format(k) end
wrong("wrong.bca: it has more points than the 10000 that are read", table.concat(many))
row("wrong.csv:2: point 'a': the amplitude of M2 is missing", head .. "a,0,1,M2,,2\nb,0,1,M2,1,3\n")
row("wrong.csv:2: point 'a': the amplitude of M2 is -1: it must be 0 or more",
  head .. "a,0,1,M2,-1,2\n")
row("wrong.csv:3: point 'a' has M2 twice", head .. "a,0,1,M2,1,2\na,0,1,M2,1,2\n")
row("wrong.csv:3: point 'a' has A0 twice", head .. "a,0,1,Z0,1,2\na,0,1,A0,1,2\n")
row("wrong.csv:2: expected x and y", head .. "a,0,,M2,1,2\nb,0,1,M2,1,2\n")
row("wrong.csv:3: expected the name of a point", head .. "a,0,1,M2,1,2\n,0,2,M2,1,2\n")
row("wrong.csv: point 'b' has no S2, which point 'a' has",
  head .. "a,0,1,M2,1,2\na,0,1,S2,1,2\nb,0,2,M2,1,2\n")
row("wrong.csv: column 'constituent' holds numbers: expected names", head .. "a,0,1,2,1,2\n")
row("wrong.csv: there is no column 'phase'; columns: point, x, y, constituent, amplitude",
  "point,x,y,constituent,amplitude\na,0,1,M2,1\n")
row("wrong.csv: there is no column 'amplitude'; columns: point, x, y, "
  .. "constituent, amplitude [cm], phase", (head:gsub("amplitude", "amplitude [cm]"))
  .. "a,0,1,M2,1,2\n")
row("wrong.csv:2: 'high' in column 'amplitude': not a number",
  head .. "a,0,1,M2,high,2\nb,0,1,M2,1,2\n")
