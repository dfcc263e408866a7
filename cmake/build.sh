#!/bin/sh
# build.sh PRESET JOBS - configures a preset where that was not done yet, and builds it.
# Silent but for the compiler's own words, a line before a first build and one line at the end; on a terminal
# one line in between says how far it is.
set -eu
preset=$1 jobs=$2
cd "$(dirname "$0")/.."
case $preset in
release) dir=build ;;
*) dir=build/$preset ;;
esac

# A tree that was configured elsewhere (a copied or moved clone) cannot be reused.
if [ -f "$dir/CMakeCache.txt" ] &&
    ! grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$dir/CMakeCache.txt"; then
    rm -rf "$dir/CMakeCache.txt" "$dir/CMakeFiles"
fi
# Packages that came since (another LLVM, cmocka) are seen by configuring again.
stamp=$dir/.configured-$(dpkg-query -W -f='${db:Status-Status} ${Package} ${Version}\n' \
    'llvm-*-dev' 'libclang-*-dev' 'libcmocka-dev' 2>/dev/null | cksum | cut -d' ' -f1)
if [ ! -f "$dir/build.ninja" ] || [ ! -f "$stamp" ]; then
    echo "building $dir (preset $preset): the first time takes some minutes"
    mkdir -p "$dir"
    if ! cmake --preset "$preset" >"$dir/configure.log" 2>&1; then
        cat "$dir/configure.log" >&2
        exit 2
    fi
    grep -E 'left out|no plugin for' "$dir/configure.log" || true
    rm -f "$dir"/.configured-*
    : >"$stamp"
fi
quiet=--quiet
[ ! -t 1 ] || quiet=
# shellcheck disable=SC2086 # no argument where it is empty
cmake --build "$dir" -j "$jobs" -- $quiet
echo "built $dir (preset $preset)"
