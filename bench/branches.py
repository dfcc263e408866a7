"""branches.py - branches of libraries that engines cover in equal CPU time, from one small valid file.

A part of run.py; libraries.py alone measures more formats, more engines, and from nothing. One build of
clang's own counts what each engine's corpus covers, crashes included.
"""

import dataclasses
import statistics

import formats
import libraries
from engines import Failed, Unavailable

ENGINES = ["cfuzz", "cfuzz -solve=false", "libFuzzer"]
ROUNDS = 3  # at most
OVERHEAD = 1.5  # seconds of a run: its start and end, and running its corpus
BUILDS_SHORT, BUILDS_FULL = 6, 20  # seconds, for the executables of one library


@dataclasses.dataclass
class Branches:
    """A group of run.py's: every engine on every library, round by round."""

    name: str
    title: str
    libraries: list  # formats.Library
    lanes: list  # names of engines
    budget: float  # CPU seconds of a run
    about: str


def group(short):
    budget = 1 if short else 10
    these = formats.PLAIN[:1] if short else formats.PLAIN
    return Branches(
        "branches", "Branches of libraries", these, ENGINES, budget,
        f"Branches covered after {budget} CPU seconds from one small valid file: medians, with lowest and "
        "highest. bench/libraries.py has the harnesses and files.")


def planned(group, rounds):
    runs = len(group.libraries) * len(group.lanes) * min(rounds, ROUNDS)
    builds = BUILDS_SHORT if len(group.libraries) == 1 else BUILDS_FULL
    return runs * (group.budget + OVERHEAD) + builds * len(group.libraries)


def prepared(builds, library):
    """The library with its sources at hand."""
    if not libraries.fetch(library, builds.work / "sources"):
        raise Unavailable("its sources could not be fetched")
    library.made = library.prepare(builds.work / "sources", builds.work / "prepared")
    return library


def once(builds, group, library, name, round_, core):
    """One run: its row but for what names it."""
    engine = libraries.ENGINES[name]
    missing = engine.missing(builds)
    if missing:
        raise Unavailable(missing)
    at = builds.work / "run" / f"branches-{library.name}-{round_}"
    execs, cpu = libraries.once(builds, library, engine, [library.seed()], round_ + 1, group.budget, core, at)
    branches, every = libraries.covered(builds, library, [at / "all"], at)
    if not branches:
        raise Failed(f"{library.name}: nothing of it was covered")
    return dict(branches=branches, all=every, execs=execs, cpu_seconds=cpu)


def values(rows, library, name):
    return [r["branches"] for r in rows
            if r["group"] == "branches" and r.get("library") == library and r.get("engine") == name
            and "branches" in r]


def table(group, rows):
    out = [f"## {group.title}", "", group.about, "",
           "| library | " + " | ".join(group.lanes) + " | cfuzz, of libFuzzer's |",
           "|---|" + "--:|" * (len(group.lanes) + 1)]
    for library in group.libraries:
        cells = []
        for name in group.lanes:
            got = values(rows, library.name, name)
            cells.append(f"{statistics.median(got):,.0f} ({min(got):,} to {max(got):,})" if got
                         else "not available")
        out.append(f"| {library.what} | " + " | ".join(cells) + f" | {times(rows, library)} |")
    return out + [""]


def times(rows, library):
    """cfuzz's median by libFuzzer's."""
    mine, theirs = values(rows, library.name, "cfuzz"), values(rows, library.name, "libFuzzer")
    return f"{statistics.median(mine) / statistics.median(theirs):.2f} x" if mine and theirs else ""


def lines(group, rows):
    """README's line."""
    each = [f"{times(rows, library)} on {library.what}" for library in group.libraries
            if times(rows, library)]
    if not each:
        return []
    return [f"Branches of libraries after {group.budget} CPU seconds, by those of libFuzzer: "
            f"{', '.join(each)}."]
