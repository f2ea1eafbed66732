"""Facts as data: the cases and rows of a test module stand in the JSON file of its name."""

import json
from pathlib import Path
from typing import Any


def cases(module: str, name: str) -> Any:
    """What a module's file holds under a name: rows for `pytest.mark.parametrize`, or a document."""
    return json.loads(Path(module).with_suffix(".json").read_text("utf-8"))[name]
