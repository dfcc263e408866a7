"""plan.py - what the benchmark measures: targets, groups of rows, goals; and how long it takes."""

import dataclasses
import pathlib
import subprocess
import sys

import branches
import engines
import figures
import search
from engines import Failed, Run, Target

HERE = pathlib.Path(__file__).resolve().parent
FULL_EDGES, SHORT_EDGES = 220000, 20000

# Seconds, on a quiet machine of two cores, for planned(): guessed from runs.
RUN_OVERHEAD = 0.4  # start and end of an engine, what the meter reads late
CACHED_SECONDS = 5e-5  # to make, read and remove one cached input
BUILDS_SHORT, BUILDS_FULL = 35, 180


@dataclasses.dataclass
class Lane:
    """One engine on one target; lanes of a group take turns."""

    label: str
    engine: object
    target: Target
    run: Run
    cores: list


@dataclasses.dataclass
class Group:
    """Rates of lanes that are compared with each other."""

    name: str
    title: str
    target: str
    lanes: list
    base: str = ""  # lane that the others are divided by, round by round
    per: str = "cpu"  # or "wall"
    about: str = ""
    lengths: bool = False  # also measure the mean length of inputs
    rounds: int = 0  # if fewer than elsewhere


@dataclasses.dataclass
class Figures:
    """Figures of cfuzz alone that are not rates."""

    name: str
    title: str
    figures: list  # figures.Figure
    about: str = ""


@dataclasses.dataclass
class Goal:
    text: str
    group: str
    lane: str
    wanted: float
    base: str = ""
    base_group: str = ""
    key: str = "rate"  # of the rows, or what is divided
    at_most: bool = False


# ---- targets -----------------------------------------------------------------

TEXT_SEED = {"text": b"a=1;b=0x2f,c='x y'\n"}
JSON_SEED = {"json": b'{"a": [1, -2.5e3, null], "b": "c"}'[:32], "list": b'[1, true, {"k": "v"}]'}


def targets(work, edges):
    """All targets by name; cJSON's is missing a source where Debian's cannot be had."""
    here = HERE / "targets"
    generated = work / "src" / f"big-{edges}"
    if not (generated / "big_table.c").exists():
        subprocess.run([sys.executable, here / "gen_big.py", generated, str(edges)], check=True)
    cjson = work / "src" / "cjson"
    fetched = subprocess.run([here / "cjson" / "fetch.sh", cjson], check=False).returncode
    if fetched not in (0, 77):
        raise Failed(f"bench/targets/cjson/fetch.sh: status {fetched}")
    big = [here / "big.c", *sorted(generated.glob("*.c"))]
    return named_targets(big, cjson, edges)


def named_targets(big, cjson, edges):
    here = HERE / "targets"
    return {
        "empty": Target("empty", [here / "empty.c"], TEXT_SEED),
        "noseed": Target("empty", [here / "empty.c"], {}),
        "parser": Target("parser", [here / "parser.c"], TEXT_SEED),
        "big": Target(f"big-{edges // 1000}k", big, TEXT_SEED),
        "json": Target("json", [here / "json.c", cjson / "cJSON.c"], JSON_SEED),
        "bytes": Target("typed-bytes", [here / "typed.c"], TEXT_SEED),
        "typed": Target("typed", [here / "typed.c"], TEXT_SEED, typed=True),
        "tenth": Target("tenth", [here / "tenth.c"], {"seed": b"seed"}),
    }


# ---- the plan ----------------------------------------------------------------

LENGTHS = (
    "Engines choose lengths of their own. The mean length of the inputs, in bytes, is that of one "
    "more run as long as the others, of a binary that counts them."
)
CACHED = (
    "Rates and the driver's share are of what came after the start, which is reading the cache and "
    "running all of it once. Memory is that of all processes together."
)
WORKERS = (
    "On two cores, so that more than two workers only take turns. Memory is that of all processes "
    "together, pages that several have counted once; see also Memory of many workers."
)


