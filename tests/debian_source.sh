#!/bin/sh
# debian_source.sh [-unpatched] PACKAGE DIR - puts the Debian source package PACKAGE into DIR/PACKAGE, with Debian's
# patches unless it says otherwise. One that is there already stays.
#
# The sources come from where this machine's apt has its packages: a private list with deb turned into
# deb-src, in DIR/.apt, which is kept for the next package for a day; nothing of the system is changed and no
# right is needed. Status 77, and a line that says so, where they cannot be reached.
set -eu
patched=yes
[ "${1-}" != -unpatched ] || { patched=no; shift; }
[ $# = 2 ] || { echo "usage: debian_source.sh [-unpatched] PACKAGE DIR" >&2; exit 2; }
package=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd -P)
[ ! -d "$dir/$package" ] || exit 0

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

if [ ! -f "$apt/ready" ] || [ -n "$(find "$apt/ready" -mmin +1440)" ]; then
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
    apt apt-get update >>"$apt/log" || true # one list of several may fail; what matters is the next step
    : >"$apt/ready"
fi
rm -rf "$apt/get"
mkdir "$apt/get"
# A mirror may be older than a list: then another version serves as well.
got=no
for version in $(apt apt-cache showsrc --only-source "$package" | sed -n 's/^Version: //p' | sort -ruV); do
    [ $got = yes ] && break
    rm -f "$apt/get/$package"_*
    (cd "$apt/get" && apt apt-get source --download-only "$package=$version" >>"$apt/log") && got=yes
done
if [ $got = no ]; then
    rm -f "$apt/ready" # the next one tries to get lists again
    skip "Debian's source package cannot be reached (log in $apt/log)"
fi

# Where there is no dpkg-source, an archive of the project and one of Debian's are unpacked by hand.
unpack()
{
    if command -v dpkg-source >/dev/null; then
        set -- --no-check --no-copy
        [ $patched = yes ] || set -- "$@" --skip-patches
        dpkg-source "$@" -x "$package"_*.dsc src
        return
    fi
    ls "$package"_*.orig.tar.* "$package"_*.debian.tar.* || return 1
    mkdir src
    tar -xf "$package"_*.orig.tar.* -C src --strip-components=1 --no-same-owner || return 1
    tar -xf "$package"_*.debian.tar.* -C src --no-same-owner || return 1
    [ $patched = yes ] && [ -f src/debian/patches/series ] || return 0
    # A series names one patch a line; comments begin with #.
    sed 's/[[:space:]]*#.*//; /^$/d' src/debian/patches/series | while read -r name; do
        patch -d src -p1 -s -i "debian/patches/$name" || exit 1
    done
}
(cd "$apt/get" && unpack) >>"$apt/log" 2>&1 ||
    skip "it cannot be unpacked (log in $apt/log; Debian package dpkg-dev)"
mv "$apt/get/src" "$dir/$package"
rm -rf "$apt/get"
