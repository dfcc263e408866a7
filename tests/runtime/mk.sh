set -e
R=/work/main; B=/tmp/build-rt; cd /tmp/rt/t
ninja -C $B -j2 cfz_core cfuzz cfuzz_main | grep -A6 warning || true
I="-I$R/include -I$R/runtime -I$R/runtime/core"
gcc -std=gnu11 -g -O1 -Wall -Wextra $I $R/tests/runtime/worker_test.c $R/tests/runtime/driver_end.c $B/obj/libcfz_core.a -lmd -lm -lcmocka -o worker_test
