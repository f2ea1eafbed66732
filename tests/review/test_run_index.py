"""Runs whose files are not what they should be: each is listed, with what is wrong, beside the others."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from toolyard.review.web.run_files import LARGEST_JSON, find_runs
from toolyard.review.web.run_index import KnownRuns, RunEntry, index_page

MANIFEST = {"identity": {"benchmark": "toy", "model": "m"}, "finished": "2026-01-02T03:04:05+00:00"}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name in ("fine", "odd"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text(json.dumps(MANIFEST))
        (tmp_path / name / "report.html").write_text("page")
    return tmp_path


def listed(runs: Path) -> dict[str, RunEntry]:
    entries = KnownRuns().entries(list(find_runs(runs).values()))
    assert "Runs" in index_page(entries)
    return {entry.name: entry for entry in entries}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def giant(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST_JSON + 1)


def text(data: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(data)

    return write


BROKEN = [
    (pipe, "is a pipe; wanted is a file"),
    (folder, "is a folder; wanted is a file"),
    (link, "is or lies behind a link"),
    (dangling, "is or lies behind a link"),
    (giant, "is larger than 16 MB"),
    (text(b"{"), "is not JSON"),
    (text(b'{"identity": "\xff\xfe"}'), "is not JSON"),
    (text(b"[" * 5000 + b"]" * 5000), "is not JSON"),
    (text(b"[1]"), "holds a list; wanted is an object"),
    (text(b"null"), "holds a NoneType; wanted is an object"),
]


@pytest.mark.parametrize("file", ["manifest.json", "report.json"])
@pytest.mark.parametrize(("make", "remark"), BROKEN)
def test_a_file_that_cannot_be_read_is_said(
    runs: Path, file: str, make: Callable[[Path], None], remark: str
) -> None:
    (runs / "odd" / file).unlink(missing_ok=True)
    make(runs / "odd" / file)
    found = listed(runs)
    assert set(found) == {"fine", "odd"}
    assert any(line.startswith(f"{file} {remark}") for line in found["odd"].remarks)
    assert found["odd"].link == "/runs/odd/report.html"


@pytest.mark.parametrize("make", [pipe, folder, link])
def test_a_page_that_is_no_file_has_no_link(runs: Path, make: Callable[[Path], None]) -> None:
    (runs / "odd" / "report.html").unlink()
    make(runs / "odd" / "report.html")
    found = listed(runs)
    assert (found["odd"].link, found["fine"].link) == ("", "/runs/fine/report.html")
    assert found["odd"].remarks[0].startswith("report.html is ")


@pytest.mark.parametrize(
    "manifest",
    [{}, {"identity": None}, {"identity": []}, {"identity": "x"}, {"identity": {"benchmark": 7, "model": ["m"]}},
     {"identity": {}, "finished": {"a": 1}}, {"identity": {"benchmark": None, "model": {}}, "finished": 5}],
)  # fmt: skip
def test_a_manifest_of_other_types_says_what_it_lacks(runs: Path, manifest: Any) -> None:
    (runs / "odd" / "manifest.json").write_text(json.dumps(manifest))
    found = listed(runs)
    assert found["fine"].benchmark == "toy"
    assert (found["odd"].model, found["odd"].finished) == ("unknown model", "not finished")
    lacks = "manifest.json does not say its benchmark in identity"
    assert lacks in found["odd"].remarks


@pytest.mark.parametrize("report", cases(__file__, "a_report_of_other_types_shows_dashes"))
def test_a_report_of_other_types_shows_dashes(runs: Path, report: Any) -> None:
    (runs / "odd" / "report.json").write_text(json.dumps(report))
    odd = listed(runs)["odd"]
    assert (odd.value, odd.interval, odd.samples, odd.benchmark) == ("–", "", "–", "toy")


def test_runs_of_an_unknown_benchmark_come_last(runs: Path) -> None:
    (runs / "odd" / "manifest.json").write_text("{")
    page = index_page(list(listed(runs).values()))
    assert page.index("<h3>toy") < page.index("<h3>Unknown benchmark")


@pytest.mark.parametrize("name", ["<b>", "a b", "100%25", "q?x#y", "ä\u202e", "line\nbreak", "..x", "+"])
def test_odd_names_are_listed_with_their_address(runs: Path, name: str) -> None:
    (runs / "odd").rename(runs / name)
    entry = listed(runs)[name]
    assert entry.link.isascii() and entry.link.count("/") == 3
    assert "<b></" not in index_page([entry])


def test_a_name_that_is_not_utf8_is_listed_without_a_link(runs: Path) -> None:
    (runs / "odd").rename(runs / "odd\udcff")
    entry = listed(runs)["odd\\udcff"]
    assert entry.link == ""
    assert index_page([entry]).encode("utf-8")


def test_a_short_set_up_stays_on_one_line(runs: Path) -> None:
    for name, style in (("fine", "zero-shot"), ("odd", "a set-up that says a lot of things about itself")):
        manifest = {**MANIFEST, "identity": {**MANIFEST["identity"], "style": style}}  # type: ignore[dict-item]
        (runs / name / "manifest.json").write_text(json.dumps(manifest))
    page = index_page(KnownRuns().entries(list(find_runs(runs).values())))
    assert '<td class="words short">zero-shot</td>' in page
    assert '<td class="words">a set-up that says' in page
