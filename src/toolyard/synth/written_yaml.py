"""Files of rows whose words were written by hand, in YAML: `synth/written/` of a benchmark holds them."""

from pathlib import Path
from typing import cast

from toolyard.core.types import JsonValue
from toolyard.text.yaml_text import read_yaml


def read_written(path: Path) -> list[dict[str, JsonValue]]:
    """The rows of a file as they were written."""
    return cast("list[dict[str, JsonValue]]", read_yaml(path.read_text("utf-8")))
