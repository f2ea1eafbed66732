"""Errata of official data: rows whose gold is wrong, ambiguous or cannot be reached, and what is right beside it.

    {"id": "843", "digest": "1f0c...", "reason": "gold contradicts the query",
     "alternatives": [{"call": 0, "parameter": "era", "said": [20, 2]}]}

`digest` is that of what the row asks, so that errata meet no other row of the same id; `said` are words of it, by place
and number, so that no official text stands here. `--errata yes` adds them to the row's `alternatives`: `paper` and
`outcome` take them, `official` never does.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from toolyard.benchmarks.alternatives import FIELD, read_alternatives
from toolyard.core.benchmark import Choice
from toolyard.core.errors import DataError
from toolyard.core.types import AnySample, JsonValue, Options, Record

FILE = "errata.jsonl"
DIGEST = 12
SampleType = TypeVar("SampleType", bound=AnySample)
_AROUND = ".,;:!?\"'()"
CHOICE = Choice("errata", "Official data: accept also what the errata say is right.", "no", ("yes", "no"))


@dataclass(frozen=True, slots=True)
class Erratum:
    """One row of the errata."""

    id: str
    digest: str
    reason: str
    alternatives: tuple[Record, ...]


def row_digest(asked: str) -> str:
    """What an erratum knows its row by."""
    return hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]


def read_errata(folder: Path) -> tuple[Erratum, ...]:
    """The errata that a benchmark's folder holds."""
    lines = (folder / FILE).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return tuple(Erratum(row["id"], row["digest"], row["reason"], tuple(row["alternatives"])) for row in rows)


def apply_errata(
    samples: tuple[SampleType, ...], options: Options, folder: Path, asked: Callable[[SampleType], str]
) -> tuple[SampleType, ...]:
    """The samples with what the errata accept, where the options want them."""
    if options.values.get(CHOICE.name) != "yes":
        return samples
    known = {(each.id, each.digest): each for each in read_errata(folder)}
    corrected = tuple(
        _apply_erratum(sample, known.get((sample.id, row_digest(asked(sample)))), asked) for sample in samples
    )
    if all(new is old for new, old in zip(corrected, samples, strict=True)):
        raise DataError("no erratum is about these rows; --errata yes is for the official data")
    return corrected


def _apply_erratum(
    sample: SampleType, erratum: Erratum | None, asked: Callable[[SampleType], str]
) -> SampleType:
    if erratum is None:
        return sample
    entries = [_insert_quoted_words(entry, asked(sample).split()) for entry in erratum.alternatives]
    gold = {**sample.gold, FIELD: [*sample.gold.get(FIELD, []), *entries]}
    read_alternatives(gold[FIELD], len(gold["calls"]), f"erratum {erratum.id}")
    return replace(sample, gold=gold)


def _insert_quoted_words(entry: Record, words: list[str]) -> dict[str, JsonValue]:
    """The entry with the words of the row in place of their number."""
    rest = {key: value for key, value in entry.items() if key != "said"}
    if "said" not in entry:
        return rest
    first, count = entry["said"]
    return {**rest, "values": [" ".join(words[first : first + count]).strip(_AROUND)]}
