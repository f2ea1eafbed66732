"""Files that users bring, read in one way: UTF-8 with or without a byte order mark, every mistake named.

`wanted` ends every message: what the file should have held.
"""

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_size import LARGEST_TEXT, reason_too_large

Text = TypeVar("Text", bytes, str)


def read_text(path: Path, wanted: str, most: int = LARGEST_TEXT) -> str:
    """The whole text of a file; one of more bytes than `most` is refused."""
    content = bytearray()
    for line in _byte_lines(path, wanted, most):
        content += line
        if len(content) > most:
            raise DataError(f"{path} is too large to be read at once (more than {most:,} bytes); {wanted}")
    return decode_utf8(bytes(content), str(path), wanted)


def read_json(path: Path, wanted: str) -> JsonValue:
    """The one JSON value of a file."""
    return json_value(read_text(path, wanted), str(path), wanted)


def lines_of(path: Path, wanted: str) -> Iterator[tuple[str, bytes]]:
    """The lines of a file that are not blank, one at a time, each with where it stands.

    Only a line feed ends a line: JSON texts may hold the other separators that `str.splitlines` knows.
    """
    for number, line in enumerate(_byte_lines(path, wanted), 1):
        if line.strip():
            where = f"{path} line {number}"
            yield where, _refuse_large(line, where, wanted)


def json_lines(path: Path, wanted: str) -> Iterator[tuple[str, JsonValue]]:
    """The JSON values of a file with one on each line, each with where it stands."""
    for where, line in lines_of(path, wanted):
        yield where, json_value(decode_utf8(line, where, wanted), where, wanted)


def json_value(text: str, where: str, wanted: str) -> JsonValue:
    """The value of a JSON text; the standard parser, since others refuse NaN and lone surrogates."""
    try:
        found: JsonValue = json.loads(_refuse_large(text, where, wanted))
        return found
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where} is not JSON ({error}); {wanted}") from error


def _refuse_large(text: Text, where: str, wanted: str) -> Text:
    """The text, unless its value would fill the memory."""
    why = reason_too_large(text)
    if why:
        raise DataError(f"{where} is too large to be read at once ({why}); {wanted}")
    return text


def decode_utf8(content: bytes, where: str, wanted: str) -> str:
    """The text of bytes in UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{where} cannot be read as UTF-8 text ({error}); {wanted}") from error


def _byte_lines(path: Path, wanted: str, most: int = LARGEST_TEXT) -> Iterator[bytes]:
    """The lines of a file as they are, less a byte order mark at the start; one without an end is cut."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise DataError(f"{path} is a pipe or a device; write what it gives to a file first; {wanted}")
    try:
        with path.open("rb") as file:
            yield file.readline(most + 1).removeprefix(codecs.BOM_UTF8)
            while line := file.readline(most + 1):
                yield line
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); {wanted}") from error
