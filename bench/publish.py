#!/usr/bin/env python3
"""publish.py - puts what a full run of run.py measured into the documents.

    bench/publish.py [--results DIR]      after `make bench`

docs/performance.md gets the tables with the commands, README.md the short one: what is between
the lines `<!-- bench: begin -->` and `<!-- bench: end -->` is replaced. What was measured by parts or
with --short is refused.
"""

import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


def replaced(text, new):
    """The document with `new` between the markers; ValueError where they are not there once."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(f"not one pair of {BEGIN} and {END}")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n\n{new.strip()}\n\n{END}{after}"


def nested(table):
    """Headings one level further down, since the document has those of its own."""
    return re.sub(r"^##", "###", table, flags=re.M)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results")
    options = parser.parse_args()
    table, readme = options.results / "table.md", options.results / "readme.md"
    if not readme.exists() or not table.exists():
        sys.exit(f"publish: {options.results}: no full run: run `make bench`")
    written = []
    for path, new in ((TOP / "docs" / "performance.md", nested(table.read_text())),
                      (TOP / "README.md", readme.read_text())):
        try:
            written.append((path, replaced(path.read_text(), new)))
        except ValueError as error:
            sys.exit(f"publish: {path}: {error}")
    for path, text in written:
        path.write_text(text)
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
