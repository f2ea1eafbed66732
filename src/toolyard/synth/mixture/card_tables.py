"""What the card of a mixture says: rows by part, group and source, lengths, and what was kept apart."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import HELD_OUT as HELD_OUT_TOPICS
from toolyard.core.table import Table
from toolyard.core.types import JsonValue
from toolyard.synth.mixture.drafting import DEV
from toolyard.synth.mixture.held_out import held_out_goals, is_held_out
from toolyard.synth.mixture.leak_guard import evaluation_sets, known_texts
from toolyard.synth.mixture.rows import estimate_tokens
from toolyard.synth.stages import Context, Row, Rows
from toolyard.world.kernel.registry import library

HIGH = 0.95


@dataclass(slots=True)
class Lengths:
    """Lengths of the rows of one kind, in characters."""

    rows: int = 0
    renamed: int = 0
    dev: int = 0
    prompts: list[int] = field(default_factory=list)
    answers: int = 0

    def add(self, row: Row) -> None:
        """One more row."""
        lengths = [len(message["content"]) for message in row["messages"]]
        self.rows += 1
        self.renamed += bool(row["renamed"])
        self.dev += row["split"] == DEV
        self.prompts.append(sum(lengths[:-1]))
        self.answers += lengths[-1]

    def columns(self) -> tuple[JsonValue, ...]:
        """Rows, development rows, renamed rows, tokens of a prompt in the mean and nearly at most, of an answer."""
        ordered = sorted(self.prompts)
        mean, high = sum(ordered) / self.rows, ordered[min(self.rows - 1, int(HIGH * self.rows))]
        tokens = (
            estimate_tokens(round(mean)),
            estimate_tokens(high),
            estimate_tokens(round(self.answers / self.rows)),
        )
        return self.rows, self.dev, self.renamed, *tokens


COLUMNS = ("rows", "of them dev", "renamed", "prompt tokens", "95 %", "answer tokens")


def tables(rows: Rows, context: Context) -> tuple[Table, ...]:
    """The statistics of the rows."""
    parts: dict[str, Lengths] = defaultdict(Lengths)
    groups: dict[tuple[str, str], Lengths] = defaultdict(Lengths)
    sources: Counter[str] = Counter()
    for row in rows:
        parts[row["part"]].add(row)
        groups[row["part"], row["group"]].add(row)
        sources[row["source"]] += 1
    note = "Tokens are estimated as characters / 3.5."
    return (
        Table(
            "Rows by part",
            ("part", *COLUMNS),
            tuple((name, *parts[name].columns()) for name in sorted(parts)),
            note,
        ),
        _table_by_group(groups, parts),
        Table("Rows by source", ("part/source", "rows"), tuple(sorted(sources.items()))),
        _held_out_table(context),
    )


def _table_by_group(groups: dict[tuple[str, str], Lengths], parts: dict[str, Lengths]) -> Table:
    rows = tuple(
        (part, group, f"{100 * found.rows / parts[part].rows:.1f} %", *found.columns())
        for (part, group), found in sorted(groups.items())
    )
    return Table("Rows by group", ("part", "group", "share of the part", *COLUMNS), rows)


def _held_out_table(context: Context) -> Table:
    """What no row shows."""
    packages = {tool.rpartition("/")[0] for tool in library()}
    held_out = sorted(package for package in packages if is_held_out(f"{package}/any"))
    places = [f"{name}: {place.name}" for name, place in evaluation_sets(context)]
    topics = context.options.get("held-out", ",".join(HELD_OUT_TOPICS))
    return Table(
        "Kept apart",
        ("what", "how many", "which"),
        (
            ("texts of evaluation sets", len(known_texts(context)), ", ".join(places)),
            ("topics of corpora", len(topics.split(",")), topics.replace(",", ", ")),
            ("packages of the world", len(held_out), ", ".join(held_out)),
            (
                "goals, some for such a package",
                len(held_out_goals()),
                ", ".join(goal.name for goal in held_out_goals()),
            ),
        ),
        "A row that shows a line of an evaluation set is rejected as leaks_from_evaluation in the funnel below; "
        "dialogues that do are rejected before anything is composed of them.",
    )
