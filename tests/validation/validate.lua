-- validate.lua - flows with exact solutions and measured ones, at both orders: figures, demands, a document.
--
--   ria run tests/validation/validate.lua                       all cases
--   ria run tests/validation/validate.lua case=vortex           one
--   ria run tests/validation/validate.lua write=docs data=DIR   docs/validation.md and its pictures
--   ria run tests/validation/validate.lua keep=yes              new figures into kept.txt
--
-- Ends with an error when a demand is not met, or when a figure is worse than the one kept in kept.txt.
-- data= is the directory of measured data: DIR/monai, DIR/simple_beach ... by the names of the cases, or the data of
-- one case in DIR itself (the scenario of that name says where to get them). Cases without their data are skipped. A
-- document keeps its sections on cases that are skipped or not asked for. With RIA_TEST_SHORT set the finest grids
-- are left out, and the demands on them. README.md beside this file says more.

local ria = require "ria"
local p = ria.params {
  case = { "", help = "one case; all if left out" },
  data = { "", help = "directory of measured data" },
  write = { "", help = "directory for validation.md and its pictures" },
  keep = { false, help = "write the figures found into kept.txt" },
}

local suite = require "suite" -- it makes a simulation, so it comes after the parameters
local report = require "report"

local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."
local names = {
  "vortex", "cloud", "jet", "smooth_bed", "friction", "steady", "bumps", "thacker", "dam_break", "beach",
  "solitary", "square", "checkerboard", "eddy", "monai", "simple_beach", "conical_island", "submerged_island",
}

if p.write ~= "" then os.execute(("mkdir -p '%s/validation'"):format(p.write)) end
local kept, failed, done, asked = suite.read_kept(here .. "/kept.txt"), {}, {}, 0
for _, name in ipairs(names) do
  local case = require("cases." .. name)
  case.name = name
  if p.case ~= "" and p.case ~= name then
    done[#done + 1] = { case = case, found = { left_out = true } }
  else
    local found = suite.run(case, { data = p.data, here = here, write = p.write })
    if found.skipped then
      print(("%s: skipped: %s"):format(name, found.skipped))
    else
      for _, line in ipairs(suite.lines(case, found)) do print(line) end
      for _, line in ipairs(suite.check(case, found, kept)) do failed[#failed + 1] = line end
    end
    done[#done + 1] = { case = case, found = found }
    asked = asked + 1
  end
end
if asked == 0 then error("validate.lua: unknown case '" .. p.case .. "'", 0) end

if p.keep then suite.write_kept(here .. "/kept.txt", kept, done) end
if p.write ~= "" then report.write(p.write, done) end
if #failed > 0 then error("validation: " .. table.concat(failed, "\n  "), 0) end
