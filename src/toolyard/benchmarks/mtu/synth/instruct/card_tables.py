"""What the card of a set made from corpora says: settings, sources, topics, hard types, filters, clusters."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolyard.benchmarks.mtu.data.hard_types import RULES
from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.data.statistics import PAPER_DIALOGUES, lengths_table
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DOMAINS
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    APART,
    TRAIN,
    StandardRow,
    held_out_of,
    library_of,
    shown_name,
    standard_row,
)
from toolyard.benchmarks.mtu.synth.instruct.tool_library import reduction_table
from toolyard.core.benchmark import Table
from toolyard.synth.stage_log import StageCounts
from toolyard.synth.stages import Context, Rows

KINDS = ("cut", "pair", "merged", "joined")
UNVERIFIED = ("ungrounded_value", "call_without_call")
# Appendix B: what the paper's filters took out; denominators are not stated there. Stage, rate, reasons of ours.
PAPER_RATES: Mapping[str, tuple[str, ...]] = {
    "unsuitable intents": ("suitable", "26 % (by hand)", "unsuitable_intent"),
    "dialogues without a call": ("suitable", "not stated", "no_call", "not_annotated"),
    "undefined tools": ("parameters", "6 %", "undefined_tool"),
    "tools without a document": ("documented", "6 %", "undefined_tool"),
    "fabricated parameter names": ("parameters", "3.2 %", "fabricated_parameter"),
    "format violations": ("parameters", "13.7 %", "format_violation", "missing_required"),
    "verification by rules": ("verify", "10 % (by a model)", *UNVERIFIED),
    "verification by the model": ("check", "10 %", "found_wrong"),
}


@dataclass(slots=True)
class CardCounts:
    """Everything that the tables count, in one walk over the rows."""

    found: Counter[tuple[str, ...]] = field(default_factory=Counter)
    lengths: defaultdict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(dict))
    tools: dict[str, set[str]] = field(default_factory=lambda: {TRAIN: set(), APART: set()})

    def add(self, row: StandardRow) -> None:
        """One more row."""
        name = shown_name(row.setting, row.split)
        called = [call.name for turn in row.turns for call in turn.calls]
        words = [len(turn.user.split()) for turn in row.turns]
        self.found.update([
            ("source", row.source), ("source", row.source, name), ("source", row.source, row.composed or "as recorded"),
            *(("topic", row.split, topic) for topic in row.topics),
            *(("hard", tag, name) for tags in row.hard for tag in tags),
            ("dialogues", name),
        ])  # fmt: skip
        self.found["listed", name] += len(row.documents) + len(row.others)
        for measure, values in (
            ("turns per dialogue", [len(row.turns)]),
            ("user words per dialogue", [sum(words)]),
            ("user words per turn", words),
            ("tools called per dialogue", [len(set(called))]),
            ("calls per turn", [len(turn.calls) for turn in row.turns]),
        ):
            self.lengths[measure].setdefault(name, []).extend(values)
        if not row.made_hard:
            self.tools[row.split].update(called)

    @property
    def names(self) -> list[str]:
        """The settings that there are."""
        return [name for name in SETTINGS if self.found["dialogues", name]]


def tables(rows: Rows, context: Context) -> tuple[Table, ...]:
    """The statistics of the rows against the paper's, and how many tools of the corpora were merged."""
    clusters = (reduction_table(library_of(context).clusters),) if len(rows) else ()
    return (*row_tables(rows, context), *clusters)


def row_tables(rows: Rows, context: Context) -> tuple[Table, ...]:
    """The statistics of the rows alone."""
    counts = CardCounts()
    for row in rows:
        counts.add(standard_row(row))
    lengths = lengths_table("Lengths (Figure 10)", counts.lengths)
    topics = _topics(counts, set(held_out_of(context)))
    return _settings(counts), lengths, _sources(counts), topics, _hard(counts)


