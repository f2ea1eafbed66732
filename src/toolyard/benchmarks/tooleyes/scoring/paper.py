"""Equations 1 to 6 as printed (Section 2.4).

A round is a reply of the model's; the turn that stands for a forced stop is none. A valid round has all keywords, one
call with a readable object and no redundant text, also when it finishes. Tool selection is the mean over valid rounds
of reality times match; without a valid round it is 0. The answer counts only if the model gave one in time.
"""

from collections.abc import Mapping, Sequence

from toolyard.benchmarks.tooleyes.data.documents import declared_parameters, required_names
from toolyard.benchmarks.tooleyes.scoring.parse import Trajectory
from toolyard.benchmarks.tooleyes.task.rounds import Round
from toolyard.core.types import JsonValue

Documents = Sequence[Mapping[str, JsonValue]]


def format_alignment(trajectory: Trajectory) -> float:
    """Valid rounds over all rounds (Equation 1); 0 where the model said nothing."""
    rounds = trajectory.rounds
    return sum(turn.valid for turn in rounds) / len(rounds) if rounds else 0.0


def valid_turn_indices(trajectory: Trajectory) -> tuple[int, ...]:
    """The places of valid rounds among the assistant's turns."""
    return tuple(place for place, turn in enumerate(trajectory.rounds) if turn.valid)


def is_real_call(turn: Round, documents: Documents) -> bool:
    """Whether tool and parameters match the documentation; with two documents of one name, either will do."""
    given = turn.arguments
    if not isinstance(given, Mapping):
        return False
    return any(
        document.get("name") == turn.action
        and set(given) <= set(declared_parameters(document))
        and set(required_names(document)) <= set(given)
        for document in documents
    )


def tool_reality(trajectory: Trajectory, documents: Documents) -> float:
    """Share of valid rounds whose call matches the documentation."""
    places = valid_turn_indices(trajectory)
    if not places:
        return 0.0
    return sum(is_real_call(trajectory.rounds[place], documents) for place in places) / len(places)


def tool_selection(trajectory: Trajectory, documents: Documents, match: Mapping[int, float]) -> float:
    """Mean over valid rounds of reality times match (Equation 4); `match` by place, each in [0, 1]."""
    places = valid_turn_indices(trajectory)
    if not places:
        return 0.0
    real = (match[place] for place in places if is_real_call(trajectory.rounds[place], documents))
    return sum(real) / len(places)


def tool_match(trajectory: Trajectory, match: Mapping[int, float]) -> float:
    """Mean match over valid rounds; 0 without any."""
    places = valid_turn_indices(trajectory)
    return sum(match[place] for place in places) / len(places) if places else 0.0
