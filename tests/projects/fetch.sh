#!/bin/sh
# fetch.sh SOURCES PACKAGE[:unpatched]... - unpacks Debian source packages into SOURCES/PACKAGE, with Debian's
# patches unless it says otherwise; those that are there already stay.
#
# They come from where this machine's apt has its packages: a private list with deb turned into
# deb-src, in SOURCES/.apt; nothing of the system is changed and no right is needed. A line on stdout for each
# that cannot be reached says so; the status is 0 all the same.
set -eu
[ $# -ge 2 ] || { echo "usage: fetch.sh SOURCES PACKAGE[:unpatched]..." >&2; exit 2; }
mkdir -p "$1"
sources=$(cd "$1" && pwd -P)
shift

missing=
for package; do
    [ -d "$sources/${package%:unpatched}" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

skip()
{
    for package in $missing; do
        [ -d "$sources/${package%:unpatched}" ] || echo "${package%:unpatched}: skipped: $*"
    done
    exit 0
}

command -v apt-get >/dev/null || skip "no apt-get here"
command -v dpkg-source >/dev/null || skip "no dpkg-source here (Debian package dpkg-dev)"
apt=$sources/.apt
rm -rf "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts"
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
    timeout 180 apt-get -q -q \
        -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User=root -o Acquire::Retries=1 -o Acquire::http::Timeout=15 \
        -o Acquire::https::Timeout=15 -o Acquire::Languages=none \
        -o APT::Get::List-Cleanup=false "$@" >>"$apt/log" 2>&1
}

get update || true # one list of several may fail; what matters is the next step
for package in $missing; do
    name=${package%:unpatched}
    patches=
    [ "$name" = "$package" ] || patches=--skip-patches
    rm -rf "$apt/get"
    mkdir "$apt/get"
    # shellcheck disable=SC2086
    if (cd "$apt/get" && get source --download-only "$name" &&
        dpkg-source $patches -x ./*.dsc tree >>"$apt/log" 2>&1); then
        mv "$apt/get/tree" "$sources/$name"
    else
        echo "$name: skipped: Debian's source package cannot be fetched (log in $apt/log)"
    fi
done
