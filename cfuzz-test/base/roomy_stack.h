/*
 * roomy_stack.h - a stack for the driver that is large enough whatever `ulimit -s` says.
 *
 * The limit itself stays: the tested code inherits it, and is to find what it would without us.
 * Context: ordinary.
 */
#ifndef ROOMY_STACK_H
#define ROOMY_STACK_H

/* roomy_stack_call returns what fn(argc, argv) returns. Where the limit leaves less than the driver
 * needs, fn runs on memory of its own. That memory ends at an inaccessible page. */
int roomy_stack_call(int (*fn)(int argc, char **argv), int argc, char **argv);

#endif
