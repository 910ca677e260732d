-- The Lua module as a rock, without the program: `luarocks make packaging/ria-0.1.0-1.rockspec` in the source tree.
-- It needs CMake, a C compiler, zlib and libpng. `url` is for those who publish it.
rockspec_format = "3.0"
package = "ria"
version = "0.1.0-1"
source = { url = "file://ria-0.1.0.tar.gz" }
description = {
  summary = "Water that moves and what it carries",
  detailed = [[
    Tides, rivers, floods, dam breaks and spills on all CPU cores or on a GPU: scenarios are Lua scripts,
    results are pictures, compressed fields, tables of gauges and a closed mass budget.]],
  license = "not stated",
}
dependencies = { "lua >= 5.4, < 5.5" }
build = {
  type = "cmake",
  variables = {
    CMAKE_BUILD_TYPE = "Release",
    LUA_INCLUDE_DIR = "$(LUA_INCDIR)",
    RIA_TESTS = "OFF",
    RIA_MPI = "OFF",
  },
  -- the tree that `install` makes is that of a whole ria: of it the module alone
  install_pass = false,
  install = {
    lib = { ria = "build.luarocks/lib/lua/ria.so" },
    lua = {
      ["ria.accuracy"] = "scripts/ria/accuracy.lua",
      ["ria.estuary"] = "scripts/ria/estuary.lua",
      ["ria.exact"] = "scripts/ria/exact.lua",
      ["ria.series"] = "scripts/ria/series.lua",
      ["ria.steady"] = "scripts/ria/steady.lua",
      ["ria.strata"] = "scripts/ria/strata.lua",
      ["ria.strict"] = "scripts/ria/strict.lua",
      ["ria.synth"] = "scripts/ria/synth.lua",
      ["ria.tides"] = "scripts/ria/tides.lua",
      ["ria.units"] = "scripts/ria/units.lua",
      ["ria.wave"] = "scripts/ria/wave.lua",
    },
  },
}
