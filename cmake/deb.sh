#!/bin/sh
# deb.sh - makes the Debian package, in build/deb, from a copy of the sources, and has lintian look at
# it. The plugins are those for the LLVM majors whose headers are installed, or those that LLVM names
# ("14 19").
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(cfuzz VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
changelog=$(sed -n '1s/^cfuzz (\([^)]*\)) .*/\1/p' debian/changelog)
if [ "$version" != "$changelog" ]; then
    echo "deb: debian/changelog: the version is $changelog, but CMakeLists.txt has $version" >&2
    exit 2
fi
for program in dpkg-buildpackage dh lintian; do
    if ! command -v $program >/dev/null; then
        echo "deb: $program is missing (make deps-deb installs it)" >&2
        exit 2
    fi
done

dir=build/deb/cfuzz-$version
rm -rf build/deb
mkdir -p "$dir"
if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z
else
    find . -path ./build -prune -o -type f -print0
fi | tar --null --no-recursion -T - -c -f - | tar -x -f - -C "$dir"
log=$PWD/build/deb/build.log
if ! (cd "$dir" && CFUZZ_LLVM_VERSIONS=$(echo ${LLVM-} | tr ' ' ';') DEB_BUILD_OPTIONS=parallel=${JOBS:-2} \
    dpkg-buildpackage -b -us -uc) >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "deb: the package does not build: $log" >&2
    exit 1
fi
rm -rf "$dir"
lintian --fail-on error --tag-display-limit 0 build/deb/*.changes
ls build/deb/*.deb
