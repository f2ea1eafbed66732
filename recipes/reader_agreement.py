"""What two readers who knew neither each other nor the makers said of rows, and how far they agree.

    python recipes/reader_agreement.py         # prints it; recipes/validity.py --only readers writes it into the page

Labels are in records/labels: good (a person could have written it and gold is right), stiff (right, but no person's
words), bad. Rows were shuffled (`recipes/reading_sheets.py`; the key says which is which). The first reading was of the
starter sets; the second of the sets as rebuilt after it, with hard rows and freshly generated ones; the third of three
hard sets as rewritten after it; the fourth of all sets; the fifth of starter sets and generators as mended after it. Each
reading had two new readers. Reader t of the fifth saw by mistake which rows were starter rows before reading.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from toolyard.stats.agreement import wilson_share

LABELS = Path(__file__).resolve().parents[1] / "records" / "labels"
KINDS = ("good", "stiff", "bad")
SOURCES = ("starter", "hard", "generated")
BENCHMARKS = ("nestools", "mtu", "toolbehonest", "tooleyes")
# Each reading had two readers, and no reader read twice.
READERS = {"first": "kl", "second": "mn", "third": "op", "fourth": "qr", "fifth": "st"}
Read = dict[str, str]


def labels(name: str) -> Read:
    """The labels of one reader by row."""
    lines = (LABELS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return {row["id"]: row["label"] for row in map(json.loads, lines)}


def kappa(first: Read, second: Read) -> float | None:
    """Cohen's kappa on the rows that both read; None where both gave one label to all."""
    shared = sorted(first.keys() & second.keys())
    counts = [Counter(read[row] for row in shared) for read in (first, second)]
    same = sum(first[row] == second[row] for row in shared) / len(shared)
    chance = sum(counts[0][kind] * counts[1][kind] for kind in KINDS) / len(shared) ** 2
    return None if chance == 1 else (same - chance) / (1 - chance)


def readings() -> Iterator[tuple[str, str, str, Read, Read]]:
    """Reading, benchmark, where the rows come from, and both readers' labels."""
    for reading, readers in READERS.items():
        key = (LABELS / f"rows_{reading}.key.jsonl").read_text("utf-8")
        rows = [json.loads(line) for line in key.splitlines()]
        first, second = (labels(f"rows_{reading}_{reader}") for reader in readers)
        for source in SOURCES:
            for benchmark in BENCHMARKS:
                own = [row["id"] for row in rows if (row["benchmark"], row["source"]) == (benchmark, source)]
                if own:
                    yield (
                        reading,
                        benchmark,
                        source,
                        {row: first[row] for row in own},
                        {row: second[row] for row in own},
                    )


def kappa_interval(first: Read, second: Read, resamples: int = 1000) -> str:
    """Kappa with its 95 % interval over resampled rows, seeded; a dash where it is undefined."""
    found = kappa(first, second)
    if found is None:
        return "-"
    rows = sorted(first.keys() & second.keys())
    labels = np.array([[KINDS.index(read[row]) for row in rows] for read in (first, second)])
    ours, theirs = labels[:, np.random.default_rng(0).integers(len(rows), size=(resamples, len(rows)))]
    same = (ours == theirs).mean(1)
    chance = sum((ours == kind).mean(1) * (theirs == kind).mean(1) for kind in range(len(KINDS)))
    known = chance < 1
    drawn = np.where(known, (same - chance) / np.where(known, 1 - chance, 1), found)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return f"{found:.2f} [{low:.2f}, {high:.2f}]"


def counted(hits: int, number: int) -> str:
    """A count with Wilson's 95 % interval of its share, in percent."""
    seen = wilson_share(hits, number)
    return f"{hits} [{100 * (seen.low or 0):.0f}, {100 * (seen.high or 0):.0f}]"


def table() -> list[str]:
    """The lines of the table."""
    lines = [
        "| reading | rows of | n | reader | good [95 %] | stiff | bad [95 %] | same label | kappa [95 %] |",
        "|---|---|---:|---|---:|---:|---:|---:|---:|",
    ]
    for reading, benchmark, source, first, second in readings():
        shared = first.keys() & second.keys()
        same = counted(sum(first[row] == second[row] for row in shared), len(shared))
        agreed = kappa_interval(first, second)
        for reader, read in zip(READERS[reading], (first, second), strict=True):
            good, stiff, bad = (sum(label == kind for label in read.values()) for kind in KINDS)
            counts = f"{counted(good, len(read))} | {stiff} | {counted(bad, len(read))}"
            lines.append(
                f"| {reading} | {benchmark}, {source} | {len(read)} | {reader} | {counts} | {same} | {agreed} |"
            )
    return lines


def newest_means() -> list[str]:
    """The lines of a table of each set's last reading: good and bad rows in percent, mean of both readers."""
    shares = {
        (source, benchmark): ", ".join(
            f"{50 * sum(list(read.values()).count(kind) / len(read) for read in (first, second)):.0f}"
            for kind in ("good", "bad")
        )
        for _, benchmark, source, first, second in readings()
    }
    lines = [f"| last reading | {' | '.join(BENCHMARKS)} |", "|---|" + "---:|" * len(BENCHMARKS)]
    for source in SOURCES:
        cells = (shares.get((source, benchmark), "–") for benchmark in BENCHMARKS)
        lines.append(f"| {source} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Prints the tables."""
    sys.stdout.write("\n".join([*table(), "", *newest_means()]) + "\n")


if __name__ == "__main__":
    main()
