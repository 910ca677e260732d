--- A section through the layers that a run of `sediment` lays down.
--
--   local strata = require "ria.strata"
--   local line = strata.section { from = { 0, 20e3 }, to = { 60e3, 20e3 }, points = 200 }
--   sim:every("2000 yr", function(s) line:record(s) end)
--   sim:run "100000 yr"
--   line:plot { path = "out/delta/section.png", title = "Dip section" }
--
-- `record` keeps the height of the surface and its sand fraction along the line. Between two
-- records lies a layer with the fraction of its top; where the surface is dug out later, what was
-- there is gone.

local strata = {}
strata.__index = strata

local YEAR = 365.25 * 86400

-- From mud to sand.
local colors = { "#343c3e", "#4b4d48", "#635d4e", "#826d52",
  "#a4875a", "#c29f64", "#debe78", "#f8dc88" }

--- A line with `points` places from `from` to `to`, in metres.
function strata.section(o)
  local self = setmetatable({ x = {}, y = {}, along = {}, times = {} }, strata)
  local n = o.points or 150
  local dx, dy = o.to[1] - o.from[1], o.to[2] - o.from[2]
  local length = math.sqrt(dx * dx + dy * dy)
  for k = 1, n do
    local part = (k - 0.5) / n
    self.x[k], self.y[k] = o.from[1] + part * dx, o.from[2] + part * dy
    self.along[k] = part * length
  end
  self.height, self.sand, self.sea = {}, {}, {}
  return self
end

--- Keep the surface along the line as it is now.
function strata:record(sim)
  local h, s = {}, {}
  for k = 1, #self.x do
    h[k] = sim:probe(self.x[k], self.y[k], "height")
    s[k] = sim:probe(self.x[k], self.y[k], "sand")
  end
  local m = #self.times + 1
  self.times[m], self.height[m], self.sand[m] = sim:time(), h, s
  self.sea[m] = sim:probe(self.x[1], self.y[1], "sea_level")
end

--- tops[m][k]: the top of layer m that is left after what was dug out later.
function strata:tops()
  local tops = {}
  for m = #self.times, 1, -1 do
    tops[m] = {}
    for k = 1, #self.x do
      local h, above = self.height[m][k], tops[m + 1]
      tops[m][k] = above and math.min(h, above[k]) or h
    end
  end
  return tops
end

-- Horizontal strokes, one row of the picture after another, sorted by the class of the fraction.
local function strokes(self, tops, low, high, rows)
  local lines, n = {}, #self.x
  for c = 1, #colors do
    lines[c] = { x = {}, y = {}, color = colors[c] }
  end
  local half = 0.5 * (self.along[2] - self.along[1]) / 1000
  for r = 0, rows - 1 do
    local z = low + (high - low) * (r + 0.5) / rows
    for k = 1, n do
      local m = 1
      while m <= #tops and tops[m][k] < z do m = m + 1 end
      if m > 1 and m <= #tops then -- m = 1 is what lay there before
        local c = math.min(#colors, 1 + math.floor(self.sand[m][k] * #colors))
        local line, x = lines[c], self.along[k] / 1000
        local at = #line.x
        line.x[at + 1], line.y[at + 1] = x - half, z
        line.x[at + 2], line.y[at + 2] = x + half, z
        line.x[at + 3], line.y[at + 3] = x, 0 / 0
      end
    end
  end
  local there = {}
  for c = 1, #colors do
    if #lines[c].x > 0 then there[#there + 1] = c end
  end
  for _, c in ipairs { there[1], #there > 1 and there[#there] or nil } do -- the others lie between
    lines[c].label = ("%.0f to %.0f %% sand"):format(100 * (c - 1) / #colors, 100 * c / #colors)
  end
  return lines
end

local function surface(self, tops, m, color, label)
  local x, y = {}, {}
  for k = 1, #self.x do x[k], y[k] = self.along[k] / 1000, tops[m][k] end
  return { x = x, y = y, color = color, label = label }
end

--- Draw the section: layers coloured by their fraction of sand, a line of equal time every `lines`
--- records, the sea as it was last.
function strata:plot(o)
  if #self.times < 2 then return end -- nothing was laid down, as in `ria check`
  local tops, low, high = self:tops(), math.huge, -math.huge
  for m = 1, #tops do
    for k = 1, #self.x do
      low, high = math.min(low, tops[m][k]), math.max(high, tops[m][k])
    end
  end
  low, high = low - 0.04 * (high - low), high + 0.08 * (high - low)
  local panel = { xlabel = "distance [km]", ylabel = "height [m]",
                  yrange = { low, high },
                  xrange = { 0, (self.along[#self.x] + self.along[1]) / 1000 } }
  for _, line in ipairs(strokes(self, tops, low, high, o.rows or 640)) do
    if #line.x > 0 then panel[#panel + 1] = line end
  end
  local every = o.lines or 5
  for m = 1 + every, #tops - 1, every do panel[#panel + 1] = surface(self, tops, m, "#20262b") end
  panel[#panel + 1] = surface(self, tops, 1, "#000000",
    ("time lines, every %.0f yr"):format(every * (self.times[2] - self.times[1]) / YEAR))
  local sea = self.sea[#self.sea]
  panel[#panel + 1] = { x = panel.xrange, y = { sea, sea }, color = "#2a6fb0", label = "sea level" }
  return require "ria".plot { path = o.path, title = o.title, width = o.width or 1200,
                              height = o.height or 560, panel }
end

return require "ria.strict" ("strata", strata)
