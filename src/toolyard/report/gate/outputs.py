"""A gate's decision for people, for a pull request and for a test report."""

from __future__ import annotations

from xml.etree import ElementTree

from toolyard.core.table import Table
from toolyard.report.gate.decision import GO, INCONCLUSIVE, NO_GO, Decision, Gate, GatedFigure
from toolyard.report.tables.formats import p_text, percent, signed, words
from toolyard.text.markdown import escaped, markdown_table
from toolyard.text.printable import printable_line


def headline(gate: Gate) -> str:
    """The decision in one line; an open one says what would settle it."""
    why = "; ".join(gate.reasons) or _meaning(gate)
    if gate.decision == INCONCLUSIVE:
        why += _lacking(gate)
    return (
        f"{gate.decision}: {gate.run.label} against {gate.baseline.label} on {gate.run.benchmark.name}: {why}"
    )


def _meaning(gate: Gate) -> str:
    names = " and ".join(words(item.figure) for item in gate.figures if item.decision == gate.decision)
    if gate.decision == NO_GO:
        return f"{names} fell by more than is allowed"
    if gate.decision == INCONCLUSIVE:
        return f"the samples cannot tell whether {names} fell by more than is allowed"
    return "no figure fell by more than is allowed"


def _lacking(gate: Gate) -> str:
    """How many items would settle the figures that are open, as far as their tests tell."""
    tested = [item for item in gate.figures if item.decision == INCONCLUSIVE]
    needed = [item.clusters_needed for item in tested]
    if not tested or None in needed:
        return ""
    most = max(number for number in needed if number is not None)
    have = max(item.test.clusters for item in tested if item.test is not None)
    if most > have:
        return (
            f"; about {most:,} items (--limit {most}) would settle it, these are {have:,}: with so many, four of five "
            "such gates clear a run that did not fall, and stop one that fell by twice what is allowed"
        )
    return f"; the difference lies too near the allowed drop for {have:,} items"


def decision_text(gate: Gate, item: GatedFigure) -> str:
    """A figure's decision; what its test says does not count where something speaks against the runs as such."""
    found = gate.decision_on(item)
    return found if found == item.decision else f"{found} (its test alone: {item.decision})"


def gate_table(gate: Gate) -> Table:
    """Every figure with its test."""
    columns = (
        "figure", "decision", "run", "baseline", "difference", "bounds", "allowed drop", "p (within)", "p (beyond)",
        "detectable", "clusters", "needed",
    )  # fmt: skip
    level = gate.policy.level
    note = (
        f"points, run minus baseline on {gate.samples} shared samples; bounds: one-sided, {1 - level:.0%} each, "
        "Student's t on the jackknife over clusters, wider on the side where no cluster changed, as losses or gains may "
        "have stayed unseen; within: p that the fall is larger than allowed, GO below "
        f"{level:g}; beyond: p that it is not, with a permutation test beside, Holm over the figures, NO-GO below "
        f"{level:g}; detectable: the excess that 80 % of such tests would find; needed: clusters for the allowed "
        "drop to be that"
    )
    rows = tuple(_row(gate, item) for item in gate.figures)
    return Table(headline(gate), columns, rows, note)


def _row(gate: Gate, item: GatedFigure) -> tuple[object, ...]:
    test = item.test
    values = (gate.run.summary.figures[item.figure].value, gate.baseline.summary.figures[item.figure].value)
    first = (words(item.figure), decision_text(gate, item), *map(percent, values))
    if test is None:
        return (*first, None, None, percent(item.allowed), None, None, None, 0, None)
    return (
        *first,
        signed(test.difference),
        f"[{signed(test.low)}, {signed(test.high)}]",
        percent(item.allowed),
        p_text(test.within),
        p_text(item.beyond),
        percent(test.detectable),
        test.clusters,
        item.clusters_needed,
    )


def gate_markdown(gate: Gate) -> str:
    """The decision for a pull request."""
    about = escaped(
        f"Run {gate.run.folder.name} against baseline {gate.baseline.folder.name}, "
        f"{gate.run.benchmark.name} {gate.run.version}, profile {gate.policy.profile}."
    )
    reasons = "".join(f"- {escaped(reason)}\n" for reason in gate.reasons)
    table = markdown_table(gate_table(gate), 2)
    return f"{table}\n{about}\n{reasons}"


def gate_junit(gate: Gate) -> str:
    """The decision as JUnit XML: a failure for NO-GO, an error for INCONCLUSIVE, one case per figure."""
    name = f"toolyard gate {gate.run.benchmark.name}"
    cases: list[tuple[str, Decision, str]] = [
        (item.figure, gate.decision_on(item), _message(item)) for item in gate.figures
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
    return printable_line(headline(gate))


def _message(item: GatedFigure) -> str:
    test = item.test
    if test is None:
        return "undefined on the shared samples"
    return (
        f"{signed(test.difference)} points [{signed(test.low)}, {signed(test.high)}] on {test.clusters} clusters, "
        f"allowed drop {percent(item.allowed)}"
    )
