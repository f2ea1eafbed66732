"""Untrusted YAML: plain values only, and no text that expands without limit or nests too deep."""

from dataclasses import dataclass, field
from typing import Any

import yaml

from toolyard.core.types import JsonValue

DEEPEST = 200
# Aliases stand for what they name; a text may stand for so many parts in all.
MOST_PARTS = 2_000_000
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TIMES = "tag:yaml.org,2002:timestamp"


class _PlainLoader(_LOADER):
    """Reads dates as the text they are, as JSON does."""


_PlainLoader.yaml_implicit_resolvers = {
    first: [each for each in known if each[0] != _TIMES]
    for first, known in _LOADER.yaml_implicit_resolvers.items()
}


def read_yaml(text: str) -> JsonValue:
    """The value of a text; raises ValueError where it is no YAML, circular, too deep or endless."""
    found: JsonValue = _load_with(text, "get_single_data")
    return found


def yaml_nodes(text: str, *, is_json: bool = False) -> object:
    """The nodes of a text with their places; raises as `read_yaml` does. JSON that was read before has an end."""
    return _load_with(text, "get_single_node", checked=is_json)


def _load_with(text: str, method: str, *, checked: bool = False) -> Any:
    try:
        if not checked:
            _refuse_endless(text)
        loader = _PlainLoader(text)
        try:
            return getattr(loader, method)()
        finally:
            loader.dispose()
    except (yaml.YAMLError, RecursionError, TypeError, OverflowError) as error:
        raise ValueError(" ".join(str(error).split())[:160]) from None


@dataclass(slots=True)
class _OpenNode:
    """A list or an object that has begun: its anchor, and the parts it stands for so far."""

    anchor: str | None
    parts: int = 1


@dataclass(slots=True)
class _Extent:
    """How many parts a text stands for, met part by part."""

    around: list[_OpenNode] = field(default_factory=lambda: [_OpenNode(None, 0)])
    known: dict[str, int] = field(default_factory=dict)

    def add(self, parts: int) -> None:
        self.around[-1].parts += parts
        if self.around[-1].parts > MOST_PARTS:
            raise ValueError(f"with its aliases it has more than {MOST_PARTS:,} parts")

    def begin(self, anchor: str | None) -> None:
        self.around.append(_OpenNode(anchor))
        if len(self.around) > DEEPEST:
            raise ValueError(f"it is nested more than {DEEPEST} deep")

    def end(self) -> None:
        done = self.around.pop()
        if done.anchor:
            self.known[done.anchor] = done.parts
        self.add(done.parts)

    def refer(self, anchor: str) -> None:
        if any(each.anchor == anchor for each in self.around):
            raise ValueError(f"*{anchor} stands inside &{anchor}, so that it has no end")
        self.add(self.known.get(anchor, 1))


def _refuse_endless(text: str) -> None:
    """Raises ValueError for a text that no reader of its nodes would survive; events are met one at a time."""
    extent = _Extent()
    for event in yaml.parse(text, Loader=_PlainLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            extent.begin(event.anchor)
        elif isinstance(event, yaml.CollectionEndEvent):
            extent.end()
        elif isinstance(event, yaml.AliasEvent):
            extent.refer(event.anchor)
        elif isinstance(event, yaml.ScalarEvent):
            if event.anchor:
                extent.known[event.anchor] = 1
            extent.add(1)
