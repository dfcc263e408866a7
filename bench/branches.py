"""branches.py - branches of libraries that engines cover in equal CPU time: from one small valid file, and from nothing.

A part of run.py; libraries.py alone measures more formats, more engines, and longer. One build of
clang's own counts what each engine's corpus covers, crashes included.
"""

import dataclasses
import statistics

import formats
import libraries
from engines import Failed, Unavailable

ENGINES = ["cfuzz", "cfuzz -solve=false", "libFuzzer"]
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
    rounds: int  # at most
    seeded: bool  # with one small valid file
    about: str
    wanted: dict  # of a library's name: cfuzz's branches by libFuzzer's, at least


def groups(short):
    """What nobody has to break into, from a valid file; in full also what is behind magics, from nothing."""
    budget = 1 if short else 10
    plain = Branches(
        "branches", "Branches of libraries", formats.PLAIN[:1] if short else formats.PLAIN, ENGINES, budget, 3, True,
        f"Branches covered after {budget} CPU seconds from one small valid file: medians, with lowest and "
        "highest. bench/libraries.py has the harnesses and files.",
        {} if short else {"json": 1.02, "yaml": 1.1, "xml": 1.1, "deflate": 1.02})
    if short:
        return [plain]
    return [plain, Branches(
        "branches-nothing", "Branches of libraries behind magics and checksums, from nothing",
        formats.BEHIND_MAGICS, ENGINES, 20, 2, False,
        "Branches covered after 20 CPU seconds from an empty corpus: medians, with lowest and highest.",
        {library.name: 1.3 for library in formats.BEHIND_MAGICS})]


def planned(group, rounds):
    runs = len(group.libraries) * len(group.lanes) * min(rounds, group.rounds)
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
    at = builds.work / "run" / f"{group.name}-{library.name}-{round_}"
    seeds = [library.seed()] if group.seeded else []
    execs, cpu = libraries.once(builds, library, engine, seeds, round_ + 1, group.budget, core, at)
    branches, every = libraries.covered(builds, library, [at / "all"], at)
    if not branches:
        raise Failed(f"{library.name}: nothing of it was covered")
    return dict(branches=branches, all=every, execs=execs, cpu_seconds=cpu)


def values(group, rows, library, name):
    return [r["branches"] for r in rows
            if r["group"] == group.name and r.get("library") == library and r.get("engine") == name
            and "branches" in r]


def table(group, rows):
    out = [f"## {group.title}", "", group.about, "",
           "| library | " + " | ".join(group.lanes) + " | cfuzz, of libFuzzer's |",
           "|---|" + "--:|" * (len(group.lanes) + 1)]
    for library in group.libraries:
        cells = []
        for name in group.lanes:
            got = values(group, rows, library.name, name)
            cells.append(f"{statistics.median(got):,.0f} ({min(got):,} to {max(got):,})" if got
                         else "not available")
        out.append(f"| {library.what} | " + " | ".join(cells) + f" | {times(group, rows, library)} |")
    return out + [""]


def times(group, rows, library):
    """cfuzz's median by libFuzzer's."""
    mine, theirs = (values(group, rows, library.name, name) for name in ("cfuzz", "libFuzzer"))
    return f"{statistics.median(mine) / statistics.median(theirs):.2f} x" if mine and theirs else ""


def lines(group, rows):
    """README's line."""
    each = [f"{times(group, rows, library)} on {library.what}" for library in group.libraries
            if times(group, rows, library)]
    if not each:
        return []
    start = "" if group.seeded else " from nothing"
    return [f"Branches of libraries after {group.budget} CPU seconds{start}, by those of libFuzzer: "
            f"{', '.join(each)}."]
