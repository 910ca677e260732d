#!/bin/sh
# The rockspec: Lua that LuaRocks takes, with every module of scripts/ria and the version of the tree.
#   rock.sh PROGRAM SOURCE
ria=$1 source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
version=$(sed -n 's/^project(ria VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
rockspec=$source/packaging/ria-$version-1.rockspec
[ -f "$rockspec" ] || { echo "no rockspec of version $version"; exit 1; }

# the program is a Lua of its own; limits keep no file of the tree from it here
cat >look.lua <<'LUA'
local rock, source = {}, arg[2]:match "=(.*)"
assert(loadfile(arg[1]:match "=(.*)", "t", rock))()
assert(rock.package == "ria" and rock.build.type == "cmake" and rock.source.url)
local function there(path) assert(io.open(source .. "/" .. path), path):close() end
for name, path in pairs(rock.build.install.lua) do
  there(path)
  assert(path == "scripts/" .. name:gsub("%.", "/") .. ".lua", path)
  print(name)
end
-- the variables are options of the tree
local file = assert(io.open(source .. "/CMakeLists.txt"))
local text = file:read "a"
file:close()
for name in pairs(rock.build.variables) do
  assert(not name:find "^RIA_" or text:find("[ (]" .. name .. " "), name)
end
print("version " .. rock.version)
LUA
"$ria" run look.lua "rockspec=$rockspec" "source=$source" >said 2>stderr
grep -qx "version $version-1" said || fail "the rockspec: $(cat said stderr)"
grep '^ria\.' said | sort >listed
(cd "$source/scripts" && find ria -name '*.lua' | sed 's/\.lua$//; s|/|.|g' | sort) >modules
cmp -s listed modules || fail "modules in the rockspec, and in scripts: $(diff listed modules)"
if command -v luarocks >/dev/null; then
  luarocks --lua-version 5.4 lint "$rockspec" >said 2>&1 || fail "luarocks lint: $(cat said)"
fi

exit $failed
