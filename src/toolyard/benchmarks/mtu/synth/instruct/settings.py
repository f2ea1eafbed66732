"""The settings of MTU-Bench, each stated once: one turn or several, at most one call in every turn or more in some.

The unit is calls in a turn, as in the official rows, not tools in the dialogue. Dialogues of held-out topics go by
a name of their own, whatever their setting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Protocol

from toolyard.core.types import derived_seed


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, and what follows from it for prompts: the template and how the history is written."""

    name: str
    several_turns: bool
    several_calls: bool

    @property
    def template(self) -> str:
        """The instructions for a turn."""
        return "instructions_multiple" if self.several_calls else "instructions_single"

    @property
    def history(self) -> str:
        """The form of the past turns."""
        return "actions" if self.several_calls else "observed"


SETTINGS = {
    each.name: each
    for each in (
        Setting("S-S", several_turns=False, several_calls=False),
        Setting("S-M", several_turns=False, several_calls=True),
        Setting("M-S", several_turns=True, several_calls=False),
        Setting("M-M", several_turns=True, several_calls=True),
    )
}

TRAIN, HELD_OUT = "train", "ood"
OUT_OF_DOMAIN = "OOD"
NAMES = (*SETTINGS, OUT_OF_DOMAIN)
ONE_TEST_ROW_OF = 10


class Calling(Protocol):
    """A turn, as far as settings go."""

    @property
    def calls(self) -> Sized: ...


def setting_of(turns: Sequence[Calling]) -> Setting:
    """The setting of a dialogue."""
    wanted = len(turns) > 1, any(len(turn.calls) > 1 for turn in turns)
    return next(each for each in SETTINGS.values() if (each.several_turns, each.several_calls) == wanted)


def shown_name(setting: str, split: str) -> str:
    """The name that ids and tables have: the setting's, or the one of the held-out topics."""
    return setting if split == TRAIN else OUT_OF_DOMAIN


def split_of(topics: Iterable[str], held_out: Iterable[str]) -> str:
    """The side of a dialogue: it is held out whole where any of its topics is."""
    return TRAIN if set(topics).isdisjoint(held_out) else HELD_OUT


def in_test(origins: Sequence[str]) -> bool:
    """Whether a row is for evaluation and not for training: the first dialogue that it is made of decides, always alike."""
    return derived_seed(0, f"test/{origins[0]}", 0) % ONE_TEST_ROW_OF == 0
