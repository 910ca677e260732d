-- messages - wrong scenarios and the exact message for each. Messages are part of the language:
-- they name the user's line, what is wrong, and the nearest right name, the unit or the range.
--
-- Each row is a script, without its first line (local ria = require "ria"), and what it must say.
-- Line 2 is therefore the first line of the text.

local messages = {}

local prelude = 'local ria = require "ria"\n'
messages.basin = 'local sim = ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, bed = -1,' ..
  ' tracers = { "oil" }, out = false }\n' -- line 2

local function run(text)
  os.remove "bay.lua" -- a file that is emptied and filled again may be waited for: tests/files.h
  local file = assert(io.open("bay.lua", "w"))
  file:write(prelude, text)
  file:close()
  local chunk = assert(loadfile "bay.lua")
  local ok, message = pcall(chunk)
  return ok and "no error" or message
end

function messages.check(rows)
  local failed = 0
  for k, row in ipairs(rows) do
    local said = run(row[1])
    if said ~= row[2] then
      failed = failed + 1
      io.stderr:write(("row %d\n  expected %s\n  said     %s\n"):format(k, row[2], tostring(said)))
    end
  end
  os.remove "bay.lua"
  assert(failed == 0, failed .. " of " .. #rows .. " messages are not as expected")
end

return messages
