"""Counts of the dialogues made: settings, situations, hard types, and lengths beside the paper's averages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from toolyard.benchmarks.mtu.hard_types import RULES, hard_types
from toolyard.benchmarks.mtu.statistics import PAPER_DIALOGUES
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import rows_of, samples_of
from toolyard.core.benchmark import Table
from toolyard.stats.means import rounded_mean

if TYPE_CHECKING:
    from toolyard.synth.stages import Context, Row, Rows

SETTINGS = ("S-S", "S-M", "M-S", "M-M")


def tables(rows: Rows, context: Context) -> tuple[Table, ...]:  # noqa: ARG001 - the signature of every pipeline
    """The tables of the card."""
    dialogues = list(rows)
    return (_settings(dialogues), _situations(dialogues), _hard(dialogues), _averages(dialogues))


def _of(dialogues: Iterable[Row], setting: str) -> list[Row]:
    return [row for row in dialogues if row["setting"] == setting]


def _settings(dialogues: Sequence[Row]) -> Table:
    lines = []
    for setting in SETTINGS:
        members = _of(dialogues, setting)
        if not members:
            continue
        calls = [len(turn["calls"]) for row in members for turn in row["turns"]]
        hard = sum(bool(row["hard"]) for row in members)
        paper = PAPER_DIALOGUES[setting]
        lines.append(
            (
                setting,
                len(members),
                len(members) - hard,
                hard,
                f"{paper[1]} and {paper[2]}",
                len(calls),
                sum(map(bool, calls)),
                sum(calls),
                rounded_mean(len(row["tools"]) for row in members),
            )
        )
    columns = (
        "setting",
        "dialogues",
        "normal",
        "hard",
        "paper: normal and hard",
        "turns",
        "turns with a call",
        "calls",
    )
    return Table("Dialogues by setting (Table 7)", (*columns, "tools listed"), tuple(lines))


def _situations(dialogues: Sequence[Row]) -> Table:
    counts = {
        setting: Counter(turn["situation"] for row in _of(dialogues, setting) for turn in row["turns"])
        for setting in SETTINGS
    }
    known = sorted({situation for count in counts.values() for situation in count})
    lines = tuple((name, *(counts[setting][name] for setting in SETTINGS)) for name in known)
    return Table("Turns by situation", ("situation", *SETTINGS), lines)


def _hard(dialogues: Sequence[Row]) -> Table:
    built = {
        setting: Counter(row["hard"] for row in _of(dialogues, setting) if row["hard"])
        for setting in SETTINGS
    }
    found: dict[str, Counter[str]] = {}
    for setting in SETTINGS:
        samples = [
            sample
            for number, row in enumerate(_of(dialogues, setting))
            for sample in samples_of(rows_of(row, number), setting)
        ]
        found[setting] = Counter(name for sample in samples for name in hard_types(sample))
    lines = tuple(
        (name, *(f"{built[setting][name]} / {found[setting][name]}" for setting in SETTINGS))
        for name in RULES
    )
    note = "Dialogues built for the type / turns to which its rule in hard.py applies."
    return Table("Hard types (Table 8, and those named in the text)", ("hard type", *SETTINGS), lines, note)


def _averages(dialogues: Sequence[Row]) -> Table:
    calling = [len(turn["calls"]) for row in dialogues for turn in row["turns"] if turn["calls"]]
    called = [{entry["name"] for turn in row["turns"] for entry in turn["calls"]} for row in dialogues]
    listed = {json_name for row in dialogues for json_name in (tool["name"] for tool in row["tools"])}
    lines: tuple[tuple[Any, ...], ...] = (
        ("dialogues", len(dialogues), "54798 (54367 train, 431 test)"),
        ("tools listed", len(listed), "136"),
        ("turns per dialogue", rounded_mean(len(row["turns"]) for row in dialogues), 2.6),
        ("tools listed per dialogue", rounded_mean(len(row["tools"]) for row in dialogues), None),
        ("tools called per dialogue", rounded_mean(map(len, called)), 5.6),
        ("calls per turn with a call", rounded_mean(calling), 2.2),
    )
    note = "The paper counts train and test together; its tools per dialogue may be those listed."
    return Table("Averages (Figure 4)", ("count", "these data", "paper"), lines, note)
