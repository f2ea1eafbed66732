"""Corpus files read one entry at a time, out of folders and zip files, with errors that name the place."""

import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool, Item, Skipped
from toolyard.core.errors import DataError
from toolyard.core.untrusted.unpacking import DAMAGED, read_zip_member
from toolyard.text.json_values import map_texts

_SPACE = re.compile(r"[ \t\r\n]*")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_DECODER = json.JSONDecoder(strict=False)
# What reading a row of another form than that of its corpus raises.
_OTHER_FORM = (KeyError, TypeError, ValueError, AttributeError, IndexError)


@dataclass(frozen=True, slots=True)
class CorpusEntry:
    """One entry of a file: its key in an object, or its number in a list or a file of lines (from 0)."""

    key: str
    value: Any
    where: str


def read_text(path: Path, member: str = "") -> str:
    """The text of a file, or of one file in a zip file, see `decode`."""
    try:
        if path.suffix == ".zip":
            with open_zip(path) as archive:
                return read_member(archive, member)
        return decode_text(path.read_bytes())
    except OSError as error:
        raise DataError(
            f"{path} cannot be read ({error.strerror}); check the folder of the corpus"
        ) from error


def read_member(archive: zipfile.ZipFile, name: str) -> str:
    """The text of one file in an archive; nothing is unpacked to disk."""
    try:
        return decode_text(read_zip_member(archive, name))
    except DataError as error:
        raise DataError(f"{error}; fetch it again") from None


def open_zip(path: Path) -> zipfile.ZipFile:
    """An archive for reading."""
    try:
        return zipfile.ZipFile(path)
    except (*DAMAGED, OSError) as error:
        raise DataError(f"{path} is not a zip file ({error}); fetch it again") from error


def decode_text(content: bytes) -> str:
    """UTF-8, with halves of characters written apart put together; latin-1 where it is not UTF-8 at all.

    SNIPS's PlayMusic file is UTF-8 but for one emoji stored as two halves: as latin-1 all its accents would break.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return join_surrogates(content.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return content.decode("latin-1")


def join_surrogates(text: str) -> str:
    """The text with pairs of surrogates as one character and single ones replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def json_entries(text: str, where: str) -> Iterator[CorpusEntry]:
    """The entries of one JSON list or object, parsed one by one: only the text is held whole."""
    position, number = _skip_blanks(text, 0), 0
    closing = {"[": "]", "{": "}"}.get(text[position : position + 1])
    if closing is None:
        raise DataError(f"{where} starts with {text[:20]!r}; wanted a JSON list or object")
    position = _skip_blanks(text, position + 1)
    while text[position : position + 1] != closing:
        place, key = f"{where} entry {number}", str(number)
        if number:
            position = _expect_mark(text, position, ",", place)
        if closing == "}":
            key, position = _read_value(text, position, place)
            position = _expect_mark(text, position, ":", place)
        value, position = _read_value(text, position, place)
        yield CorpusEntry(key, value, place)
        number, position = number + 1, _skip_blanks(text, position)


def entries_in_file(path: Path, where: str = "", member: str = "") -> Iterator[CorpusEntry]:
    """The entries of a file, or of one file in a zip file, that is one JSON list or object."""
    return json_entries(read_text(path, member), where or str(path))


def json_lines(text: str, where: str) -> Iterator[CorpusEntry]:
    """The entries of a file with one JSON value per line."""
    for number, line in enumerate(text.split("\n")):
        if line.strip():
            place = f"{where} line {number + 1}"
            yield CorpusEntry(str(number), json_value(line, place), place)


def json_value(text: str, where: str) -> object:
    """One whole JSON document."""
    value, end = _read_value(text, _skip_blanks(text, 0), where)
    if _skip_blanks(text, end) != len(text):
        raise DataError(f"{where} goes on after its JSON value; wanted one value")
    return value


def convert_entries(
    entries: Iterable[CorpusEntry], convert: Callable[[CorpusEntry], Iterable[Item]]
) -> Iterator[Item]:
    """What a loader makes of every entry; one without the form of its corpus is skipped, with what it lacks."""
    for entry in entries:
        try:
            made = list(convert(entry))
        except _OTHER_FORM as error:
            made = [Skipped("not_the_row_form", f"{entry.where}: {error!r}")]
        yield from made


def tools_of_entries(
    entries: Iterable[CorpusEntry],
    convert: Callable[[CorpusEntry], Iterable[CorpusTool]],
    wanted: str,
    advice: str,
) -> Iterator[CorpusTool]:
    """The tools that the entries document; one that is not what was wanted stops everything, by file and place."""
    for entry in entries:
        try:
            made = list(convert(entry))
        except _OTHER_FORM as error:
            raise DataError(f"{entry.where} is no {wanted} ({error!r}); {advice}") from error
        yield from made


def _skip_blanks(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _expect_mark(text: str, position: int, wanted: str, where: str) -> int:
    position = _skip_blanks(text, position)
    if text[position : position + 1] != wanted:
        found = text[position : position + 1] or "its end"
        line = text.count("\n", 0, position) + 1
        raise DataError(f"{where} (line {line}) has {found!r} where {wanted!r} was wanted; fetch it again")
    return _skip_blanks(text, position + 1)


def _read_value(text: str, position: int, where: str) -> tuple[Any, int]:
    """The value that starts here and where it ends."""
    try:
        value, end = _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        raise DataError(
            f"{where} is not JSON ({error.msg} at {line}column {error.colno}); fetch it again"
        ) from error
    except (RecursionError, ValueError) as error:
        raise DataError(f"{where} is JSON that cannot be held ({error}); fetch it again") from error
    mend = _ESCAPED_SURROGATE.search(text, position, end) is not None
    return (map_texts(value, join_surrogates, join_surrogates) if mend else value), end
