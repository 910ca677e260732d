#!/bin/sh
# Packages of Debian, by cpack: what is in them, what they ask for, and that a run works from where they are unpacked.
#   deb.sh PROGRAM SOURCE BUILD      (CMAKE, SANITIZE from the environment)
source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# A sanitised library is for its own build's tests alone.
[ -z "$SANITIZE" ] || exit 77
command -v dpkg-deb >/dev/null || { echo "not tested: packages of Debian, dpkg-deb is not installed"; exit 77; }
cpack=$(dirname "$CMAKE")/cpack
[ -x "$cpack" ] || { echo "not tested: packages of Debian, there is no $cpack"; exit 77; }

scratch
"$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$PWD/made" >log 2>&1 || { cat log; exit 1; }
version=$(sed -n 's/^project(ria VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
deb=made/ria_${version}_$(dpkg --print-architecture).deb
[ -f "$deb" ] || { fail "no $deb among: $(ls made)"; exit 1; }

[ "$(dpkg-deb -f "$deb" Package)" = ria ] || fail "the package is $(dpkg-deb -f "$deb" Package)"
[ "$(dpkg-deb -f "$deb" Section)" = science ] || fail "section $(dpkg-deb -f "$deb" Section)"
depends=$(dpkg-deb -f "$deb" Depends)
if command -v dpkg-shlibdeps >/dev/null; then
  for library in libc6 libpng16; do
    case $depends in
    *$library*) ;;
    *) fail "the package does not depend on $library: $depends" ;;
    esac
  done
fi
case $depends in
*mpi*) fail "the package asks for MPI: $depends" ;;
esac

dpkg-deb -x "$deb" root
for file in bin/ria include/ria/ria.h include/ria_lua.h share/lua/5.4/ria/synth.lua share/ria/scenarios/bay.lua \
  share/ria/ria.d.lua share/man/man1/ria.1 share/man/man1/ria-run.1 share/bash-completion/completions/ria \
  share/zsh/vendor-completions/_ria share/fish/vendor_completions.d/ria.fish share/doc/ria/README.md share/doc/ria/manual.html; do
  [ -s "root/usr/$file" ] || fail "the package lacks /usr/$file"
done
for file in libria.so libria.a libria_lua.a lua/5.4/ria.so pkgconfig/ria.pc pkgconfig/ria-static.pc pkgconfig/ria-lua.pc \
  cmake/ria/ria-config.cmake; do
  find root/usr/lib -path "*/$file" | grep -q . || fail "the package lacks $file"
done
[ -z "$(find root -path root/usr -prune -o -type f -print)" ] || fail "files outside of /usr: $(find root -path root/usr -prune -o -type f -print)"
find root -type f | while read -r file; do
  case $file in
  *.png) ;;
  *) if grep -qF -e "$PWD" "$file"; then echo "$file"; fi ;;
  esac
done >places
[ ! -s places ] || fail "files that name the folder they were packed in: $(cat places)"

# as a new user: a scenario, its run, pictures
ria=$PWD/root/usr/bin/ria
mkdir user && cd user || exit 1
"$ria" new bay >said 2>&1 || fail "ria new bay: $(cat said)"
"$ria" run -q bay.lua cells=20 >said 2>&1 || fail "ria run bay.lua: $(cat said)"
[ -s out/bay/frames/oil/oil_000048.png ] || fail "no pictures"
# where another build's tree is not there: its own modules, not those of the source
echo 'print(package.searchpath("ria.synth", package.path), require("ria.synth").valley and "there")' >where.lua
"$ria" run where.lua >said 2>&1
grep -q "^$PWD/../root/usr/.*share/lua/5.4/ria/synth.lua.there" said ||
  grep -q "root/usr/bin/../share/lua/5.4/ria/synth.lua.there" said || fail "modules are from: $(cat said)"
cd ..

# ranks of MPI are a package of their own
mpi=made/ria-mpi_${version}_$(dpkg --print-architecture).deb
if [ -e "$build/lib/libria_mpi.so" ]; then
  [ -f "$mpi" ] || fail "no $mpi among: $(ls made)"
  case $(dpkg-deb -f "$mpi" Depends) in
  *"ria (= $version)"*) ;;
  *) fail "ria-mpi depends on: $(dpkg-deb -f "$mpi" Depends)" ;;
  esac
  dpkg-deb -c "$mpi" | grep -q "/libria_mpi.so" || fail "ria-mpi holds: $(dpkg-deb -c "$mpi")"
  dpkg-deb -c "$deb" | grep -q "/libria_mpi.so" && fail "ria holds libria_mpi.so"
fi

# Python is one, too
if [ -e "$build/python/ria/_ria.abi3.so" ]; then
  python=made/python3-ria_${version}_$(dpkg --print-architecture).deb
  [ -f "$python" ] || { fail "no $python among: $(ls made)"; exit 1; }
  case $(dpkg-deb -f "$python" Depends) in
  *"ria (= $version)"*) ;;
  *) fail "python3-ria depends on: $(dpkg-deb -f "$python" Depends)" ;;
  esac
  case $depends in
  *python*) fail "the package asks for Python: $depends" ;;
  esac
  dpkg-deb -x "$python" root
  [ -s root/usr/lib/python3/dist-packages/ria/_ria.abi3.so ] || fail "python3-ria holds: $(dpkg-deb -c "$python")"
  # the Lua modules are those of the package
  echo 'print(require("ria.synth").valley and package.searchpath("ria.synth", package.path))' >user/where.lua
  cat >user/where.py <<'PY'
import sys
if sys.version_info < (3, 11): sys.exit(print("too old"))
import ria
ria.Script("where.lua").run()
PY
  if [ -x /usr/bin/python3 ]; then
    (cd user && PYTHONPATH=../root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 where.py) >said 2>&1
    grep -qE "^$PWD/root/usr/share/lua/5.4/ria/synth.lua|too old" said || fail "Python's modules are from: $(cat said)"
  fi
fi

exit $failed
