"""Changes under which conclusions should stand: the same samples in another wording, order or offer.

A variation is a pure function of samples, a choice of templates, of the benchmark's options, or of how the model is asked;
its name is part of a run's identity, so that base and variations are runs of their own on the same samples.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, TypeVar

from toolyard.core.types import AnySample, derived_seed

Item = TypeVar("Item")
SampleType = TypeVar("SampleType", bound=AnySample)
# The samples of a run and its seed give the changed samples, in the same order, under the same ids.
Change: TypeAlias = Callable[[tuple[AnySample, ...], int], tuple[AnySample, ...]]


@dataclass(frozen=True, slots=True)
class Variation:
    """One such change; what it does not name stays as it is.

    `model` holds settings of the MODEL argument, `styles` those prompt styles for which it changes anything.
    """

    about: str
    change: Change | None = None
    templates: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    model: Mapping[str, str] = field(default_factory=dict)
    styles: tuple[str, ...] = ()


# What any benchmark can be tried under, where the model's endpoint knows efforts.
REASONING: Mapping[str, Variation] = {
    "reasoning-off": Variation("the model is asked not to think first", model={"reasoning": "none"}),
    "reasoning-on": Variation("the model may think first, at high effort", model={"reasoning": "high"}),
}


def read_templates(folder: Path) -> dict[str, str]:
    """The templates of a folder, by name."""
    return {
        path.stem: path.read_text(encoding="utf-8").removesuffix("\n")
        for path in sorted(folder.glob("*.txt"))
    }


def other_wordings(folder: Path, styles: tuple[str, ...]) -> dict[str, Variation]:
    """The instructions in other words and in German, from the folders of their names."""
    words = {"paraphrase": "other words", "german": "German"}
    return {
        name: Variation(f"the instructions in {what}", templates=read_templates(folder / name), styles=styles)
        for name, what in words.items()
    }


def other_names_by_cluster(
    samples: Iterable[SampleType], named: Callable[[SampleType], Iterable[str]], seed: int
) -> dict[str, dict[str, str]]:
    """The `other_names` of each cluster for all names that its samples hold."""
    known: dict[str, list[str]] = {}
    for sample in samples:
        known.setdefault(sample.cluster, []).extend(named(sample))
    return {cluster: other_names(found, seed, cluster) for cluster, found in known.items()}


def change_each_sample(
    change: Callable[[SampleType, int], SampleType],
) -> Callable[[tuple[SampleType, ...], int], tuple[SampleType, ...]]:
    """The same change for every sample by itself."""

    def change_all(samples: tuple[SampleType, ...], seed: int) -> tuple[SampleType, ...]:
        return tuple(change(sample, seed) for sample in samples)

    return change_all


def shuffle_items(items: Sequence[Item], seed: int, cluster: str) -> list[Item]:
    """The items in another order, the same for all samples of a cluster; two items always change places."""
    found = list(items)
    random.Random(derived_seed(seed, f"shuffled/{cluster}", 0)).shuffle(found)
    if len(found) > 1 and found == list(items):
        found = [*found[1:], found[0]]
    return found


def other_names(names: Sequence[str], seed: int, cluster: str) -> dict[str, str]:
    """A name that says nothing for each, numbered in no order; the same for all samples of a cluster."""
    distinct = sorted(set(names))
    numbers = list(range(1, len(distinct) + 1))
    random.Random(derived_seed(seed, f"renamed/{cluster}", 0)).shuffle(numbers)
    return {name: f"function_{number:02d}" for name, number in zip(distinct, numbers, strict=True)}
