#!/bin/sh
# run.sh PACKAGE.deb - installs the Debian package and uses all that it has: driver, wrapper, CMake
# package, meson, pkg-config, manual pages, completion. Then it removes the package, which has to leave
# nothing.
#
# As root that happens in a copy of this system that vanishes afterwards: an overlay, in a mount
# namespace of its own. Elsewhere the package is unpacked, and used from where it lies.
set -eu

# step WHAT COMMAND... - runs it, and says what failed.
step()
{
    what=$1
    shift
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        echo "package: $what: failed" >&2
        exit 1
    fi
    echo "package: $what"
}

# contains RE - of the last step's output.
contains()
{
    if ! grep -Eq -- "$1" "$log"; then
        cat "$log" >&2
        echo "package: $what: no $1" >&2
        exit 1
    fi
}

# use PREFIX - what a user does, in an empty directory. Parts whose tools are missing are named.
use()
{
    prefix=$1 doc=$1/share/doc/cfuzz
    PATH=$prefix/bin:/usr/bin:/bin HOME=$PWD CFUZZCACHE=$PWD/cache log=$PWD/log
    export PATH HOME CFUZZCACHE
    unset CFLAGS LDFLAGS CC CXX
    [ "$prefix" = /usr ] || export CMAKE_PREFIX_PATH="$prefix" PKG_CONFIG_PATH="$(dirname "$prefix"/lib/*/pkgconfig/cfuzz.pc)"
    cc=$(cfuzz-test -n "$doc/examples/parse" 2>&1 | sed -n 's/^\([^ ]*clang[^ ]*\) .*/\1/p' | head -n 1)

    cp -r "$doc/examples/parse" parse
    cd parse
    step "version" cfuzz-test version
    step "seeds" cfuzz-test -run .
    contains '^ok '
    step "fuzzing" cfuzz-test -fuzz=FuzzParse -fuzztime=2000x
    contains '^ok '
    step "cfuzz-cc" make CC=cfuzz-cc
    step "the program of cfuzz-cc" cfuzz-test -run . ./name
    contains '^ok '
    step "pkg-config" sh -c 'cc -DCFUZZ -DCFUZZ_TEST -o x.test parse.c $(pkg-config --cflags --libs cfuzz)'
    step "an executable by itself" ./x.test
    contains '^PASS$'
    if command -v cmake >/dev/null; then
        step "find_package" env CC="$cc" cmake -B cmake
        step "a build by CMake" cmake --build cmake
        step "ctest" ctest --test-dir cmake
        contains '100% tests passed, 0 tests failed out of 3'
    else
        echo "package: left out, cmake is not installed"
    fi
    if command -v meson >/dev/null; then
        step "meson" env CC="$cc" meson setup meson
        step "meson test" meson test -C meson
    else
        echo "package: left out, meson is not installed"
    fi
    cd ..
    for page in cfuzz-test.1 cfuzz-cc.1 cfuzz-c++.1 cfuzz.3 cfuzz-corpus.5; do
        step "man $page" man -l "$prefix/share/man/man${page##*.}/$page.gz"
        contains 'NAME|Name'
    done
    step "bash's completion" bash --norc -c ". $prefix/share/bash-completion/completions/cfuzz-test; complete -p cfuzz-test"
    contains 'complete .*cfuzz-test$'
    if command -v zsh >/dev/null; then
        step "zsh's completion" zsh -fc "fpath=($prefix/share/zsh/vendor-completions \$fpath)
            autoload -Uz compinit; compinit -u -D; print \$_comps[cfuzz-test]"
        contains '^_cfuzz-test$'
    fi
    for file in README.md guide.md copyright changelog.gz; do
        step "$doc/$file" sh -c "test -s $doc/$file || test -s $doc/$file.gz"
    done
}

# What happens in the copy of the system.
if [ "${1-}" = --inside ]; then
    mkdir /tmp/use
    cd /tmp/use
    log=/tmp/use/log
    step "dpkg -i" dpkg -i /tmp/cfuzz.deb
    dpkg -L cfuzz | sort >/tmp/files
    (use /usr)
    step "dpkg -P" dpkg -P cfuzz
    while IFS= read -r file; do
        if [ ! -d "$file" ] && [ -e "$file" ]; then
            echo "package: dpkg -P left $file" >&2
            exit 1
        fi
    done </tmp/files
    exit 0
fi

if [ $# -ne 1 ] || [ ! -f "$1" ]; then
    echo "usage: run.sh PACKAGE.deb (make deb makes one)" >&2
    exit 2
fi
package=$(realpath "$1") self=$(realpath "$0")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if [ "$(id -u)" = 0 ] && unshare -m sh -ec '
    dir=$1
    mount -t tmpfs tmpfs "$dir"
    mkdir "$dir/upper" "$dir/work" "$dir/root"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$dir/upper,workdir=$dir/work" "$dir/root"
' sh "$dir" 2>/dev/null; then
    unshare -m sh -ec '
        dir=$1
        mount -t tmpfs tmpfs "$dir"
        mkdir "$dir/upper" "$dir/work" "$dir/root"
        mount -t overlay overlay -o "lowerdir=/,upperdir=$dir/upper,workdir=$dir/work" "$dir/root"
        for system in proc sys dev; do
            mount --rbind "/$system" "$dir/root/$system"
        done
        mount -t tmpfs tmpfs "$dir/root/tmp"
        cp "$2" "$dir/root/tmp/cfuzz.deb"
        cp "$3" "$dir/root/tmp/run.sh"
        exec chroot "$dir/root" env TMPDIR=/tmp sh /tmp/run.sh --inside
    ' sh "$dir" "$package" "$self"
else
    echo "package: no copy of the system can be made here, so the package is only unpacked"
    mkdir "$dir/root" "$dir/use"
    dpkg-deb -x "$package" "$dir/root"
    (cd "$dir/use" && use "$dir/root/usr")
fi
echo "package: all of it works"
