#!/bin/sh
# fetch.sh PACKAGE DIR - puts the Debian source package PACKAGE, with Debian's patches, into DIR/PACKAGE.
#
# The sources come from where this machine's apt has its packages: a private list with deb turned into
# deb-src, in DIR/.apt, which is kept for the next package; nothing of the system is changed and no
# right is needed. Status 77, and a line that says so, where they cannot be reached. With
# -download-only, the files of the package are left in DIR/.apt/get.
set -eu
only=no
[ "${1-}" != -download-only ] || { only=yes; shift; }
[ $# = 2 ] || { echo "usage: fetch.sh [-download-only] PACKAGE DIR" >&2; exit 2; }
package=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd -P)
[ $only = yes ] || [ ! -d "$dir/$package" ] || exit 0 # fetched before

skip()
{
    echo "$package: skipped: $*"
    exit 77
}

command -v apt-get >/dev/null || skip "no apt-get here"
apt=$dir/.apt

# apt PROGRAM ARG... runs it on the private lists.
apt()
{
    program=$1
    shift
    timeout 600 "$program" -q -q \
        -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User=root -o Acquire::Retries=1 -o Acquire::http::Timeout=15 \
        -o Acquire::https::Timeout=15 -o Acquire::Languages=none \
        -o APT::Get::List-Cleanup=false "$@" 2>>"$apt/log"
}

if [ ! -f "$apt/ready" ]; then
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
    apt apt-get update >>"$apt/log" || true # one list of several may fail; what matters is the next step
    : >"$apt/ready"
fi
# A mirror may be older than a list: then another version serves as well.
got=no
for version in $(apt apt-cache showsrc --only-source "$package" | sed -n 's/^Version: //p' | sort -ruV); do
    [ $got = yes ] && break
    rm -f "$apt/get/$package"_*
    (cd "$apt/get" && apt apt-get source --download-only "$package=$version" >>"$apt/log") && got=yes
done
[ $got = yes ] || skip "Debian's source package cannot be reached (log in $apt/log)"
[ $only = no ] || exit 0
rm -rf "$dir/$package.new"
(cd "$apt/get" && dpkg-source --no-check --no-copy -x "$package"_*.dsc "$dir/$package.new" >>"$apt/log" 2>&1) ||
    skip "dpkg-source cannot unpack it (log in $apt/log; Debian package dpkg-dev)"
rm -f "$apt/get/$package"_*
mv "$dir/$package.new" "$dir/$package"
