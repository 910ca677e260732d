local channels = require "channels"
local steady = require "ria.steady"

local kinds = { "subcritical", "transcritical", "jump" }

return {
  title = "Flow over a bump",
  text = [[Goutal and Maurel's three flows over a parabola 20 cm high, without friction (SWASHES, section 3.1). The
parabola has kinks at its feet. First order keeps the head of smooth flow through the bed's steps:
subcritical it has little error.]],
  sizes = { 100, 200, 400 },
  figures = channels.figures(kinds),
  demands = {
    { "first", "transcritical", rate = 0.8 },
    { "second", "transcritical", rate = 1.9 },
    { "second", "jump", rate = 0.9, from = 100, to = 400 },
    { "second", "jump", rate = 0.9, from = 200, to = 400, missed = "where in its cell the jump stands decides" },
    { "second", "q_subcritical", n = 400, most = 1e-3 }, { "second", "q_transcritical", n = 400, most = 1e-3 },
    { "second", "q_jump", n = 400, most = 1e-3, missed = "the cell after the two of the jump has its slope from them" },
  },
  measure = channels.measure(steady.bump, kinds),
}
