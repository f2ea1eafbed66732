"""How far figures agree with people who compared two runs (MTU-Bench, Table 6; ToolEyes, Figures 8 and 9).

Labels, one line per vote; 1 means the first run is better, 0 a tie, -1 the second:

    {"sample": "M-S_7", "annotator": "ada", "label": 1, "dimension": "overall"}
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from toolyard.core.errors import DataError, UsageError, did_you_mean
from toolyard.core.metrics import Metric, Row
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Profile, Record
from toolyard.lines import read_lines
from toolyard.report.compare.compared_runs import ComparedRun, load_runs
from toolyard.stats.preference import LABELS, Preference, figure_preference, metric_differences
from toolyard.stats.summary import rows_of

# annotator -> item -> label
Labels: TypeAlias = Mapping[str, Mapping[str, int]]
FIELDS = ("sample", "annotator", "label")


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes that hold, and how many lines of the file do not: on another dimension, or voted over later."""

    labels: Labels
    lines: int
    other_dimension: int = 0
    replaced: int = 0


@dataclass(frozen=True, slots=True)
class VoteCounts:
    """What became of every line of the label file for one figure; all but the ties add up to `lines`.

    Ties count: `ties` are counted votes of 0, `figure_ties` counted items on which the metric prefers neither run.
    """

    lines: int
    other_dimension: int
    replaced: int
    no_sample: int
    unscored: int
    undefined: int
    counted: int
    ties: int
    figure_ties: int

    @property
    def left_out(self) -> int:
        """Votes that the figures do not stand on."""
        return self.lines - self.counted


@dataclass(frozen=True, slots=True)
class FigureAgreement:
    """How a figure agrees with people, and how many of their votes count."""

    preference: Preference
    votes: VoteCounts


def read_labels(path: Path, dimension: str = "", runs: tuple[str, str] | None = None) -> Votes:
    """The votes of a file, of one dimension where one is asked for; the last vote of a person on an item holds.

    Of a file that pools pairs of several runs, only the votes on these two are read, whichever stood first.
    """
    if not path.exists():
        raise DataError(f"{path} does not exist; give a jsonl file with {', '.join(FIELDS)}")
    votes: dict[str, dict[str, int]] = {}
    lines = other = replaced = 0
    for line in _read_label_lines(path):
        side = _side_of_vote(line, runs)
        if side == 0:
            continue
        lines += 1
        if dimension and line.get("dimension") != dimension:
            other += 1
            continue
        given, item = votes.setdefault(str(line["annotator"]), {}), str(line["sample"])
        replaced += item in given
        given[item] = side * int(line["label"])
    if not votes:
        about = f" on {dimension!r}" if dimension else ""
        raise DataError(f"{path} holds no vote{about}" + (f" between {' and '.join(runs)}" if runs else ""))
    return Votes(votes, lines, other, replaced)


def _side_of_vote(line: Record, runs: tuple[str, str] | None) -> int:
    """1 where a vote is on these runs in this order, -1 in the other, 0 where it is on others."""
    named = (line.get("first"), line.get("second"))
    if runs is None or None in named or named == runs:
        return 1
    return -1 if named == runs[::-1] else 0


def _read_label_lines(path: Path) -> Iterator[Record]:
    for number, line in enumerate(read_lines(path), 1):
        missing = [name for name in FIELDS if not isinstance(line, dict) or name not in line]
        if missing:
            raise DataError(f"{path}, line {number} lacks {', '.join(missing)}; wanted {', '.join(FIELDS)}")
        if line["label"] not in LABELS or isinstance(line["label"], bool):
            raise DataError(f"{path}, line {number} has the label {line['label']!r}; it may be 1, 0 or -1")
        yield line


def agreement_by_figure(
    first: Path, second: Path, votes: Votes, *, figures: Sequence[str], profile: Profile
) -> list[FigureAgreement]:
    """Each figure's differences between two runs held against people's preferences."""
    runs = next(iter(load_runs([first, second], profile, {}, force=False).values()))
    if len(runs) != 2:
        raise UsageError("agreement compares two runs of one benchmark")
    known = [metric.name for metric in runs[0].benchmark.scoring.metrics]
    unknown = [name for name in figures if name not in known]
    if unknown:
        raise UsageError(
            f"{runs[0].benchmark.name} has no metric {', '.join(unknown)}; "
            f"{did_you_mean(unknown[0], known)}it has {', '.join(known)}"
        )
    sides = _sides_of_runs(runs, votes.labels)
    return [
        _figure_agreement(sides, votes, runs[0].benchmark.scoring.metric(name))
        for name in figures or [runs[0].setup.headline]
    ]


