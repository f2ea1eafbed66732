"""Blind pairwise preference: two runs side by side, per judged dimension (ToolEyes, B.1).

One line of `decisions/<annotator>.jsonl`; the last line of (item, dimension) wins:

    {"item": "7", "dimension": "quality", "winner": "a", "note": "", "at": "2026-11-15T10:04:31Z"}

`a` is the first run named on the command line, `b` the second; who stood on the left is drawn per annotator.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolyard.core.types import JsonValue, Message, Record, Transcript, derived_seed
from toolyard.stats.agreement import fleiss_kappa, majority_label, raw_agreement

Winner = Literal["a", "b", "tie"]
Side = Literal["left", "right", "tie"]
WINNERS: tuple[Winner, ...] = ("a", "tie", "b")
SIDES: tuple[Side, ...] = ("left", "tie", "right")
# As in MTU-Bench, appendix E: 1 is a win of the first run, 0 a tie, -1 a win of the second.
LABELS: Mapping[Winner, int] = {"a": 1, "tie": 0, "b": -1}


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """Two answers to the same prompt; `first` and `second` are the runs that they come from."""

    id: str
    prompt: tuple[Message, ...]
    a: tuple[Message, ...]
    b: tuple[Message, ...]
    sample: str = ""
    first: str = ""
    second: str = ""


Votes: TypeAlias = Mapping[tuple[str, str], Winner]


@dataclass(frozen=True, slots=True)
class PairReview:
    """All votes on one set of pairs, by annotator."""

    items: tuple[str, ...]
    dimensions: tuple[str, ...]
    annotators: Mapping[str, Votes] = field(default_factory=dict)


def answer_pairs(first: Sequence[Transcript], second: Sequence[Transcript]) -> tuple[AnswerPair, ...]:
    """The samples that both runs answered, in the order of the first; first trials only."""
    others = {item.sample: item for item in second if item.trial == 0 and item.error is None}
    found = []
    for transcript in first:
        other = others.get(transcript.sample)
        if transcript.trial or transcript.error is not None or other is None:
            continue
        prompt, a, b = shared_start(full_conversation(transcript), full_conversation(other))
        found.append(AnswerPair(transcript.sample, prompt, a, b, transcript.sample))
    return tuple(found)


def full_conversation(transcript: Transcript) -> tuple[Message, ...]:
    """All that was said, the last answer included."""
    last = transcript.messages[-1] if transcript.messages else None
    if last is not None and last.role == "assistant":
        return transcript.messages
    return (*transcript.messages, Message("assistant", transcript.text))


def shared_start(
    first: Sequence[Message], second: Sequence[Message]
) -> tuple[tuple[Message, ...], tuple[Message, ...], tuple[Message, ...]]:
    """What both were asked, and what each did from there; an answer is never part of the start."""
    count = 0
    for left, right in zip(first, second, strict=False):
        if left != right or left.role == "assistant":
            break
        count += 1
    return tuple(first[:count]), tuple(first[count:]), tuple(second[count:])


def left_run(seed: int, item: str, annotator: str) -> Literal["a", "b"]:
    """Which run is shown on the left; random for each annotator, so that a preference for one side averages out."""
    return "a" if derived_seed(seed, f"{item}/{annotator}", 0) % 2 == 0 else "b"


def winner_on_side(side: Side, left: Literal["a", "b"]) -> Winner:
    """The run that a side stands for."""
    if side == "tie":
        return "tie"
    return left if side == "left" else ("b" if left == "a" else "a")


def side_of(winner: Winner, left: Literal["a", "b"]) -> Side:
    """The side on which a run stands."""
    if winner == "tie":
        return "tie"
    return "left" if winner == left else "right"


def fold_votes(lines: Sequence[Record]) -> dict[tuple[str, str], Winner]:
    """The votes that hold after all lines."""
    votes: dict[tuple[str, str], Winner] = {}
    for line in (each for each in lines if "dimension" in each):
        key = (line["item"], line["dimension"])
        votes.pop(key, None)
        if line["winner"] in WINNERS:
            votes[key] = line["winner"]
    return votes


def common_items(review: PairReview, dimension: str) -> list[str]:
    """The items that every annotator judged on the dimension."""
    return [
        item
        for item in review.items
        if review.annotators and all((item, dimension) in votes for votes in review.annotators.values())
    ]


def majority_preference(review: PairReview, item: str, dimension: str) -> Winner:
    """The majority of the annotators; a three-way split is a tie."""
    votes = [found[(item, dimension)] for found in review.annotators.values()]
    winner = majority_label(votes, "tie")
    return next(name for name in WINNERS if name == winner)


def pair_figures(review: PairReview) -> dict[str, JsonValue]:
    """Per dimension: wins, ties and losses of the first run by majority, and the annotators' agreement."""
    return {
        "annotators": {name: len(votes) for name, votes in review.annotators.items()},
        "dimensions": {dimension: _dimension_json(review, dimension) for dimension in review.dimensions},
    }


def _dimension_json(review: PairReview, dimension: str) -> dict[str, JsonValue]:
    items = common_items(review, dimension)
    ratings = [[votes[(item, dimension)] for votes in review.annotators.values()] for item in items]
    counts = Counter(majority_preference(review, item, dimension) for item in items)
    given = sum((item, dimension) in votes for votes in review.annotators.values() for item in review.items)
    several = len(review.annotators) > 1
    return {
        "items": len(items),
        "votes_left_out": given - len(items) * len(review.annotators),
        "a": counts["a"],
        "tie": counts["tie"],
        "b": counts["b"],
        "raw": raw_agreement(ratings) if several else None,
        "fleiss_kappa": fleiss_kappa(ratings) if several else None,
    }


def run_records(review: PairReview, pairs: Sequence[AnswerPair], dimension: str) -> dict[str, Counter[str]]:
    """Wins, ties and losses of each run by majority, pooled over all its pairs."""
    judged = set(common_items(review, dimension))
    found: dict[str, Counter[str]] = {}
    for pair in pairs:
        if pair.id not in judged:
            continue
        winner = majority_preference(review, pair.id, dimension)
        for run, own in ((pair.first, "a"), (pair.second, "b")):
            outcome = "tie" if winner == "tie" else "win" if winner == own else "loss"
            found.setdefault(run, Counter())[outcome] += 1
    return found


def label_lines(review: PairReview, pairs: Sequence[AnswerPair]) -> list[JsonValue]:
    """One line per vote: sample, both runs, dimension, annotator, and 1, 0 or -1 from the first run's side."""
    known = {pair.id: pair for pair in pairs}
    return [
        {
            "sample": known[item].sample,
            "first": known[item].first,
            "second": known[item].second,
            "dimension": dimension,
            "annotator": name,
            "label": LABELS[votes[(item, dimension)]],
        }
        for item in review.items
        for dimension in review.dimensions
        for name, votes in review.annotators.items()
        if (item, dimension) in votes
    ]
