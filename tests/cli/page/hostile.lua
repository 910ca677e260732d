-- A run whose names and text are what a page must not take for its own.
local ria = require "ria"
local text = [[</script><script>document.title = "taken"</script><img src=x onerror="document.title='taken'"> & ]] .. "\u{2028}'\"`${1}"
local p = ria.params { note = { "", help = "any text" }, fail = { false, help = "ends by an error" } }
local sim = ria.sim {
  grid = { nx = 24, ny = 16, dx = 50 },
  bed = function(x) return x > 1000 and 3 or -4 end,
  title = text .. p.note,
  start = "2026-07-14 00:00",
  zone = "+02:00",
  tracers = { dye = { unit = "mg/l" } },
  init = { level = function(x) return 0.4 * math.cos(x / 400) end },
  boundary = { north = "open" },
  maxima = { "level" },
}
sim:at("5 min", ria.spill { name = "<b>spill</b>", tracer = "dye", x = 400, y = 400, radius = 150, mass = "250 kg" })
sim:every("5 min", ria.frame { field = "level", width = 320 })
sim:every("10 min", ria.frame { field = "dye", width = 320, scale = "log" })
sim:every("10 min", ria.save { "level", "dye", "u", "v" })
sim:gauge { name = "jetty", x = 600, y = 400, every = "1 min" }
if p.fail then sim:at("12 min", function() error("stopped by </script><b>hand</b>") end) end
sim:run "30 min" -- </script><script>document.title = "taken"</script>
