-- A tracer's unit is meant: what is let go in t, cfu or K m3 comes out of probes, gauges, stores,
-- frames and accounts in the units that belong to it, with either solver, in either precision.
local ria = require "ria"

local name = os.tmpname() -- a file: its name with a suffix is ours
local runs = 0

local function near(a, b, relative)
  assert(math.abs(a - b) <= relative * math.abs(b), ("%.17g is not %.17g"):format(a, b))
end

local function read(path)
  local file = assert(io.open(path, "rb"), path)
  local text = file:read "a"
  file:close()
  return text
end

local function has(path, text)
  assert(read(path):find(text, 1, true), path .. " has no " .. text)
end

-- a closed basin of 4e7 m3
local function basin(tracers, changes)
  runs = runs + 1
  local t = {grid = {nx = 10, ny = 10, dx = 200}, bed = -10, init = {level = 0}, tracers = tracers,
             out = false, params = {dt = 10}}
  for key, value in pairs(changes or {}) do t[key] = value end
  if t.solver ~= "adi" then t.params = nil end
  return ria.sim(t)
end

-- with a radius that holds the whole of it a release is one concentration everywhere
local function everywhere(spill)
  spill.x, spill.y, spill.radius = 1000, 1000, 2000
  return spill
end

local variants = {}
for _, solver in ipairs {"shallow_water", "adi"} do
  for _, precision in ipairs {"double", "single"} do
    variants[#variants + 1] = {solver = solver, precision = precision,
                               eps = precision == "single" and 1e-6 or 1e-12}
  end
end

-- 40 t in 4e7 m3 are 1 mg/l, wherever one looks
for _, v in ipairs(variants) do
  local dir = name .. "." .. runs
  local sim = basin({dye = {unit = "mg/L", decay = "0.5 1/d"}},
                    {solver = v.solver, precision = v.precision, out = dir, maxima = {"dye"}})
  sim:every("1 min", ria.frame {field = "dye", range = {0, 2}})
  sim:every("1 min", ria.save {"dye", "dye_load"})
  sim:gauge {name = "pier", x = 500, y = 500, every = "1 min", fields = {"dye"}}
  local handle = sim:spill(everywhere {tracer = "dye", mass = "40 t", name = "dye lost"})
  sim:start()
  near(sim:probe(500, 500, "dye"), 1, v.eps)
  near(sim:field("dye_load"):get(3, 3), 10, v.eps) -- mg m/l = g/m2
  near(sim:released(handle), 40000, v.eps)
  sim:run "2 min"
  local total = sim:totals().dye
  assert(total.unit == "kg", total.unit)
  near(total.sources, 40000, v.eps)
  near(total.stored + total.decayed, 40000, v.eps)
  near(total.decayed, 40000 * (1 - math.exp(-0.5 * 120 / 86400)), 1e-2)
  assert(math.abs(total.relative) < v.eps, total.relative)
  sim:finish()
  near(ria.csv(dir .. "/gauges.csv")["pier.dye"][1], 1, v.eps)
  near(ria.csv(dir .. "/budget.csv")["dye_stored"][1], 40000, v.eps)
  has(dir .. "/fields.zarr/dye/.zattrs", '"units": "mg/L"')
  has(dir .. "/fields.zarr/dye_load/.zattrs", '"units": "mg m/L"')
  has(dir .. "/maxima.zarr/dye/.zattrs", '"units": "mg/L"')
  has(dir .. "/frames/dye/dye_000000.png", "0 2 linear mg/L")
  has(dir .. "/run.json", '"released_kg": 4')
  has(dir .. "/run.json", '"unit": "mg/L"')
end

-- bacteria: 1e12 cfu in 4e7 m3 are 2.5 cfu/100 ml; readers of stores get a unit that they know
for _, v in ipairs(variants) do
  local dir = name .. "." .. runs
  local sim = basin({coli = {unit = "cfu/100 ml"}},
                    {solver = v.solver, precision = v.precision, out = dir})
  local handle = sim:spill(everywhere {tracer = "coli", amount = "1e12 cfu"})
  local goes_on = sim:spill(everywhere {tracer = "coli", rate = "6e9 cfu/min", duration = "1 min"})
  sim:every("1 min", ria.save "coli")
  sim:every("1 min", ria.frame {field = "coli", range = {0, 5}})
  sim:start()
  near(sim:probe(500, 500, "coli"), 2.5, v.eps)
  sim:run "1 min"
  near(sim:probe(500, 500, "coli"), 2.5 + 6e9 / 4e7 / 1e4, v.eps)
  near(sim:released(handle), 1e12, v.eps)
  near(sim:released(goes_on), 6e9, v.eps)
  local total = sim:totals().coli
  assert(total.unit == "cfu")
  near(total.stored, 1.006e12, v.eps)
  sim:finish()
  has(dir .. "/fields.zarr/coli/.zattrs", '"units": "dl-1"')
  has(dir .. "/fields.zarr/coli/.zattrs", '"measured_in": "cfu/100 ml"')
  has(dir .. "/frames/coli/coli_000000.png", "0 5 linear cfu/100 ml")
  has(dir .. "/run.json", '"unit": "cfu"')
  assert(not read(dir .. "/run.json"):find("kg", 1, true))
