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

# each header by itself; mpi.h wants MPI's own
$CC -std=c11 -Wpedantic -Werror -fsyntax-only -Iinstalled/include \
  $(find installed/include/ria -name '*.h' ! -name mpi.h) ||
  fail "a header needs another one before it"

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
$CC -o static2 "$source/examples/embed.c" $(pkg-config --cflags --libs ria-static) || fail "embed.c does not link by ria-static"
ldd static2 | grep -q libria && fail "libria.so by ria-static"
runs ./static2 "10 min  level before"

# a program of the manual, by the line printed there, without LD_LIBRARY_PATH
manual=$source/docs/manual/3-embedding.md
awk '$0 == "```c flood.c" { on = 1; next } /^```/ && on { exit } on' "$manual" >flood.c
line=$(sed -n 's/^    cc \(flood.c .*\)/\1/p' "$manual")
[ -n "$line" ] || fail "the manual does not say how to build its program"
eval "$CC -o flood_in_c $line" || fail "the manual's line does not build its program: $line"
(unset LD_LIBRARY_PATH && ./flood_in_c) || fail "the manual's program does not find libria"

# only what is RIA_API is seen
nm -D --defined-only "$libdir/libria.so" | awk '$2 ~ /[TDBR]/ && $3 !~ /^ria_/ { print; bad = 1 } END { exit bad }' ||
  fail "libria.so shows what is not its own"

# CMake
mkdir by_cmake && cat >by_cmake/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(guest C)
find_package(ria 0.1 REQUIRED COMPONENTS ria static)
foreach(target ria static)
  add_executable(with_${target} ${EMBED})
  target_link_libraries(with_${target} PRIVATE ria::${target} m)
endforeach()
find_package(ria REQUIRED COMPONENTS lua) # once more, another component
add_executable(with_lua ${LUA_HOST})
target_link_libraries(with_lua PRIVATE ria::lua)
find_package(ria QUIET COMPONENTS sails)
if(ria_FOUND)
  message(FATAL_ERROR "a component that there is not is found")
endif()
CMAKE
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt") # the one that is there
{
  "$CMAKE" -S by_cmake -B by_cmake/build -G "$generator" "-DCMAKE_PREFIX_PATH=$PWD/installed" "-DCMAKE_C_COMPILER=$CC" \
    "-DEMBED=$source/examples/embed.c" "-DLUA_HOST=$source/examples/lua_host.c" && "$CMAKE" --build by_cmake/build
} >log 2>&1 || { cat log; fail "find_package(ria) fails"; }
runs by_cmake/build/with_ria "10 min  level before"
runs by_cmake/build/with_static "10 min  level before"
runs "by_cmake/build/with_lua $source/examples/harbour.lua" "2 alarms"

# the program brings its Lua modules; a host with Lua links the binding
echo 'assert(require "ria.synth".valley and require("ria").sim)' >modules.lua
(unset LUA_PATH && installed/bin/ria run modules.lua) || fail "the program does not find its modules"
if pkg-config --exists ria-lua; then
  $CC -o lua_host "$source/examples/lua_host.c" $(pkg-config --cflags --libs ria-lua) \
    "-Wl,-rpath,$libdir" || fail "lua_host.c does not link with the binding"
  runs "./lua_host $source/examples/harbour.lua" "2 alarms"
fi

# any Lua 5.4 finds the module and its modules below lib/lua/5.4 and share/lua/5.4
if command -v lua5.4 >/dev/null; then
  module=$(find "$PWD/installed" -name ria.so)
  LUA_CPATH="${module%ria.so}?.so" LUA_PATH="$PWD/installed/share/lua/5.4/?.lua" lua5.4 modules.lua ||
    fail "lua5.4 does not find the modules"
fi

# scenarios to begin from, manual pages, completion and stubs are those of this program
(cd by_cmake && ../installed/bin/ria new inlet --like heat) >said 2>&1 || fail "ria new: $(cat said)"
grep -q '^-- inlet.lua - a plate' by_cmake/inlet.lua || fail "ria new wrote $(head -1 by_cmake/inlet.lua)"
# same FILE WORD...: share/FILE is what `ria help WORD...` prints
same() {
  file=installed/share/$1
  shift
  installed/bin/ria help "$@" | cmp - "$file" || fail "$file is not what ria help $* prints"
}
same man/man1/ria.1 --man
for page in installed/share/man/man1/ria-*.1; do
  page=${page##*/}
  command=${page#ria-}
  same "man/man1/$page" --man "${command%.1}"
done
same bash-completion/completions/ria --completion bash
same zsh/vendor-completions/_ria --completion zsh
same fish/vendor_completions.d/ria.fish --completion fish
same ria/ria.d.lua --stubs

exit $failed
