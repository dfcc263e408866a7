// thread sanitizer: the program runs, without a report, and flags and records say the truth.
// REQUIRES: tsan
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O0 -fsanitize=thread -o %t.0 %S/coverage-sanitizers.c %t.rt.o && %t.0 2>&1 | FileCheck %s
// RUN: %clang -O1 -g -fsanitize=thread -fno-omit-frame-pointer -o %t.1 %S/coverage-sanitizers.c %t.rt.o && %t.1 2>&1 | FileCheck %s
// RUN: %clang -O2 -fsanitize=thread -fno-sanitize-recover=all -o %t.2 %S/coverage-sanitizers.c %t.rt.o && %t.2 2>&1 | FileCheck %s
int unused;
// CHECK-NOT: Sanitizer
// CHECK: log: 1004
// CHECK-NOT: {{BROKEN|Sanitizer}}
// CHECK: sum flag=1 counters={{[0-9]+}} entry=1
// CHECK: consistent
// CHECK-NOT: Sanitizer
