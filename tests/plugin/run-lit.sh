#!/bin/sh
# run-lit.sh BUILD [MAJOR...] - runs these tests by hand: for each major (default: those with a
# plugin in BUILD/lib/cfuzz) with Debian's clang-<MAJOR>. Arguments of lit: LIT_ARGS.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
if [ $# -eq 0 ]; then
    set -- $(ls "$build"/lib/cfuzz/ | sed -n 's/^cfuzz-plugin-\([0-9]*\)\.so$/\1/p')
fi
status=0
for major; do
    lit=/usr/lib/llvm-$major/build/utils/lit/lit.py
    [ -e "$lit" ] || lit=/usr/lib/llvm-$major/bin/lit
    echo "== LLVM $major"
    # shellcheck disable=SC2086
    python3 "$lit" -sv ${LIT_ARGS-} --param major="$major" --param clang="$(command -v clang-"$major")" \
        --param tools=/usr/lib/llvm-"$major"/bin --param plugins="$build/lib/cfuzz" \
        --param source="$here/../.." --param exec_root="$build/tests/plugin/$major" "$here" || status=1
done
exit $status
