#!/usr/bin/env python3
"""gen_big.py DIR EDGES - writes the bulk of the target "big": functions of together a little more
than EDGES counters, in files DIR/big_<n>.c, and DIR/big_table.c that points to all of them.

A case is an assembler comment of its own: no code, and nothing that a compiler could merge with
the next one or turn into a table, so that all engines see the same blocks.
"""
import pathlib
import sys

CASES = 54  # of one function; its entry and its end are blocks too
FUNCTIONS = 200  # of one file


def write(directory, edges):
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    count = -(-edges // CASES)
    names = [f"big_{i}" for i in range(count)]
    files = []
    for start in range(0, count, FUNCTIONS):
        text = ["#include <stdint.h>"]
        for name in names[start : start + FUNCTIONS]:
            text.append(f"void {name}(const uint8_t *);\nvoid {name}(const uint8_t *data)\n{{")
            text.append("    switch (data[0]) {")
            text += [f'    case {c}: __asm__ volatile("# {name} {c}"); break;' for c in range(CASES)]
            text.append("    }\n}")
        files.append(directory / f"big_{start // FUNCTIONS}.c")
        files[-1].write_text("\n".join(text) + "\n")
    table = ["#include <stdint.h>"]
    table += [f"void {name}(const uint8_t *);" for name in names]
    table.append("extern void (*const big_functions[])(const uint8_t *);")
    table.append("void (*const big_functions[])(const uint8_t *) = {" + ", ".join(names) + "};")
    table.append(f"extern const unsigned big_count;\nconst unsigned big_count = {count};")
    files.append(directory / "big_table.c")
    files[-1].write_text("\n".join(table) + "\n")
    return files


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: gen_big.py DIR EDGES")
    write(sys.argv[1], int(sys.argv[2]))
