"""What a row is looked at for, each with the reasons why it may be wrong; and how far people agree on each.

    chain:wrong tool|wrong order,query       two perspectives, the first with two reasons

A decision to reject or edit says which perspectives are wrong and why; whatever it does not name is right.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue
from toolyard.stats.agreement import Share, cohen_kappa, fleiss_kappa, raw_agreement, wilson_share

# The reason of a perspective that has none of its own.
WRONG = "wrong"
# What is wrong with a row: the reasons of each perspective that is not right.
Flaws = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Perspective:
    """One thing that a row is looked at for."""

    name: str
    reasons: tuple[str, ...] = (WRONG,)

    @property
    def words(self) -> str:
        """As a command names it."""
        return self.name if self.reasons == (WRONG,) else f"{self.name}:{'|'.join(self.reasons)}"


def read_perspectives(words: Sequence[str]) -> tuple[Perspective, ...]:
    """The perspectives that a command names; a name or reason that is empty or stands twice is refused."""
    found = []
    for word in words:
        name, _, listed = word.partition(":")
        reasons = tuple(part.strip() for part in listed.split("|")) if listed else (WRONG,)
        if not name.strip() or not all(reasons) or len(set(reasons)) < len(reasons):
            raise UsageError(f"--dimensions {word!r} is not NAME or NAME:REASON|REASON, each once")
        found.append(Perspective(name.strip(), reasons))
    if len({item.name for item in found}) < len(found):
        raise UsageError(f"--dimensions names one thing twice: {', '.join(item.name for item in found)}")
    return tuple(found)


def check_flaws(given: JsonValue, perspectives: Sequence[Perspective], verdict: str) -> Flaws:
    """What a person says is wrong, held against what is asked and against the verdict."""
    if not perspectives:
        return {}
    by_name = given if isinstance(given, dict) else {}
    known = {item.name: item.reasons for item in perspectives}
    flaws: dict[str, tuple[str, ...]] = {}
    for name, reasons in by_name.items():
        listed = tuple(map(str, reasons)) if isinstance(reasons, list) else ()
        if name not in known or not set(listed) <= set(known[name]):
            raise UsageError(f"{name}: {', '.join(listed)} is not asked in this review; reload the page")
        if listed:
            flaws[name] = tuple(reason for reason in known[name] if reason in listed)
    if verdict == "accept" and flaws:
        raise UsageError(
            f"an accepted row has no flaw, and {', '.join(flaws)} is marked; unmark it, or reject"
        )
    if verdict != "accept" and not flaws:
        raise UsageError(f"say what is wrong first: {', '.join(known)}")
    return flaws


def read_flaws(line: Mapping[str, JsonValue]) -> Flaws:
    """The flaws that a line of decisions holds."""
    found = line.get("flaws")
    by_name = found if isinstance(found, dict) else {}
    return {
        str(name): tuple(map(str, reasons)) for name, reasons in by_name.items() if isinstance(reasons, list)
    }


@dataclass(frozen=True, slots=True)
class PerspectiveFigures:
    """One perspective over a review: rows that are right in it, agreement, and how often each reason was given.

    `right` is over the rows on which all annotators say the same of it, or the adjudicator decided.
    """

    name: str
    right: Share
    items: int
    raw: float | None
    cohen: Mapping[str, float | None]
    fleiss: float | None
    reasons: Mapping[str, int]


def perspective_figures(
    perspective: Perspective,
    annotators: Mapping[str, Mapping[str, Flaws]],
    adjudicated: Mapping[str, Flaws],
    items: Sequence[str],
) -> PerspectiveFigures:
    """The figures of one perspective: each annotator's flaws by item, and the adjudicator's where they differed."""
    names, wanted = tuple(annotators), perspective.name
    common = [item for item in items if names and all(item in annotators[name] for name in names)]
    ratings = [[wanted not in annotators[name][item] for name in names] for item in common]
    settled = [
        wanted not in adjudicated[item] if item in adjudicated else row[0]
        for item, row in zip(common, ratings, strict=True)
        if item in adjudicated or len(set(row)) == 1
    ]
    several = len(names) > 1
    counts = Counter(
        reason
        for decided in annotators.values()
        for flaws in decided.values()
        for reason in flaws.get(wanted, ())
    )
    return PerspectiveFigures(
        name=wanted,
        right=wilson_share(sum(settled), len(settled)),
        items=len(common) if several else 0,
        raw=raw_agreement(ratings) if several else None,
        cohen=pairwise_kappa(names, ratings),
        fleiss=fleiss_kappa(ratings) if len(names) > 2 else None,
        reasons={reason: counts[reason] for reason in perspective.reasons},
    )  # fmt: skip


def perspective_json(found: PerspectiveFigures) -> dict[str, JsonValue]:
    """The figures as plain JSON; fractions, None where undefined."""
    right = found.right
    return {
        "right": {
            "value": right.value, "low": right.low, "high": right.high, "hits": right.hits, "total": right.total,
        },
        "agreement": {
            "items": found.items, "raw": found.raw, "cohen_kappa": dict(found.cohen), "fleiss_kappa": found.fleiss,
        },
        "reasons": dict(found.reasons),
    }  # fmt: skip


def pairwise_kappa(names: Sequence[str], ratings: Sequence[Sequence[bool]]) -> dict[str, float | None]:
    """Cohen's kappa of every two of several raters, whose names stand in the order of their columns."""
    return {
        f"{names[a]} / {names[b]}": cohen_kappa([row[a] for row in ratings], [row[b] for row in ratings])
        for a, b in combinations(range(len(names)), 2)
    }
