"""Tables that need all scores of a run: the paper's error shares (Figure 6) and where answers break off."""

from collections import Counter
from collections.abc import Sequence

from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.scoring.errors import ERROR_LABELS
from toolyard.core.benchmark import Size, Table
from toolyard.core.types import Profile, Score, Transcript

# Answers with more calls than this are few.
MOST_CALLS = 6


def _bin_by_calls(sample: NestoolsSample, _: Score) -> str:
    count = len(sample.gold["calls"])
    return str(count) if count < MOST_CALLS else f"{MOST_CALLS}+"


SIZES = (
    Size("wanted calls", _bin_by_calls),
    Size("depth of nesting", lambda sample, _: sample.groups.get("depth")),
)


def analysis(
    graded: Sequence[tuple[NestoolsSample, Transcript, Score]], profile: Profile
) -> tuple[Table, ...]:
    """Error counts with their share of each class, then why answers could not be read."""
    scores = [score for _, _, score in graded if score.unscored is None]
    return (_error_table(scores, profile), _unreadable_table(scores))


def _error_table(scores: Sequence[Score], profile: Profile) -> Table:
    counts: Counter[tuple[str, str]] = Counter()
    records: Counter[tuple[str, str]] = Counter()
    for score in scores:
        for name, labels in score.errors.items():
            for label, count in labels.items():
                counts[name, label] += count
                records[name, label] += count > 0
    rows = []
    for name, known in ERROR_LABELS.items():
        total = sum(counts[name, label] for label in known)
        for label in known:
            share = counts[name, label] / total if total else None
            rows.append((name, label, counts[name, label], share, records[name, label]))
    note = "official: nested parameters count under both classes" if profile == "official" else ""
    return Table("errors", ("class", "label", "errors", "share", "records"), tuple(rows), note)


def _unreadable_table(scores: Sequence[Score]) -> Table:
    kinds = Counter(score.graded["failure"] for score in scores if isinstance(score.graded, dict))
    rows = tuple((kind, count, count / len(scores)) for kind, count in kinds.most_common())
    return Table("answers that could not be read", ("reason", "answers", "share"), rows)
