"""What a JSON value is made of."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from toolyard.core.types import JsonValue

# JSON type -> the classes of its values.
CLASSES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,),
    "object": (dict,),
}  # fmt: skip


def mapping(value: object) -> Mapping[str, JsonValue]:
    """The value where it is an object; an empty one where it is anything else."""
    return value if isinstance(value, Mapping) else {}


def leaves(value: object) -> Iterator[JsonValue]:
    """Everything in a value that holds nothing else, in order; keys of mappings are not part of it."""
    pending: list[Any] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Mapping):
            pending.extend(reversed(list(item.values())))
        elif isinstance(item, list | tuple):
            pending.extend(reversed(item))
        else:
            yield item


def map_texts(value: object, text: Callable[[str], str] = str, key: Callable[[str], str] = str) -> Any:
    """The value with every text in it changed, and every key."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return {key(name): map_texts(each, text, key) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [map_texts(each, text, key) for each in value]
    return value


def json_per_line(items: Iterable[object]) -> str:
    """Each item as JSON on a line of its own."""
    return "\n".join(json.dumps(item, ensure_ascii=False) for item in items)
