-- check - what tests of the language ask of numbers, errors and files.

local check = {}

-- f(...) fails, and says this message behind the place ("bay.lua:7: ").
function check.fails(message, f, ...)
  local ok, said = pcall(f, ...)
  said = tostring(said):gsub("^[^:]+:%d+: ", "")
  assert(not ok and said == message, ("expected %s\nsaid     %s"):format(message, said))
end

-- f(...) fails, and this text is part of what it says.
function check.fails_with(text, f, ...)
  local ok, said = pcall(f, ...)
  said = tostring(said)
  assert(not ok and said:find(text, 1, true), ("expected %s\nin       %s"):format(text, said))
end

-- f(...) fails, and what it says ends with this message, behind the name of what was called.
function check.fails_ending(message, f, ...)
  local ok, said = pcall(f, ...)
  said = tostring(said)
  assert(not ok and said:sub(-#message) == message,
    ("expected %s\nsaid     %s"):format(message, said))
end

-- The numbers differ by no more than the tolerance. what: their name, for the message.
function check.near(a, b, tolerance, what)
  local name = what and what .. ": " or ""
  assert(math.abs(a - b) <= tolerance, ("%s%.17g is not %.17g"):format(name, a, b))
end

-- Write a file; its name.
function check.put(name, text)
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
  return name
end

return check
