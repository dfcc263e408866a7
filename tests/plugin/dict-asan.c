// Words beside AddressSanitizer, which puts redzones between globals.
// REQUIRES: asan
// RUN: %cc -O1 -c -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O1 -fsanitize=address -o %t.1 %S/dict.c %t.rt.o && %t.1 | FileCheck %S/dict.c
