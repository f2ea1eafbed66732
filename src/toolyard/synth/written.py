"""Files of rows whose words were written by hand, in YAML: `synth/written/` of a benchmark holds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from toolyard.core.types import JsonValue


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """YAML whose dates stay text, as tools take them."""


_Loader.yaml_implicit_resolvers = {
    first: [resolver for resolver in resolvers if resolver[0] != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_written(path: Path) -> list[dict[str, JsonValue]]:
    """The rows of a file as they were written."""
    found: list[dict[str, Any]] = _Loader(path.read_text("utf-8")).get_single_data()
    return found
