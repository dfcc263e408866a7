#!/bin/sh
# run.sh BUILD [NAME COUNT] - runs cfuzz's own seeds, or fuzzes one of its tests COUNT times, under
# AddressSanitizer and UndefinedBehaviorSanitizer. It begins each time with the seeds alone and one
# seed of the generator, so that a failure repeats.
set -eu
build=$1 name=${2:-} count=${3:-1}
cd "$(dirname "$0")"
CFUZZCACHE=$build/tests/self-fuzz-cache
export CFUZZCACHE
if [ -z "$name" ]; then
    # Without coverage there would be a second build.
    exec "$build/bin/cfuzz-test" -asan -ubsan -run . -fuzz='^FuzzDuration$' -fuzztime=1x .
fi
"$build/bin/cfuzz-test" clean -fuzzcache -run="^$name\$" .
exec "$build/bin/cfuzz-test" -asan -ubsan -run None -fuzz="^$name\$" -fuzztime="${count}x" \
    -fuzzmaxlen=1024 -parallel=1 -seed=1 .