def plan(ts, short, secs, cores, builder, driver):
    """The groups, and the engines that they use."""
    cfuzz, lib = engines.Cfuzz(builder, driver), engines.LibFuzzer(builder)
    front = engines.CfuzzFront(builder, driver)
    afl = engines.Afl(builder)
    scan, call = engines.Bare(builder, True), engines.Bare(builder, False)
    one, two = cores[-1:], cores[-2:]
    groups = []

    def lane(engine, target, label="", on=one, budget=secs, max_len=32, **run):
        run = Run(budget, max_len=max_len, **run)
        return Lane(label or engine.name, engine, ts[target], run, on)

    def compare(name, title, target, lane_list, **options):
        groups.append(Group(name, title, ts[target].name, lane_list, **options))

    for name in ("empty", "parser", "json", "big"):
        compare(f"len32-{name}", "Inputs of at most 32 bytes", name,
                [lane(e, name) for e in ([cfuzz, lib, afl, scan] + [call] * (not short))],
                base=lib.name, about=LENGTHS, lengths=not short and name != "big")
    compare("noseed", "From an empty corpus, inputs of at most 32 bytes", "noseed",
            [lane(e, "noseed") for e in (cfuzz, lib)], base=lib.name, about=LENGTHS,
            lengths=not short)
    if not short:
        for name in ("empty", "parser", "json"):
            compare(f"default-{name}", "Each engine's defaults", name,
                    [lane(e, name, max_len=0) for e in (cfuzz, lib, afl)],
                    base=lib.name, about=LENGTHS, lengths=True, rounds=3)
    for name in ("json",) if short else ("parser", "json"):
        for san, title in ([("asan", "AddressSanitizer")] if short else
                           [("asan", "AddressSanitizer"), ("ubsan", "UndefinedBehaviorSanitizer"),
                            ("msan", "MemorySanitizer")]):
            peers = (cfuzz, lib, afl) if san == "asan" and not short else (cfuzz, lib)
            compare(f"{san}-{name}", f"{title}, inputs of at most 32 bytes", name,
                    [lane(e, name, san=san) for e in peers], base=lib.name)
    for name in ("parser",) if short else ("empty", "parser", "json"):
        compare(f"front-{name}", "Behind libFuzzer's command line, inputs of at most 32 bytes", name,
                [lane(e, name) for e in (cfuzz, front, lib)], base=cfuzz.name, rounds=3)
    typed = [lane(cfuzz, "bytes", "cfuzz, []byte"),
             lane(cfuzz, "typed", "cfuzz, []byte int float64 string")]
    compare("typed", "Typed arguments", "typed", typed, base=typed[0].label)
    for name, counts in [("parser", [2])] if short else [("parser", [2, 8, 64]), ("json", [2])]:
        lanes = [lane(cfuzz, name, "1 worker")]
        if len(cores) > 1:
            lanes += [lane(cfuzz, name, f"{n} workers on 2 cores", two, 2 * secs, parallel=n)
                      for n in counts]
        compare(f"workers-{name}", "More workers", name, lanes, base="1 worker", per="wall",
                about=WORKERS)
    many = 10000 if short else 100000
    for name in ("parser",) if short else ("empty", "parser"):
        compare(f"cached-{name}", "Cached inputs", name,
                [lane(cfuzz, name, f"{n:,} cached inputs", cached=n) for n in (100, many)],
                base="100 cached inputs", about=CACHED, rounds=3)
    tenth = [lane(cfuzz, "tenth", keep_going=True),
             lane(cfuzz, "tenth", "cfuzz, ASan", keep_going=True, san="asan")]
    tenth += [lane(afl, "tenth", keep_going=True)] * (not short)
    compare("tenth", "A crash at every tenth input, going on", "tenth", tenth, per="wall")
    groups.append(search.group(cfuzz, lib, short))
    groups += branches.groups(short)
    groups += figures.groups(Figures, cfuzz, builder.work, short)
    # In the order of the first group of a title, so that a section is measured as one.
    titles = list(dict.fromkeys(g.title for g in groups))
    groups.sort(key=lambda g: titles.index(g.title))
    return groups, [cfuzz, lib, afl, scan]


def rounds_of(group, rounds):
    return min(rounds, group.rounds or rounds)


def rows_of(groups):
    return sum(len(g.figures) if isinstance(g, Figures)
               else len(g.barriers) if isinstance(g, search.Search)
               else len(g.libraries) if isinstance(g, branches.Branches) else len(g.lanes)
               for g in groups)


