#!/bin/sh
# run.sh - corpus files of cfuzz and of the installed Go, compared.
#
#     run.sh ORACLE      ORACLE: the program made from oracle.c
#
#     oracle write       cfuzz-values, cfuzz-verdicts
#     go test            reads both and compares; writes go-values
#     oracle read        reads go-values and compares
#
# Go's reader and writer are in its package internal/fuzz, which cannot be
# imported; oracle_test.go is laid over that package with "go test -overlay", in
# the Go that is installed and without touching it. 10,000 random values of every
# type go each way, and 60,000 texts, most of them faulty, are judged by both.
#
# Exit status 77, after a line that says why, where there is no suitable Go.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
oracle=$(realpath "$1")

skip() {
    echo "go-corpus skipped: $1"
    exit 77
}

command -v go >/dev/null 2>&1 || skip "no go here (Debian package golang-go)"
root=$(go env GOROOT)
[ -f "$root/src/internal/fuzz/encoding.go" ] || skip "the sources of $(go version) are not here"
case $(go env GOVERSION) in
go1.19* | go1.20*) ;;
*) skip "$(go env GOVERSION): files are promised to be equal to those of Go 1.19 and 1.20" ;;
esac

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
export CFUZZ_ORACLE_DIR="$dir" GOFLAGS=-mod=mod GOPROXY=off GO111MODULE=on GOTOOLCHAIN=local
# A cache of our own where the user has none to write to.
[ -n "${HOME-}" ] || export GOCACHE="$dir/gocache"

"$oracle" write "$dir"
printf '{"Replace": {"%s": "%s"}}\n' \
    "$root/src/internal/fuzz/cfuzz_oracle_test.go" "$here/oracle_test.go" >"$dir/overlay.json"
cd "$dir"
go test -vet=off -count=1 -v -overlay overlay.json -run '^TestCfuzz' internal/fuzz >log 2>&1 || {
    head -n 100 log
    exit 1
}
grep -E '^ +cfuzz_oracle_test.go:|^--- (PASS|FAIL)' log
[ "$(grep -c '^--- PASS: TestCfuzz' log)" = 3 ] || {
    echo "go test did not run the three tests"
    exit 1
}
"$oracle" read "$dir"
