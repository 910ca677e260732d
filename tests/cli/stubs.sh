#!/bin/sh
# ria.d.lua, what editors know of ria: all that scripts can call, each key with its unit, range and default, no type
# that is not declared; and the one that the build made is of this program.
#   stubs.sh PROGRAM SOURCE BUILD
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
"$ria" help --stubs >ria.d.lua || fail "ria help --stubs: exit code $?"
"$ria" help --vocabulary >vocabulary.md || fail "ria help --vocabulary: exit code $?"
if [ -d "$build/share/ria" ]; then
  cmp ria.d.lua "$build/share/ria/ria.d.lua" || fail "ria.d.lua in the build is not of this program"
fi
grep -q '"build/share/ria"' "$source/.luarc.json" || fail ".luarc.json does not name where the build puts ria.d.lua"

cat >look.lua <<'LUA'
local ria = require "ria"

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end
local stubs, words = read "ria.d.lua", read "vocabulary.md"
local wrong = 0
local function check(ok, ...)
  if ok then return end
  wrong = wrong + 1
  print(...)
end
assert(load(stubs, "ria.d.lua", "t"))

-- classes and their fields; functions
local declared, fields, functions, class = {}, {}, {}, nil
for line in stubs:gmatch "[^\n]*" do
  local name = line:match "^%-%-%-@class [(]exact[)] (%S+)" or line:match "^%-%-%-@class (%S+)"
  local alias = line:match "^%-%-%-@alias (%S+)"
  if alias then declared[alias] = true end
  if name then
    class = name
    declared[name], fields[name] = true, fields[name] or {}
  elseif not line:find "^%-%-%-@" then
    class = nil
  end
  local field, rest = line:match "^%-%-%-@field ([%w_]+)%??%s(.*)"
  if not field then field, rest = line:match '^%-%-%-@field %["([^"]+)"%]%??%s(.*)' end
  if field then fields[assert(class, line)][field] = rest end
  local list = line:match "^%-%-%-@field %[integer%] (.*)"
  if list then fields[class]["[list]"] = list end
  local fn = line:match "^function ([%w_.:]+)"
  if fn then functions[fn] = true end
end

-- no type that is not declared
for line in stubs:gmatch "%-%-%-@[^\n]*" do
  local type_at = line:match "^%-%-%-@field [^%s]+ (%S+)" or line:match "^%-%-%-@param %S+ (%S+)" or
    line:match "^%-%-%-@return (.*)" or line:match "^%-%-%-@alias %S+ (.*)" or ""
  for name in type_at:gmatch "ria%.[%w_.]+" do
    check(declared[name:gsub("%.$", "")], "not declared:", name, line)
  end
end

-- all that can be called is there, and nothing else
local called = {}
for name, value in pairs(ria) do
  if type(value) == "function" then called["ria." .. name] = true end
end
for name, meta in pairs(debug.getregistry()) do
  local class_of = type(name) == "string" and name:match "^ria%.(.*)"
  local methods = class_of and type(meta) == "table" and rawget(meta, "__name") == name and rawget(meta, "__index")
  if type(methods) == "function" then -- an index that looks further: its table is an upvalue
    for k = 1, 9 do
      local _, up = debug.getupvalue(meta.__index, k)
      if type(up) == "table" then methods = up break end
    end
  end
  if type(methods) == "table" then
    for method, value in pairs(methods) do
      if type(value) == "function" and not method:find "^__" then
        called[class_of:gsub("^%l", string.upper) .. ":" .. method] = true
      end
    end
  end
end
local n = 0
for name in pairs(called) do
  n = n + 1
  check(functions[name], "not in the stubs:", name)
end
for name in pairs(functions) do check(called[name], "only in the stubs:", name) end
assert(n > 80, n)

-- keys: each row of the vocabulary, which other code prints
local keys, where = 0, nil
for line in words:gmatch "[^\n]*" do
  local fn = line:match "^### `([%w_.:]+)`$"
  local solver = line:match '^### `solver = "([%w_]+)"`$'
  if fn then where = ((fn:find "^ria%." and "" or "ria.") .. fn .. ".Keys"):gsub(":", ".") end
  if solver then where = "ria." .. solver .. ".Params" end
  if line:find "^| field |" or line:find "^| boundary |" or line:find "^### `ria " then where = nil end
  local key, value = line:match "^| `([^`]+)` | (.-[^\\]) | "
  if where and key and key ~= "key" then
    keys = keys + 1
    local stub = fields[where] and fields[where][key]
    check(stub, "no such key in the stubs:", where, key)
    stub = stub or ""
    local bounds = stub:match "%[([^%[%]]*)%]$" or ""
    local range = value:match "[-%d.e+]+ %.%. [-%d.e+]+" or value:match "[<>]=? [-%d.e+]+"
    check(not range or bounds:find(range, 1, true), "range of", where, key, range, stub)
    local unit = range and value:match((range:gsub("%p", "%%%0")) .. " ([^;,]+)")
    if unit then check(bounds:sub(1, #unit) == unit, "unit of", where, key, unit, stub) end
    if where:find "%.Params$" then
      local default = value:match "^[^,:;]+"
      check(bounds:find(default .. " if left out", 1, true), "default of", where, key, default, stub)
    end
  end
end
assert(keys > 250, keys)
os.exit(wrong == 0 and 0 or 1)
LUA
"$ria" run look.lua >said 2>&1 || fail "$(cat said)"

# by the server itself: neither Debian nor npm has it, so it is asked only where somebody has installed it
server=$(command -v lua-language-server)
if [ -z "$server" ] || ! command -v python3 >/dev/null; then
  echo "not tested: ria.d.lua by an editor's server, lua-language-server is not installed"
else
  python3 "$source/tests/cli/luals.py" "$server" ria.d.lua "$source/scenarios" || failed=1
fi
exit $failed
