local channels = require "channels"
local steady = require "ria.steady"

local kinds = { "subcritical", "supercritical", "transcritical", "jump", "river" }

-- Where the flow is critical to the last place rounding decides which steady flow is found, at first order.
local figures = channels.figures(kinds)
figures[1].slack, figures[2].slack = { first = 5e-4 }, { first = 2e-3 }

return {
  title = "MacDonald's steady flows with friction",
  text = [[Flows along a kilometre with Manning's friction, whose bed is made for a given depth: four of SWASHES
(section 3.2), with reaches before and behind, where the flow comes to suit the boundaries; and a river
without them, to see the boundaries. L1 error of the depth, and the greatest departure of the discharge,
but for two cells at the jump.]],
  sizes = { 100, 200, 400, 800 },
  figures = figures,
  demands = {
    { "first", "subcritical", rate = 0.8 }, { "first", "supercritical", rate = 0.8 },
    { "first", "transcritical", rate = 0.8 }, { "first", "jump", rate = 0.8 }, { "first", "river", rate = 0.8 },
    { "second", "subcritical", rate = 1.9 }, { "second", "supercritical", rate = 1.9 },
    { "second", "transcritical", rate = 1.9 }, { "second", "jump", rate = 1.25 },
    { "second", "river", rate = 1.9 },
    { "second", "q_subcritical", n = 800, most = 1e-3 },
    { "second", "q_supercritical", n = 800, most = 1e-3 },
    { "second", "q_transcritical", n = 800, most = 1e-3 }, { "second", "q_jump", n = 800, most = 1e-3 },
    { "second", "q_river", n = 800, most = 1e-3 },
  },
  measure = channels.measure(steady.friction, kinds),
}