@dataclass(frozen=True, slots=True)
class Side:
    """One run by what people judged: all that it has, and the rows of what was scored."""

    items: frozenset[str]
    rows: list[Row]


def _sides_of_runs(runs: Sequence[ComparedRun], labels: Labels) -> list[Side]:
    whole = names_whole_clusters(runs, labels)
    return [
        Side(
            frozenset(item.sample.cluster if whole else item.sample.id for item in run.graded),
            _rows_by_item(run, whole=whole),
        )
        for run in runs
    ]


def _figure_agreement(sides: Sequence[Side], votes: Votes, metric: Metric) -> FigureAgreement:
    first, second = sides
    differences = metric_differences(metric, first.rows, second.rows)
    return FigureAgreement(
        figure_preference(metric.name, differences, votes.labels), count_votes(sides, votes, differences)
    )


def count_votes(sides: Sequence[Side], votes: Votes, differences: Mapping[str, float]) -> VoteCounts:
    """Each vote by what became of it: no such sample in both runs, not scored in one, figure undefined, counted."""
    answered = frozenset.intersection(*(side.items for side in sides))
    scored = set.intersection(*({row.cluster for row in side.rows} for side in sides))
    items = [(item, label) for given in votes.labels.values() for item, label in given.items()]
    counted = [(item, label) for item, label in items if item in differences]
    return VoteCounts(
        lines=votes.lines,
        other_dimension=votes.other_dimension,
        replaced=votes.replaced,
        no_sample=sum(item not in answered for item, _ in items),
        unscored=sum(item in answered and item not in scored for item, _ in items),
        undefined=sum(item in scored and item not in differences for item, _ in items),
        counted=len(counted),
        ties=sum(label == 0 for _, label in counted),
        figure_ties=sum(differences[item] == 0 for item in {item for item, _ in counted}),
    )


def names_whole_clusters(runs: Sequence[ComparedRun], labels: Labels) -> bool:
    """Whether people judged whole dialogues rather than single samples; labels that name neither are refused."""
    items = {item for votes in labels.values() for item in votes}
    if items & {item.sample.cluster for run in runs for item in run.graded}:
        return True
    samples = [item.sample.id for run in runs for item in run.graded]
    if not items.intersection(samples):
        like = f"samples are like {samples[0]!r}" if samples else "the runs have no samples"
        raise DataError(f"no label names a sample of {runs[0].folder}; labels name {min(items)!r}, {like}")
    return False


def _rows_by_item(run: ComparedRun, *, whole: bool) -> list[Row]:
    rows = rows_of(run.graded)
    return rows if whole else [replace(row, cluster=row.score.sample) for row in rows]


def agreement_table(found: Sequence[FigureAgreement]) -> Table:
    """Table 6: metric against people, and people against each other."""
    rows = tuple(
        (
            item.figure, item.items, item.annotators, item.metric_human, item.human_human,
            item.same_side, item.human_same_side, item.cohen, item.fleiss,
        )
        for item in (figure.preference for figure in found)
    )  # fmt: skip
    columns = (
        "metric", "items", "annotators", "metric-human r", "human-human r",
        "same side", "humans same side", "Cohen's kappa", "Fleiss' kappa",
    )  # fmt: skip
    note = (
        "r is Pearson's over items; human-human values are means over pairs of annotators; "
        "a tie is a side of its own"
    )
    return Table("agreement with people", columns, rows, note)


def vote_table(found: Sequence[FigureAgreement]) -> Table:
    """How many votes each metric is based on, and why the others were left out."""
    rows = tuple(
        (
            item.preference.figure, item.votes.lines, item.votes.counted, item.votes.no_sample, item.votes.unscored,
            item.votes.undefined, item.votes.other_dimension, item.votes.replaced, item.votes.ties,
            item.votes.figure_ties,
        )
        for item in found
    )  # fmt: skip
    columns = (
        "metric", "votes", "counted", "no such sample", "unscored", "metric undefined", "other dimension",
        "voted again", "ties", "metric ties",
    )  # fmt: skip
    worst = max(figure.votes.left_out for figure in found)
    said = f"{worst} votes are left out" if worst else "no vote is left out"
    note = (
        f"{said}; ties are among the counted: votes of 0, and items on which the metric prefers neither run; "
        "voted again: an earlier vote of the same person on the same item"
    )
    return Table("what became of the votes", columns, rows, note)


def agreement_json(found: Sequence[FigureAgreement]) -> list[JsonValue]:
    """The figures as plain JSON, with how the votes count."""
    return [
        {
            **{name: getattr(figure.preference, name) for name in figure.preference.__slots__},
            "votes": {name: getattr(figure.votes, name) for name in figure.votes.__slots__},
        }
        for figure in found
    ]