def planned(groups, rounds, short):
    """Seconds that it should take on a quiet machine, builds included."""
    total = BUILDS_SHORT if short else BUILDS_FULL
    for group in groups:
        if isinstance(group, Figures):
            total += sum(f.seconds * min(rounds, f.rounds) for f in group.figures)
            continue
        if isinstance(group, search.Search):
            total += search.planned(group, rounds)
            continue
        if isinstance(group, branches.Branches):
            total += branches.planned(group, rounds)
            continue
        for lane in group.lanes:
            run = lane.run.budget / len(lane.cores) + RUN_OVERHEAD
            run += lane.run.cached * CACHED_SECONDS
            total += run * (rounds_of(group, rounds) + group.lengths)
    return total


def wanted(groups, edges):
    """The goals of these groups; that of the big program only where it is as big as it says."""
    goals = [
        Goal("empty target, against libFuzzer", "len32-empty", "cfuzz", 4, "libFuzzer"),
        Goal("the same from an empty corpus", "noseed", "cfuzz", 4, "libFuzzer"),
        Goal("empty target, against AFL++ persistent", "len32-empty", "cfuzz", 100, "AFL++"),
        Goal("parser, against libFuzzer", "len32-parser", "cfuzz", 4, "libFuzzer"),
        Goal("cJSON, against libFuzzer", "len32-json", "cfuzz", 1.8, "libFuzzer"),
        Goal("parser in a big program, against libFuzzer", "len32-big", "cfuzz", 40, "libFuzzer"),
        Goal("cJSON with ASan, against libFuzzer with ASan", "asan-json", "cfuzz", 1.5,
             "libFuzzer"),
        *[Goal(f"{name} behind libFuzzer's command line, against cfuzz-test", f"front-{name}",
               "cfuzz -libfuzzer", 0.9, "cfuzz") for name in ("empty", "parser", "json")],
        Goal("typed, against []byte alone", "typed", "cfuzz, []byte int float64 string", 0.7,
             "cfuzz, []byte"),
        Goal("two workers against one, parser", "workers-parser", "2 workers on 2 cores", 1.8,
             "1 worker"),
        Goal("two workers against one, cJSON", "workers-json", "2 workers on 2 cores", 1.8,
             "1 worker"),
        Goal("64 workers against two, parser", "workers-parser", "64 workers on 2 cores", 0.9,
             "2 workers on 2 cores"),
        Goal("100,000 cached inputs against 100, empty target", "cached-empty",
             "100,000 cached inputs", 0.9, "100 cached inputs"),
        Goal("100,000 cached inputs against 100, parser", "cached-parser",
             "100,000 cached inputs", 0.9, "100 cached inputs"),
        Goal("the driver's share of a core, parser", "len32-parser", "cfuzz", 0.02, key="driver",
             at_most=True),
        Goal("the driver's share with two workers, parser", "workers-parser",
             "2 workers on 2 cores", 0.02, key="driver", at_most=True),
        Goal("the driver's share with 100,000 cached inputs, parser", "cached-parser",
             "100,000 cached inputs", 0.02, key="driver", at_most=True),
        Goal("crash at every tenth input, per second", "tenth", "cfuzz", 2000),
        Goal("the same with ASan", "tenth", "cfuzz, ASan", 300),
    ]
    names = {group.name for group in groups}
    lanes = {(g.name, lane.label) for g in groups if isinstance(g, Group) for lane in g.lanes}
    goals = [g for g in goals if (g.group, g.lane) in lanes
             and (g.group != "len32-big" or edges >= 200000)]
    for group in groups:
        if isinstance(group, branches.Branches):
            start = "" if group.seeded else " from nothing"
            goals += [Goal(f"branches of {library.what}{start}, against libFuzzer", group.name,
                           f"{library.name}, cfuzz", group.wanted[library.name], f"{library.name}, libFuzzer",
                           key="branches") for library in group.libraries if library.name in group.wanted]
        if isinstance(group, Figures):
            goals += [Goal(f.goal, group.name, f.label, f.limit, key=f.unit, at_most=True)
                      for f in group.figures if f.goal]
    return [g for g in goals if g.group in names]
