"""Tools for a longer list: those that share most words with the needed ones, or few of them."""

import random
from collections.abc import Mapping, Sequence

from toolyard.core.types import derived_seed
from toolyard.text.word_overlap import overlap_scores


def ordered_distractors(
    needed: Sequence[str], pool: Mapping[str, str], *, far: bool, seed: int, cluster: str
) -> list[str]:
    """The keys of a pool of described tools, in the order in which a growing list takes them.

    Near: by the words that they share with the needed tools, most first. Far: those of the half that shares least, drawn
    by the seed, then the rest. A list of 32 so holds all of a list of 16.
    """
    keys = list(pool)
    random.Random(derived_seed(seed, f"catalogue/{cluster}", 0)).shuffle(keys)
    shared = dict(zip(keys, overlap_scores(" ".join(needed), [pool[key] for key in keys]), strict=True))
    if not far:
        return sorted(keys, key=lambda key: -shared[key])
    border = sorted(shared.values())[len(keys) // 2] if keys else 0
    return sorted(keys, key=lambda key: shared[key] > border)
