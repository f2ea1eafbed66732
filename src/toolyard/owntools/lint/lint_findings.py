"""One finding of a review, and all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Record
from toolyard.owntools.lint.likeness import Likeness
from toolyard.owntools.sources.tool_source import SourcePlace, SourceTool, ToolSource
from toolyard.text.counted_nouns import how_many

Severity: TypeAlias = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
# What each rule is about, and how much it matters.
RULES: dict[str, tuple[Severity, str]] = {
    "broken_document": ("error", "the schema could not be read as it stands"),
    "colliding_names": ("error", "two names that differ only in case, separators or number"),
    "contradiction": ("error", "the name says one thing, the description another"),
    "missing_description": ("error", "nothing says what the tool does"),
    "near_duplicate": ("error", "two tools that a reader cannot tell apart"),
    "credential": ("error", "a secret that a model would have to know"),
    "foreign_name": ("warning", "a name that some endpoints refuse"),
    "vague_name": ("warning", "a name that could mean anything"),
    "vague_description": ("warning", "a description that says no more than the name"),
    "untyped_parameter": ("warning", "a parameter without a type"),
    "undescribed_parameter": ("warning", "a parameter that nothing explains"),
    "hidden_enum": ("warning", "values that are listed in prose instead of an enum"),
    "oversized": ("warning", "more schema than a prompt should hold"),
    "no_result_shape": ("note", "nothing says what comes back"),
}


@dataclass(frozen=True, slots=True)
class LintFinding:
    """What is wrong, where, why it hurts, and a text to put there instead."""

    rule: str
    tool: str
    place: SourcePlace
    reason: str
    proposal: str = ""
    parameter: str = ""

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return RULES[self.rule][0]

    def to_json(self) -> dict[str, JsonValue]:
        """The finding as plain data."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "tool": self.tool,
            "parameter": self.parameter or None,
            "place": str(self.place),
            "line": self.place.line,
            "reason": self.reason,
            "proposal": self.proposal or None,
        }


@dataclass(frozen=True, slots=True)
class ToolReview:
    """All findings on a source, and how alike its tools are."""

    source: ToolSource
    findings: tuple[LintFinding, ...]
    likeness: Likeness

    def at_least(self, severity: Severity) -> tuple[LintFinding, ...]:
        """The findings that matter at least so much."""
        return tuple(
            each for each in self.findings if SEVERITIES.index(each.severity) <= SEVERITIES.index(severity)
        )

    def to_json(self) -> Record:
        """What `tools lint --json` prints."""
        return {
            "source": self.source.name,
            "kind": self.source.kind,
            "tools": len(self.source.tools),
            "counts": {name: len([f for f in self.findings if f.severity == name]) for name in SEVERITIES},
            "findings": [each.to_json() for each in self.findings],
            "likeness": self.likeness.to_json(),
        }

    def tables(self) -> list[Table]:
        """The findings for people, the worst first."""
        rows = tuple(
            (each.severity, str(each.place), finding_location(each), each.reason, each.proposal)
            for each in self.findings
        )
        counts = ", ".join(
            f"{number} {name}{'' if number == 1 else 's'}"
            for name, number in self.to_json()["counts"].items()
        )
        title = f"{self.source.name}: {how_many(len(self.source.tools), 'tool')}, {counts}"
        columns = ("severity", "place", "what", "reason", "proposed text")
        note = f"{'' if rows else 'nothing found; '}near-duplicates sought by {self.likeness.method}"
        return [Table(title, columns, rows, note=note, heads=3)]


def finding_location(finding: LintFinding) -> str:
    """Tool and parameter of a finding."""
    name = f"{finding.tool}.{finding.parameter}" if finding.parameter else finding.tool
    return f"{name}: {finding.rule.replace('_', ' ')}"


def make_finding(
    rule: str, tool: SourceTool, reason: str, proposal: str = "", parameter: str = ""
) -> LintFinding:
    """A finding at the tool's or the parameter's own place."""
    return LintFinding(rule, tool.name, tool.location_of(parameter), reason, proposal, parameter)


def sort_findings(findings: Iterator[LintFinding], tools: Sequence[SourceTool]) -> tuple[LintFinding, ...]:
    """The worst first, then in the order of tools."""
    places = {tool.name: place for place, tool in enumerate(tools)}
    kept = sorted(findings, key=lambda each: (SEVERITIES.index(each.severity), places[each.tool]))
    return tuple(kept)
