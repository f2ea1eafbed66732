"""What the examples of the world's tools return, by meaning: `example_values.jsonl` in the package.

    python recipes/example_values.py

Drawn calls vary their arguments by these values. Run it after every change of what a tool returns, and after every new
version of the world; some seconds.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.core.declared_world import VERSION
from toolyard.core.types import JsonValue
from toolyard.lines import encode, write_whole
from toolyard.synth.chains.example_values import RETURNED, is_sayable
from toolyard.synth.chains.projection import speakable_edges
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.graph import values_at
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

# So many tools that return a meaning, so many values of each, so many characters of a value.
PRODUCERS, PER_PRODUCER, LONGEST = 3, 12, 60


def executed_values() -> dict[str, list[JsonValue]]:
    """Meaning -> what the examples of the first few tools that return it show of it, executed now."""
    shown = functools.cache(example_results)
    found: dict[str, list[JsonValue]] = {}
    for meaning, makers in sorted(first_makers().items()):
        for producer, path in makers:
            values = (value for result in shown(producer) for value in values_at(result, path))
            short = [value for value in values if is_sayable(value) and len(str(value)) <= LONGEST]
            found.setdefault(meaning, []).extend(short[:PER_PRODUCER])
    return found


def example_results(tool: str) -> list[JsonValue]:
    """What the examples of a tool return, one after the other in one world."""
    world = World.fresh(0)
    results = [call(world, tool, example) for example in library()[tool].examples]
    return [result.value for result in results if not result.error]


def first_makers() -> Mapping[str, Mapping[tuple[str, str], None]]:
    """Meaning -> the first (tool, path) pairs that return it."""
    found: dict[str, dict[tuple[str, str], None]] = {}
    for edge in speakable_edges():
        makers = found.setdefault(edge.semantic, {})
        if len(makers) < PRODUCERS:
            makers[edge.producer, edge.path] = None
    return found


def main() -> None:
    rows = [{"meaning": meaning, "values": values} for meaning, values in executed_values().items()]
    write_whole(RETURNED, b"".join(map(encode, [{"world": VERSION}, *rows])))
    print(f"{RETURNED.name}: {len(rows)} meanings")


if __name__ == "__main__":
    main()
