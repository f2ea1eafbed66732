"""The desk of one annotator who compares two runs; nothing it says tells which run stands where."""

from collections.abc import Callable, Mapping
from typing import Literal

from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue
from toolyard.lines import Appender
from toolyard.review.pairs import SIDES, AnswerPair, PairReview, fold_votes, left_run, side_of, winner_on_side
from toolyard.review.review_folder import ReviewFolder
from toolyard.review.review_subject import PairSubject
from toolyard.review.row_sections import message_turns


def read_pair_review(subject: PairSubject, folder: ReviewFolder) -> PairReview:
    """The votes that the folder holds on these pairs."""
    return PairReview(
        items=tuple(pair.id for pair in subject.pairs),
        dimensions=subject.dimensions,
        annotators={name: fold_votes(lines) for name, lines in folder.decisions().items()},
    )


class PairDesk:
    """The desk of an annotator of pairs."""

    def __init__(
        self,
        subject: PairSubject,
        folder: ReviewFolder,
        name: str,
        appender: Appender,
        now: Callable[[], str],
    ) -> None:
        self.subject, self.name, self.appender, self.now = subject, name, appender, now
        self.pairs = {pair.id: pair for pair in subject.pairs}
        self.own = fold_votes(folder.decisions().get(name, []))

    def overview(self) -> JsonValue:
        """Every pair with how many dimensions this person has judged."""
        return {
            "mode": "pairs",
            "title": "Which answer is better?",
            "data": f"{len(self.pairs)} pairs",
            "person": self.name,
            "drawn": [len(self.pairs), len(self.pairs)],
            "general": [],
            "dimensions": list(self.subject.dimensions),
            "items": [self._line(name) for name in self.pairs],
            "figures": None,
        }

    def _line(self, name: str) -> JsonValue:
        judged = sum((name, dimension) in self.own for dimension in self.subject.dimensions)
        state = "judged" if judged == len(self.subject.dimensions) else "partly" if judged else ""
        return {"id": name, "hint": "", "state": state, "defects": 0, "notes": 0}

    def item(self, name: str) -> JsonValue:
        """Prompt and both answers, left and right as drawn for this person, and the votes so far."""
        pair, left = self._pair(name), self._left_run(name)
        first, second = (pair.a, pair.b) if left == "a" else (pair.b, pair.a)
        return {
            "id": name,
            "prompt": message_turns(pair.prompt),
            "left": message_turns(first),
            "right": message_turns(second),
            "votes": {
                dimension: side_of(self.own[(name, dimension)], left)
                for dimension in self.subject.dimensions
                if (name, dimension) in self.own
            },
        }

    def _left_run(self, name: str) -> Literal["a", "b"]:
        return left_run(self.subject.seed, name, self.name)

    def _pair(self, name: str) -> AnswerPair:
        if name not in self.pairs:
            raise UsageError(f"there is no item {name!r} in this review; reload the page")
        return self.pairs[name]

    def decide(self, body: Mapping[str, JsonValue]) -> JsonValue:
        """Appends one vote; a side of null takes it back."""
        name, dimension, side = str(body.get("item", "")), body.get("dimension"), body.get("side")
        self._pair(name)
        if dimension not in self.subject.dimensions:
            raise UsageError(f"there is no dimension {dimension!r}; reload the page")
        chosen = next((known for known in SIDES if known == side), None)
        if side is not None and chosen is None:
            raise UsageError(f"the side {side!r} is not one of {', '.join(SIDES)}")
        winner = None if chosen is None else winner_on_side(chosen, self._left_run(name))
        self.appender.append({"item": name, "dimension": dimension, "winner": winner, "at": self.now()})
        self.own.pop((name, str(dimension)), None)
        if winner is not None:
            self.own[(name, str(dimension))] = winner
        return {"line": self._line(name)}