def _settings(counts: CardCounts) -> Table:
    rows: list[tuple[Any, ...]] = []
    for name in counts.names:
        dialogues = counts.found["dialogues", name]
        calls = counts.lengths["calls per turn"][name]
        ratios = (
            round(len(calls) / dialogues, 2),
            sum(calls),
            round(counts.found["listed", name] / dialogues, 2),
        )
        rows.append((name, dialogues, PAPER_DIALOGUES[name][0], len(calls), *ratios))
    both = (sum(row[1] for row in rows), 54367, sum(row[3] for row in rows), None, None, None)
    columns = ("setting", "dialogues", "paper train", "turns", "turns per dialogue", "calls", "tools listed")
    return Table("Dialogues by setting (Table 7)", columns, (*rows, ("all", *both)))


def _sources(counts: CardCounts) -> Table:
    columns = (*SETTINGS, "as recorded", *KINDS)
    sources = {key[1]: count for key, count in counts.found.items() if key[0] == "source" and len(key) == 2}
    total = sum(sources.values())
    rows = tuple(
        (source, count, percent(count, total), *(counts.found["source", source, name] for name in columns))
        for source, count in sources.items()
    )
    note = (
        "cut: the first turn alone; pair, merged: two calls in one turn; joined: several single turns as one."
    )
    return Table(
        "Dialogues by source, as recorded and composed", ("source", "all", "share", *columns), rows, note
    )


def _topics(counts: CardCounts, held_out: set[str]) -> Table:
    rows = []
    for domain, topic in ((domain, topic) for domain, topics in DOMAINS.items() for topic in topics):
        found = counts.found["topic", TRAIN, topic], counts.found["topic", APART, topic]
        if any(found) or topic in held_out:
            rows.append((domain, topic, *found, "yes" if topic in held_out else ""))
    shared = counts.tools[TRAIN] & counts.tools[APART]
    note = (
        f"{sum(each[:2] == ('topic', TRAIN) for each in counts.found)} topics in training (paper: 26). "
        f"Tools called in training {len(counts.tools[TRAIN])} (paper: 122), out of domain "
        f"{len(counts.tools[APART])} (paper: 14), in both {len(shared)}: a dialogue is held out whole where any of "
        "its topics is; no tool of a held-out topic is called or listed in training."
    )
    return Table("Topics", ("domain", "topic", "training", "out of domain", "held out"), tuple(rows), note)


def _hard(counts: CardCounts) -> Table:
    rows = tuple((tag, *(counts.found["hard", tag, name] for name in counts.names)) for tag in RULES)
    title = "Turns by hard type (Table 8, and the types named in the text)"
    note = "By the rules in hard_types.py; a turn may have several types."
    return Table(title, ("hard type", *counts.names), rows, note=note)


def rates(funnel: Sequence[StageCounts]) -> tuple[Table, ...]:
    """What each filter of Appendix B rejected and repaired, against the paper's rates."""
    lines = {line.stage: line for line in funnel}
    rows: list[tuple[Any, ...]] = []
    for label, (stage, paper, *reasons) in PAPER_RATES.items():
        line = lines.get(stage)
        if line is None:
            continue
        rejected = sum(line.rejected[reason] for reason in reasons)
        mended = sum(line.repaired[f"cut_before_{reason}"] for reason in reasons)
        rows.append((label, line.entered, rejected, percent(rejected, line.entered), mended, paper))
    note = (
        "Sequential: each rate is of the dialogues that reached the filter. A long dialogue is cut before its first "
        "faulty turn where enough is left of it; that is a repair."
    )
    columns = ("filter", "dialogues in", "rejected", "rate", "cut instead", "paper")
    return (Table("Filters (Appendix B)", columns, tuple(rows), note),)


def percent(part: int, whole: int) -> str | None:
    """A share in percent with one decimal."""
    return f"{100 * part / whole:.1f} %" if whole else None
