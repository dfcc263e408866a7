#!/bin/sh
# fetch.sh [-unpatched] DIR - puts cJSON, from Debian's source package, and the fuzz
# test beside it into DIR: a package that cfuzz-test runs. With -unpatched, Debian's
# fixes are left out: something to find.
#
# The sources come from where this machine's apt has its packages: a private list
# with deb turned into deb-src, in DIR/.apt; nothing of the system is changed and no
# right is needed. Status 77, and a line that says so, where they cannot be reached.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
patched=yes
[ "${1-}" != -unpatched ] || { patched=no; shift; }
[ $# = 1 ] || { echo "usage: fetch.sh [-unpatched] DIR" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd -P)
cp "$here/cjson_fuzz.c" "$dir/"
[ ! -f "$dir/cJSON.c" ] || exit 0 # fetched before

skip()
{
    echo "cjson: skipped: $*"
    exit 77
}

command -v apt-get >/dev/null || skip "no apt-get here"
apt=$dir/.apt
rm -rf "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$apt/get"
# One-line lists: "deb [options] address suite component..."
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -r "$list" ] && sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$list"
done >"$apt/parts/src.list" || true
# deb822 lists: stanzas with a field "Types: deb"
for list in /etc/apt/sources.list.d/*.sources; do
    [ -r "$list" ] && { sed 's/^[Tt]ypes:.*/Types: deb-src/' "$list"; echo; }
done >"$apt/parts/src.sources" || true
[ -s "$apt/parts/src.list" ] || [ -s "$apt/parts/src.sources" ] || skip "apt has no list of sources"

get()
{
    timeout 120 apt-get -q -q \
        -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User=root -o Acquire::Retries=1 -o Acquire::http::Timeout=15 \
        -o Acquire::https::Timeout=15 -o Acquire::Languages=none \
        -o APT::Get::List-Cleanup=false "$@" >>"$apt/log" 2>&1
}

get update || true # one list of several may fail; what matters is the next step
(cd "$apt/get" && get source --download-only cjson) ||
    skip "Debian's source package cannot be reached (log in $apt/log)"
mkdir "$apt/src"
tar -xf "$apt"/get/cjson_*.orig.tar.* -C "$apt/src" --strip-components=1 --no-same-owner
if [ $patched = yes ]; then
    tar -xf "$apt"/get/cjson_*.debian.tar.* -C "$apt/src" --no-same-owner
    # A series names one patch a line; comments begin with #.
    sed 's/[[:space:]]*#.*//; /^$/d' "$apt/src/debian/patches/series" | while read -r name; do
        patch -d "$apt/src" -p1 -s -i "debian/patches/$name"
    done
fi
cp "$apt/src/cJSON.h" "$dir/"
cp "$apt/src/LICENSE" "$dir/LICENSE.cjson"
cp "$apt/src/cJSON.c" "$dir/cJSON.c.new"
mv "$dir/cJSON.c.new" "$dir/cJSON.c"
rm -rf "$apt"
