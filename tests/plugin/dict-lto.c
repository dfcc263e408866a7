// Words survive link-time optimisation and the removal of unused sections.
// REQUIRES: own-lld
// RUN: %cc -O1 -c -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O2 -flto %lld -Wl,--gc-sections -ffunction-sections -fdata-sections -o %t.1 %S/dict.c %t.rt.o && %t.1 | FileCheck %S/dict.c
