#!/bin/sh
# test.sh JOBS - runs every test of the release build, then unit and script tests
# of the asan build, and ends with one line of counts for both:
#
#     N passed, N failed, N skipped
#
# Goes on after failures; the status is 1 if there were any.
set -u
jobs=$1
cd "$(dirname "$0")/.."
passed=0 failed=0 skipped=0

for preset in release asan; do
    log=build/test-$preset.log
    echo "== tests of preset $preset"
    ctest --preset "$preset" -j "$jobs" --no-tests=error 2>&1 | tee "$log"
    # CTest's own lines: "12/34 Test  #7: unit-buf ....   Passed    0.01 sec"
    line='^ *[0-9]+/[0-9]+ Test +#[0-9]+: [^ ]+ \.*'
    total=$(grep -Ec "$line" "$log")
    pass=$(grep -Ec "$line +Passed" "$log")
    skip=$(grep -Ec "$line\*\*\*Skipped" "$log")
    if [ "$total" -eq 0 ]; then
        echo "no test ran with preset $preset"
        failed=$((failed + 1))
    fi
    passed=$((passed + pass)) skipped=$((skipped + skip))
    failed=$((failed + total - pass - skip))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
