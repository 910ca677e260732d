#!/bin/sh
# tests/lint/rooms_fails.sh - does rooms.sh find what it looks for? In a small tree with planted includes.
here=$(cd "$(dirname "$0")" && pwd) || exit 2
tree=$(mktemp -d) || exit 2
trap 'rm -rf "$tree"' EXIT
cd "$tree" || exit 2
mkdir -p tests/lint bindings/lua engine/base engine/io engine/core engine/include/ria engine/solvers/adi \
  engine/solvers/shallow_water gpu/machine gpu/adi
cp "$here/rooms.txt" tests/lint
touch engine/base/text.h engine/core/sim.h engine/include/ria/sim.h engine/solvers/adi/adi.h engine/solvers/shallow_water/k.h
failed=0

# expect TEXT: what rooms.sh says of this tree
expect() {
  said=$(sh "$here/rooms.sh" "$tree")
  [ "$said" = "$1" ] && return
  printf 'expected: %s\nsaid:     %s\n' "$1" "$said"
  failed=1
}
# plant FILE PATH TEXT: FILE with an include of PATH
plant() {
  printf '#include <ria/sim.h>\n#include "%s"\n' "$2" >"$1"
  expect "$3"
  rm "$1"
}

expect ""
plant engine/io/a.c base/text.h ""
plant engine/io/a.c core/sim.h \
  'engine/io/a.c:2: engine/io may not include "core/sim.h" of engine/core (tests/lint/rooms.txt)'
printf '#include <core/sim.h>\n#include <stdio.h>\n' >engine/io/a.c
expect 'engine/io/a.c:1: engine/io may not include "core/sim.h" of engine/core (tests/lint/rooms.txt)'
rm engine/io/a.c
plant engine/base/a.h ../core/sim.h \
  'engine/base/a.h:2: engine/base may not include "../core/sim.h" of engine/core (tests/lint/rooms.txt)'
plant engine/solvers/adi/a.c adi.h ""
plant engine/solvers/adi/a.c solvers/shallow_water/k.h \
  'engine/solvers/adi/a.c:2: engine/solvers/adi may not include "solvers/shallow_water/k.h" of engine/solvers/shallow_water (tests/lint/rooms.txt)'
plant gpu/adi/a.cu solvers/adi/adi.h ""
plant gpu/adi/a.cu solvers/shallow_water/k.h \
  'gpu/adi/a.cu:2: gpu/adi may not include "solvers/shallow_water/k.h" of engine/solvers/shallow_water (tests/lint/rooms.txt)'
plant gpu/machine/a.cu solvers/adi/adi.h \
  'gpu/machine/a.cu:2: gpu/machine may not include "solvers/adi/adi.h" of engine/solvers/adi (tests/lint/rooms.txt)'
plant bindings/lua/a.c core/sim.h \
  'bindings/lua/a.c:2: bindings/lua may not include "core/sim.h" of engine/core (tests/lint/rooms.txt)'
mkdir engine/new && plant engine/new/a.c base/text.h 'engine/new/a.c: its folder is not in rooms.txt'
sed -i 's,^engine/base:,engine/base: engine/run,' tests/lint/rooms.txt
expect 'rooms.txt: engine/base names engine/run, which has no line above it'
exit $failed
