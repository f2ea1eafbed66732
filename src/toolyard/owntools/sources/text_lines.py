"""JSON and YAML texts, and on which line of them each part stands."""

import json
from dataclasses import dataclass, field
from typing import TypeAlias

import yaml

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.text.yaml_text import read_yaml, yaml_nodes

Path: TypeAlias = tuple[str | int, ...]
# Larger texts are read without lines: the parser that knows them is slow.
LARGEST_WITH_LINES = 3_000_000
MOST_PLACES = 200_000


@dataclass(slots=True)
class Lines:
    """Path of a part -> its line, counted from 1."""

    own: dict[Path, int] = field(default_factory=dict)
    inner: dict[Path, dict[str, int]] = field(default_factory=dict)

    def line_at(self, path: Path) -> int | None:
        """The line of a part; None where it is not known."""
        return self.own.get(path)

    def member_lines(self, path: Path) -> dict[str, int]:
        """The lines of the members of an object."""
        return self.inner.get(path, {})

    def add(self, path: Path, line: int) -> None:
        """Notes a part."""
        self.own.setdefault(path, line)
        if path:
            self.inner.setdefault(path[:-1], {}).setdefault(str(path[-1]), line)


def read_text(text: str, where: str) -> JsonValue:
    """The value that a JSON or YAML text holds."""
    try:
        return json_safe(json.loads(text) if _is_json(text) else read_yaml(text))
    except (ValueError, RecursionError) as error:
        why = " ".join(str(error).split())[:160]
        raise DataError(f"{where} is neither JSON nor YAML ({why}); give a document that is") from None


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def line_map(text: str) -> Lines:
    """Where the parts of a text that `read_text` took stand; nothing is known of texts that are too large."""
    found = Lines()
    if len(text) > LARGEST_WITH_LINES:
        return found
    try:
        root = yaml_nodes(text, is_json=_is_json(text))
    except ValueError:
        return found
    pending: list[tuple[Path, object]] = [((), root)]
    while pending and len(found.own) < MOST_PLACES:
        path, node = pending.pop()
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                name = str(getattr(key, "value", ""))
                found.add((*path, name), key.start_mark.line + 1)
                pending.append(((*path, name), value))
        elif isinstance(node, yaml.SequenceNode):
            for place, value in enumerate(node.value):
                found.add((*path, place), value.start_mark.line + 1)
                pending.append(((*path, place), value))
    return found
