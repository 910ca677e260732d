#!/bin/sh
# An installed libria: moved after installing, then found by pkg-config and by CMake, shared and static.
#   install.sh PROGRAM SOURCE BUILD      (CC, CMAKE, SANITIZE from the environment)
# shellcheck disable=SC2046  # pkg-config prints words
source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# A sanitised library is for its own build's tests alone.
[ -z "$SANITIZE" ] || exit 77
command -v pkg-config >/dev/null || exit 77

scratch
"$CMAKE" --install "$build" --prefix "$PWD/staged" >log 2>&1 || { cat log; exit 1; }
mv staged installed
pc=$(find "$PWD/installed" -name ria.pc)
export PKG_CONFIG_PATH="${pc%/ria.pc}"
libdir=${PKG_CONFIG_PATH%/pkgconfig}

# runs COMMAND TEXT: it ends well and prints the text
runs() {
  said=$(eval "$1" 2>&1) || fail "$1: exit code $?: $said"
  case $said in
  *"$2"*) ;;
  *) fail "$1: expected '$2' in: $said" ;;
  esac
}

# pkg-config
$CC -o shared "$source/examples/embed.c" $(pkg-config --cflags --libs ria) -lm "-Wl,-rpath,$libdir" ||
  fail "embed.c does not link with the shared library"
ldd shared | grep -q "$libdir/libria.so.0 " || fail "not the library that was installed: $(ldd shared)"
runs ./shared "10 min  level before"
$CC -o static "$source/examples/embed.c" \
  $(pkg-config --static --cflags --libs ria | sed 's/-lria/-l:libria.a/') ||
  fail "embed.c does not link with the static library"
ldd static | grep -q libria && fail "libria.so in a static link"
runs ./static "10 min  level before"

# the program of README.md, by the line printed there, without LD_LIBRARY_PATH
awk '$0 == "```c" { on = 1; next } /^```/ && on { exit } on' "$source/README.md" >flood.c
line=$(sed -n 's/^    cc \(flood.c .*\)/\1/p' "$source/README.md")
[ -n "$line" ] || fail "README.md does not say how to build its program"
eval "$CC -o flood_in_c $line" || fail "README.md's line does not build its program: $line"
(unset LD_LIBRARY_PATH && ./flood_in_c) || fail "README.md's program does not find libria"

# only what is RIA_API is seen
nm -D --defined-only "$libdir/libria.so" | awk '$2 ~ /[TDBR]/ && $3 !~ /^ria_/ { print; bad = 1 } END { exit bad }' ||
  fail "libria.so shows what is not its own"

# CMake
mkdir by_cmake && cat >by_cmake/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(guest C)
find_package(ria 0.1 REQUIRED COMPONENTS static)
foreach(target ria static)
  add_executable(with_${target} ${EMBED})
  target_link_libraries(with_${target} PRIVATE ria::${target} m)
endforeach()
CMAKE
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt") # the one that is there
{
  "$CMAKE" -S by_cmake -B by_cmake/build -G "$generator" "-DCMAKE_PREFIX_PATH=$PWD/installed" "-DCMAKE_C_COMPILER=$CC" \
    "-DEMBED=$source/examples/embed.c" && "$CMAKE" --build by_cmake/build
} >log 2>&1 || { cat log; fail "find_package(ria) fails"; }
runs by_cmake/build/with_ria "10 min  level before"
runs by_cmake/build/with_static "10 min  level before"

# the program brings its Lua modules; a host with Lua links the binding
echo 'assert(require "ria.synth".valley and require("ria").sim)' >modules.lua
(unset LUA_PATH && installed/bin/ria run modules.lua) || fail "the program does not find its modules"
if pkg-config --exists lua5.4; then
  $CC -o lua_host "$source/examples/lua_host.c" -lria_lua \
    $(pkg-config --cflags --libs ria lua5.4) -lm \
    "-Wl,-rpath,$libdir" || fail "lua_host.c does not link with the binding"
  runs "./lua_host $source/examples/harbour.lua" "2 alarms"
fi

exit $failed
