"""What several people decided, what follows for each row, and how far they agree; pure.

One line of `decisions/<annotator>.jsonl`; the last line of an item wins, `verdict` null takes it back:

    {"item": "7", "verdict": "edit", "row": {...}, "note": "seats was a string", "flaws": {"chain": ["wrong order"]},
     "at": "2026-11-15T10:04:31Z"}
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolyard.core.types import JsonValue, Record
from toolyard.review.perspectives import (
    Flaws,
    Perspective,
    PerspectiveFigures,
    pairwise_kappa,
    perspective_figures,
    perspective_json,
    read_flaws,
)
from toolyard.stats.agreement import Share, fleiss_kappa, raw_agreement, wilson_share

Verdict = Literal["accept", "reject", "edit"]
Status = Literal["accepted", "rejected", "edited", "disputed", "open"]
VERDICTS: tuple[Verdict, ...] = ("accept", "reject", "edit")
STATUSES: tuple[Status, ...] = ("accepted", "edited", "rejected", "disputed", "open")
_STATUS_OF: Mapping[Verdict, Status] = {"accept": "accepted", "reject": "rejected", "edit": "edited"}


@dataclass(frozen=True, slots=True)
class Decision:
    """What one person says of one row; `row` is the corrected row of an edit."""

    item: str
    verdict: Verdict
    note: str = ""
    row: Mapping[str, JsonValue] | None = None
    at: str = ""
    flaws: Flaws = field(default_factory=dict)

    def says_the_same_as(self, other: "Decision") -> bool:
        """Whether both lead to the same row, or to none."""
        return self.verdict == other.verdict and _canonical_json(self.row) == _canonical_json(other.row)


Decisions: TypeAlias = Mapping[str, Decision]


@dataclass(frozen=True, slots=True)
class Review:
    """All decisions on one set of items: by annotator, and the adjudicator's, which are final."""

    items: tuple[str, ...]
    annotators: Mapping[str, Decisions] = field(default_factory=dict)
    adjudicator: str = ""
    adjudication: Decisions = field(default_factory=dict)
    perspectives: tuple[Perspective, ...] = ()


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """What became of one row: the decision that holds, or why there is none yet."""

    item: str
    status: Status
    decision: Decision | None = None
    adjudicated: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a review; agreement is over the items that every annotator decided.

    `beside_agreement` counts the decisions that it leaves out: on items that somebody has not decided yet.
    """

    counts: Mapping[Status, int]
    by_annotator: Mapping[str, Mapping[Verdict, int]]
    accuracy: Share
    adjudicated: int
    common_items: int
    beside_agreement: int
    raw_agreement: float | None
    cohen: Mapping[str, float | None]
    fleiss: float | None
    perspectives: tuple[PerspectiveFigures, ...] = ()


def fold_decisions(lines: Sequence[Record]) -> dict[str, Decision]:
    """The decisions that hold after all lines: the last of each item, unless it takes the item back."""
    decisions: dict[str, Decision] = {}
    for line in (each for each in lines if "verdict" in each):
        decisions.pop(line["item"], None)
        if line["verdict"] in VERDICTS:
            row = line.get("row")
            decisions[line["item"]] = Decision(
                line["item"], line["verdict"], line.get("note", ""), row, line.get("at", ""), read_flaws(line)
            )
    return decisions


def decision_line(decision: Decision) -> dict[str, JsonValue]:
    """What the file holds of a decision."""
    flaws = {name: list(reasons) for name, reasons in decision.flaws.items()}
    return {
        "item": decision.item, "verdict": decision.verdict, "row": decision.row, "note": decision.note,
        **({"flaws": flaws} if flaws else {}), "at": decision.at,
    }  # fmt: skip


def row_outcome(review: Review, item: str) -> RowOutcome:
    """Adjudicated, else agreed by all annotators who take part, else disputed or open.

    A majority does not settle a row: any difference goes to the adjudicator (MTU-Bench, appendix: three
    experts and a fourth; NesTools, section 3.3: two annotators and an expert).
    """
    given = [decisions.get(item) for decisions in review.annotators.values()]
    decided = [decision for decision in given if decision is not None]
    split = any(not decided[0].says_the_same_as(other) for other in decided[1:])
    final = review.adjudication.get(item)
    # An adjudication stands only while there is a dispute: annotators may have come round since.
    if split and final is not None:
        return RowOutcome(item, _STATUS_OF[final.verdict], final, adjudicated=True)
    if split:
        return RowOutcome(item, "disputed")
    if not decided or len(decided) < len(given):
        return RowOutcome(item, "open")
    return RowOutcome(item, _STATUS_OF[decided[0].verdict], decided[0])


def row_outcomes(review: Review) -> tuple[RowOutcome, ...]:
    """What became of every row, in order."""
    return tuple(row_outcome(review, item) for item in review.items)


def disputed_items(review: Review) -> tuple[str, ...]:
    """The items on which annotators differ, adjudicated or not, in order."""
    found = row_outcomes(review)
    return tuple(result.item for result in found if result.status == "disputed" or result.adjudicated)


def review_figures(review: Review) -> Figures:
    """Counts, accuracy and agreement.

    Accuracy is the share of settled rows that stand as they were (MTU-Bench: 96 % of 500). Agreement asks
    whether a row is right as it stands: accept is T, reject and edit are F.
    """
    results = row_outcomes(review)
    counts = Counter(result.status for result in results)
    settled = sum(counts[status] for status in ("accepted", "edited", "rejected"))
    names = tuple(review.annotators)
    common = [
        item for item in review.items if names and all(item in review.annotators[name] for name in names)
    ]
    ratings = [[is_accepted(review.annotators[name][item]) for name in names] for item in common]
    several = len(names) > 1
    return Figures(
        counts={status: counts[status] for status in STATUSES},
        by_annotator={name: verdict_counts(review, name) for name in names},
        accuracy=wilson_share(counts["accepted"], settled),
        adjudicated=sum(result.adjudicated for result in results),
        common_items=len(common) if several else 0,
        beside_agreement=_count_decisions(review) - len(common) * len(names) if several else 0,
        raw_agreement=raw_agreement(ratings) if several else None,
        cohen=pairwise_kappa(names, ratings),
        fleiss=fleiss_kappa(ratings) if len(names) > 2 else None,
        perspectives=_figures_by_perspective(review),
    )


def _figures_by_perspective(review: Review) -> tuple[PerspectiveFigures, ...]:
    named = {
        name: {item: decision.flaws for item, decision in decisions.items() if item in set(review.items)}
        for name, decisions in review.annotators.items()
    }
    final = {item: decision.flaws for item, decision in review.adjudication.items()}
    return tuple(perspective_figures(each, named, final, review.items) for each in review.perspectives)


def is_accepted(decision: Decision) -> bool:
    """T or F of the agreement formula."""
    return decision.verdict == "accept"


def verdict_counts(review: Review, name: str) -> dict[Verdict, int]:
    """How often one annotator gave each verdict."""
    counts = Counter(
        decision.verdict for item, decision in review.annotators[name].items() if item in set(review.items)
    )
    return {verdict: counts[verdict] for verdict in VERDICTS}


def _count_decisions(review: Review) -> int:
    items = set(review.items)
    return sum(item in items for decisions in review.annotators.values() for item in decisions)


def figures_json(found: Figures) -> dict[str, JsonValue]:
    """The figures as plain JSON; fractions, None where undefined."""
    return {
        "counts": {str(name): count for name, count in found.counts.items()},
        "annotators": {
            name: {str(verdict): count for verdict, count in counts.items()}
            for name, counts in found.by_annotator.items()
        },
        "accuracy": share_json(found.accuracy),
        "adjudicated": found.adjudicated,
        "agreement": {
            "items": found.common_items,
            "decisions_left_out": found.beside_agreement,
            "raw": found.raw_agreement,
            "cohen_kappa": dict(found.cohen),
            "fleiss_kappa": found.fleiss,
        },
        **({"perspectives": {item.name: perspective_json(item) for item in found.perspectives}}
           if found.perspectives else {}),
    }  # fmt: skip


def share_json(found: Share) -> dict[str, JsonValue]:
    """A share with its interval as plain JSON."""
    return {
        "value": found.value, "low": found.low, "high": found.high, "hits": found.hits, "total": found.total,
    }  # fmt: skip


def _canonical_json(row: Mapping[str, JsonValue] | None) -> str:
    return json.dumps(row, sort_keys=True)
