#!/bin/sh
# build.sh PRESET JOBS - configures a preset where that was not done yet, and builds it.
# Silent but for the compiler's own words, a line before a first build and one line at the end. In between one
# line says how far it is on a terminal; elsewhere a first build has a line for each tenth.
set -eu
preset=$1 jobs=$2 first=
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
    first=1
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
if [ -t 1 ]; then
    cmake --build "$dir" -j "$jobs"
elif [ -z "$first" ]; then
    cmake --build "$dir" -j "$jobs" -- --quiet
else
    status=$dir/.build-status # sh has no pipefail
    # Not awk, of which mawk reads a pipe in blocks: the tenths would come all at the end.
    { NINJA_STATUS='@%p ' cmake --build "$dir" -j "$jobs" && echo 0 >"$status" || echo $? >"$status"; } | {
        told=0
        while IFS= read -r line; do
            case $line in
            @*%*)
                percent=${line#@}
                tenth=$((${percent%%%*} / 10 * 10))
                [ "$tenth" -le "$told" ] || echo "  $tenth%"
                [ "$tenth" -le "$told" ] || told=$tenth
                ;;
            *) printf '%s\n' "$line" ;;
            esac
        done
    }
    [ "$(cat "$status")" = 0 ] || exit "$(cat "$status")"
fi
echo "built $dir (preset $preset)"
