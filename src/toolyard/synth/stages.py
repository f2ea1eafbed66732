"""What a pipeline is made of: rows, stages, and what becomes of a row.

    DRAFT = Each("check", 1, needs=("code",), gives=("calls",), work=check)

    def check(row: Row, context: Context) -> Outcome:
        calls = parse(row["code"])
        return Kept({"calls": calls}) if calls else Rejected("no_calls")

A row is a JSON object with a unique `id`. A stage sees only `id` and the fields it needs, and may set only
`id` and the fields it gives; everything else passes through. A stage's outcome for a row must depend on nothing
but those fields, the context's seed, and the options that it names: that is what makes runs resumable.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.core.benchmark import Choice, Table
from toolyard.core.types import Decoding, Message, Record
from toolyard.text.parsing import excerpt, strip_thinking

Row: TypeAlias = Record


@dataclass(frozen=True, slots=True)
class Kept:
    """The fields a stage gives to a row; `repairs` names what had to be put right, counted apart."""

    fields: Record = field(default_factory=dict)
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why a row ends here; `reason` is a stable label of the funnel. `row` is for whole-set stages to fill."""

    reason: str
    detail: str = ""
    row: str = ""


def read_spoken(reply: str, most: int, empty: str) -> str | Rejected:
    """The reply without thoughts; rejected where it is `empty` or has more than so many characters."""
    spoken = strip_thinking(reply)
    if spoken is None:
        return Rejected("thinking_not_closed", excerpt(reply))
    if not spoken.strip():
        return Rejected(empty)
    if len(spoken) > most:
        return Rejected("too_long", f"{len(spoken)} characters")
    return spoken


# Several Kept make several rows; their fields must then set `id`.
Outcome: TypeAlias = Kept | Rejected | Sequence[Kept]


@dataclass(frozen=True, slots=True)
class Context:
    """What a pipeline was asked for: recorded (seed, rows, options), and where it works (never recorded)."""

    seed: int = 0
    rows: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    embedder: str = "minilm"
    folders: Mapping[str, Path] = field(default_factory=dict)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the texts; the weights are loaded when first asked for."""
        from toolyard.models.embed.embedding import load_embedder

        return load_embedder(self.embedder)(texts)


class Rows(Protocol):
    """Rows that can be read any number of times, one at a time."""

    def __iter__(self) -> Iterator[Row]: ...

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class RowSource:
    """The first stage: where rows come from. Files that it reads are part of what makes it run again."""

    name: str
    version: int
    gives: tuple[str, ...]
    work: Callable[[Context], Iterable[Row | Rejected]]
    options: tuple[str, ...] = ()
    files: Callable[[Context], Iterable[Path]] | None = None


@dataclass(frozen=True, slots=True)
class Each:
    """A function of one row, run in any process and any order. Rows it does not apply to pass as they are."""

    name: str
    version: int
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    work: Callable[[Row, Context], Outcome]
    options: tuple[str, ...] = ()
    applies: Callable[[Row], bool] | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to the model per row. A text that is not accepted is asked for again, `attempts` times at most."""

    name: str
    version: int
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    prompt: Callable[[Row, Context], tuple[Message, ...]]
    accept: Callable[[Row, str, Context], Outcome]
    decoding: Decoding = Decoding()
    attempts: int = 1
    options: tuple[str, ...] = ()
    applies: Callable[[Row], bool] | None = None
    # who is asked where two models share the work
    role: Literal["writer", "checker"] = "writer"


@dataclass(frozen=True, slots=True)
class Whole:
    """A function of all rows at once (choice, comparison, composition): gives whole rows, in its own order."""

    name: str
    version: int
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    work: Callable[[Rows, Context], Iterable[Row | Rejected]]
    options: tuple[str, ...] = ()


Stage: TypeAlias = RowSource | Each | Ask | Whole


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the content of a data set comes from, for its card; licences by source."""

    text: str
    licences: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Stages in order, and how the rows that are left become the files of a benchmark.

    `write` puts the data files into an empty folder; `tables` are the statistics on the card.
    """

    name: str
    benchmark: str
    stages: tuple[Stage, ...]
    write: Callable[[Rows, Path, Context], None]
    provenance: Callable[[Context], Provenance]
    tables: Callable[[Rows, Context], tuple[Table, ...]]
    choices: tuple[Choice, ...] = ()
    # how many rows are made when nobody says; 0: as many as the source has
    rows: int = 0
    needs_sources: bool = False
    # whether calls are executed: every stage then depends on the world's version
    of_world: bool = False
    # tables made from the lines of the funnel (stage_log.StageCounts), such as the paper's rates beside one's own
    rates: Callable[[Sequence[Any]], tuple[Table, ...]] | None = None

    @property
    def asks(self) -> bool:
        """Whether a model is needed."""
        return any(isinstance(stage, Ask) for stage in self.stages)


def applies_to(stage: Each | Ask, row: Row) -> bool:
    """Whether the stage has anything to do with the row; others pass as they are."""
    return stage.applies is None or stage.applies(row)


def visible_row(stage: Each | Ask, row: Row) -> Row:
    """What the stage may see of a row; a field that is needed and absent is a fault of the pipeline."""
    return {"id": row["id"], **{name: row[name] for name in stage.needs}}


def rows_of_outcome(stage: Each | Ask, row: Row, outcome: Kept | Sequence[Kept]) -> list[Row]:
    """The rows that come out of a stage for one that went in."""
    parts = [outcome] if isinstance(outcome, Kept) else outcome
    if not parts:
        raise ValueError(f"stage {stage.name} made nothing of a row and gave no reason")
    for part in parts:
        undeclared = set(part.fields) - {"id", *stage.gives}
        if undeclared:
            raise ValueError(
                f"stage {stage.name} set {', '.join(sorted(undeclared))}, which it does not give"
            )
    return [{**row, **part.fields} for part in parts]
