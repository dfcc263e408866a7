/*
 * exit_codes.h - exit codes of our own processes. The kind of the crash mark tells ours from an
 * exit(70) of the target.
 */
#ifndef CFZ_EXIT_CODES_H
#define CFZ_EXIT_CODES_H

enum {
    CFZ_EXIT_TESTS = 69, /* origin: the tests in the binary cannot be run; stderr says why */
    CFZ_EXIT_INTERNAL = 70,
    CFZ_EXIT_ORPHAN = 71,   /* the parent, or the other end of the socket, is gone */
    CFZ_EXIT_KNOWN = 72,    /* of a worker to its guard: died of a known crash */
    CFZ_EXIT_SLOW = 74,     /* of a worker to its guard: what it executed took long */
    CFZ_EXIT_UNFORKED = 73, /* the system had no room: of a guard, for the next worker; of a host or
                             * worker, for what it needs to begin; of any, for a message */
};

#endif
