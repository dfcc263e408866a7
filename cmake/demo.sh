#!/bin/sh
# demo.sh BUILD - the main job of cfuzz, shown step by step on copies of a sample
# package and of cJSON in BUILD/demo; the source tree is not written to.
#
# The status is 0 if everything came out as it should, and 1 otherwise.
set -u
cd "$(dirname "$0")/.."
top=$(pwd -P)
build=$(cd "$1" && pwd -P)
demo=$build/demo
rm -rf "$demo/url" "$demo/cache"
mkdir -p "$demo/url" "$demo/cjson"
cp testdata/pkg/url/query.c "$demo/url/"
CFUZZCACHE=$demo/cache
PATH=$build/bin:$PATH
export CFUZZCACHE PATH

step()
{
    printf '\n## %s\n\n' "$*"
}

# run STATUS COMMAND... - shows a command and its output; ends the demo when its status is another.
# STATUS may be several, "0 1".
run()
{
    want=$1
    shift
    printf '$ %s\n' "$*"
    "$@"
    got=$?
    case " $want " in
    *" $got "*) ;;
    *)
        echo "demo: '$*' ended with status $got, and should have with $want" >&2
        exit 1
        ;;
    esac
}

step "1. A fuzz test stands beside the code it tests (build/demo/url/query.c)"
sed -n '/^FUZZ_SETUP/,$p' "$demo/url/query.c"

cd "$demo/url" || exit 1
step "2. Its seeds run as ordinary tests"
run 0 cfuzz-test -v -run .

step "3. Fuzzing looks for inputs that fail, on all cores, for at most 10 seconds"
run 1 cfuzz-test -fuzz=FuzzQuery -fuzztime=10s

step "4. The failing input was saved beside the sources, as a file for version control"
crasher=$(ls testdata/corpus/FuzzQuery | head -n 1)
run 0 cat "testdata/corpus/FuzzQuery/$crasher"

step "5. From now on it is a test like any other, and fails until the bug is fixed"
run 1 cfuzz-test -run .

# cjson DIR [-unpatched] - fetches cJSON; false where it cannot be reached, which has been said.
cjson()
{
    cd "$top" || exit 1
    dir=$1
    shift
    bench/targets/cjson/fetch.sh "$@" "$demo/$dir"
    case $? in
    0) cd "$demo/$dir" || exit 1 ;;
    77) return 1 ;;
    *) exit 1 ;;
    esac
    rm -rf testdata
}

step "6. Real code: cJSON from Debian's source package, parse -> print -> parse -> equal"
if cjson cjson; then
    run 0 cfuzz-test -run .
    run "0 1" cfuzz-test -fuzz=FuzzRoundTrip -fuzztime=10s

    step "7. The same without Debian's fixes: a heap over-read that was there until 2024"
    if cjson cjson-unpatched -unpatched; then
        run "0 1" cfuzz-test -fuzz=FuzzRoundTrip -fuzztime=10s
    fi
fi

printf '\ndemo: all as it should be\n'
echo "next: export PATH=\"$build/bin:\$PATH\", and write the first fuzz test of README.md"