end

-- one simulation of many units: each has amounts of its own
do
  local sim = basin({heat = {unit = "K"}, warm = {unit = "degC"}, salt = {unit = "psu"},
                     part = {unit = "%"}, water_of = {unit = "1"}, caesium = {unit = "Bq/l"},
                     ammonium = {unit = "umol/l"}, algae = {unit = "count(algae)/ml"}})
  local function let(spill) sim:spill(everywhere(spill)) end
  let {tracer = "heat", amount = "8e7 K m3"}
  let {tracer = "warm", amount = "8e4 degC km3"}
  let {tracer = "salt", amount = 8e7}
  let {tracer = "part", amount = "0.8 hm3"} -- 2 %
  let {tracer = "water_of", amount = "8e9 % m3"}
  let {tracer = "caesium", amount = "80 GBq"}
  let {tracer = "ammonium", amount = "80 kmol"}
  let {tracer = "algae", amount = "8e13 count(algae)"}
  sim:start()
  local expected = {heat = {2, "K m^3"}, warm = {2e6, "degC m^3"}, salt = {2, "psu m^3"},
                    part = {2, "% m^3"}, water_of = {2, "m^3"}, caesium = {2, "Bq"},
                    ammonium = {2, "mol"}, algae = {2, "count(algae)"}}
  for tracer, is in pairs(expected) do
    near(sim:probe(500, 500, tracer), is[1], 1e-12)
    assert(sim:totals()[tracer].unit == is[2], sim:totals()[tracer].unit)
  end
  near(sim:totals().caesium.stored, 8e10, 1e-12)
  near(sim:totals().part.stored, 8e7, 1e-12)
end

-- what flows in and what is there at first is in any unit of the same kind; plain numbers are in the
-- tracer's own
for _, v in ipairs(variants) do
  local sim = basin({dye = {unit = "ug/l"}, heat = {unit = "degC"}}, {
    solver = v.solver, precision = v.precision, init = {level = 0, dye = "0.5 mg/l", heat = "283.15 K"},
    boundary = {west = {q = 20, kind = "discharge", tracers = {dye = "2 mg/l", heat = 15}},
                east = {kind = "level", level = 0, tracers = {dye = {{0, "1 g/m3"}, {"1 d", 4}}}}}})
  sim:start()
  near(sim:probe(500, 500, "dye"), 500, v.eps)
  near(sim:probe(500, 500, "heat"), 10, 1e-4)
  sim:run "100 s"
  local water = sim:flux "west"
  near(water, 20 * 100, 0.1)
  near(sim:flux("west", "dye"), water * 2e-3, 1e-4) -- kg
  near(sim:flux("west", "heat"), water * 15, 1e-4)  -- degC m3
  local total = sim:totals().dye
  near(total.inflow - sim:flux("east", "dye"), water * 2e-3, 1e-4)
  near(total.initial, 4e7 * 0.5e-3, 1e-6)
  assert(math.abs(total.relative) < v.eps, total.relative)
  sim:boundary("west", {tracers = {dye = "3 mg/l"}})
  sim:set("dye", "1 mg/l")
  near(sim:probe(500, 500, "dye"), 1000, v.eps)
end

-- an outfall: water with a concentration, in its own unit or another; mass of a volume
do
  local sim = basin {dye = {unit = "mg/l"}}
  local a = sim:spill {tracer = "dye", x = 500, y = 500, flow = 2, conc = "5 g/l", duration = 60}
  local b = sim:spill {tracer = "dye", x = 900, y = 500, flow = {{0, 2}, {60, 2}}, conc = 5, duration = 60}
  local c = sim:spill(everywhere {tracer = "dye", volume = "10 m3", density = "0.8 kg/l"})
  local d = sim:spill(everywhere {tracer = "dye", rate = {{0, "1 kg/s"}, {60, "3600 kg/h"}}, duration = 60})
  sim:run "1 min"
  near(sim:released(a), 2 * 60 * 5, 1e-12)
  near(sim:released(b), 2 * 60 * 5e-3, 1e-12)
  near(sim:released(c), 8000, 1e-12)
  near(sim:released(d), 60, 1e-12)
  near(sim:totals().dye.stored, 600 + 0.6 + 8000 + 60, 1e-12)
  assert(math.abs(sim:totals().dye.relative) < 1e-12)
end

-- kg/m3 is what it always was, to the bit
do
  local a, b = basin {oil = {}}, basin {oil = {unit = "kg m-3"}}
  for _, sim in ipairs {a, b} do
    sim:spill {tracer = "oil", x = 500, y = 500, mass = 123.456}
    sim:run(60)
  end
  assert(a:probe(500, 500, "oil") == b:probe(500, 500, "oil"))
  assert(a:totals().oil.stored == b:totals().oil.stored)
end

