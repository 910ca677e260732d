-- Maps of a tidal model: complex amplitudes along a side, from rasters, and from files of OTIS.
local ria = require "ria"
local check = require "shared.check"
local near, fails = check.near, check.fails

-- A tide whose complex amplitude is linear in x and y: bilinear values are exact, phases go round.
local function z_of(c, x, y)
  return c.re + c.rx * x + c.ry * y, c.im + c.ix * x + c.iy * y
end
local M2 = { re = 0.9, rx = -0.02, ry = 0.01, im = 0.1, ix = -0.015, iy = 0.004 }
local S2 = { re = 0.1, rx = 0.004, ry = -0.02, im = -0.2, ix = 0.006, iy = 0.01 }
local function harmonic(re, im)
  return math.sqrt(re * re + im * im), math.deg(math.atan(-im, re)) % 360
end

-- The maps of a constituent, in degrees: amplitudes in `scale` parts of a metre, none on land.
local function write_maps(name, c, g, scale, land)
  local map = { [1] = {}, [2] = {} }
  for k = 1, 2 do
    local f = ria.field { nx = g.nx, ny = g.ny, dx = g.dx, x0 = g.x0, y0 = g.y0, crs = g.crs,
      value = function(x, y)
        local value = { harmonic(z_of(c, x, y)) }
        return k == 1 and value[1] * scale or value[2]
      end }:map(function(v, x, y)
        if not (land and land((x - g.x0) // g.dx, (y - g.y0) // g.dx)) then return v end
      end)
    map[k] = ("%s_%s.tif"):format(name, k == 1 and "amplitude" or "phase")
    f:write(map[k])
  end
  return map
end

-- What a basin as deep as the sea has at its western cells after a moment.
local function levels(west, keys)
  local sim = ria.sim { grid = { nx = 3, ny = keys.ny or 8, dx = 2000, x0 = keys.x0 or 500000,
    y0 = keys.y0 or 4650000 }, crs = keys.crs, bed = -20, out = false, init = { level = 0 },
    boundary = { west = west } }
  if keys.change then sim:boundary("west", keys.change) end
  sim:run(keys.t or 900)
  local out = {}
  for j = 1, keys.ny or 8 do
    out[j] = sim:probe((keys.x0 or 500000) + 1000, (keys.y0 or 4650000) + (j - 0.5) * 2000, "level")
  end
  sim:close()
  return out
end
local function same(a, b, tolerance, what)
  for j = 1, #b do near(a[j], b[j], tolerance, (what or "") .. " cell " .. j) end
end

-- The run's own metres: a model without a crs in a run without one; points of it by hand.
local g = { nx = 12, ny = 9, dx = 4000, x0 = 480000, y0 = 4640000 }
local function in_metres(c) -- the same numbers per 10 km from a corner
  return { re = c.re + (-c.rx * 480000 - c.ry * 4640000) / 10000,
    im = c.im + (-c.ix * 480000 - c.iy * 4640000) / 10000, rx = c.rx / 10000, ry = c.ry / 10000,
    ix = c.ix / 10000, iy = c.iy / 10000 }
end
local m2, s2 = in_metres(M2), in_metres(S2)
local model = { m2 = write_maps("m2", m2, g, 100), S2 = write_maps("s2", s2, g, 100) }
local function by_hand(x, ys, lon_lat)
  local list = {}
  for k, y in ipairs(ys) do
    local p = { at = lon_lat and { lon = x, lat = y } or { x, y } }
    for name, c in pairs(lon_lat and { M2 = M2, S2 = S2 } or { M2 = m2, S2 = s2 }) do
      p[name] = { harmonic(z_of(c, x, y)) }
    end
    list[k] = p
  end
  list.ramp = 60
  return ria.tide(list)
end
local centres = {}
for j = 1, 8 do centres[j] = 4650000 + (j - 0.5) * 2000 end
local exact = levels(by_hand(500000, centres), {})
assert(math.abs(exact[1] - exact[8]) > 0.005)
local from = ria.tide { model = model, unit = "cm", ramp = 60 }
same(levels(from, {}), exact, 1e-6, "maps")
same(levels({ kind = "level", level = from }, {}), exact, 1e-6, "a value")
same(levels({ kind = "level", level = 0 }, { change = { level = from } }), exact, 1e-6, "a change")
local one = levels(ria.tide { model = model, unit = "cm", only = { "S2" }, ramp = 60 }, {})
same(one, levels(ria.tide { model = { S2 = model.S2 }, unit = "cm", ramp = 60 }, {}), 0)
assert(math.abs(one[1] - exact[1]) > 0.01)

-- Cells without data take what the nearest with data has: of constants nothing changes.
local flat = { re = 0.4, im = 0.3, rx = 0, ry = 0, ix = 0, iy = 0 }
local wet = write_maps("flat", flat, g, 1)
local coast = write_maps("coast", flat, g, 1, function(i, j) return i < 6 or j > 5 end)
local function flat_tide(maps) return ria.tide { model = { M2 = maps }, unit = "m", z0 = 0.1 } end
same(levels(flat_tide(coast), {}), levels(flat_tide(wet), {}), 1e-7, "coast")
local dry = write_maps("dry", flat, g, 1, function() return true end)
fails("ria.sim: dry_amplitude.tif: there is no M2 at (500000, 4651000), nor in any cell up to 20 "
  .. "cells away: is it sea?", levels, flat_tide(dry), {})

-- Degrees, of a run with a crs.
local utm = { crs = "EPSG:32629", x0 = 500000, y0 = 4650000 }
local earth = { nx = 8, ny = 8, dx = 0.25, x0 = -10, y0 = 41, crs = "EPSG:4326" }
local degrees = { M2 = write_maps("m2_deg", M2, earth, 1), S2 = write_maps("s2_deg", S2, earth, 1) }
local function at_lon_lat()
  local sim = ria.sim { grid = { nx = 3, ny = 8, dx = 2000, x0 = 500000, y0 = 4650000 },
    crs = "EPSG:32629", bed = -20, out = false }
  local list = { ramp = 60 }
  for k, y in ipairs(centres) do
    local lon, lat = sim:lonlat(500000, y)
    list[k] = { at = { 500000, y }, M2 = { harmonic(z_of(M2, lon, lat)) },
      S2 = { harmonic(z_of(S2, lon, lat)) } }
  end
  sim:close()
  return ria.tide(list)
end
exact = levels(at_lon_lat(), utm)
same(levels(ria.tide { model = degrees, unit = "m", ramp = 60 }, utm), exact, 1e-6, "degrees")
fails("ria.sim: m2_deg_amplitude.tif: the map is in degrees, and the run has no coordinate system: "
  .. "name the one that its x and y are in, crs = \"EPSG:...\"", levels,
  ria.tide { model = degrees, unit = "m" }, {})

-- A map from 0 to 360 degrees, all around: west of Greenwich beyond its end.
local function around(c) return { re = c.re, im = c.im, rx = 0, ix = 0, ry = c.ry, iy = c.iy } end
local globe = { nx = 90, ny = 45, dx = 4, x0 = 0, y0 = -90 }
local far = { crs = "EPSG:32631", x0 = 166100, y0 = 0 } -- 0 degrees east, at the equator
same(levels(ria.tide { model = { M2 = write_maps("globe", around(M2), globe, 1) }, unit = "m" },
  far),
  levels(ria.tide { model = { M2 = write_maps("strip", around(M2),
    { nx = 10, ny = 10, dx = 4, x0 = -20, y0 = -20 }, 1) }, unit = "m" }, far), 1e-6, "around")

-- OTIS: levels, big-endian, between counts of bytes.
local function record(s) return (">I4"):pack(#s) .. s .. (">I4"):pack(#s) end
local function header(n, m, names)
  return record((">i4i4i4ffff"):pack(n, m, #names, 41, 43, 350, 352) .. table.concat(names))
end
local function otis(names, of, numbers, n, m)
  n, m = n or 8, m or 8
  local s = { header(n, m, names) }
  for _, name in ipairs(names) do
    local row = {}
    for j = 0, m - 1 do
      for i = 0, n - 1 do
        row[#row + 1] = of(name, -10 + i * 0.25, 41 + j * 0.25, i, j)
      end
    end
    s[#s + 1] = record(table.concat(row))
    assert(#s[#s] == 8 + n * m * numbers * 4)
  end
  return table.concat(s)
end
local function write(name, text)
  local f = assert(io.open(name, "wb"))
  f:write(text)
  f:close()
  return name
end
local waves = { ["m2  "] = M2, ["s2  "] = S2 }
local function level_cell(name, x, y)
  return (">ff"):pack(z_of(waves[name], x + 0.125, y + 0.125))
end
local names = { "s2  ", "m2  " }
write("h_model", otis(names, level_cell, 2))
same(levels(ria.tide { model = "h_model", ramp = 60 }, utm), exact, 1e-6, "otis")
write("h_coast", otis(names, function(name, x, y, i, j)
  if i < 4 then return (">ff"):pack(0, 0) end
  return level_cell(name, x, y, i, j)
end, 2))
local beside = levels(ria.tide { model = "h_coast", ramp = 60 }, utm)
assert(math.abs(beside[1] - exact[1]) < 0.02)

-- Transports: u at western edges, v at southern ones; over depths they are currents. A level is as
-- good as any value to see them by.
local function transport(name, x, y)
  local ur, ui = z_of(waves[name], x, y + 0.125)
  local vr, vi = z_of(waves[name], x + 0.125, y)
  return (">ffff"):pack(40 * ur, 40 * ui, 40 * vr, 40 * vi)
end
write("uv_model", otis(names, transport, 4))
local depths = record((">i4i4fffffi4"):pack(8, 8, 41, 43, 350, 352, 12, 0))
  .. record((">i4"):pack(0))
  .. record((">f"):pack(40):rep(64)) .. record((">i4"):pack(1):rep(64))
write("grid_model", depths)
for _, component in ipairs { "u", "v" } do
  same(levels(ria.tide { model = "uv_model", component = component, depth = "grid_model",
    ramp = 60 },
    utm), exact, 1e-6, component)
end

-- Currents run east and north; a boundary has them along the axes of the grid, which its angle and
-- the convergence of the map's meridians turn: by the formula of a sphere, exact here within 1e-7.
local function turned_run(keys, u, v)
  local sim = ria.sim { grid = { nx = 4, ny = 8, dx = 1000, x0 = 565000, y0 = 4650000,
    angle = keys.angle }, crs = keys.crs, bed = -20, out = false, init = { level = 0 },
    boundary = { west = { kind = "radiate", level = 0, u = keys.change and 0 or u,
      v = keys.change and 0 or v } } }
  if keys.change then sim:boundary("west", { u = u, v = v }) end
  return sim
end
local east = { re = 0.5, rx = -0.02, ry = 0.01, im = 0.1, ix = -0.015, iy = 0.004 }
local north = { re = 0.1, rx = 0.03, ry = 0.005, im = -0.4, ix = 0.006, iy = 0.01 }
local tide_of = {}
for name, c in pairs { u = east, v = north } do
  local maps = { M2 = write_maps("m2_" .. name, c, earth, 100) }
  tide_of[name] = ria.tide { model = maps, unit = "cm", ramp = 60 }
end
local function by_formula(keys)
  local sim = turned_run(keys, 0, 0)
  local u, v, a = { ramp = 60 }, { ramp = 60 }, math.rad(keys.angle)
  for j = 1, 8 do
    local s = (j - 0.5) * 1000
    local x, y = 565000 - s * math.sin(a), 4650000 + s * math.cos(a)
    local lon, lat = sim:lonlat(x, y)
    local turn = math.atan(math.tan(math.rad(lon + 9)) * math.sin(math.rad(lat))) - a
    local er, ei = z_of(east, lon, lat)
    local nr, ni = z_of(north, lon, lat)
    local c, d = math.cos(turn), math.sin(turn)
    u[j] = { at = { x, y }, M2 = { harmonic(er * c - nr * d, ei * c - ni * d) } }
    v[j] = { at = { x, y }, M2 = { harmonic(er * d + nr * c, ei * d + ni * c) } }
  end
  sim:close()
  return ria.tide(u), ria.tide(v)
end
local function flow(keys, u, v)
  local sim, out = turned_run(keys, u, v), {}
  sim:run(900)
  for _, name in ipairs { "u", "v" } do
    for j = 0, 7 do out[#out + 1] = sim:field(name):get(0, j) end
  end
  sim:close()
  return out
end
for _, angle in ipairs { 0, 35, -140 } do
  local keys = { crs = "EPSG:32629", angle = angle }
  local turned = flow(keys, by_formula(keys))
  same(flow(keys, tide_of.u, tide_of.v), turned, 1e-6, "currents")
  keys.change = true
  same(flow(keys, tide_of.u, tide_of.v), turned, 1e-6, "currents from now on")
end
local utm35 = { crs = "EPSG:32629", angle = 35 }
fails("ria.sim: currents of a tidal model run east and north, and are turned to the "
  .. "grid's axes: give v by the model too", flow, utm35, tide_of.u, 0)
fails("ria.sim: u and v of a tidal model are turned to the grid together: give both the same ramp, "
  .. "phases and nodal", flow, utm35, tide_of.u,
  ria.tide { model = { M2 = { "m2_v_amplitude.tif", "m2_v_phase.tif" } }, unit = "cm" })
fails("ria.sim: the model of u has 1 constituents and that of v 1, or others: currents are turned "
  .. "to the grid together, so both need the same, in the same order (`only` chooses)", flow, utm35,
  tide_of.u,
  ria.tide { model = { S2 = { "m2_v_amplitude.tif", "m2_v_phase.tif" } }, unit = "cm", ramp = 60 })
fails("ria.sim: z0 is a mean level: currents of a tidal model have none", flow, utm35, tide_of.u,
  ria.tide { model = { M2 = { "m2_v_amplitude.tif", "m2_v_phase.tif" } }, unit = "cm", ramp = 60,
    z0 = 1 })

-- What is wrong is told.
local function wrong(message, keys, where)
  fails(message, function() levels(ria.tide(keys), where or utm) end)
end
local expected = ": expected a file of OTIS, big-endian, as OSU's models come; other models are "
  .. "read as rasters of amplitude and phase"
local h = otis(names, level_cell, 2)
local function broken(what, text)
  write("broken", text)
  wrong("ria.sim: broken: " .. what .. expected, { model = "broken" })
end
broken("it ends in the middle of a record", "")
broken("it ends in the middle of a record", h:sub(1, 20))
broken("a record of 603979776 bytes where 284 are due at most", ("<I4"):pack(36) .. h:sub(5))
broken("its first record has other names than it counts", record(h:sub(5, 36) .. "m2  k1  o1  "))
broken("a record that does not end where it says", h:sub(1, 40) .. (">I4"):pack(35) .. h:sub(45))
broken("it is not as long as its constituents on its grid, of levels or transports", h:sub(1, -9))
broken("it is not as long as its constituents on its grid, of levels or transports", h .. "x")
broken("a grid of 0 x 8 cells", record((">i4i4i4ffff"):pack(0, 8, 1, 41, 43, 350, 352) .. "m2  "))
broken("cells from 4100 to 4300 and 350 to 352, no latitudes and longitudes",
  record((">i4i4i4ffff"):pack(8, 8, 1, 4100, 4300, 350, 352) .. "m2  "))
wrong("ria.sim: cannot open nowhere: No such file or directory", { model = "nowhere" })
wrong("ria.sim: uv_model: it has transports: component = \"u\" or \"v\" says which, and levels are "
  .. "in another file", { model = "uv_model" })
wrong("ria.sim: h_model: it has levels, which have no component: transports are in another file",
  { model = "h_model", component = "u" })
write("h_odd", otis({ "m2  ", "xy1 " }, function(_, x, y) return level_cell("m2  ", x, y) end, 2))
wrong("ria.sim: h_odd: unknown constituent 'xy1': `only` names those to take", { model = "h_odd" })
levels(ria.tide { model = "h_odd", only = { "M2" } }, utm)
wrong("ria.sim: h_model: it has no constituent 'K1'", { model = "h_model", only = { "K1" } })
wrong("ria.tide: a file of OTIS has its unit: m; `unit` is for maps",
  { model = "h_model", unit = "m" })
wrong("ria.tide: missing key 'unit': of the amplitudes in the maps, \"m\" or \"cm\" (FES)",
  { model = degrees })
wrong("ria.tide: unknown constituent 'M22': did you mean 'M2'?",
  { model = { M22 = model.S2 }, unit = "m" })
wrong("ria.sim: m2_amplitude.tif: the amplitude of M2 is 88.86 m: is the map in cm? Then unit = "
  .. "\"cm\"",
  { model = { M2 = model.m2 }, unit = "m" }, {})
wrong("ria.sim: m2_amplitude.tif: (300000, 4651000) lies outside the map of M2, which has x = "
  .. "480000 to 528000 and y = 4640000 to 4676000", { model = { M2 = model.m2 }, unit = "cm" },
  { x0 = 300000 })
ria.field { nx = 3, ny = 3, dx = 4000, x0 = 480000, y0 = 4640000, value = 1 }:write "flat_small.tif"
wrong("ria.sim: m2_amplitude.tif and flat_small.tif: amplitude and phase of M2 must have the same "
  .. "cells, along the axes",
  { model = { M2 = { "m2_amplitude.tif", "flat_small.tif" } }, unit = "cm" },
  {})
wrong("ria.tide: model.M2 = 3: expected { \"amplitude.tif\", \"phase.tif\" }, or the name of a "
  .. "netCDF file with amplitude and phase", { model = { M2 = 3 }, unit = "m" })
wrong("ria.tide: unknown key 'M2': one of model, unit, component, depth, only, z0, "
  .. "ramp, phases, nodal", { model = model, M2 = { 1, 2 }, unit = "cm" })
