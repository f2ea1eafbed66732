"""Packed data that unpack to more than is allowed, or to nothing: one line, and no more than the limit is unpacked."""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
from pathlib import Path

import pytest

from toolyard.core.errors import DataError
from toolyard.core.unpacking import LARGEST_LINE, read_zip_member, unpack_xz
from toolyard.run import packs
from toolyard.run.packs import read_pack
from toolyard.train.rows import read_rows

MEGABYTE = b" " * 2**20
GOOD = b'{"id": "a", "source": "b", "messages": [{"role": "assistant", "content": "c"}]}\n'


def xz_bomb(size: int) -> bytes:
    """Many megabytes in a few kilobytes."""
    packer = lzma.LZMACompressor(preset=0)
    return b"".join([*(packer.compress(MEGABYTE) for _ in range(size // 2**20)), packer.flush()])


def test_the_limit_is_exact() -> None:
    packed = lzma.compress(b"a" * 1000)
    assert unpack_xz(packed, 1000) == b"a" * 1000
    with pytest.raises(DataError, match="more than 999 bytes"):
        unpack_xz(packed, 999)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nothing",
        lzma.compress(b"{}")[:-5],
        lzma.compress(b"null\n"),
        lzma.compress(b"[]\n5\n"),
        lzma.compress(b"{not json\n"),
        lzma.compress(b'{"form": 2}\n'),
        lzma.compress(b'{"form": 2, "manifest": [], "samples": 5}\n'),
        lzma.compress(b'{"form": 2, "manifest": {"identity": 5}, "samples": {}}\n'),
        lzma.compress(b'{"form": [2]}\n'),
        lzma.compress(
            b"x", format=lzma.FORMAT_XZ, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1_500_000_000}]
        ),
        xz_bomb(2**21),
    ],
    ids=range(12),
)
def test_a_pack_of_another_kind_is_refused(
    tmp_path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "LARGEST_PACK", 2**20)
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(data)
    with pytest.raises(DataError, match="cannot be read as packed answers"):
        read_pack(path)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl.xz", xz_bomb(LARGEST_LINE + 2**20)),
        ("a.jsonl.xz", lzma.compress(GOOD)[:-9]),
        ("a.jsonl.xz", b"nothing"),
        ("a.jsonl.gz", gzip.compress(MEGABYTE * (LARGEST_LINE // 2**20 + 1), 1)),
        ("a.jsonl.gz", gzip.compress(GOOD)[:-9]),
        ("a.jsonl.gz", b"nothing"),
        ("a.jsonl.gz", gzip.compress(GOOD)[:12] + b"\xff\xff\xff\xff"),
    ],
    ids=range(7),
)
def test_rows_of_another_kind_are_refused(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DataError, match="wanted one JSON object a line"):
        read_rows(path)


def zipped(content: bytes, kind: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", kind) as archive:
        archive.writestr("../a.json", content)
    return target.getvalue()


@pytest.mark.parametrize(
    "kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2]
)
def test_a_file_of_an_archive_is_read_up_to_the_limit_and_never_written(tmp_path: Path, kind: int) -> None:
    path = tmp_path / "inner" / "a.zip"
    path.parent.mkdir()
    data = zipped(MEGABYTE, kind)
    path.write_bytes(data)
    with zipfile.ZipFile(path) as archive:
        assert read_zip_member(archive, "../a.json", 2**20) == MEGABYTE
        for name, most, said in (("../a.json", 2**20 - 1, "unpacks to more"), ("b.json", 9, "no readable")):
            with pytest.raises(DataError, match=said):
                read_zip_member(archive, name, most)
    start = data.index(b"../a.json") + 9
    path.write_bytes(data[:start] + b"\xff" * 20 + data[start + 20 :])
    with zipfile.ZipFile(path) as archive, pytest.raises(DataError, match="no readable"):
        read_zip_member(archive, "../a.json")
    assert list(tmp_path.rglob("*.json")) == []