-- what cannot be meant
local known = "expected a mass (kg, g, mg, ug, ng, t), a count (cfu, MPN, pfu, cells, copies, " ..
  "particles, eggs, larvae, oocysts, or count(name) of anything else), Bq or mol over a volume " ..
  "(m^3, l, ml, 100 ml), or K, degC, psu, g/kg, mg/kg, %, 1"
local Known = "E" .. known:sub(2)

local function refused(f, message)
  local ok, said = pcall(f)
  said = tostring(said):gsub("^[^:]*:%d+: ", "")
  assert(not ok and said == message, ("\n  expected %s\n  said     %s"):format(message, said))
end

local function unit(text, message)
  refused(function() basin {dye = {unit = text}} end, "ria.sim: tracers.dye.unit: " .. message)
end
unit("mgg/l", "unknown unit 'mgg/l', did you mean 'mg/l'? " .. Known)
unit("mg/lt", "unknown unit 'mg/lt', did you mean 'mg/l'? " .. Known)
unit("fish/km3", "unknown unit 'fish/km3': " .. known)
unit("ppm", "unknown unit 'ppm': " .. known)
unit("kg", "'kg' is a unit of mass, not of a concentration: " .. known)
unit("m/s", "'m/s' is a unit of speed, not of a concentration: " .. known)
unit("", "the unit is empty: " .. known)

local function spill(tracer, keys, message)
  local sim = basin {dye = {unit = "mg/l"}, coli = {unit = "cfu/100 ml"}, heat = {unit = "K"}}
  keys.tracer = tracer
  refused(function() sim:spill(everywhere(keys)) end, "sim:spill: " .. message)
end
spill("coli", {mass = "40 t"}, "spill 'coli': 'coli' is in cfu/100 ml, which has no mass: " ..
  "give amount, in cfu, not mass")
spill("coli", {mass = "5e12 cfu"}, "mass: '5e12 cfu' is not a mass: write amount = \"5e12 cfu\"")
spill("coli", {volume = 1, density = 900}, "spill 'coli': 'coli' is in cfu/100 ml, which has " ..
  "no mass: give amount, in cfu, not volume with density")
spill("coli", {amount = "40 t"},
  "amount: '40 t' is a mass, but the tracer is in cfu/100 ml: its amounts are in cfu")
spill("coli", {amount = "40 MPN"},
  "amount: '40 MPN' is a count of MPN, but the tracer is in cfu/100 ml: its amounts are in cfu")
spill("coli", {amount = "40 cfuu"}, "amount: unknown unit 'cfuu' in '40 cfuu', did you mean 'cfu'? " ..
  "Expected an amount in cfu")
spill("coli", {rate = "40 cfu"}, "rate: unknown unit 'cfu' in '40 cfu', did you mean 'cfu/s'? " ..
  "Expected an amount in cfu/s")
spill("dye", {rate = "1 cfu/s"},
  "rate: '1 cfu/s' is a count of cfu per time, but the tracer is in mg/l: its amounts are in kg")
spill("dye", {amount = "5 m3"}, "amount: '5 m3' is a volume, but the tracer is in mg/l: its amounts are in kg")
spill("heat", {amount = "5 K"}, "amount: unknown unit 'K' in '5 K', did you mean 'K m^3'? Expected an " ..
  "amount in K m^3")
refused(function() ria.spill(everywhere {tracer = "coli", rate = "5 cfuu/s"}) end,
  "ria.spill: rate: unknown unit 'cfuu/s' in '5 cfuu/s', did you mean 'cfu/s'? Expected an amount " ..
  "such as '5 kg/s' or '1e9 cfu/s'")
refused(function() ria.spill(everywhere {tracer = "coli", amount = "5 m"}) end,
  "ria.spill: amount: 'm' in '5 m' is a unit of length: expected an amount such as '5 kg' or '1e9 cfu'")
ria.spill(everywhere {tracer = "coli", rate = "5 count(fish)/d"})
spill("heat", {flow = 1, conc = "5 mg/l"},
  "conc: '5 mg/l' is a mass over a volume, but the tracer is in K, a temperature")
spill("dye", {mass = 1, amount = 1}, "only one of mass, amount, rate, volume (with density) and flow " ..
  "(with conc) is needed")

refused(function() basin({dye = {unit = "mg/l"}}, {init = {dye = "3 K"}}) end,
  "ria.sim: init.dye: '3 K' is a temperature, but the tracer is in mg/l, a mass over a volume")
refused(function() basin({dye = {unit = "mg/l"}}, {init = {dye = "3 mgg/l"}}) end,
  "ria.sim: init.dye: unknown unit 'mgg/l' in '3 mgg/l', did you mean 'mg/l'? " .. Known)
refused(function()
  basin({coli = {unit = "cfu/100 ml"}}, {boundary = {west = {kind = "open", tracers = {coli = "2 MPN/l"}}}})
end, "ria.sim: boundary.west.tracers.coli: '2 MPN/l' is a count of MPN over a volume, but the tracer " ..
  "is in cfu/100 ml, a count of cfu over a volume")

os.execute(("rm -rf '%s' '%s'.*"):format(name, name))
