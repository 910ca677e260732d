-- suite.lua - runs a case on its grids with each scheme, and looks at the figures.
--
-- A case is a table:
--   title, text        for the document
--   sizes              cells along x; `quick`: how many of them a short run takes (2)
--   figures            {{ name, text, unit }, ...}; `more = true`: the greater, the better
--   measure(n, how)    the figures on n cells, by name; how = { params, precision } as ria.exact has it
--                      and `profile`: a chart is wanted too: { title, xlabel, ylabel, x, exact, now }
--   demands            {{ scheme, figure, ... }}: `rate` between the last two sizes, or `from` and `to`; or at
--                      `n` cells `most`, `least`, `of_first` (of the first order's figure). `missed`: why it
--                      is not met yet: told and not an error, but one that is met must lose this word;
--                      `optional`: the figure may be missing
--   single             a figure: on the first grid, single precision changes it by at most this
--   adi                parameters of adi, where it can run the case too: its figures stand beside the orders'
--   ready(options)     why it cannot be run, or nil
--   pictures           by scheme: lists of names in docs/validation, drawn by `measure`
local suite = {}

local short = (os.getenv "RIA_TEST_SHORT" or "") ~= ""

suite.schemes = {
  { name = "first", text = "first order", params = { order = 1 } },
  { name = "second", text = "second order", params = { order = 2 } },
}

--- The schemes of a case: the orders of shallow_water, and adi where it can.
function suite.schemes_of(case)
  local out = { table.unpack(suite.schemes) }
  if case.adi then out[#out + 1] = { name = "adi", text = "adi", solver = "adi", params = case.adi } end
  return out
end

local function sizes_of(case)
  local out = {}
  for k, n in ipairs(case.sizes) do
    if not short or k <= (case.quick or 2) then out[k] = n end
  end
  return out
end

-- --- figures -------------------------------------------------------------------------------------

--- The figures of a case: found[scheme][n][figure]; `single[figure]`: how far off single precision is;
-- found.charts[scheme]: its profile on the first grid, where it has one.
function suite.run(case, options)
  local found = { charts = {}, single = {}, sizes = sizes_of(case), options = options }
  found.skipped = case.ready and case.ready(options)
  if found.skipped then return found end
  for _, scheme in ipairs(suite.schemes_of(case)) do
    local of = {}
    found[scheme.name] = of
    local function how(precision, profile)
      return { params = scheme.params, solver = scheme.solver, precision = precision, profile = profile,
        options = options, scheme = scheme.name }
    end
    for k, n in ipairs(found.sizes) do
      of[n] = case.measure(n, how("double", k == 1))
      found.charts[scheme.name] = found.charts[scheme.name] or of[n].profile
    end
    if case.single and not scheme.solver then
      local n = found.sizes[1]
      local off = case.measure(n, how("single"))
      of.single = math.abs(off[case.single] - of[n][case.single])
    end
    collectgarbage()
  end
  return found
end

local function rate(of, figure, n, fine)
  return math.log(of[n][figure] / of[fine][figure]) / math.log(fine / n)
end

--- Lines to print: figures and rates; demands that are known to be missed.
function suite.lines(case, found)
  local out = {}
  for _, scheme in ipairs(suite.schemes_of(case)) do
    local of = found[scheme.name]
    for _, figure in ipairs(case.figures) do
      local name, text = figure[1], ""
      for k, n in ipairs(found.sizes) do
        local v = of[n][name]
        if v then
          text = text .. ("  %d: %.4g"):format(n, v)
          local coarse = k > 1 and of[found.sizes[k - 1]][name]
          if coarse and not figure.plain and v > 0 and coarse > 0 then
            text = text .. (" (%.2f)"):format(rate(of, name, found.sizes[k - 1], n))
          end
        end
      end
      if text ~= "" then
        out[#out + 1] = ("%-13s %-7s %-8s%s"):format(case.name, scheme.name, name, text)
      end
    end
    if of.single then
      out[#out + 1] = ("%-13s %-7s single precision changes %s by %.1e"):format(case.name, scheme.name,
        case.single, of.single)
    end
  end
  return out
end

-- --- demands -------------------------------------------------------------------------------------

-- A rate between two sizes: text and value; nil where one of them did not run.
local function demanded_rate(case, of, d)
  local s = case.sizes
  local from, to = d.from or s[#s - 1], d.to or s[#s]
  if not (of[from] and of[to]) then return nil end
  return ("rate of %s, %d to %d, >= %g"):format(d[2], from, to, d.rate), rate(of, d[2], from, to)
end

-- A figure at a size.
local function demanded_figure(found, of, d)
  if not of[d.n] or d.optional and not of[d.n][d[2]] then return nil end
  local name, value = d[2], of[d.n][d[2]]
  if d.of_first then
    return ("%s at %d, part of first order's, <= %g"):format(name, d.n, d.of_first),
      value / found.first[d.n][name]
  end
  return ("%s at %d %s %g"):format(name, d.n, d.most and "<=" or ">=", d.most or d.least), value
end

--- One demand: `text`, the figure found as `value` and whether it `holds`; nil when this run cannot tell.
function suite.demand(case, found, d)
  local of = found[d[1]]
  if not of then return nil end
  local text, value
  if d.rate then
    text, value = demanded_rate(case, of, d)
  else
    text, value = demanded_figure(found, of, d)
  end
  if not text then return nil end
  local most, least = d.most or d.of_first or math.huge, d.least or d.rate or -math.huge
  local holds = value >= least and value <= most
  return { scheme = d[1], text = text, value = value, holds = holds, missed = d.missed }
end

local function key_of(case, scheme, n, figure)
  return ("%s %s %d %s"):format(case.name, scheme, n, figure)
end

-- Every figure that may be kept: f(key, value, figure).
local function each(case, found, f)
  for _, scheme in ipairs(suite.schemes_of(case)) do
    for _, n in ipairs(found.sizes) do
      for _, figure in ipairs(case.figures) do
        local v = found[scheme.name][n][figure[1]]
        if v then f(key_of(case, scheme.name, n, figure[1]), v, figure) end
      end
    end
  end
end

local room = 0.03

--- What is wrong: demands that fail, figures worse than the kept ones by more than 3 % (or by `slack`).
function suite.check(case, found, kept)
  local wrong = {}
  for _, d in ipairs(case.demands) do
    local r = suite.demand(case, found, d)
    if r and r.holds == (r.missed ~= nil) then
      wrong[#wrong + 1] = ("%s, %s order: %s: it is %.4g%s"):format(case.name, r.scheme, r.text, r.value,
        r.missed and ", and counts as missed" or "")
    end
  end
  for _, scheme in ipairs(suite.schemes_of(case)) do
    local off = found[scheme.name].single
    if off and (off > 1e-6 or off ~= off) then
      wrong[#wrong + 1] = ("%s, %s order: single precision changes %s by %.1e"):format(case.name,
        scheme.name, case.single, off)
    end
  end
  each(case, found, function(key, v, figure)
    local was = kept[key]
    local slack = figure.slack
    if type(slack) == "table" then slack = slack[key:match "^%S+ (%S+)"] end
    local worse = was and (figure.more and was - v or v - was)
    if not was then
      wrong[#wrong + 1] = key .. " is not among the kept figures: keep=yes"
    elseif v ~= v or worse > math.max(room * math.abs(was), slack or 1e-12) then
      wrong[#wrong + 1] = ("%s is %.5g: it was %.5g"):format(key, v, was)
    end
  end)
  return wrong
end

-- --- kept figures --------------------------------------------------------------------------------

--- Figures by key; none when there is no such file.
function suite.read_kept(path)
  local kept, file = {}, io.open(path)
  if not file then return kept end
  for line in file:lines() do
    local key, value = line:match "^(%S+ %S+ %d+ %S+) (%S+)$"
    if key then kept[key] = tonumber(value) end
  end
  file:close()
  return kept
end

--- What was found takes the place of what was kept; the rest stays.
function suite.write_kept(path, kept, done)
  for _, d in ipairs(done) do
    if not (d.found.skipped or d.found.left_out) then
      each(d.case, d.found, function(key, v) kept[key] = v end)
    end
  end
  local keys = {}
  for key in pairs(kept) do keys[#keys + 1] = key end
  table.sort(keys)
  local file = assert(io.open(path, "w"))
  file:write("case scheme cells figure value: what validate.lua found, in double precision on a CPU\n")
  for _, key in ipairs(keys) do file:write(("%s %.4e\n"):format(key, kept[key])) end
  file:close()
end

return suite
