// Traced copies under thread sanitizer: no report, and the same records.
// REQUIRES: tsan
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -fsanitize=thread -o %t.0 %S/trace-functions.c %t.rt.o && %t.0 2>&1 | FileCheck %S/trace-functions.c --implicit-check-not=Sanitizer
// RUN: %clang -O2 -g -fsanitize=thread -o %t.2 %S/trace-functions.c %t.rt.o && %t.2 2>&1 | FileCheck %S/trace-functions.c --implicit-check-not=Sanitizer
// RUN: %clang -O1 -g -fsanitize=thread -o %t.1 %S/trace-records.c %t.rt.o && %t.1 2>&1 | FileCheck %S/trace-records.c --check-prefixes=CHECK,OPT --implicit-check-not=Sanitizer
int unused;
