-- An argument that a function does not take is an error: every function and every method of the
-- language, found by walking what scripts can reach, and every function of the modules in Lua.
local ria = require "ria"

local sim = ria.sim { grid = { nx = 4, ny = 3, dx = 10 }, bed = -1, out = false }
local field3 = ria.field3 { nx = 2, ny = 2, nz = 2, lx = 1, periodic = true }

-- The methods lie in a table behind a function of ours, which is the class's __index.
local function methods(object)
  local _, members = debug.getupvalue(debug.getmetatable(object).__index, 1)
  assert(type(members) == "table")
  return members
end

local classes = {
  {"ria.", ria}, {"sim:", methods(sim), sim}, {"field:", methods(sim:field "bed"), sim:field "bed"},
  {"field3:", methods(field3), field3},
  {"crs:", methods(ria.crs "EPSG:4326"), ria.crs "EPSG:4326"},
  {"series:", methods(ria.series {{0, 1}, {1, 1}}), ria.series {{0, 1}, {1, 1}}},
}

-- Far more arguments than any function takes: the first that is too many is the one blamed, and no
-- argument has been looked at before.
local function refused(name, f, self)
  local many = {false, false, false, false, false, false, false, false}
  local ok, message
  if self then
    ok, message = pcall(f, self, table.unpack(many))
  else
    ok, message = pcall(f, table.unpack(many))
  end
  local told = not ok and tostring(message):match("^.-([%w_]+[.:][%w_]+): argument %d is too many")
  assert(told == name, ("%s: %s"):format(name, tostring(message)))
end

local found = 0
for _, class in ipairs(classes) do
  for name, f in pairs(class[2]) do
    if type(f) == "function" then
      refused(class[1] .. name, f, class[3])
      found = found + 1
    end
  end
end
assert(found > 75, "few functions were found: " .. found)

-- Functions of `ria` that a module has as they are go by their own names.
local own_name = { ["tides.fit"] = "ria.tide_fit", ["tides.predict"] = "ria.tide_predict" }

local count = 0
for _, name in ipairs { "series", "strata", "synth", "tides", "units", "noise" } do
  for key, f in pairs(require("ria." .. name)) do
    if type(f) == "function" then
      local ok, message = pcall(f, table.unpack({}, 1, 8))
      local trailing = ok or not message:find("too many", 1, true)
      assert(trailing or name == "noise", message) -- nils may trail
      ok, message = pcall(f, false, false, false, false, false, false, false, false)
      local told = not ok and message:match "([%w_]+[.:][%w_]+): argument %d is too many"
      local expected = own_name[name .. "." .. key] or name .. "." .. key
      assert(told and told:gsub(":", ".") == expected, tostring(message))
      count = count + 1
    end
  end
end
assert(count >= 28, "few functions of modules were found: " .. count)

-- Where the arguments belong is said.
local function says(text, f)
  local ok, message = pcall(f)
  message = ok and "no error" or message:gsub("^[^:]*:%d+: ", "")
  assert(message == text, ("expected %s\nsaid     %s"):format(text, message))
end
says('ria.dem: argument 2 is too many (a table): write ria.dem { path = "x.asc", dx = ... }',
  function() ria.dem("x.asc", { dx = 2 }) end)
says("ria.series: argument 2 is too many (a table): its keys go into the first table:" ..
  " ria.series { ..., hold = ... }", function() ria.series({{0, 1}, {1, 1}}, { hold = true }) end)
says('ria.series: argument 2 is too many (a table): write' ..
  ' ria.series { path = "q.csv", column = ... }',
  function() ria.series("q.csv", { hold = true, column = "q" }) end)
says("ria.series: argument 2 is too many ('q'): it takes path | {{t, value}, ..., key = value}",
  function() ria.series("q.csv", "q") end)
says("ria.dem: called with a colon: write ria.dem(...), with a point",
  function() ria:dem "x.asc" end)
says("sim:steps: argument 1 is too many (5): it takes none", function() sim:steps(5) end)
says("sim:run: called without a simulation: write sim:name(...), with a colon",
  function() sim.run "1 d" end)
says("series.at: argument 3 is too many (7): it takes (points, t)",
  function() require("ria.series").at({{0, 1}, {1, 1}}, 0, 7) end)
says("strata:record: argument 2 is too many (a table): it takes (sim)",
  function() require("ria.strata").section({from = {0, 0}, to = {1, 1}}):record(nil, {}) end)

-- Trailing nils are no arguments, and a method may be an action: it gets the simulation alone.
assert(sim:time(nil) == 0 and sim:probe(5, 5, "bed", nil) == -1)
sim:at(3, sim.stop)
assert(sim:run(10) == 3)
