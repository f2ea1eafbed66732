"""The card of a set made from the world: what `toolyard stats` says of it, and its turns by situation."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolyard.benchmarks.mtu.data import SETTINGS
from toolyard.benchmarks.mtu.statistics import sample_tables
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import rows_of, samples_of
from toolyard.core.benchmark import Table

if TYPE_CHECKING:
    from toolyard.synth.stages import Context, Rows


def tables(rows: Rows, context: Context) -> tuple[Table, ...]:  # noqa: ARG001 - the signature of every pipeline
    """The tables of the card."""
    counts: dict[str, Counter[str]] = {setting: Counter() for setting in SETTINGS}
    samples = []
    for number, row in enumerate(rows):
        samples += samples_of(rows_of(row, number), row["setting"])
        counts[row["setting"]].update(turn["situation"] for turn in row["turns"])
    known = sorted({situation for count in counts.values() for situation in count})
    lines = tuple((name, *(count[name] for count in counts.values())) for name in known)
    return (*sample_tables(samples), Table("Turns by situation", ("situation", *SETTINGS), lines))
