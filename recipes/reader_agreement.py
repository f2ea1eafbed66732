"""What two readers who knew neither each other nor the makers said of the starter rows, and how far they agree.

    python recipes/reader_agreement.py

Labels are in recipes/labels: good (a person could have written it and gold is right), stiff (right, but no person's
words), bad. Rows that a reader called bad were repaired or replaced afterwards.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

LABELS = Path(__file__).resolve().parent / "labels"
KINDS = ("good", "stiff", "bad")


def labels(benchmark: str, reader: str) -> dict[str, str]:
    """The labels of one reader by row."""
    lines = (LABELS / f"{benchmark}_starter_{reader}.jsonl").read_text("utf-8").splitlines()
    return {row["id"]: row["label"] for row in map(json.loads, lines)}


def kappa(first: dict[str, str], second: dict[str, str]) -> float:
    """Cohen's kappa on the rows that both read."""
    shared = sorted(first.keys() & second.keys())
    counts = [Counter(read[row] for row in shared) for read in (first, second)]
    same = sum(first[row] == second[row] for row in shared) / len(shared)
    chance = sum(counts[0][kind] * counts[1][kind] for kind in KINDS) / len(shared) ** 2
    return (same - chance) / (1 - chance)


def main() -> None:
    """Prints the table."""
    lines = [
        "| starter set | rows read | reader | good | stiff | bad | kappa |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    for benchmark in ("nestools", "mtu", "toolbehonest"):
        read = {reader: labels(benchmark, reader) for reader in "ab"}
        agreed = kappa(read["a"], read["b"])
        for reader, found in read.items():
            shares = [f"{sum(label == kind for label in found.values()) / len(found):.0%}" for kind in KINDS]
            lines.append(f"| {benchmark} | {len(found)} | {reader} | {' | '.join(shares)} | {agreed:.2f} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
