"""Chosen rows of a data set, written in its own file form so that the benchmark loads them again."""

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import DataError
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import JsonValue, Options
from toolyard.lines import write_whole
from toolyard.review.review_rows import ReviewEntry, RowFile, entries_of_samples, key_field, read_rows

Row = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ReviewSource:
    """A data set on disk: its path, and every row of it that makes a sample."""

    path: Path
    entries: tuple[ReviewEntry, ...]


def write_rows(
    source: ReviewSource, entries: Sequence[ReviewEntry], corrected: Mapping[str, Row], out: Path
) -> Path:
    """Writes these entries in file order, with corrections; returns the path to load.

    Rows that nobody corrected keep their very bytes in a `.jsonl`. Files beside them go along, less the
    lines on rows that were left out; files with rows of the same kind, which nobody reviewed, do not.
    """
    root = source.path if source.path.is_dir() else source.path.parent
    by_file = group_items(entries, lambda entry: entry.file)
    for file, members in by_file.items():
        _write_file(
            file, sorted(members, key=lambda each: each.position), corrected, out / file.relative_to(root)
        )
    _copy_others(source, entries, out)
    return out if source.path.is_dir() else out / source.path.name


def _write_file(
    file: Path, entries: Sequence[ReviewEntry], corrected: Mapping[str, Row], target: Path
) -> None:
    original = read_rows(file)
    if original is None:
        raise DataError(f"{file} has changed since the review began; put the old file back")
    target.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".json":
        rows = [corrected.get(entry.id, entry.row) for entry in entries]
        write_whole(target, f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n".encode())
        return
    lines = [
        json.dumps(corrected[entry.id], ensure_ascii=False)
        if entry.id in corrected
        else original.lines[entry.position]
        for entry in entries
    ]
    write_whole(target, "".join(line.rstrip("\r") + "\n" for line in lines).encode())


def _copy_others(source: ReviewSource, entries: Sequence[ReviewEntry], out: Path) -> None:
    whole = source.path.is_dir()
    root = source.path if whole else source.path.parent
    reviewed = {entry.file for entry in source.entries}
    shapes = {frozenset(entry.row) for entry in source.entries}
    key = key_field(entries[0])
    kept = {str(entry.row[key]) for entry in entries if key in entry.row} if key else set()
    for file in sorted(root.rglob("*") if whole else root.glob("*.json*")):
        if not file.is_file() or file in reviewed or out in file.parents:
            continue
        rows = read_rows(file) if file.suffix in (".json", ".jsonl") else None
        if rows is not None and frozenset(rows.rows[0]) in shapes:
            continue
        target = out / file.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        if rows is None or not rows.lines or key is None or key not in rows.rows[0]:
            shutil.copyfile(file, target)
        else:
            write_whole(target, "".join(_kept_lines(rows, key, kept)).encode())


def _kept_lines(file: RowFile, key: str, kept: set[str]) -> list[str]:
    return [
        line.rstrip("\r") + "\n"
        for line, row in zip(file.lines, file.rows, strict=True)
        if key not in row or str(row[key]) in kept
    ]


def try_row(
    benchmark: Benchmark,
    options: Options,
    source: ReviewSource,
    neighbours: Sequence[ReviewEntry],
    entry: ReviewEntry,
    row: Row,
) -> ReviewEntry:
    """The corrected row as the benchmark reads and audits it; raises DataError where it cannot.

    `neighbours` are the rows of the same cluster, itself included: a turn has no meaning without them.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = write_rows(source, neighbours, {entry.id: row}, Path(folder).resolve())
        try:
            samples = benchmark.data.load(path, options)
            findings = benchmark.data.audit(path, samples) if benchmark.data.audit else ()
            read = entries_of_samples(path, samples, findings)
        except DataError as error:
            # The copy's place means nothing to the person who edits.
            raise DataError(str(error).replace(f"{folder}/", "").replace(folder, "the row")) from None
    before = sum(each.file == entry.file and each.position < entry.position for each in neighbours)
    for found in read:
        if found.file.name == entry.file.name and found.position == before:
            return found
    raise DataError("the benchmark makes no sample of this row any more; undo the last change")
