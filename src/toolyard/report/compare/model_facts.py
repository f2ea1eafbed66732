"""What kind of model a name stands for and how large it is, from a small file of the user's.

JSON or TOML; names are those of `-m`, `*` stands for anything, the first entry that fits counts:

    ["openai/gpt-4o*"]
    kind = "closed"

    ["local"]
    kind = "open"
    size = 0.135          # billions of parameters
    name = "SmolLM2-135M"
"""

import json
import reprlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.lines import LARGEST_SETTINGS, whole_text
from toolyard.models.spec import ModelSpec

KINDS = ("open", "tool-oriented", "closed")
FIELDS = {"kind", "size", "name"}


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Kind, billions of parameters and display name; empty where not stated."""

    kind: str = ""
    size: float | None = None
    name: str = ""


UNKNOWN_MODEL = ModelFacts()


def read_model_facts(path: Path) -> dict[str, ModelFacts]:
    """The facts of each pattern in the file, in its order."""
    text = whole_text(path, "give a JSON or TOML file", most=LARGEST_SETTINGS)
    try:
        content = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is not JSON or TOML ({error}); see: toolyard compare --help") from None
    if not isinstance(content, dict):
        raise DataError(f"{path} holds a {type(content).__name__}, wanted an object of model names")
    return {name: _facts_of_entry(path, name, entry) for name, entry in content.items()}


def _facts_of_entry(path: Path, name: str, entry: JsonValue) -> ModelFacts:
    if not isinstance(entry, dict) or not FIELDS.issuperset(entry):
        raise DataError(
            f"{path}, {name}: wanted an object with {', '.join(sorted(FIELDS))}, found {reprlib.repr(entry)}"
        )
    kind, size = entry.get("kind", ""), entry.get("size")
    if kind and kind not in KINDS:
        raise DataError(f"{path}, {name}: kind {kind!r} is not one of {', '.join(KINDS)}")
    if size is not None and (isinstance(size, bool) or not isinstance(size, (int, float)) or size <= 0):
        raise DataError(f"{path}, {name}: size {size!r} is not a number of billions of parameters")
    return ModelFacts(kind, None if size is None else float(size), str(entry.get("name", "")))


def find_model_facts(model: str, known: Mapping[str, ModelFacts]) -> ModelFacts:
    """The first entry that fits the model's name, with or without its settings behind `?`."""
    bare = ModelSpec.parse(model).display
    for pattern, facts in known.items():
        if fnmatchcase(model, pattern) or fnmatchcase(bare, pattern):
            return facts
    return UNKNOWN_MODEL
