local laboratory = require "laboratory"

-- What scenarios/monai.lua prints is read: "ch5: RMS error 3.73 mm, ..." and "run-up at (5.16, 1.88): 80.1 mm ...".
local function scenario(how)
  local text = laboratory.run(how, {
    script = "monai.lua", data = laboratory.folder(how.options, "monai", "bathymetry.asc"),
    pictures = { ["monai.png"] = ("monai_%s.png"):format(how.scheme) },
  })
  local out = {}
  for name, v in text:gmatch "(ch%d): RMS error ([%d.]+) mm" do out[name] = tonumber(v) end
  for x, v in text:gmatch "run%-up at %(([%d.]+), [%d.]+%): ([%d.-]+) mm" do out["at_" .. x] = tonumber(v) end
  return out
end

return {
  title = "Monai Valley",
  text = [[The laboratory tsunami of Monai (scenarios/monai.lua), 14 mm cells: RMS errors at the gauges and the run-up
at three points, the highest level in cells that were wet. Measured: 80 to 100, 52.5 to 67.5 and 52.5 to 57.5 mm.]],
  sizes = { 393 },
  figures = {
    { "ch5", "RMS error at ch5", "mm", plain = true }, { "ch7", "RMS error at ch7", "mm", plain = true },
    { "ch9", "RMS error at ch9", "mm", plain = true },
    { "at_5.16", "run-up in the gully", "mm", plain = true, more = true },
    { "at_5.03", "run-up at (5.03, 2.21)", "mm", plain = true, slack = 3 },
    { "at_5.00", "run-up at (5.00, 2.32)", "mm", plain = true, slack = 3 },
  },
  demands = {
    { "first", "at_5.16", n = 393, least = 67 },
    { "second", "ch5", n = 393, of_first = 1.05 }, { "second", "ch7", n = 393, of_first = 1.05 },
    { "second", "ch9", n = 393, of_first = 1.05 },
    { "second", "at_5.16", n = 393, least = 78 },
    { "second", "at_5.03", n = 393, least = 52.5 }, { "second", "at_5.03", n = 393, most = 67.5 },
    { "second", "at_5.00", n = 393, least = 52.5 }, { "second", "at_5.00", n = 393, most = 57.5 },
  },
  pictures = { first = { "monai_first.png" }, second = { "monai_second.png" } },
  ready = laboratory.ready("monai", "bathymetry.asc"),
  measure = function(_, how) return scenario(how) end,
}
