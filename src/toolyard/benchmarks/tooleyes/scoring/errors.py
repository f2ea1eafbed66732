"""Error classes of Section 3.4 and Table 12, counted per round.

format    missing_keywords, redundant_text, malformed_json                  the reply is not in the form
tool      tool_hallucination, escaped_name, parameter_hallucination         the call is not in the documents
answer    irrelevant_answer (a judge gave 3 or less), no_answer             how the episode ended
episode   no_valid_round, forced_stop                                       the whole episode
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from toolyard.benchmarks.tooleyes.scoring import paper
from toolyard.benchmarks.tooleyes.scoring.official import Rules
from toolyard.benchmarks.tooleyes.scoring.parse import Trajectory
from toolyard.benchmarks.tooleyes.task.rounds import PROBLEMS, Round
from toolyard.core.types import JsonValue

ERROR_LABELS = {
    "format": PROBLEMS,
    "tool": ("tool_hallucination", "escaped_name", "parameter_hallucination"),
    "answer": ("irrelevant_answer", "no_answer"),
    "episode": ("no_valid_round", "forced_stop"),
}
Errors = dict[str, Mapping[str, int]]


def paper_errors(trajectory: Trajectory, documents: Sequence[Mapping[str, JsonValue]]) -> Errors:
    """What is wrong with each round, by the sane reading; hallucinations are counted in valid rounds."""
    names = {str(document.get("name")) for document in documents}
    form = Counter(turn.problem for turn in trajectory.rounds if turn.problem)
    tool = Counter(
        tool_label(turn, names)
        for turn in trajectory.rounds
        if turn.valid and not paper.is_real_call(turn, documents)
    )
    return _nonzero_errors(form, tool, trajectory, no_valid=not any(turn.valid for turn in trajectory.rounds))


def tool_label(turn: Round, names: set[str]) -> str:
    """Why a call is not in the documents; a name that only a backslash spoils is a class of its own."""
    if turn.action in names:
        return "parameter_hallucination"
    plain = turn.action.replace("\\", "")
    return "escaped_name" if plain in names else "tool_hallucination"


def official_errors(trajectory: Trajectory, rules: Rules) -> Errors:
    """The released counters; all arguments that do not evaluate are malformed, hallucinations stop at the first tool."""
    form = Counter(missing_keywords=rules.missing_keywords, malformed_json=rules.unreadable_arguments)
    tool = Counter(
        tool_hallucination=rules.tool_hallucinations, parameter_hallucination=rules.parameter_hallucinations
    )
    # An answer that comes at once is a valid turn, too, though none but it is.
    return _nonzero_errors(form, tool, trajectory, no_valid=not rules.valid and "final" not in rules.kinds)


def _nonzero_errors(
    form: Counter[str], tool: Counter[str], trajectory: Trajectory, *, no_valid: bool
) -> Errors:
    ended = {} if trajectory.passed else {"no_answer": 1}
    whole = {"no_valid_round": int(no_valid), "forced_stop": int(not trajectory.passed)}
    parts = {"format": form, "tool": tool, "answer": ended, "episode": whole}
    return {
        name: {label: count for label, count in part.items() if count}
        for name, part in parts.items()
        if any(part.values())
    }
