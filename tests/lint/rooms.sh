#!/bin/sh
# tests/lint/rooms.sh - does every include follow an arrow of rooms.txt?
#
#   tests/lint/rooms.sh [SOURCE]    report what is wrong; exit code 1 if anything is
cd "${1:-$(dirname "$0")/../..}" || exit 2
rooms=$PWD/tests/lint/rooms.txt

files() { find engine gpu bindings -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def'; }

# "file:line:path", for every include; of those in <> only what lies in engine or gpu counts
includes() {
  files | xargs grep -n '^ *# *include *["<]' /dev/null | sed 's/^\([^:]*:[0-9]*:\)[^"<]*["<]\([^">]*\)[">].*/\1\2/'
}

files=$(files)
includes | awk -F: -v files="$files" -v rooms="$rooms" '
function fail(text) { print text; failed = 1 }

# The line of rooms.txt that a folder belongs to; star is the name that * stands for there.
function line_of(folder,   parent) {
  star = ""
  for (; folder != ""; folder = parent) {
    if (folder in allowed) return folder
    parent = folder
    if (!sub(/\/[^\/]*$/, "", parent)) parent = ""
    if (parent "/*" in allowed) {
      star = substr(folder, length(parent) + 2)
      return parent "/*"
    }
  }
  return ""
}
function room_of(path) {
  sub(/\/[^\/]*$/, "", path)
  path = line_of(path)
  sub(/\*$/, star, path)
  return path
}

# A path is looked for beside the file, then where the compiler is told to look.
function target_of(file, path,   beside) {
  beside = file
  sub(/[^\/]*$/, "", beside)
  beside = beside path
  while (sub(/[^\/]+\/\.\.\//, "", beside)) continue
  if (beside in there) return beside
  if ("engine/" path in there) return "engine/" path
  if ("gpu/" path in there) return "gpu/" path
  return ""
}

BEGIN {
  n = split(files, list, "\n")
  for (i = 1; i <= n; i++) there[list[i]] = 1
  while ((getline text < rooms) > 0) {
    if (text ~ /^#/ || text !~ /:/) continue
    split(text, part, /: */)
    n = split(part[2], name, / +/)
    for (i = 1; i <= n; i++)
      if (name[i] != "" && line_of(name[i]) == "") fail("rooms.txt: " part[1] " names " name[i] ", which has no line above it")
    allowed[part[1]] = " " part[2] " "
  }
  n = split(files, list, "\n")
  for (i = 1; i <= n; i++) {
    file = list[i]
    if (line_of(file) == "" && file !~ /^engine\/include\//) fail(file ": its folder is not in rooms.txt")
  }
}

{
  target = target_of($1, $3)
  if (target == "" || target ~ /^engine\/include\// || line_of($1) == "") next
  to = room_of(target)
  from = room_of($1)
  arrows = allowed[line_of($1)] # line_of has set star
  gsub(/\*/, star == "" ? "*" : star, arrows)
  if (from != to && !index(arrows, " " to " "))
    fail($1 ":" $2 ": " from " may not include \"" $3 "\" of " to " (tests/lint/rooms.txt)")
}
END { exit failed }'
