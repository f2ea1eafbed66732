"""What the examples of the world's tools return, by meaning: `example_values.jsonl` in the package.

    python recipes/example_values.py

Drawn calls vary their arguments by these values. Run it after every change of what a tool returns, and after every new
version of the world; some seconds.
"""

from __future__ import annotations

from toolyard.core.declared_world import VERSION
from toolyard.lines import encode, write_whole
from toolyard.synth.chains.example_values import RETURNED, executed_values


def main() -> None:
    rows = [{"meaning": meaning, "values": values} for meaning, values in executed_values().items()]
    write_whole(RETURNED, b"".join(map(encode, [{"world": VERSION}, *rows])))
    print(f"{RETURNED.name}: {len(rows)} meanings")


if __name__ == "__main__":
    main()
