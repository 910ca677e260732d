-- netCDF in degrees, written here byte by byte: a nest takes it at the right places, by the right
-- axes.
local ria = require "ria"
local out = ria.out and ria.out() or "."

-- --- a file of an ocean model: CDF-1 with records ----------------------------------------------

local function padded(text) return text .. ("\0"):rep(-#text % 4) end
local function name(text) return string.pack(">I4", #text) .. padded(text) end

local function attributes(list)
  local parts = {}
  for k, a in ipairs(list) do
    local is_text = type(a[2]) == "string"
    parts[k] = name(a[1]) ..
      (is_text and string.pack(">I4", 2) .. name(a[2]) or string.pack(">I4I4d", 6, 1, a[2]))
  end
  return #list == 0 and ("\0"):rep(8) or string.pack(">I4I4", 12, #list) .. table.concat(parts)
end

local function doubles(n, value)
  local t = {}
  for k = 0, n - 1 do t[k + 1] = string.pack(">d", value(k)) end
  return table.concat(t)
end

-- Half past midnight lies between the two times. Rows from the north, the level linear in place and
-- time, a current to the true east and north in packed short integers. Returns the level by place.
local function write(path, west, keys)
  local nx, ny, step, north = 24, 20, 0.01, 42.2
  local function level(k, j, i) return 0.2 + 0.2 * i * step - 0.3 * j * step + k * 0.5 end
  local vars = {
    { name = "time", dims = { 0 }, type = 6, size = 8, record = true,
      atts = { { "units", "hours since 2026-07-13 23:30:00" } },
      values = function(k) return string.pack(">d", k) end },
    { name = "lat", dims = { 1 }, type = 6, size = 8 * ny,
      atts = { { "units", keys.unit or "degrees_north" } },
      values = function() return doubles(ny, function(j) return north - j * step end) end },
    { name = "lon", dims = { 2 }, type = 6, size = 8 * nx,
      atts = { { "units", keys.unit or "degrees_east" } },
      values = function() return doubles(nx, function(i) return west + i * step end) end },
    { name = "zos", dims = { 0, 1, 2 }, type = 6, size = 8 * nx * ny, record = true,
      atts = { { "units", "m" }, { "standard_name", "sea_surface_height_above_geoid" } },
      values = function(k)
        return doubles(nx * ny, function(c) return level(k, c // nx, c % nx) end)
      end } }
  for q, way in ipairs { "eastward", "northward" } do
    if q <= (keys.currents or 2) then
      vars[#vars + 1] = { name = q == 1 and "uo" or "vo", dims = { 0, 1, 2 }, type = 3,
        size = 2 * nx * ny, record = true,
        atts = { { "units", "m s-1" }, { "standard_name", way .. "_sea_water_velocity" },
          { "scale_factor", 0.001 } },
        values = function() return string.pack(">i2", q * 100):rep(nx * ny) end }
    end
  end
  local function header(begin)
    local parts = { "CDF\1", string.pack(">I4I4I4", 2, 10, 3), name "time", string.pack(">I4", 0),
      name "lat", string.pack(">I4", ny), name "lon", string.pack(">I4", nx), attributes {},
      string.pack(">I4I4", 11, #vars) }
    for k, v in ipairs(vars) do
      parts[#parts + 1] = name(v.name) .. string.pack(">I4", #v.dims)
      for _, d in ipairs(v.dims) do parts[#parts + 1] = string.pack(">I4", d) end
      parts[#parts + 1] = attributes(v.atts) ..
        string.pack(">I4I4I4", v.type, v.size, begin[k] or 0)
    end
    return table.concat(parts)
  end
  local begin, data, at = {}, {}, #header {}
  for pass = 0, 2 do -- what has no records, and two records
    for k, v in ipairs(vars) do
      if (pass == 0) == not v.record then
        begin[k] = begin[k] or at
        data[#data + 1] = padded(v.values(pass - 1))
        at = at + #data[#data]
      end
    end
  end
  local f = assert(io.open(path, "wb"))
  f:write(header(begin), table.concat(data))
  f:close()
  return function(t, lon, lat) return level(t, (north - lat) / step, (lon - west) / step) end
end

-- --- a bay within it --------------------------------------------------------------------------

local x0, y0 <const> = 741000, 4663000

local function bay(nest, angle, keys)
  local sim = ria.sim { grid = { nx = 30, ny = 24, dx = 200, x0 = x0, y0 = y0, angle = angle },
    crs = not keys.local_metres and "EPSG:25829" or nil, start = "2026-07-14 00:00", bed = -50,
    init = { level = 0.5 }, precision = keys.precision, from = keys.from, out = false }
  sim:relax { "west", "east", "south", "north", width = 150, time = 1e-12, nest = ria.nest(nest) }
  return sim
end

-- Along the sides the flow is the larger model's: the level of the place, the current turned by the
-- grid's angle and by the meridians' on the map: atan(tan(lon - lon0) sin(lat)) of a transverse
-- Mercator, on a sphere; the ellipsoid's differs by 1e-6.
local function along_the_sides(nest, level, angle, keys)
  local sim = bay(nest, angle, keys)
  sim:run(1e-6) -- too short for waves: the layer alone shows
  local a, most, fast = math.rad(angle or 0), 0, 0
  local h, u, v = sim:field "level", sim:field "u", sim:field "v"
  for j = 0, 23 do
    for i = 0, 29 do
      if i == 0 or i == 29 or j == 0 or j == 23 then
        local x, y = (i + 0.5) * 200, (j + 0.5) * 200
        local lon, lat = sim:lonlat(x0 + x * math.cos(a) - y * math.sin(a),
          y0 + x * math.sin(a) + y * math.cos(a))
        local turn = math.atan(math.tan(math.rad(lon + 9)) * math.sin(math.rad(lat))) - a
        local east = 0.1 * math.cos(turn) - 0.2 * math.sin(turn)
        local north = 0.1 * math.sin(turn) + 0.2 * math.cos(turn)
        most = math.max(most, math.abs(h:get(i, j) - level(0.5, lon + (keys.round or 0), lat)))
        fast = math.max(fast, math.abs(u:get(i, j) - east), math.abs(v:get(i, j) - north))
      end
    end
  end
  print(("angle %4g: levels within %.2g m, currents within %.2g m/s")
    :format(angle or 0, most, fast))
  local bound = keys.precision == "single" and 1e-5 or 1e-6
  assert(most < bound and fast < bound)
  sim:close()
end

local file = out .. "/degrees.nc"
local level = write(file, -6.15, {})
along_the_sides(file, level, nil, {})
along_the_sides(file, level, 35, { precision = "single" })
level = write(file, 353.85, {}) -- longitudes from 0 to 360
along_the_sides(file, level, -120, { round = 360 })

-- --- what is refused --------------------------------------------------------------------------

local function fails(message, keys)
  local ok, said = pcall(bay, file, 0, keys or {})
  said = tostring(said)
  assert(not ok and said:find(message, 1, true), ("expected %s\nsaid     %s"):format(message, said))
end
fails("it counts longitude and latitude, and this run has no crs: ria.sim { crs = ",
  { local_metres = true })
fails("counts longitude and latitude, which ria.nest takes, not a hot start: " ..
  "gdal_translate -a_srs EPSG:4326 -b 1", { from = file })
write(file, -6.15, { currents = 1 })
fails "it needs u and v both"
write(file, -5.9, {})
fails "lies outside store"
write(file, -6.15, { unit = "radian" })
fails "it is neither in m nor in degrees"
os.remove(file)
