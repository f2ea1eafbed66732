"""Every door holds against bad input: it reads, or refuses in one line; what once broke is replayed."""

import json
import lzma
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases import cases
from parser_targets import targets
from toolyard.core.errors import DataError, ToolyardError
from toolyard.models.scripted import read_recorded
from toolyard.run.store.run_directory import RunStore

CORPUS = Path(__file__).parent / "corpus"
FOUND = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.glob("*/*"))
DOORS = {re.sub(r"[ .]", "-", name): name for name in targets()}
BAD = {
    "nothing": b"",
    "only a byte order mark": b"\xef\xbb\xbf",
    "UTF-16": '{"id": "7"}'.encode("utf-16"),
    "no UTF-8": b'{"id": "\xff\xfe", "text": "\xed\xa0\x80"}\n',
    "NUL": b"\x00" * 40,
    "deep list": b"[" * 1200 + b"]" * 1200,
    "deep object": b'{"a":' * 1200 + b"1" + b"}" * 1200,
    "deep and open": b"[" * 5000,
    "NaN": b"NaN\n",
    "numbers out of range": b'{"id": 1e999, "trial": -Infinity, "label": NaN}\n',
    "digits": b'{"id": ' + b"9" * 5000 + b"}\n",
    "a long line": b'{"id": "' + b"a" * 300_000 + b'"}\n',
    "many lines": b"{}\n" * 2000,
    "the wrong type": b"[1, null, {}, \"x\"]\n",
    "a scalar": b"7\n",
    "half a line": b'{"id": "7", "tex',
    "twice the same key": b'{"id": 1, "id": 2, "id": []}\n',
    "a lone surrogate": b'{"id": "\\ud800", "response": "\\udfff"}\n',
    "line separators": '{"id": "a\u2028b\u0085c"}\r\n'.encode(),
}  # fmt: skip


def stands(name: str, data: bytes) -> None:
    """Passes where the door reads or refuses in one line; anything else that leaves it fails the test."""
    try:
        targets()[name].run(data)
    except ToolyardError as error:
        assert str(error)
        assert "\n" not in str(error)


@pytest.mark.parametrize("name", list(targets()))
def test_well_formed_input_is_read(name: str) -> None:
    for seed in targets()[name].seeds:
        targets()[name].run(seed)


@pytest.mark.parametrize("bad", list(BAD))
@pytest.mark.parametrize("name", list(targets()))
def test_bad_input_is_read_or_refused(name: str, bad: str) -> None:
    stands(name, BAD[bad])
    stands(name, targets()[name].seeds[0] + b"\n" + BAD[bad])


@pytest.mark.parametrize("path", FOUND)
def test_inputs_of_the_corpus_are_read(path: str) -> None:
    data = (CORPUS / path).read_bytes()
    stands(DOORS[path.split("/")[0]], lzma.decompress(data) if path.endswith(".xz") else data)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths to all values inside a JSON value."""
    keys: list[str | int] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    return [path, *(place for key in keys for place in places(value[key], (*path, key)))]  # type: ignore[index]


def put(value: object, path: tuple[str | int, ...], new: object) -> object:
    """The value with another one at a path."""
    if not path:
        return new
    first, *rest = path
    if isinstance(value, dict):
        return {key: put(item, tuple(rest), new) if key == first else item for key, item in value.items()}
    assert isinstance(value, list)
    return [put(item, tuple(rest), new) if key == first else item for key, item in enumerate(value)]


JSON_DOORS = [name for name in targets() if targets()[name].seeds[0].lstrip()[:1] in (b"{", b"[")]


@pytest.mark.parametrize("name", JSON_DOORS)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_value_at_any_place_is_read_or_refused(name: str, data: st.DataObject) -> None:
    seed = targets()[name].seeds[0]
    text = seed if name.startswith(("toolbehonest", "tooleyes official")) else seed.split(b"\n")[0]
    row = json.loads(text)
    changed = put(row, data.draw(st.sampled_from(places(row))), data.draw(JSON_VALUES))
    stands(name, json.dumps(changed).encode() + b"\n")


@pytest.mark.parametrize(
    ("line", "said"), cases(__file__, "a_damaged_transcript_is_named_with_its_line_and_field")
)
def test_a_damaged_transcript_is_named_with_its_line_and_field(
    tmp_path: Path, line: object, said: str
) -> None:
    good = {"sample": "7", "trial": 0, "messages": [], "completions": [], "notes": {}, "error": None}
    path = tmp_path / "transcripts.jsonl"
    path.write_text(f"{json.dumps(good)}\n{json.dumps(line)}\n")
    with pytest.raises(DataError, match=re.escape(f"{path}, {said}; remove that line and run again")):
        RunStore(tmp_path).transcripts()


def test_damaged_evidence_and_completions_are_named_with_line_and_field(tmp_path: Path) -> None:
    (tmp_path / "evidence.jsonl").write_text('{"sample": "7", "question": "q", "usage": {}, "trial": "x"}\n')
    with pytest.raises(DataError, match="line 1: trial: found str, wanted int"):
        RunStore(tmp_path).evidence()
    (tmp_path / "r.jsonl").write_text('{"sample": "7", "completions": 7}\n')
    with pytest.raises(DataError, match="line 1: completions is a int; wanted a list"):
        read_recorded(tmp_path / "r.jsonl")
