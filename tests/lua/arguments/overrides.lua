-- Run with `n=5 wind=18 km/h other.csv`: overrides reach ria.params under the plain interpreter as
-- they do under the program; other arguments are the script's own.
local ria = require "ria"

local p = ria.params { n = 3, wind = { 1, unit = "m/s" }, calm = true }
assert(p.n == 5 and p.wind == 5.0 and p.calm == true)
assert(ria.args.n == "5" and ria.args["wind"] == "18 km/h")
assert(arg[1] == "n=5")

-- and a misspelt one is an error before anything runs
local ok, message = pcall(ria.params, {})
assert(not ok and message:find("called twice", 1, true))
