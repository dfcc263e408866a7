#!/bin/sh
# printable.sh - makes runtime/core/printable.c from testdata/unicode/printable-13.txt.
#
#     cmake/printable.sh            writes the file
#     cmake/printable.sh --check    fails when the file is not what this would write
#
# The list holds the code points that corpus files show as they are: general
# categories L, M, N, P and S of Unicode 13.0.0, and the blank; hexadecimal,
# inclusive ranges, ascending. It is part of the corpus format, so its sum is
# checked: another list writes other files.
set -eu

sum=32d002b9761e8dc1d505f221fe421291afdf9801b41375d9ffa2cc8ce7fb740f # on one line, blanks between and after
root=$(cd "$(dirname "$0")/.." && pwd)
list=$root/testdata/unicode/printable-13.txt
out=$root/runtime/core/printable.c

got=$(tr '\n' ' ' <"$list" | sha256sum | cut -d ' ' -f 1)
if [ "$got" != "$sum" ]; then
    echo "printable.sh: $list: has SHA-256 $got, want $sum" >&2
    exit 1
fi

tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
{
    echo '/* printable.c - code points that corpus files show as they are, Unicode 13.0.0.'
    echo ' * Made by cmake/printable.sh from testdata/unicode/printable-13.txt; do not edit. */'
    echo '#include "core/text.h"'
    echo
    echo 'const struct cfz_rune_range cfz_printable[] = {'
    tr ' ' '\n' <"$list" | awk -F - 'NF == 2 { printf "    {0x%s, 0x%s},\n", $1, $2 }'
    echo '};'
    echo 'const size_t cfz_nprintable = sizeof cfz_printable / sizeof *cfz_printable;'
} >"$tmp"

if [ "${1-}" = --check ]; then
    cmp "$tmp" "$out"
else
    cat "$tmp" >"$out"
fi
