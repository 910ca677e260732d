local ria = require "ria"                                          -- 1

local sim = ria.sim {
  grid     = { nx = 120, ny = 80, dx = 50 },                       -- 2
  bed      = function(x, y) return -8 + 12 * (x / 6000) ^ 2 end,   -- 3
  params   = { manning = 0.025 },                                  -- 4
  tracers  = { dye = { decay = "0.1 1/d" } },                      -- 5
  init     = { level = 0 },                                        -- 6
  boundary = {
    west  = ria.tide { M2 = { 1.2, 0 }, ramp = "1 h" },            -- 7
    north = "open",
    brook = ria.inflow { from = { 1000, 0 }, to = { 1200, 0 }, q = 4 },  -- 8
  },
  maxima   = { "level", "dye" },                                   -- 9
}
sim:at("2 h", ria.spill { tracer = "dye", x = 2000, y = 2000, radius = 150, mass = "250 kg" })  -- 10
sim:every("30 min", ria.frame { field = "dye", scale = "log" })    -- 11
sim:every("1 h", ria.save { "level", "dye", precision = 1e-6 })    -- 12
sim:gauge { name = "jetty", x = 4000, y = 2000, every = "1 min" }  -- 13
sim:when(function(s) return s:probe(4000, 2000, "level") > 1 end,  -- 14
  function(s, info) print("high water at " .. info.t .. " s") end, { every = "1 min" })
sim:run "1 d"                                                      -- 15
