// What trace-bounds.c shows also holds with AddressSanitizer.
// REQUIRES: asan
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O2 -g -fsanitize=address -o %t.a %S/trace-bounds.c %t.rt.o
// RUN: %t.a sites | FileCheck %S/trace-bounds.c
