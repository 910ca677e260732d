-- laboratory.lua - cases beside measured data: where the data are, and runs of a scenario whose words are read.
local laboratory = {}

local function is_there(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

--- The directory of a case's data: data=DIR/<name>, or data=DIR itself; nil where neither has `file`.
function laboratory.folder(options, name, file)
  for _, dir in ipairs { options.data .. "/" .. name, options.data } do
    if options.data ~= "" and is_there(dir .. "/" .. file) then return dir end
  end
end

--- `ready` of a case whose data are there when `file` is.
function laboratory.ready(name, file)
  return function(o)
    if o.data == "" then return "no data (data=DIR)" end
    if not laboratory.folder(o, name, file) then
      return ("no data (no %s in %s or %s/%s)"):format(file, o.data, o.data, name)
    end
  end
end

--- What a scenario prints. o: `script` (in scenarios/), `data` (a directory), `params` (beside those of `how`),
-- `pictures` { [what it draws] = name in the document }, copied where a document is written.
function laboratory.run(how, o)
  local words, copies, to = "", "", how.options.write
  for _, params in ipairs { how.params, o.params or {} } do
    for name, value in pairs(params) do words = words .. (" '%s=%s'"):format(name, value) end
  end
  if to ~= "" then
    for from, name in pairs(o.pictures or {}) do
      copies = copies .. (" && cp \"$d/out/%s\" '%s/validation/%s'"):format(from, to, name)
    end
  end
  local pipe = assert(io.popen(([[d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
    "$(readlink /proc/$PPID/exe)" run -q --out "$d/out" '%s/../../scenarios/%s' 'data=%s'%s%s]]):format(
    how.options.here, o.script, o.data, words, copies)))
  local text = pipe:read "a"
  assert(pipe:close(), ("validation: scenarios/%s failed"):format(o.script))
  return text
end

return laboratory
