"""Facts as data: the cases of a test module stand in the JSON file of its name."""

import json
from pathlib import Path
from typing import Any


def cases(module: str, name: str) -> list[Any]:
    """The cases of one test: what `pytest.mark.parametrize` takes for its arguments."""
    found: list[Any] = json.loads(Path(module).with_suffix(".json").read_text("utf-8"))[name]
    return found
