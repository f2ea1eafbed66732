"""What the page may ask and say: an overview, one item, one decision. One desk serves one person.

An annotator's desk never reads what others decided; the adjudicator's shows it, on disputes only.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Protocol

import orjson

from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import JsonValue
from toolyard.lines import Appender, encode
from toolyard.review.perspectives import check_flaws
from toolyard.review.review_decisions import (
    VERDICTS,
    Decision,
    Review,
    decision_line,
    disputed_items,
    figures_json,
    fold_decisions,
    review_figures,
    share_json,
    verdict_counts,
)
from toolyard.review.review_folder import ReviewFolder
from toolyard.review.review_rows import ReviewEntry, row_text
from toolyard.review.review_subject import DataSubject
from toolyard.review.review_writing import ReviewSource, try_row
from toolyard.review.row_sections import changed_paths, hint_of_row, one_word_facts, sections_of_row
from toolyard.stats.agreement import wilson_share
from toolyard.text.json_scan import MAX_DEPTH, nesting_depth

LONGEST_NOTE = 4000


class Desk(Protocol):
    """What the server needs of a desk."""

    def overview(self) -> JsonValue:
        """Who reviews what, every item with its state, and the figures that this person may see."""

    def item(self, name: str) -> JsonValue:
        """All that is shown of one item."""

    def decide(self, body: Mapping[str, JsonValue]) -> JsonValue:
        """Saves one decision; raises ToolyardError where it makes no sense."""


def read_review(subject: DataSubject, folder: ReviewFolder) -> Review:
    """The decisions that the folder holds on these rows."""
    final = folder.adjudication()
    adjudicator = next(iter(final), "")
    return Review(
        items=tuple(entry.id for entry in subject.entries),
        annotators={name: fold_decisions(lines) for name, lines in folder.decisions().items()},
        adjudicator=adjudicator,
        adjudication=fold_decisions(final.get(adjudicator, [])),
        perspectives=subject.perspectives,
    )


class RowDesk:
    """The desk of an annotator, or of the adjudicator, of a data set."""

    def __init__(
        self,
        subject: DataSubject,
        folder: ReviewFolder,
        name: str,
        appender: Appender,
        now: Callable[[], str],
        *,
        adjudicate: bool = False,
    ) -> None:
        self.subject, self.folder, self.name = subject, folder, name
        self.appender, self.now, self.adjudicate = appender, now, adjudicate
        self.entries = {entry.id: entry for entry in subject.entries}
        held = folder.adjudication() if adjudicate else folder.decisions()
        self.own = fold_decisions(held.get(name, []))

    def overview(self) -> JsonValue:
        """Every item with this person's own verdict; agreement figures only for the adjudicator."""
        review = read_review(self.subject, self.folder)
        names = disputed_items(review) if self.adjudicate else tuple(self.entries)
        return {
            "mode": "adjudicate" if self.adjudicate else "rows",
            "title": self.subject.benchmark.about.title,
            "data": self.subject.path.name,
            "person": self.name,
            "drawn": [len(self.subject.entries), len(self.subject.everything)],
            "general": list(self.subject.general_findings),
            "perspectives": [
                {"name": item.name, "reasons": list(item.reasons)} for item in self.subject.perspectives
            ],
            "items": [self._line(name) for name in names],
            "figures": figures_json(review_figures(review)) if self.adjudicate else self._own_figures(),
        }

    def _own_figures(self) -> JsonValue:
        mine = Review(tuple(self.entries), {self.name: self.own}, perspectives=self.subject.perspectives)
        counts = verdict_counts(mine, self.name)
        accuracy = share_json(wilson_share(counts["accept"], sum(counts.values())))
        found = figures_json(review_figures(mine)).get("perspectives", {})
        return {
            "annotators": {self.name: {str(verdict): count for verdict, count in counts.items()}},
            "accuracy": accuracy,
            "perspectives": found,
        }

    def _line(self, name: str) -> JsonValue:
        own = self.own.get(name)
        findings = self.entries[name].findings
        return {
            "id": name,
            "hint": hint_of_row(self.entries[name].samples),
            "state": own.verdict if own else "",
            "defects": sum(finding.severity == "defect" for finding in findings),
            "notes": sum(finding.severity != "defect" for finding in findings),
        }

    def item(self, name: str) -> JsonValue:
        """The row, the pipeline's own checks on it, and the decision of this person."""
        entry, own = self._entry(name), self.own.get(name)
        shown = self._try_edit(entry, own.row) if own and own.row is not None else entry
        return {
            "id": name,
            "place": f"{entry.file.name}, row {entry.position + 1}",
            "facts": one_word_facts(shown.row, shown.samples),
            "sections": sections_of_row(shown.row, shown.samples),
            "findings": [asdict(item) for item in shown.findings],
            "row": row_text(shown.row),
            "decision": _decision_json(own, entry) if own else None,
            "others": self._other_decisions(entry) if self.adjudicate else [],
        }

    def _other_decisions(self, entry: ReviewEntry) -> list[JsonValue]:
        review = read_review(self.subject, self.folder)
        return [
            {"name": name, **_decision_json(decisions[entry.id], entry)}
            for name, decisions in review.annotators.items()
            if entry.id in decisions
        ]

    def _entry(self, name: str) -> ReviewEntry:
        if name not in self.entries:
            raise UsageError(f"there is no item {name!r} in this review; reload the page")
        return self.entries[name]

    def _try_edit(self, entry: ReviewEntry, row: Mapping[str, JsonValue]) -> ReviewEntry:
        subject = self.subject
        source = ReviewSource(subject.path, subject.everything)
        return try_row(subject.benchmark, subject.options, source, subject.neighbours(entry), entry, row)

    def decide(self, body: Mapping[str, JsonValue]) -> JsonValue:
        """Appends one decision, then takes it over; an edit must load, and is audited again."""
        entry = self._entry(str(body.get("item", "")))
        verdict, note = body.get("verdict"), str(body.get("note", ""))[:LONGEST_NOTE]
        if verdict is None:
            self.appender.append({"item": entry.id, "verdict": None, "at": self.now()})
            self.own.pop(entry.id, None)
            return {"line": self._line(entry.id)}
        if verdict not in VERDICTS:
            raise UsageError(f"the verdict {verdict!r} is not one of {', '.join(VERDICTS)}")
        flaws = check_flaws(body.get("flaws"), self.subject.perspectives, verdict)
        row = self._read_correction(entry, body.get("row")) if verdict == "edit" else None
        decision = Decision(entry.id, verdict, note, row, self.now(), flaws)
        self.appender.append(decision_line(decision))
        self.own[entry.id] = decision
        return {"line": self._line(entry.id)}

    def _read_correction(self, entry: ReviewEntry, text: JsonValue) -> Mapping[str, JsonValue]:
        row = read_row(text)
        if not changed_paths(entry.row, row):
            raise UsageError("nothing was changed; accept the row instead, or change it")
        self._try_edit(entry, row)
        return row


def read_row(text: JsonValue) -> dict[str, JsonValue]:
    """The row that a person typed; raises DataError with the place of the mistake."""
    if not isinstance(text, str):
        raise DataError("the edited row is missing; wanted is its JSON text")
    depth = nesting_depth(text)
    if depth > MAX_DEPTH:
        raise DataError(
            f"not JSON that can be stored: it is nested {depth} deep, and {MAX_DEPTH} is the most"
        )
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}") from None
    if not isinstance(row, dict):
        raise DataError(f"found a {type(row).__name__}; wanted is the row as one object")
    if orjson.loads(encode(row)) != row:
        raise DataError("a number or a character in it cannot be stored; wanted are 64-bit numbers and UTF-8")
    return row


def _decision_json(decision: Decision, entry: ReviewEntry) -> dict[str, JsonValue]:
    edited = decision.row is not None
    return {
        "verdict": decision.verdict,
        "note": decision.note,
        "flaws": {name: list(reasons) for name, reasons in decision.flaws.items()},
        "row": row_text(decision.row) if decision.row is not None else None,
        "changes": changed_paths(entry.row, decision.row) if edited else [],
    }
