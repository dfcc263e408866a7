#!/bin/sh
# deps.sh demo|test|bench|projects|harnesses|image|deb|browser - has the Debian packages installed that cfuzz needs.
# The LLVM majors are those of cmake/llvm-versions, the reference first.
#
#   demo   to build and use cfuzz: the reference LLVM and the driver's libraries
#   test   the same, what every test needs, and the other LLVM majors and a browser where apt offers them
#   bench  what demo needs, and the peers that cfuzz is compared with
#   projects  what demo needs, and what builds projects of others
#   harnesses what demo needs, and what harnesses of others are built with
#   image     what demo needs, and what makes a root directory of Debian's packages
#   deb       what demo needs, and the tools that make and check a Debian package
#   browser   what demo needs, and the browser that looks at the report
#
# Costs nothing when all is there. Installs as root or through sudo; says what it
# needs where it can do neither, and ends with status 2.
set -eu
cd "$(dirname "$0")/.."

# Lines "<major> <further packages>".
versions=$(grep '^[0-9]' cmake/llvm-versions)
read -r ref further <<EOF
$versions
EOF

demo="cmake ninja-build pkgconf clang-$ref llvm-$ref llvm-$ref-dev libclang-$ref-dev
$further libuv1-dev libpcre2-dev libmd-dev libjansson-dev libminizip-dev libarchive-dev
libmicrohttpd-dev libdw-dev libffi-dev
patch xz-utils"
test="gcc g++ libc6-dev python3 expect golang-go libcmocka-dev binutils procps util-linux
llvm-$ref-tools meson autoconf mandoc man-db zsh bash-completion cppcheck clang-format
perl libxml2-utils gotestsum python3-jsonschema gdb lldb-$ref afl++ unzip tmux lcov
shellcheck python3-yaml"
# One line each: all of a line, or none of it.
optional=$(echo "$versions" | sed 1d | sort -n | while read -r major further; do
    echo clang-$major llvm-$major-dev libclang-$major-dev llvm-$major-tools $further
done)

case ${1-} in
demo) wanted=$demo optional= ;;
test) wanted="$demo $test" optional="chromium-headless-shell
$optional" ;;
bench) wanted="$demo python3 util-linux afl++ make tcl" optional= ;; # tcl: SQLite's sources
deb) wanted="$demo debhelper dpkg-dev lintian" ;;
projects) wanted="$demo python3 dpkg-dev gcc make autoconf automake libtool gettext autopoint bear meson
    libglib2.0-dev libclang-rt-$ref-dev" optional= ;;
harnesses) wanted="$demo python3 dpkg-dev make perl unicode-data libbrotli-dev zlib1g-dev libicu-dev" optional= ;;
image) wanted="$demo python3 git mmdebstrap util-linux" optional= ;;
browser) wanted="$demo python3 chromium-headless-shell" optional= ;;
*) echo "usage: deps.sh demo|test|bench|projects|harnesses|image|deb|browser" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "deps: not a Debian system: needed are the equivalents of:" $wanted
    exit 0
fi

# missing PACKAGE... - those that are not installed.
missing()
{
    have=" $(dpkg-query -W -f='${Package}:${db:Status-Status} ' "$@" 2>/dev/null || true) "
    for package; do
        case $have in
        *" $package:installed "*) ;;
        *) echo "$package" ;;
        esac
    done
}

need=$(missing $wanted)
extra=
newline='
'
IFS=$newline
for line in $optional; do
    IFS=' '
    [ -z "$(missing $line)" ] || extra="$extra$line$newline"
    IFS=$newline
done
unset IFS
# What apt did not offer the last time is not asked for again on every run.
stamp=build/.deps-$1-$(printf '%s' "$need/$extra" | cksum | cut -d' ' -f1)
if [ -z "$need" ] && { [ -z "$extra" ] || [ -f "$stamp" ]; }; then
    exit 0
fi

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=sudo
elif [ -z "$need" ]; then
    echo "deps: without root rights, so going on without: $(echo $extra)"
    exit 0
else
    echo "deps: no root rights and no sudo: install these packages: $(echo $need)" >&2
    exit 2
fi

apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300"
mkdir -p build
echo "deps: installing with apt-get (log in build/deps.log)"
$apt update >build/deps.log 2>&1 || echo "deps: apt-get update failed; trying with the lists there are"
IFS=$newline
for line in $extra; do
    IFS=' '
    if $apt install -s --no-install-recommends $line >/dev/null 2>&1; then
        need="$need $line"
    else
        echo "deps: skipped, not offered by apt here: ${line%% *} and what belongs to it"
    fi
    IFS=$newline
done
unset IFS
if [ -n "$need" ] && ! $apt install -y --no-install-recommends $need >>build/deps.log 2>&1; then
    tail -n 20 build/deps.log >&2
    echo "deps: apt-get could not install all of: $(echo $need)" >&2
    exit 2
fi
left=
IFS=$newline
for line in $optional; do
    IFS=' '
    [ -z "$(missing $line)" ] || left="$left$line$newline"
    IFS=$newline
done
: >"build/.deps-$1-$(printf '%s' "/$left" | cksum | cut -d' ' -f1)"
