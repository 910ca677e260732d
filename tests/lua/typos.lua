-- A slip in any key of the language: the message names the key, the line it stands on and the key
-- that was meant. Keys are tried one by one, each with a letter doubled and with a letter lost.
local ria = require "ria"

local basin = [[
local ria = require "ria"
local sim = ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, tracers = { "oil" }, out = false,
}
]] -- four lines

-- Where keys stand: text before and after the key's line, and the keys with a right value.
local places = {
  {before = basin .. "ria.sim {\n", after = "\n}", line = 6,
    keys = {solver = '"a"', grid = "1", bed = "1", params = "{}", precision = '"double"',
      tracers = "{}", init = "{}", boundary = "{}", title = '""', epoch = '""', crs = '""',
      overwrite = "true", units_row = "true", maxima = "{}", budget = "1"}},
  {before = basin .. "ria.sim {\n  grid = {\n", after = "\n}}", line = 7,
    keys = {x0 = "1", y0 = "1"}},
  {before = basin .. "ria.sim { grid = { nx = 1, ny = 1, dx = 1 }, params = {\n", after = "\n}}",
    line = 6, keys = {gravity = "9", manning = "0", dry_depth = "1", dt_max = "0", dt_min = "0"}},
  {before = basin .. "ria.sim { grid = { nx = 1, ny = 1, dx = 1 }, tracers = { oil = {\n",
    after = "\n}}}", line = 6, keys = {decay = "0", diffusion = "0", unit = '"g/l"'}},
  {before = basin .. "ria.sim { grid = { nx = 2, ny = 2, dx = 1 }, out = false, init = {\n",
    after = "\n}}", line = 6, keys = {level = "0", depth = "0", manning = "0"}},
  {before = basin .. "ria.sim { grid = { nx = 2, ny = 2, dx = 1 }, out = false, boundary = {\n",
    after = "\n}}", line = 6,
    keys = {north = '"open"', south = '"open"', east = '"open"', west = '"open"'}},
  {before = basin .. "ria.sim { grid = { nx = 2, ny = 2, dx = 1 }, out = false, boundary = {\n" ..
    "south = {\n", after = "\n}}}", line = 7,
    keys = {kind = '"open"', level = "1", tracers = "{}", from = "{0, 0}"}},
  {before = basin .. "ria.frame {\n", after = "\n}", line = 6,
    keys = {field = '"level"', name = '"a"', map = '"deep"', scale = '"log"', range = "{0, 1}",
      threshold = "0", width = "100", height = "100", title = '"a"', plain = "true",
      world_file = "true", arrows = "true", thinnest = "0.1"}},
  {before = basin .. "ria.save { 'level',\n", after = "\n}", line = 6,
    keys = {name = '"a"', precision = "0", level = "1", tile = "64"}},
  {before = basin .. "ria.spill {\n", after = "\n}", line = 6,
    keys = {tracer = '"oil"', radius = "1", start = "1", duration = "1", mass = "1", rate = "1",
      volume = "1", density = "1", flow = "1", conc = "1", name = '"a"'}},
  {before = basin .. "sim:gauge {\n", after = "\n}", line = 6,
    keys = {name = '"a"', every = "1", fields = "{}"}},
  {before = basin .. "sim:every(60, print, {\n", after = "\n})", line = 6,
    keys = {start = "1", stop = "1"}},
  {before = basin .. "sim:when(print, print, {\n", after = "\n})", line = 6, keys = {every = "1"}},
  {before = basin .. "ria.series {\n", after = "\n}", line = 6,
    keys = {path = '"a"', column = '"a"', epoch = '"a"', fill_gaps = "true", hold = "true",
      time_unit = "1", interp = '"linear"', ramp = "1", scale = "1", offset = "1"}},
  {before = basin .. "ria.dem {\n", after = "\n}", line = 6,
    keys = {path = '"a"', gap = "1", fill = "1", down = "true", offset = "1"}},
  {before = basin .. "ria.params { n = {1,\n", after = "\n}}", line = 6,
    keys = {help = '"a"', unit = '"m"', min = "0", max = "2", choices = "{}"}},
}

local function slips(word)
  local list = {}
  for k = 2, #word do
    list[#list + 1] = word:sub(1, k) .. word:sub(k) -- a letter doubled
    if #word > 3 then list[#list + 1] = word:sub(1, k - 1) .. word:sub(k + 1) end -- one lost
  end
  return list
end

local function try(place, key, slip, value)
  os.remove "typo.lua" -- a file that is emptied and filled again may be waited for: tests/files.h
  local file = assert(io.open("typo.lua", "w"))
  file:write(place.before, "  ", slip, " = ", value, ",", place.after)
  file:close()
  local ok, message = pcall(assert(loadfile "typo.lua"))
  message = ok and "no error" or message
  local meant = message:match "did you mean '([%w_]+)'%?"
  local at = tonumber(message:match "^typo%.lua:(%d+): ")
  -- a slip may lie nearer to another key than to the one it was made from, but never nowhere
  local known = meant == key or (meant and place.keys[meant]) or message:find("one of", 1, true)
  return at == place.line and message:find(slip, 1, true) and known, message
end

local tried, exact = 0, 0
for _, place in ipairs(places) do
  for key, value in pairs(place.keys) do
    for _, slip in ipairs(slips(key)) do
      if not place.keys[slip] then
        local good, message = try(place, key, slip, value)
        assert(good, ("%s for %s: %s"):format(slip, key, message))
        tried = tried + 1
        if message:find("did you mean '" .. key .. "'?", 1, true) then exact = exact + 1 end
      end
    end
  end
end
os.remove "typo.lua"
assert(tried > 500, "few slips were tried: " .. tried)
assert(exact > 0.9 * tried, ("%d of %d slips led to the right key"):format(exact, tried))
assert(ria.version)
