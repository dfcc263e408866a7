#!/bin/sh
#
# fetch.sh [-unpatched] DIR - puts cJSON, from Debian's source package, and the fuzz
# test beside it into DIR: a package that cfuzz-test runs. With -unpatched, Debian's
# fixes are left out: something to find.
#
# Status 77, and a line that says so, where the sources cannot be reached
# (tests/debian_source.sh).
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
patched=
[ "${1-}" != -unpatched ] || { patched=-unpatched; shift; }
[ $# = 1 ] || { echo "usage: fetch.sh [-unpatched] DIR" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd -P)
cp "$here/cjson_fuzz.c" "$dir/"
[ ! -f "$dir/cJSON.c" ] || exit 0 # fetched before
from=$dir/.source
rm -rf "$from"
"$here/../../../tests/debian_source.sh" $patched cjson "$from"
cp "$from/cjson/cJSON.h" "$dir/"
cp "$from/cjson/LICENSE" "$dir/LICENSE.cjson"
cp "$from/cjson/cJSON.c" "$dir/cJSON.c.new"
mv "$dir/cJSON.c.new" "$dir/cJSON.c"
rm -rf "$from"
