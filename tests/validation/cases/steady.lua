local channels = require "channels"
local steady = require "ria.steady"

local kinds = { "subcritical", "supercritical", "transcritical", "jump" }

return {
  title = "MacDonald's steady flows with friction",
  text = [[Four flows along a kilometre with Manning's friction, whose bed is made for a given depth (SWASHES, section
3.2; those that come in supercritical have a reach before the kilometre here). L1 error of the depth, and
the greatest departure of the discharge, but for two cells at the jump.]],
  sizes = { 100, 200, 400, 800 }, quick = 3,
  figures = channels.figures(kinds),
  demands = {
    { "first", "subcritical", rate = 0.8 }, { "first", "supercritical", rate = 0.8 },
    { "first", "transcritical", rate = 0.8 }, { "first", "jump", rate = 0.8 },
    { "second", "subcritical", rate = 2 }, { "second", "supercritical", rate = 2 },
    { "second", "transcritical", rate = 2 }, { "second", "jump", rate = 1 },
    { "second", "q_subcritical", n = 800, most = 1e-3 }, { "second", "q_supercritical", n = 800, most = 1e-3 },
    { "second", "q_transcritical", n = 800, most = 1e-3 }, { "second", "q_jump", n = 800, most = 1e-3 },
  },
  measure = channels.measure(steady.friction, kinds),
}
