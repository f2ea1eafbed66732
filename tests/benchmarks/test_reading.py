"""Files that users bring: a byte order mark is no content, only line feeds end lines, mistakes are named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.benchmarks.user_files import json_lines, lines_of, read_json, read_text
from toolyard.core.errors import DataError


def written(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "given.jsonl"
    path.write_bytes(content)
    return path


@given(text=st.text(st.characters(exclude_categories=["Cs"])), marked=st.booleans())
def test_a_file_holds_its_text_with_or_without_a_mark(
    tmp_path_factory: pytest.TempPathFactory, text: str, marked: bool
) -> None:
    text = text.lstrip("\ufeff")
    path = written(tmp_path_factory.mktemp("text"), text.encode("utf-8-sig" if marked else "utf-8"))
    assert read_text(path, "wanted text") == text


def test_a_mark_before_the_first_line_is_passed_over(tmp_path: Path) -> None:
    path = written(tmp_path, b'\xef\xbb\xbf{"a": 1}\r\n\n{"a": 2}')
    rows = list(json_lines(path, "wanted rows"))
    assert rows == [(f"{path} line 1", {"a": 1}), (f"{path} line 3", {"a": 2})]
    assert read_json(written(tmp_path, b'\xef\xbb\xbf{"a": 1}'), "wanted rows") == {"a": 1}


def test_marks_inside_a_line_are_content_and_blank_lines_hold_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, '"a\ufeff"\n"\ufeffb"'.encode())
    assert [row for _, row in json_lines(path, "wanted rows")] == ["a\ufeff", "\ufeffb"]
    path = written(tmp_path, '"a\u2028b\x85c"\n'.encode())
    assert [row for _, row in json_lines(path, "wanted rows")] == ["a\u2028b\x85c"]
    assert list(lines_of(written(tmp_path, b"\xef\xbb\xbf"), "wanted rows")) == []
    assert list(lines_of(written(tmp_path, b"\n \r\n"), "wanted rows")) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'1\n{"a": ', r"line 2 is not JSON .*; wanted rows"),
        (b"1\n\xff\n", r"line 2 cannot be read as UTF-8 text .*; wanted rows"),
        (b"[" * 100_000, r"line 1 is not JSON .*; wanted rows"),
    ],
)
def test_the_line_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(DataError, match=said):
        list(json_lines(written(tmp_path, content), "wanted rows"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.json cannot be read \(No such file"):
        read_json(tmp_path / "none.json", "wanted rows")
