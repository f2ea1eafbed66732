"""Packed data that unpack to more than is allowed, or to nothing: one line, and no more than the limit is unpacked."""

import gzip
import io
import lzma
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from toolyard.core.errors import DataError
from toolyard.core.processes.stopping import run_async
from toolyard.core.untrusted.unpacking import LARGEST_LINE, open_zip, read_zip_member, unpack_xz
from toolyard.run.store import packs
from toolyard.run.store.packs import read_pack
from toolyard.train.rows import read_rows

MEGABYTE = b" " * 2**20
# "x", packed with a dictionary of 1.5 GB, which the one who packs needs as memory.
LARGE_DICTIONARY = bytes.fromhex(
    "fd377a585a000004e6d6b44602002101250000003b787b41010000780000000045aeef83f8ee"
    "160a00011901a52c81cc1fb6f37d010000000004595a"
)
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
        LARGE_DICTIONARY,
        xz_bomb(2**21),
    ],
    ids=range(12),
)
def test_another_pack_is_refused(tmp_path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_member_is_unpacked_in_small_pieces() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("bomb", bytes(96 * 2**20))
    with zipfile.ZipFile(file) as archive:
        tracemalloc.start()
        try:
            with pytest.raises(DataError, match="unpacks to more"):
                read_zip_member(archive, "bomb", 2**20)
            assert tracemalloc.get_traced_memory()[1] < 90 * 2**20
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("tail", [b"x", b""])
def test_an_archive_of_too_many_members_is_refused_before_it_is_read(tail: bytes) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(200):
            archive.writestr(str(number), b"")
    file.seek(0, io.SEEK_END)
    file.write(tail)
    with pytest.raises(DataError, match="comment" if tail else "more than 7 members"):
        open_zip(file, 7)


@pytest.mark.parametrize("kind", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_strangers_archive_may_be_packed_in_the_usual_way_alone(kind: int) -> None:
    with pytest.raises(DataError, match="another way"):
        open_zip(io.BytesIO(zipped(MEGABYTE, kind)), 7)


def test_a_result_is_handed_back_without_being_written_out() -> None:
    written = []

    class Result:
        def __repr__(self) -> str:
            written.append(self)
            return "a result whose text takes long"

    result = Result()

    async def work() -> Result:
        return result

    assert run_async(work()) is result
    assert not written
