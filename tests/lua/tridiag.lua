-- ria.tridiag: a system on each row or column of fields.
local ria = require "ria"

local function near(a, b) assert(math.abs(a - b) <= 1e-12, ("%.17g is not %.17g"):format(a, b)) end
local function fails(fn, part)
  local ok, err = pcall(fn)
  assert(not ok and tostring(err):find(part, 1, true), tostring(err))
end

-- -x'' = 5 with 0 beyond both ends
local five = ria.field {nx = 4, ny = 3, dx = 1, value = 5}
local x = ria.tridiag {lower = -1, diag = 2, upper = -1, rhs = five, along = "x"}
for i, v in ipairs {10, 15, 15, 10} do
  for j = 0, 2 do near(x:get(i - 1, j), v) end
end
local y = ria.tridiag {lower = -1, diag = 2, upper = -1, rhs = five, along = "y"}
for j, v in ipairs {7.5, 10, 7.5} do near(y:get(3, j - 1), v) end

-- coefficients that vary: functions and fields
local diag = ria.field {nx = 4, ny = 3, dx = 1, value = function(xx, yy) return xx + yy end}
local d = ria.tridiag { lower = 0, diag = diag, upper = function() return 0 end, rhs = five,
  along = "x" }
near(d:get(2, 1), 5 / (2.5 + 1.5))

fails(function() ria.tridiag {lower = 0, diag = 0, upper = 0, rhs = five, along = "x"} end,
  "row 0 has no finite solution")
fails(function() ria.tridiag {lower = 0, diag = 1, upper = 0, rhs = 5, along = "x"} end, "rhs")
fails(function() ria.tridiag {lower = 0, diag = 1, upper = 0, rhs = five, along = "z"} end, "along")
fails(function() ria.tridiag {lower = 0, dag = 1, upper = 0, rhs = five, along = "y"} end, "diag")
