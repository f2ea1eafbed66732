"""A gold episode, and the same episode with another answer or other notes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolyard.benchmarks.tooleyes.data.sample import FINISH, QueryGold
from toolyard.benchmarks.tooleyes.scoring.outcome import Statements
from toolyard.benchmarks.tooleyes.scoring.parse import Trajectory
from toolyard.benchmarks.tooleyes.task.episode import call_text
from toolyard.core.types import JsonValue, Transcript


@dataclass(frozen=True, slots=True)
class GoldEpisode:
    """A gold episode and what its query wants, with values."""

    transcript: Transcript
    trajectory: Trajectory
    wanted: QueryGold
    stated: Statements

    @property
    def reference(self) -> Sequence[JsonValue]:
        """What the plan's calls returned."""
        return tuple((self.trajectory.reference or {}).get("observations", ()))

    def with_answer(self, answer: str) -> Transcript:
        """The same episode with another answer."""
        turns = list(self.transcript.notes["conversation"])
        text = json.dumps({"answer": answer}, ensure_ascii=False)
        turns[-1] = {**turns[-1], "value": call_text("Everything is known.", FINISH, text)}
        return self.with_notes(conversation=turns)

    def with_notes(self, **changes: JsonValue) -> Transcript:
        """The same episode with other notes."""
        return replace(self.transcript, notes={**self.transcript.notes, **changes})
