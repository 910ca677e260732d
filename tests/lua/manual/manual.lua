-- The scenario that the manual opens with, as it stands there, on a small bay made for it.
-- RIA_MANUAL names the page; run with days=0.05.
local ria = require "ria"

local page = assert(io.open(assert(os.getenv "RIA_MANUAL"))):read "a"
local scenario = assert(page:match "```lua\n(.-)```", "no scenario in the manual")

ria.field({nx = 40, ny = 40, dx = 450, value = -12}):write "bay.asc"
local river = assert(io.open("river.csv", "w"))
river:write "time,flow\n0,50\n1000000,80\n"
river:close()

assert(load(scenario, "=manual"))()
