--- An argument that a function does not take is an error at the caller's line, in the modules of
-- this folder as in `ria` itself: `return strict("series", series)` at the end of a module.
--
-- Lua knows which arguments a function takes. Trailing nils are allowed. Where a host keeps `debug`
-- from its scripts, surplus arguments are dropped silently, as Lua does.

local function parameters(f)
  local names = {}
  for k = 1, debug.getinfo(f, "u").nparams do names[k] = debug.getlocal(f, k) end
  return names
end

local function refuse(name, names, k, surplus)
  local is_method = names[1] == "self"
  local takes = table.concat(names, ", ", is_method and 2 or 1)
  error(("%s: argument %d is too many (%s): it takes %s"):format(
    is_method and name:gsub("%.", ":") or name, is_method and k - 1 or k,
    type(surplus) == "table" and "a table" or tostring(surplus),
    takes == "" and "none" or "(" .. takes .. ")"), 3)
end

local function guarded(name, f)
  local names = parameters(f)
  local most = #names
  return function(...)
    for k = most + 1, select("#", ...) do
      local surplus = select(k, ...)
      if surplus ~= nil then refuse(name, names, k, surplus) end
    end
    return f(...) -- a tail call: f blames the same line as without this function
  end
end

return function(name, module)
  for key, value in pairs(module) do
    if type(value) == "function" and debug then module[key] = guarded(name .. "." .. key, value) end
  end
  return module
end
