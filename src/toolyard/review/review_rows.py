"""The rows of a data set as they stand in its files, each with its samples and the findings on it.

Benchmarks do not say which line a sample comes from. A sample's prompt is made of texts of its row, so the
row is found by them; rows with the same texts are told apart by order, which loading keeps.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.core.benchmark import Finding
from toolyard.core.errors import DataError
from toolyard.core.nesting import texts_in
from toolyard.core.types import JsonValue, Sample
from toolyard.lines import whole_text

ROW_SUFFIXES = (".jsonl", ".json")


@dataclass(frozen=True, slots=True)
class RowFile:
    """A file of JSON objects: one per line (`.jsonl`) or one array (`.json`)."""

    path: Path
    rows: tuple[Mapping[str, JsonValue], ...]
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewEntry:
    """One row to be reviewed: where it stands, what it is, and what the benchmark's own audit says of it."""

    id: str
    file: Path
    position: int
    row: Mapping[str, JsonValue]
    samples: tuple[Sample, ...]
    findings: tuple[Finding, ...] = field(default=())


def row_files(path: Path) -> tuple[RowFile, ...]:
    """Every file of rows: the one given, or all below the folder, sorted by name."""
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    found = (read_rows(file) for file in files if file.suffix in ROW_SUFFIXES and file.is_file())
    return tuple(file for file in found if file is not None)


def read_rows(path: Path) -> RowFile | None:
    """The rows of a file, or None where it holds something else."""
    try:
        text = whole_text(path, "give a part of it")
        if path.suffix == ".json":
            rows = json.loads(text)
            return RowFile(path, tuple(rows)) if _are_row_objects(rows) else None
        lines = tuple(line for line in text.split("\n") if line.strip())
        rows = [json.loads(line) for line in lines]
    except (DataError, ValueError, RecursionError):
        return None
    return RowFile(path, tuple(rows), lines) if _are_row_objects(rows) else None


def _are_row_objects(rows: JsonValue) -> bool:
    return isinstance(rows, list) and bool(rows) and all(isinstance(row, dict) for row in rows)


def entries_of_samples(
    path: Path, samples: Sequence[Sample], findings: Sequence[Finding]
) -> tuple[ReviewEntry, ...]:
    """The rows that the samples come from, in the order of the samples."""
    places: dict[tuple[Path, int], list[Sample]] = defaultdict(list)
    files = {file.path: file for file in row_files(path)}
    for file, linked in _source_files(path, tuple(files.values()), samples).items():
        for sample_index, position in linked.items():
            places[(file, position)].append(samples[sample_index])
    order = {sample.id: number for number, sample in enumerate(samples)}
    entries = [
        ReviewEntry(_name_of_row(members), file, position, files[file].rows[position], tuple(members))
        for (file, position), members in places.items()
    ]
    entries.sort(key=lambda entry: order[entry.samples[0].id])
    return _add_findings(entries, findings)


def _name_of_row(samples: Sequence[Sample]) -> str:
    """The sample's id, or the name that all samples of the row share."""
    clusters = {sample.cluster for sample in samples}
    return clusters.pop() if len(samples) > 1 and len(clusters) == 1 else samples[0].id


def _source_files(
    path: Path, files: Sequence[RowFile], samples: Sequence[Sample]
) -> dict[Path, dict[int, int]]:
    """The row of each sample, by file; a sample belongs to the file that holds its longest text."""
    indexes = {file.path: _index_file(file) for file in files}
    members: dict[Path, dict[int, list[int]]] = {file.path: {} for file in files}
    for number, sample in enumerate(samples):
        owner = _file_of_sample(sample, indexes, path)
        members[owner][number] = _rows_with_sample(sample, indexes[owner])
    return {file.path: _match_in_order(members[file.path], len(file.rows)) for file in files}


def _index_file(file: RowFile) -> dict[str, list[int]]:
    index: dict[str, list[int]] = defaultdict(list)
    for position, row in enumerate(file.rows):
        for text in set(texts_in(list(row.values()))):
            index[text].append(position)
    return index


