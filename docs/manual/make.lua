-- make.lua - the manual as one HTML file, of docs/manual, the reference in docs and the READMEs of the solvers.
--
--   cmake --build build -t manual                                 build/share/doc/manual.html
--   ria run -q docs/manual/make.lua source=. to=manual.html
--
-- Of Markdown it knows what these pages use: headings, paragraphs, lists, tables, code, links, pictures, emphasis. Pictures
-- are within the file; links between pages become links within it, those to files that are not part of it plain text.

local ria = require "ria"

local p = ria.params {
  source = { ".", "root of the source" },
  to = { "manual.html", "the file to write" },
}

local pages = {
  { "Begin", "docs/manual/1-tutorial.md", "docs/manual/2-howto.md", "docs/manual/3-embedding.md", "docs/manual/4-messages.md" },
  { "Reference", "docs/lua.md", "docs/export.md", "docs/limited.md", "docs/ranks.md" },
  { "Solvers", "engine/solvers/shallow_water/README.md", "engine/solvers/adi/README.md", "engine/solvers/diffusion/README.md",
    "engine/solvers/sediment/README.md" },
  { "Vocabulary", "docs/vocabulary.md" },
}

local function read(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read "a"
  f:close()
  return text
end

-- "docs/manual" and "../lua.md": "docs/lua.md"
local function joined(folder, path)
  local parts = {}
  for part in (folder .. "/" .. path):gmatch "[^/]+" do
    if part == ".." then parts[#parts] = nil elseif part ~= "." then parts[#parts + 1] = part end
  end
  return table.concat(parts, "/")
end

-- --- words ------------------------------------------------------------------------------------------------------------------

local function escaped(text) return (text:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" })) end

local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function base64(data)
  local out = {}
  for k = 1, #data, 3 do
    local a, b, c = data:byte(k, k + 2)
    local n = a << 16 | (b or 0) << 8 | (c or 0)
    for shift = 18, 0, -6 do
      local at = (n >> shift & 63) + 1
      out[#out + 1] = digits:sub(at, at)
    end
    if not b then out[#out - 1] = "=" end
    if not c then out[#out] = "=" end
  end
  return table.concat(out)
end

local known = {} -- path of a page: its anchor

-- As GitHub makes it of a heading, which links in the pages go by.
local function anchor(text) return (text:lower():gsub("[^%w%s_-]", ""):gsub("%s", "-")) end

local function target(page, to)
  if to:match "^%a+:" then return to end
  local file, part = to:match "^([^#]*)#?(.*)$"
  local id = known[file == "" and page or joined(page:match "(.*)/" or ".", file)]
  if not id then return end
  return "#" .. id .. (part ~= "" and "-" .. part or "")
end

local function picture(page, about, file)
  local data = base64(read(p.source .. "/" .. joined(page:match "(.*)/", file)))
  return ('<img alt="%s" src="data:image/png;base64,%s">'):format(escaped(about), data)
end

local function inline(page, text)
  local kept = {}
  local function keep(html)
    kept[#kept + 1] = html
    return "\1" .. #kept .. "\2"
  end
  text = text:gsub("(`+)(.-)%1", function(_, code) return keep("<code>" .. escaped(code) .. "</code>") end)
  text = text:gsub("!%[(.-)%]%((.-)%)", function(about, file) return keep(picture(page, about, file)) end)
  text = escaped(text)
  text = text:gsub("%[([^%]]-)%]%(([^%s%)]+)%)", function(words, to)
    local href = target(page, to)
    return href and keep('<a href="' .. href .. '">') .. words .. keep "</a>" or words
  end)
  text = text:gsub("%*%*(.-)%*%*", "<b>%1</b>"):gsub("%f[%w*]%*(%S[^*]-)%*%f[^%w*]", "<i>%1</i>"):gsub("^%*(%S[^*]*)%*$", "<i>%1</i>")
  while text:find "\1" do text = text:gsub("\1(%d+)\2", function(n) return kept[tonumber(n)] end) end
  return text
end

-- --- blocks: each takes the lines from `at` on that are its own, and gives its HTML and the next line -----------------------

local blocks

local function fence(lines, at)
  local kind, code = lines[at]:match "^%s*```(%S*)", {}
  local indent = #lines[at]:match "^%s*"
  for k = at + 1, #lines do
    if lines[k]:match "^%s*```%s*$" then
      return ('<pre class="%s"><code>%s</code></pre>'):format(kind, escaped(table.concat(code, "\n"))), k + 1
    end
    code[#code + 1] = lines[k]:sub(indent + 1)
  end
  error("a block of code without an end: " .. lines[at], 0)
end

local function indented(lines, at)
  local code = {}
  while lines[at] and (lines[at]:match "^    " or (lines[at] == "" and (lines[at + 1] or ""):match "^    ")) do
    code[#code + 1] = lines[at]:sub(5)
    at = at + 1
  end
  return "<pre><code>" .. escaped(table.concat(code, "\n")) .. "</code></pre>", at
end

-- The cells of a row; \| is none, nor is | in code.
local function cells(line)
  local row, cell, code = {}, "", false
  line = line:gsub("\\|", "\3"):gsub("^%s*|", ""):gsub("|%s*$", "")
  for c in line:gmatch "." do
    if c == "`" then code = not code end
    if c == "|" and not code then
      row[#row + 1], cell = cell, ""
    else
      cell = cell .. c
    end
  end
  row[#row + 1] = cell
  for k, text in ipairs(row) do row[k] = text:gsub("\3", "|"):match "^%s*(.-)%s*$" end
  return row
end

local function rows(page, lines, at)
  local out = { "<table>" }
  local first = at
  while lines[at] and lines[at]:match "^%s*|" do
    if at ~= first + 1 then
      local tag = at == first and "th" or "td"
      out[#out + 1] = "<tr>"
      for _, cell in ipairs(cells(lines[at])) do out[#out + 1] = ("<%s>%s</%s>"):format(tag, inline(page, cell), tag) end
      out[#out + 1] = "</tr>"
    end
    at = at + 1
  end
  out[#out + 1] = "</table>"
  return table.concat(out), at
end

local function item_of(line)
  local indent, mark = line:match "^(%s*)([-*])%s+%S"
  if not mark then indent, mark = line:match "^(%s*)(%d+)%.%s+%S" end
  return indent and #indent, mark and mark:match "%d" and "ol" or "ul"
end

local function list(page, lines, at)
  local level, tag = item_of(lines[at])
  local out = { "<" .. tag .. ">" }
  while lines[at] do
    local indent, kind = item_of(lines[at])
    if indent ~= level or kind ~= tag then break end
    local body = { (lines[at]:gsub("^%s*[-*]%s+", ""):gsub("^%s*%d+%.%s+", "")) }
    local inside = level + 2
    at = at + 1
    while lines[at] do
      local blank = lines[at]:match "^%s*$"
      local follows = (lines[at + 1] or ""):match "^(%s*)%S"
      local deeper = #lines[at]:match "^%s*" >= inside
      local starts = item_of(lines[at]) or lines[at]:match "^#" or lines[at]:match "^|"
      if blank and not (follows and #follows >= inside) then break end
      if not blank and not deeper and starts then break end
      body[#body + 1] = deeper and lines[at]:sub(inside + 1):gsub("^ (%S)", "%1") or lines[at]
      at = at + 1
    end
    out[#out + 1] = "<li>" .. blocks(page, body, true) .. "</li>"
    local next_one = at
    while lines[next_one] == "" do next_one = next_one + 1 end
    if lines[next_one] and item_of(lines[next_one]) == level then at = next_one end
  end
  out[#out + 1] = "</" .. tag .. ">"
  return table.concat(out), at
end

local function paragraph(page, lines, at, tight)
  local text = {}
  while lines[at] and lines[at]:match "%S" and not lines[at]:match "^%s*```" and not lines[at]:match "^#" and
    not lines[at]:match "^|" and not (#text > 0 and item_of(lines[at])) do
    text[#text + 1] = lines[at]:match "^%s*(.-)%s*$"
    at = at + 1
  end
  local html = inline(page, table.concat(text, "\n"))
  return tight and html or "<p>" .. html .. "</p>", at
end

local function heading(page, line)
  local marks, text = line:match "^(#+)%s+(.*)$"
  local id = #marks == 1 and known[page] or known[page] .. "-" .. anchor(text)
  return ('<h%d id="%s">%s</h%d>'):format(#marks, id, inline(page, text), #marks)
end

function blocks(page, lines, tight)
  local out, at, html = {}, 1, nil
  while lines[at] do
    local line = lines[at]
    if line:match "^%s*$" then
      at = at + 1
    else
      if line:match "^#" then
        html, at = heading(page, line), at + 1
      elseif line:match "^%s*```" then
        html, at = fence(lines, at)
      elseif line:match "^|" then
        html, at = rows(page, lines, at)
      elseif item_of(line) then
        html, at = list(page, lines, at)
      elseif line:match "^    " then
        html, at = indented(lines, at)
      else
        html, at = paragraph(page, lines, at, tight)
      end
      out[#out + 1] = html
    end
  end
  return table.concat(out, "\n")
end

-- --- the whole --------------------------------------------------------------------------------------------------------------

local function lines_of(text)
  local lines = {}
  for line in (text:gsub("\r", "") .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  return lines
end

local style = [[
:root { color-scheme: light dark; --line: #8884; --code: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: grid; grid-template-columns: 17em minmax(0, 52em); gap: 2em; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1em; box-sizing: border-box; border-right: 1px solid var(--line); }
nav ul { list-style: none; padding-left: .8em; margin: .2em 0 1em; }
main { padding: 1em 1em 6em; }
h1 { margin-top: 3em; border-bottom: 1px solid var(--line); }
pre { background: var(--code); padding: .7em 1em; overflow: auto; border-radius: 4px; font-size: 14px; line-height: 1.4; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
table { border-collapse: collapse; display: block; overflow: auto; }
td, th { border: 1px solid var(--line); padding: .25em .6em; text-align: left; vertical-align: top; }
img { max-width: 100%; background: #fff; }
@media (max-width: 60em) { body { display: block; } nav { position: static; height: auto; border: 0; } }
@media print { nav { display: none; } body { display: block; } }
]]

local titles = {}
for _, part in ipairs(pages) do
  for k = 2, #part do
    local page = part[k]
    titles[page] = read(p.source .. "/" .. page):match "^# ([^\n]*)"
    known[page] = anchor(page:gsub("/README%.md$", ""):gsub("%.md$", ""):match "[^/]*$")
  end
end

local nav, main = {}, {}
for _, part in ipairs(pages) do
  nav[#nav + 1] = "<b>" .. part[1] .. "</b><ul>"
  for k = 2, #part do
    local page = part[k]
    nav[#nav + 1] = ('<li><a href="#%s">%s</a></li>'):format(known[page], inline(page, titles[page]))
    main[#main + 1] = blocks(page, lines_of(read(p.source .. "/" .. page)))
  end
  nav[#nav + 1] = "</ul>"
end

local f = assert(io.open(p.to .. ".part", "wb"))
f:write("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">",
  "<title>ria: the manual</title><style>\n", style, "</style></head><body>\n<nav>", table.concat(nav, "\n"), "</nav>\n<main>\n",
  table.concat(main, "\n"), "\n</main></body></html>\n")
assert(f:close())
assert(os.rename(p.to .. ".part", p.to))
