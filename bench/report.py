"""report.py - medians, ratios and the Markdown table."""

import statistics


def median(values):
    return statistics.median(values) if values else None


def ratios(mine, base):
    """Round by round, of {round: value}: only rounds that both have."""
    return [mine[r] / base[r] for r in sorted(mine) if base.get(r)]


def number(value):
    """Three digits and a unit: 4.12 M, 730 k, 98.5."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size * 0.9995:
            return f"{digits(value / size)}{unit}"
    return digits(value)


def digits(value):
    if value >= 99.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


# How values of a row's keys are shown.
UNITS = {
    "rate": lambda v: number(v),
    "ms": lambda v: f"{v:.0f} ms",
    "s": lambda v: f"{v:.2f} s",
    "MiB": lambda v: f"{v:.1f} MiB",
    "branches": lambda v: f"{v:,} branches",
    "tries": lambda v: f"{v:,.0f} tries",
    "per_cpu": lambda v: number(v),
    "driver": lambda v: f"{100 * v:.1f} %",
    "start": lambda v: f"{v:.2f} s",
    "memory": lambda v: f"{v:.1f} MiB",
    "length": lambda v: digits(v),
}


def span(values, show):
    """Lowest to highest."""
    if len(values) < 2:
        return "one run"
    return f"{show(min(values))} to {show(max(values))}"


def times(values):
    """Median ratio, lowest and highest."""
    if not values:
        return ""
    text = f"{digits(median(values))} x"
    return text if len(values) < 2 else f"{text} ({span(values, digits)})"


class Commands:
    """Numbers commands, so that a row names its own."""

    def __init__(self):
        self.list = []

    def number(self, text):
        if text not in self.list:
            self.list.append(text)
        return self.list.index(text) + 1


def lane_values(rows, group, lane, key="rate"):
    return {
        row["round"]: row[key]
        for row in rows
        if row["group"] == group and row["lane"] == lane and row.get(key) is not None
    }


def note(rows, group, lane):
    return next(
        (r["note"] for r in rows if r["group"] == group and r["lane"] == lane and "note" in r), ""
    )


# Columns of a table of rates that it has only where there is something in them.
COLUMNS = {"per_cpu": "per CPU second", "length": "mean length", "driver": "driver",
           "start": "start, CPU", "memory": "memory"}


def section(title, groups, rows, commands):
    """One table: a line per lane of the groups that have this title."""
    per = {"cpu": "per CPU second", "wall": "per second"}[groups[0].per]
    names = {group.name for group in groups}
    columns = [key for key in COLUMNS
               if any(row.get(key) is not None for row in rows if row["group"] in names)]
    compared = any(len(group.lanes) > 1 and group.base for group in groups)
    out = [f"## {title}", ""]
    out += [groups[0].about, ""] if groups[0].about else []
    head = ["target", "engine", f"executions {per}", "lowest to highest",
            *["of the row marked *"] * compared, *(COLUMNS[key] for key in columns), "command"]
    out.append("| " + " | ".join(head) + " |")
    rule = ["---", "---", "--:", *["---"] * (1 + compared), *["--:"] * (len(columns) + 1)]
    out.append("|" + "|".join(rule) + "|")
    for group in groups:
        for lane in group.lanes:
            cells = line(group, lane, rows, commands, columns, compared)
            out.append("| " + " | ".join(cells) + " |")
    return out + [""]


def command_number(rows, group, lane, commands):
    command = next((r["command"] for r in rows if r["group"] == group and r["lane"] == lane
                    and r.get("command")), "")
    return f"{commands.number(command)}" if command else ""


def line(group, lane, rows, commands, columns, compared):
    rates = lane_values(rows, group.name, lane.label)
    label = lane.label + ("*" if lane.label == group.base else "")
    which = command_number(rows, group.name, lane.label, commands)
    if not rates:
        blank = [""] * (1 + compared + len(columns))
        return [group.target, label, note(rows, group.name, lane.label), *blank, which]
    against = ""
    if group.base and lane.label != group.base:
        against = times(ratios(rates, lane_values(rows, group.name, group.base)))
    cells = [group.target, label, number(median(list(rates.values()))),
             span(list(rates.values()), number), *[against] * compared]
    for key in columns:
        values = list(lane_values(rows, group.name, lane.label, key).values())
        cells.append(UNITS[key](median(values)) if values else "")
    return [*cells, which]


def figures(title, groups, rows, commands):
    """One table: a line per figure."""
    out = [f"## {title}", ""]
    out += [groups[0].about, ""] if groups[0].about else []
    out += ["| figure | measured | lowest to highest | command |", "|---|--:|---|--:|"]
    for group in groups:
        for figure in group.figures:
            values = list(lane_values(rows, group.name, figure.label, figure.unit).values())
            show = UNITS[figure.unit]
            cells = [figure.label, show(median(values)) if values else
                     note(rows, group.name, figure.label), span(values, show) if values else "",
                     command_number(rows, group.name, figure.label, commands)]
            out.append("| " + " | ".join(cells) + " |")
    return out + [""]


def behind(groups, rows):
    """Every row in which another engine, or a bare loop, did more than cfuzz."""
    found = []
    for group in groups:
        mine = lane_values(rows, group.name, "cfuzz")
        for lane in group.lanes:
            if lane.label.startswith("cfuzz") or not mine:
                continue
            factor = ratios(lane_values(rows, group.name, lane.label), mine)
            if factor and median(factor) > 1:
                found.append(f"| {group.target} | {group.title} | {lane.label} | {times(factor)} |")
    if not found:
        return []
    return ["## Where something is faster than cfuzz", "", "| target | table | what | of cfuzz |",
            "|---|---|---|---|", *found, ""]


# The rows of README's table: text, group.
README = [
    ("empty target", "len32-empty"),
    ("parser of 20 branches", "len32-parser"),
    ("the parser in a program of {counters:,} counters", "len32-big"),
    ("cJSON", "len32-json"),
    ("cJSON with AddressSanitizer", "asan-json"),
]


def short(rows):
    """README's table."""
    counters = max((row.get("counters", 0) for row in rows), default=0)
    out = ["| | cfuzz | libFuzzer | AFL++ persistent |", "|---|--:|--:|--:|"]
    for text, group in README:
        cells = [text.format(counters=counters)]
        for lane in ("cfuzz", "libFuzzer", "AFL++"):
            values = list(lane_values(rows, group, lane).values())
            cells.append(number(median(values)) if values else "not available")
        out.append("| " + " | ".join(cells) + " |")
    return out


