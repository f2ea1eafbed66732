"""The figures as the paper prints them (section 2.2.2 and appendix D), on what was called, in its order."""

from collections.abc import Callable, Mapping, Sequence
from math import cos, exp, pi


def tool_number(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """TN: shared names over all names, as sets; 1 where nothing is wanted and nothing is called."""
    union = set(predicted) | set(gold)
    return len(set(predicted) & set(gold)) / len(union) if union else 1.0


def tool_order(predicted: Sequence[str], gold: Sequence[str], *, first: int = 0) -> float:
    """TO: share of the gold calls in the longest common subsequence, decayed by where that starts.

    Positions count from `first`. The paper prints 1, which gives a perfect answer cos(90 degrees / calls):
    0.866 for three calls and 0 for one; counted from 0 a perfect answer is 1.
    """
    if not predicted or not gold:
        return float(not predicted and not gold)
    start, length = common_subsequence(predicted, gold)
    if not length:
        return 0.0
    if start + first == len(predicted):
        return 0.0  # where floating point says 6e-17 for the cosine of 90 degrees
    return cos(pi / 2 * (start + first) / len(predicted)) * length / len(gold)


def common_subsequence(predicted: Sequence[str], gold: Sequence[str]) -> tuple[int, int]:
    """Where in `predicted` the earliest longest common subsequence starts, and its length."""
    rows = len(gold)
    if list(predicted) == list(gold):
        return 0, rows
    # best[j]: length of the longest common subsequence of predicted[i:] and gold[j:].
    best = [0] * (rows + 1)
    start, length = 0, 0
    for place in range(len(predicted) - 1, -1, -1):
        above, best = best, [0] * (rows + 1)
        for j in range(rows - 1, -1, -1):
            taken = 1 + above[j + 1] if predicted[place] == gold[j] else 0
            best[j] = max(taken, above[j], best[j + 1])
        starts_here = predicted[place] in gold and best[0] == 1 + above[gold.index(predicted[place]) + 1]
        if best[0] >= length and starts_here:
            start, length = place, best[0]
    return start, length


def soft_turn_scores(flags: Sequence[bool]) -> list[float]:
    """SATS per turn: 0 if wrong, 1 before any error, else 1 - e^-(distance to the most recent error)."""
    scores: list[float] = []
    last_error: int | None = None
    for turn, right in enumerate(flags):
        if not right:
            last_error = turn
            scores.append(0.0)
        else:
            scores.append(1.0 if last_error is None else 1 - exp(last_error - turn))
    return scores


def average_turn_success(flags: Sequence[bool]) -> float:
    """ATS of one dialogue."""
    return sum(flags) / len(flags)


def soft_average_turn_success(flags: Sequence[bool]) -> float:
    """SATS of one dialogue."""
    return sum(soft_turn_scores(flags)) / len(flags)


def dialogue_success(flags: Sequence[bool]) -> float:
    """SR of one dialogue: 1 if every turn is right."""
    return float(all(flags))


def task_process(flags: Sequence[bool]) -> float:
    """TPR of one dialogue: turns before the first error over all turns."""
    leading = next((turn for turn, right in enumerate(flags) if not right), len(flags))
    return leading / len(flags)


DIALOGUE_FIGURES: Mapping[str, Callable[[Sequence[bool]], float]] = {
    "average_turn_success": average_turn_success,
    "soft_average_turn_success": soft_average_turn_success,
    "success_rate": dialogue_success,
    "task_process_rate": task_process,
}
