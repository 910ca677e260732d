-- A harbour basin behind a tidal sea, for examples/lua_host.c: `host` is the program's own.
local ria = require "ria"
local p = ria.params { n = {60, "cells along a side", min = 10} }
local size = 3000

local sim = ria.sim {
  grid = { nx = p.n, ny = p.n, dx = size / p.n },
  bed = -10,
  init = { level = 0 },
  boundary = { south = ria.tide { M2 = { 1.5, 90 } } },
  out = false,
}

sim:when(function(s) return s:probe(size / 2, size / 2, "level") + 10 < host.draught() end,
  function(s, info) host.alarm(info.t, s:probe(size / 2, size / 2, "level") + 10) end,
  { every = "5 min", ["repeat"] = true })
sim:run "1 d"
