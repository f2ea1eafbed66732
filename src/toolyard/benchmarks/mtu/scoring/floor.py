"""What an empty answer scores: right on every turn that wants no call, wrong on all others."""

from collections.abc import Mapping, Sequence

from toolyard.benchmarks.mtu.data.rows import MULTI_TURN, SETTINGS, samples_by_dialogue
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.metrics import FIGURES_OF, MULTI, SINGLE
from toolyard.benchmarks.mtu.scoring.paper import DIALOGUE_FIGURES


def floor_figures(samples: tuple[MtuSample, ...]) -> Mapping[str, float]:
    """The figures of the empty answer, counted from gold alone."""
    averages = []
    for setting in SETTINGS:
        members = [sample for sample in samples if sample.input["setting"] == setting]
        if members:
            figures = _count_floor(members)
            averages.append(sum(figures[name] for name in FIGURES_OF[setting]) / len(FIGURES_OF[setting]))
    # An empty list of calls in its order is right, printed or not; nothing is decayed there.
    pooled = _count_floor(samples)
    share = _share_of_flags([not sample.gold["calls"] for sample in samples])
    return {
        **pooled,
        "average": sum(averages) / len(averages),
        "turn_success": share,
        "exact": share,
        "tool_set": share,
        "tool_order_printed": pooled["tool_order"],
    }


def _count_floor(samples: Sequence[MtuSample]) -> dict[str, float]:
    single = [
        sample for sample in samples if sample.input["kind"][2] == "S" or sample.input["setting"] == "OOD"
    ]
    multi = [sample for sample in samples if sample.input["kind"][2] == "M"]
    in_turns = [sample for sample in samples if sample.input["setting"] in MULTI_TURN]
    flags = [[not turn.gold["calls"] for turn in turns] for turns in samples_by_dialogue(in_turns).values()]
    figures = dict.fromkeys(SINGLE, _share_of_flags([not sample.gold["calls"] for sample in single]))
    figures |= dict.fromkeys(MULTI, _share_of_flags([not sample.gold["calls"] for sample in multi]))
    for name, figure in DIALOGUE_FIGURES.items():
        figures[name] = sum(figure(turns) for turns in flags) / len(flags) if flags else 0.0
    return figures


def _share_of_flags(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0