def goals(wanted, rows):
    """A line per goal: what was asked, what came out."""
    out = ["## Goals", "", "| goal | wanted | measured | |", "|---|--:|--:|---|"]
    for goal in wanted:
        if goal.base:
            values = ratios(
                lane_values(rows, goal.group, goal.lane, goal.key),
                lane_values(rows, goal.base_group or goal.group, goal.base, goal.key),
            )
            show = lambda v: f"{digits(v)} x"
        else:
            values = list(lane_values(rows, goal.group, goal.lane, goal.key).values())
            show = UNITS[goal.key]
        word = "at most" if goal.at_most else "at least"
        if not values:
            out.append(f"| {goal.text} | {word} {show(goal.wanted)} | not available | |")
            continue
        got = median(values)
        met = got <= goal.wanted if goal.at_most else got >= goal.wanted
        out.append(
            f"| {goal.text} | {word} {show(goal.wanted)} | {show(got)} "
            f"| {'met' if met else 'missed'} |"
        )
    return out + [""]


def commands_list(commands, places, notes):
    """The commands, with directories as variables."""
    out = ["## Commands", "", *notes, ""]
    for i, text in enumerate(commands.list, 1):
        for path, variable in places:
            text = text.replace(str(path), variable)
        out.append(f"{i}. `{text}`")
    return out + [""]
