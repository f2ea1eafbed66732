"""A gate's decision for people, for a pull request and for a test report."""

import math
from xml.etree import ElementTree

from toolyard.core.table import Table
from toolyard.report.gate.decision import GO, INCONCLUSIVE, NO_GO, Decision, Gate, GatedFigure, finite_or_none
from toolyard.report.tables.formats import p_text, percent, with_interval, words
from toolyard.text.counted_nouns import how_many
from toolyard.text.markdown import escape_markdown, markdown_table
from toolyard.text.printable import printable_line


def decision_line(gate: Gate) -> str:
    """The decision in one line; an open one says what would settle it."""
    why = "; ".join(gate.reasons) or _decision_meaning(gate)
    if gate.decision == INCONCLUSIVE:
        why += _detectable_drop_text(gate)
    return (
        f"{gate.decision}: {gate.run.label} against {gate.baseline.label} on {gate.run.benchmark.name}: {why}"
    )


def _decision_meaning(gate: Gate) -> str:
    concerned = [item for item in gate.figures if item.decision == gate.decision]
    names = " and ".join(words(item.figure) for item in concerned)
    if gate.decision == NO_GO:
        return f"{names} fell by more than is allowed"
    if gate.decision == INCONCLUSIVE:
        return f"the samples cannot tell whether {names} fell by more than is allowed"
    if all(item.test is not None and item.test.unchanged for item in concerned):
        return f"all {how_many(gate.samples, 'sample')} score the same in both runs"
    return "no metric fell by more than is allowed"


def _detectable_drop_text(gate: Gate) -> str:
    """Which drop the items at hand can decide, and what of the set would decide the allowed one."""
    tested = [
        (item, item.test) for item in gate.figures if item.decision == INCONCLUSIVE and item.test is not None
    ]
    if not tested:
        return ""
    widest, test = max(tested, key=lambda pair: pair[1].detectable / (pair[0].allowed or 1.0))
    have, detectable = test.clusters, test.detectable
    if math.isinf(detectable):
        return ""
    if not widest.allowed:
        return "; no drop is allowed, so only a run that is better passes: set allowed_drop"
    if detectable <= widest.allowed:
        return f"; the difference is too close to the allowed drop for {how_many(have, 'item')}"
    drops = f"{_round_drop_up(detectable)} points, not of {percent(widest.allowed)}"
    return f"; {how_many(have, 'item')} can decide a drop of {drops}" + _more_items_text(
        widest, have, gate.available
    )


def _more_items_text(item: GatedFigure, have: int, available: int | None) -> str:
    """What more items of the data set would decide."""
    if available is None:
        return ""
    needed = item.clusters_needed(available)
    if needed is not None:
        return f": about {needed:,} of the set's {available:,} items would decide it (--limit {needed})"
    whole = _round_drop_up(item.detectable_with(available))
    reach = "; " if available <= have else f" and all {available:,} can decide {whole}; "
    return f": the set has only {how_many(available, 'item')}{reach}allow a drop of {whole} points, or use a larger set"


def _round_drop_up(drop: float | None) -> str:
    """A drop in points that is not smaller than the one given."""
    return "–" if drop is None else f"{math.ceil(1000 * drop) / 10:.1f}"


def decision_text(gate: Gate, item: GatedFigure) -> str:
    """A figure's decision; what its test says does not count where something speaks against the runs as such."""
    found = gate.decision_on(item)
    return found if found == item.decision else f"{found} (its test alone: {item.decision})"


def gate_table(gate: Gate) -> Table:
    """Every figure with its test."""
    columns = (
        "metric", "decision", "run", "baseline", "difference [95 %]", "allowed drop", "p (within)", "p (beyond)",
        "decidable drop", "items",
    )  # fmt: skip
    level = gate.policy.level
    note = (
        f"points, run minus baseline on {gate.samples} shared samples, with the interval that compare prints; within: "
        f"p that the fall is larger than allowed, GO below {level:g}, or where all samples score the same; beyond: p that "
        f"it is not, NO-GO below {level:g}; decidable drop: the smallest that four of five such gates decide"
    )
    rows = tuple(_figure_row(gate, item) for item in gate.figures)
    return Table(decision_line(gate), columns, rows, note)


def _figure_row(gate: Gate, item: GatedFigure) -> tuple[object, ...]:
    test = item.test
    values = (gate.run.summary.figures[item.figure].value, gate.baseline.summary.figures[item.figure].value)
    first = (words(item.figure), decision_text(gate, item), *map(percent, values))
    if test is None:
        return (*first, None, percent(item.allowed), None, None, None, 0)
    return (
        *first,
        with_interval(item.paired.difference),
        percent(item.allowed),
        p_text(test.within),
        p_text(item.beyond),
        _round_drop_up(finite_or_none(test.detectable)),
        test.clusters,
    )


def gate_markdown(gate: Gate) -> str:
    """The decision for a pull request."""
    about = escape_markdown(
        f"Run {gate.run.folder.name} against baseline {gate.baseline.folder.name}, "
        f"{gate.run.benchmark.name} {gate.run.version}, profile {gate.policy.profile}."
    )
    reasons = "".join(f"- {escape_markdown(reason)}\n" for reason in gate.reasons)
    table = markdown_table(gate_table(gate), 2)
    return f"{table}\n{about}\n{reasons}"


def gate_junit(gate: Gate) -> str:
    """The decision as JUnit XML: a failure for NO-GO, an error for INCONCLUSIVE, one case per figure."""
    name = f"toolyard gate {gate.run.benchmark.name}"
    cases: list[tuple[str, Decision, str]] = [
        (item.figure, gate.decision_on(item), _figure_message(item)) for item in gate.figures
    ]
    cases += [("policy", INCONCLUSIVE, printable_line(reason)) for reason in gate.reasons]
    failures, errors = (sum(each == kind for _, each, _ in cases) for kind in (NO_GO, INCONCLUSIVE))
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": str(errors)}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": name, **counts})
    for figure, decision, message in cases:
        case = ElementTree.SubElement(suite, "testcase", {"classname": name, "name": figure, "time": "0"})
        if decision != GO:
            tag = "failure" if decision == NO_GO else "error"
            ElementTree.SubElement(case, tag, {"type": decision, "message": message}).text = headline_text(
                gate
            )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"
    )


def headline_text(gate: Gate) -> str:
    """The headline without characters that XML does not know."""
    return printable_line(decision_line(gate))


def _figure_message(item: GatedFigure) -> str:
    test = item.test
    if test is None:
        return "undefined on the shared samples"
    return (
        f"{with_interval(item.paired.difference)} points on {how_many(test.clusters, 'item')}, "
        f"allowed drop {percent(item.allowed)}"
    )
