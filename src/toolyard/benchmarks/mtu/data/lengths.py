"""How long dialogues, turns and prompts are: the distributions of Figures 10 (training) and 11 (evaluation data)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from toolyard.benchmarks.mtu.data.rows import SETTINGS, samples_by_dialogue
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.core.ordered_sums import group_items

CHARACTERS_PER_TOKEN = 4


def _count_user_words(turn: MtuSample) -> int:
    return len(str(turn.input["user"]).split())


# What is measured of the turns of one dialogue: one number, or one for each turn.
MEASURES: Mapping[str, Callable[[Sequence[MtuSample]], Iterable[float]]] = {
    "turns per dialogue": lambda turns: [len(turns)],
    "user words per dialogue": lambda turns: [sum(map(_count_user_words, turns))],
    "user words per turn": lambda turns: map(_count_user_words, turns),
    "tools called per dialogue": lambda turns: [
        len({call["name"] for turn in turns for call in turn.gold["calls"]})
    ],
    "calls per turn": lambda turns: [len(turn.gold["calls"]) for turn in turns],
    "tools listed per turn": lambda turns: [len(turn.input["tools"]) for turn in turns],
    "prompt tokens per turn": lambda turns: [
        len(str(turn.input.get("question") or "")) / CHARACTERS_PER_TOKEN for turn in turns
    ],
}
NOTE = "words of the user alone; tokens of the prompt as the data hold it, at four characters each"


def length_values(samples: Iterable[MtuSample]) -> dict[str, dict[str, list[float]]]:
    """The values of every measure in every setting that the samples have."""
    by_setting = group_items(samples, lambda sample: sample.groups["setting"])
    dialogues = {
        setting: list(samples_by_dialogue(by_setting[setting]).values())
        for setting in SETTINGS
        if setting in by_setting
    }
    return {
        measure: {
            setting: [float(value) for turns in some for value in values_of(turns)]
            for setting, some in dialogues.items()
        }
        for measure, values_of in MEASURES.items()
    }
