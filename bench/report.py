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


def section(title, groups, rows, commands):
    """One table: a line per lane of the groups that have this title."""
    per = {"cpu": "per CPU second", "wall": "per second"}[groups[0].per]
    out = [f"## {title}", ""]
    out += [groups[0].about, ""] if groups[0].about else []
    out.append(
        f"| target | engine | executions {per} | lowest to highest | of the row marked * "
        "| mean length | driver | command |"
    )
    out.append("|---|---|--:|---|---|--:|--:|--:|")
    for group in groups:
        for lane in group.lanes:
            out.append("| " + " | ".join(line(group, lane, rows, commands)) + " |")
    return out + [""]


def line(group, lane, rows, commands):
    rates = lane_values(rows, group.name, lane.label)
    command = next(
        (r["command"] for r in rows if r["group"] == group.name and r["lane"] == lane.label
         and r.get("command")), "")
    label = lane.label + ("*" if lane.label == group.base else "")
    which = f"{commands.number(command)}" if command else ""
    if not rates:
        return [group.target, label, note(rows, group.name, lane.label), "", "", "", "", which]
    against = ""
    if group.base and lane.label != group.base:
        against = times(ratios(rates, lane_values(rows, group.name, group.base)))
    length = median(list(lane_values(rows, group.name, lane.label, "length").values()))
    share = median(list(lane_values(rows, group.name, lane.label, "driver").values()))
    return [
        group.target,
        label,
        number(median(list(rates.values()))),
        span(list(rates.values()), number),
        against,
        "" if length is None else digits(length),
        "" if share is None else f"{100 * share:.1f} %",
        which,
    ]


def goals(wanted, rows):
    """A line per goal: what was asked, what came out."""
    out = ["## Goals", "", "| goal | wanted | measured | |", "|---|--:|--:|---|"]
    for goal in wanted:
        if goal.base:
            values = ratios(
                lane_values(rows, goal.group, goal.lane),
                lane_values(rows, goal.base_group or goal.group, goal.base),
            )
            show = lambda v: f"{digits(v)} x"
        else:
            values = list(lane_values(rows, goal.group, goal.lane, goal.key).values())
            show = {"ms": lambda v: f"{v:.0f} ms", "driver": lambda v: f"{100 * v:.1f} %"}.get(
                goal.key, number
            )
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
