"""Rows written by hand, as `written/*.toml` and, for the hard set, `hard/*.toml` hold them.

    [[row]]
    field = "Wine/Pairing"
    goal = "serve the right bottle with salmon"
    query = "Salmon on Saturday. Which wine suits it best, and what is that kind of wine like?"
    calls = [["wine_pairing", {food = "salmon"}], ["wine_description", {wine = "$1.pairedWine"}]]
    says = {}
    accepts = [[1, {maxPrice = 50}]]
    readings = [[2, {wine = "salmon wine"}]]

`says` names the words of the query that give a value which it does not spell out, by value or by parameter. `accepts`
lists arguments that are right as well, by call, counted from 1 (`toolyard.synth.goals.accepts`). `readings` lists
arguments that return something else but follow the request as well, where it can be read in two ways.
"""

import functools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from toolyard.core.errors import DataError
from toolyard.core.types import Record
from toolyard.synth.chains.chain import PlannedStep
from toolyard.synth.goals.goal_plans import plan

FOLDER = Path(str(files(__package__))) / "written"
HARD_FOLDER = FOLDER.parent / "hard"
_WANTED = {"field": str, "goal": str, "query": str, "calls": list}


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """One row: where it stands, what it is about, why, the request and the calls that it asks for."""

    place: str
    field: str
    goal: str
    query: str
    plan: tuple[PlannedStep, ...]
    says: Mapping[str, str]
    accepts: Sequence[tuple[int, Record]] = ()
    readings: Sequence[tuple[int, Record]] = ()


@functools.cache
def written_rows(folder: Path = FOLDER) -> tuple[WrittenRow, ...]:
    """All rows of a folder, in the order of the files and of the rows in them."""
    return tuple(row for path in sorted(folder.glob("*.toml")) for row in _read_rows(path))


def _read_rows(path: Path) -> Iterator[WrittenRow]:
    try:
        entries = tomllib.loads(path.read_text("utf-8"))["row"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise DataError(f"{path.name} cannot be read ({error}); wanted [[row]] tables") from None
    for number, entry in enumerate(entries, 1):
        yield _read_row(entry, f"{path.stem}-{number:03}")


def _read_row(entry: Record, place: str) -> WrittenRow:
    for name, kind in _WANTED.items():
        if not isinstance(entry.get(name), kind):
            raise DataError(f"{place}: {name} is missing or no {kind.__name__}; correct that row")
    steps = plan(entry["calls"], place)
    words = (entry["field"], entry["goal"], entry["query"])
    accepts, readings = (
        tuple((number - 1, changed) for number, changed in entry.get(name, ()))
        for name in ("accepts", "readings")
    )
    return WrittenRow(place, *words, steps, entry.get("says", {}), accepts, readings)