def _file_of_sample(sample: Sample, indexes: Mapping[Path, Mapping[str, list[int]]], path: Path) -> Path:
    lengths = {
        file: max((len(text) for text in _prompt_texts(sample) if text in index), default=0)
        for file, index in indexes.items()
    }
    longest = max(lengths.values(), default=0)
    if not longest:
        raise DataError(
            f"{path}: no row of a .jsonl or .json file holds the text of sample {sample.id}; "
            "review needs the data in the benchmark's own file form"
        )
    owners = [file for file, length in lengths.items() if length == longest]
    if len(owners) > 1:
        # Files beside the data have rows of the same id; the row itself has the sample's words.
        quotes = {file: _longest_quote(sample, indexes[file]) for file in owners}
        owners = [file for file in owners if quotes[file] == max(quotes.values())]
    if len(owners) > 1:
        raise DataError(
            f"sample {sample.id} stands in {owners[0]} and in {owners[1]}; give the one file to be reviewed"
        )
    return owners[0]


def _longest_quote(sample: Sample, index: Mapping[str, list[int]]) -> int:
    """Characters of the longest text in a row of the sample's id that holds one of the sample's."""
    words = [text for text in _prompt_texts(sample) if " " in text]
    place = index.get(sample.id, [-1])[0]
    found = (
        len(text) for text, rows in index.items() if place in rows and any(part in text for part in words)
    )
    return max(found, default=0)


def _match_in_order(fitting: Mapping[int, list[int]], rows: int) -> dict[int, int]:
    """The first matching row after the last one; rows with equal texts are taken in order."""
    # With as many samples as rows each row has one; otherwise neighbours may share a row.
    step = 1 if len(fitting) == rows else 0
    linked: dict[int, int] = {}
    last = -step
    for number, fits in fitting.items():
        last = next((position for position in fits if position >= last + step), fits[0])
        linked[number] = last
    return linked


def _rows_with_sample(sample: Sample, index: Mapping[str, list[int]]) -> list[int]:
    """The rows that hold the sample's longest text, narrowed down by its others."""
    known = sorted((text for text in _prompt_texts(sample) if text in index), key=len, reverse=True)
    fits = index[known[0]]
    for text in known[1:]:
        narrower = set(index[text])
        fits = [position for position in fits if position in narrower] or fits
    return fits


def _prompt_texts(sample: Sample) -> Iterator[str]:
    """What the row may hold of the sample: its texts, or its id where texts are put together from several files."""
    yield from (value for value in sample.input.values() if isinstance(value, str) and len(value) > 1)
    yield sample.id


def _add_findings(entries: Sequence[ReviewEntry], findings: Sequence[Finding]) -> tuple[ReviewEntry, ...]:
    by_first_words: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        words = finding.where.split(" ")
        for count in (1, 2):
            if count <= len(words):
                by_first_words[" ".join(words[:count])].append(finding)
    return tuple(
        ReviewEntry(
            entry.id,
            entry.file,
            entry.position,
            entry.row,
            entry.samples,
            _findings_of_entry(entry, by_first_words),
        )
        for entry in entries
    )


def _findings_of_entry(
    entry: ReviewEntry, by_first_words: Mapping[str, list[Finding]]
) -> tuple[Finding, ...]:
    found = {id(finding): finding for name in row_names(entry) for finding in by_first_words.get(name, ())}
    return tuple(found.values())


def row_names(entry: ReviewEntry) -> tuple[str, ...]:
    """What a finding may call the row: its sample's id, its samples' cluster, or `field value` of its key."""
    names = {entry.id: None, **{sample.id: None for sample in entry.samples}}
    field_name = key_field(entry)
    if field_name is not None:
        names[f"{field_name} {entry.row[field_name]}"] = None
    return tuple(names)


def key_field(entry: ReviewEntry) -> str | None:
    """The field that names the row: the sample's id, or its last part, stands there."""
    wanted = {entry.id, entry.id.rsplit("/", 1)[-1], entry.id.split("#", 1)[0]}
    for name, value in entry.row.items():
        if isinstance(value, int | str) and not isinstance(value, bool) and str(value) in wanted:
            return name
    return None


def row_text(row: Mapping[str, JsonValue]) -> str:
    """The row as text that a person can edit; written here, since a browser would turn 28.0 into 28."""
    return json.dumps(row, ensure_ascii=False, indent=2)
