-- report.lua - docs/validation.md and its pictures, from what suite.lua found.
local suite = require "suite"

local report = {}

local colors = { first = "#d55414", second = "#0065a3", adi = "#008568" }

local function number(v) return v and ("%.3g"):format(v) or "" end

-- Does a figure fall with the cells, so that it has a rate?
local function falls(found, figure)
  if figure.plain or #found.sizes < 2 then return false end
  for _, n in ipairs(found.sizes) do
    if (found.first[n][figure[1]] or 0) <= 0 then return false end
  end
  return true
end

-- --- pictures ------------------------------------------------------------------------------------

local function error_panel(case, found, figure)
  local panel = {
    title = ("%s: %s"):format(case.title, figure[2]), xlabel = "log10 of the number of cells",
    ylabel = ("log10 of the error (%s)"):format(figure[3]),
  }
  for _, scheme in ipairs(suite.schemes_of(case)) do
    local x, y = {}, {}
    for _, n in ipairs(found.sizes) do
      x[#x + 1], y[#y + 1] = math.log(n, 10), math.log(found[scheme.name][n][figure[1]], 10)
    end
    local color = colors[scheme.name]
    panel[#panel + 1] = { label = scheme.text, x = x, y = y, color = color }
    panel[#panel + 1] = { x = x, y = y, points = true, color = color }
  end
  return panel
end

local function profile_panels(case, found, out)
  for k, chart in ipairs(found.charts.first or {}) do
    local panel = {
      title = ("%s, %d cells"):format(chart.title, chart.n or found.sizes[1]),
      xlabel = chart.xlabel or "x (m)", ylabel = chart.ylabel or "depth (m)",
      { label = "exact", x = chart.x, y = chart.exact, color = "#888888" },
    }
    for _, scheme in ipairs(suite.schemes_of(case)) do
      local of = found.charts[scheme.name][k]
      panel[#panel + 1] = { label = scheme.text, x = of.x, y = of.now, color = colors[scheme.name] }
    end
    out[#out + 1] = panel
  end
end

-- Draw a case; false when it has nothing to draw.
local function draw(ria, dir, case, found)
  local panels = { path = ("%s/validation/%s.png"):format(dir, case.name) }
  for _, figure in ipairs(case.figures) do
    if falls(found, figure) and figure[1]:sub(1, 2) ~= "q_" then
      panels[1] = error_panel(case, found, figure)
      break
    end
  end
  profile_panels(case, found, panels)
  if #panels == 0 then return false end
  ria.plot(panels)
  return true
end

-- --- text ----------------------------------------------------------------------------------------

local function table_of(put, case, found)
  local head, rule = "| figure |", "|---|"
  for _, scheme in ipairs(suite.schemes_of(case)) do
    for _, n in ipairs(found.sizes) do
      head, rule = head .. (" %s, %d |"):format(scheme.name, n), rule .. "---|"
    end
  end
  put(head)
  put(rule)
  for _, figure in ipairs(case.figures) do
    local line = ("| %s%s |"):format(figure[2], figure[3] ~= "1" and " (" .. figure[3] .. ")" or "")
    for _, scheme in ipairs(suite.schemes_of(case)) do
      local before, at
      for _, n in ipairs(found.sizes) do
        local v = found[scheme.name][n][figure[1]]
        local rate = ""
        if before and v and falls(found, figure) and v > 0 then
          rate = (" (%.2f)"):format(math.log(before / v) / math.log(n / at))
        end
        line, before, at = line .. (" %s%s |"):format(number(v), rate), v, n
      end
    end
    put(line)
  end
  put ""
end

local function demands_of(put, case, found)
  local lines = {}
  for _, d in ipairs(case.demands) do
    local r = suite.demand(case, found, d)
    if r then
      lines[#lines + 1] = ("| %s | %s | %.4g | %s |"):format(r.scheme, r.text, r.value,
        r.holds and "met" or "**missed**" .. (r.missed and ": " .. r.missed or ""))
    end
  end
  for _, scheme in ipairs(suite.schemes_of(case)) do
    local off = found[scheme.name].single
    if off then
      lines[#lines + 1] = ("| %s | single precision changes %s by <= 1e-6 | %.1e | %s |"):format(
        scheme.name, case.single, off, off <= 1e-6 and "met" or "**missed**")
    end
  end
  if #lines == 0 then return end
  put "| order | demand | found | |"
  put "|---|---|---|---|"
  for _, line in ipairs(lines) do put(line) end
  put ""
end

--- The sections of a document, by title; none where there is no document.
local function sections_of(path)
  local sections, title, lines, file = {}, nil, {}, io.open(path)
  if not file then return sections end
  local function close(last)
    if title then sections[title] = table.concat(lines, "\n", 1, last) end
  end
  for line in file:lines() do
    local next_title = line:match "^## (.*)"
    if next_title then
      close(#lines - 1) -- without the empty line between two sections
      title, lines = next_title, {}
    end
    lines[#lines + 1] = line
  end
  close(#lines)
  file:close()
  return sections
end

local function section_of(put, dir, case, found)
  put("## " .. case.title)
  put ""
  put(case.text)
  put ""
  if found.skipped then
    put("Skipped: " .. found.skipped .. ".")
    return
  end
  table_of(put, case, found)
  demands_of(put, case, found)
  if draw(require "ria", dir, case, found) then
    put(("![%s](validation/%s.png)"):format(case.title, case.name))
  end
  for _, scheme in ipairs(case.pictures and suite.schemes_of(case) or {}) do
    for _, picture in ipairs(case.pictures[scheme.name] or {}) do
      put(("![%s, %s](validation/%s)"):format(case.title, scheme.text, picture))
    end
  end
end

--- Write dir/validation.md and dir/validation/*.png. Cases that were skipped or not asked for keep the section
-- that the document has of them.
function report.write(dir, done)
  local path = dir .. "/validation.md"
  local kept = sections_of(path)
  local file = assert(io.open(path, "w"))
  local function put(line) file:write(line, "\n") end
  put "# Validation of `shallow_water`, and of `adi` where it can run a case"
  put ""
  put "`ria run tests/validation/validate.lua write=docs` wrote this file and its pictures: double precision, on a CPU."
  put "Numbers in parentheses are rates between two grids; cells are those along x. More, and what each case is:"
  put "[tests/validation](../tests/validation/README.md)."
  for _, d in ipairs(done) do
    local old = (d.found.skipped or d.found.left_out) and kept[d.case.title]
    if old then
      put ""
      put(old)
    elseif not d.found.left_out then
      put ""
      section_of(put, dir, d.case, d.found)
    end
  end
  file:close()
end

return report
