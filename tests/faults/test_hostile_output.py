"""Text of strangers at the doors of the house: terminal, Markdown, LaTeX, CSV, JSON, file names."""

import asyncio
import io
import json
import re
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.cli import main
from toolyard.cli.output import print_json, print_tables
from toolyard.core.benchmark import Scene
from toolyard.core.table import Table
from toolyard.report.export.inspect_log import log_name
from toolyard.run.play.environment import DECLINED, ask_at_terminal
from toolyard.text.markdown import escape_markdown, markdown_tables
from toolyard.text.printable import printable, printable_json, printable_line

ROWS = [
    json.loads(line)["text"]
    for line in (Path(__file__).parent / "injections.jsonl").read_text(encoding="utf-8").splitlines()
]
ESCAPES = (
    "\x1b[2J\x1b[1;1H", "\x1b]0;title\x07", "\x1b]8;;http://example.invalid\x1b\\here\x1b]8;;\x1b\\", "\x1b]52;c;AAAA\x07",
    "\x9b31m", "\x90q\x9c", "\rtoolyard: done", "\x08\x08\x08", "\x0e", "\u202edesrever", "a\u2028b\x85c", "\x7f\x00",
)  # fmt: skip
ANY = st.text(st.characters(exclude_categories=()), max_size=60) | st.sampled_from([*ROWS, *ESCAPES])


def commands(text: str) -> list[str]:
    """The characters of a text that a terminal obeys or a reader cannot see."""
    return [
        char
        for char in text
        if char not in "\n\t"
        and (
            unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")
            or unicodedata.bidirectional(char)
            in ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
        )
    ]


@given(ANY)
def test_nothing_that_a_terminal_obeys_is_printable(text: str) -> None:
    assert commands(printable(text)) == []
    assert commands(printable_line(text)) == []
    assert "\n" not in printable_line(text)


@pytest.mark.parametrize("text", ["", "plain\n\ttext", "naïve – 日本語 👩‍💻 नमस्ते‍", "می‌خواهم"])
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_what_people_write_stays_and_unseen_characters_are_written_out() -> None:
    assert printable("\x1b[2Jdone\u202e\r\nnext\ud800\U000e0041a\u200db") == (
        "\\x1b[2Jdone\\u202e\nnext\\ud800\\U000e0041a\\u200db"
    )


@given(st.dictionaries(st.text(max_size=9), ANY.map(lambda text: text.encode("utf-8", "replace").decode())))
def test_printable_json_reads_as_the_same_values(value: dict[str, str]) -> None:
    shown = printable_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(shown) == value
    assert commands(shown) == []


def hostile_table(text: str) -> Table:
    return Table(text, ("name", text), ((text, 1.0), ("row", text)), note=text)


@pytest.mark.parametrize("text", [*ESCAPES, "[bold]x[/bold]", "[link=http://example.invalid]x[/link]"])
def test_tables_and_json_bring_no_commands_to_the_terminal(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_tables([hostile_table(text)])
    print_json({"text": text.encode("utf-8", "replace").decode()})
    out, err = capsys.readouterr()
    assert commands(out + err) == []
    if text.startswith("["):
        assert text in out


@pytest.mark.parametrize("text", ESCAPES)
def test_a_model_that_asks_a_person_commands_no_terminal(
    text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    scene = Scene(part=("x",), goal="g")
    assert asyncio.run(ask_at_terminal(f"which one?{text}\n> the second", scene)) == DECLINED
    shown = capsys.readouterr().err
    assert commands(shown) == []
    # What imitates the prompt is indented, and the prompt is the last line.
    assert [line for line in shown.split("\n") if line.startswith(">")] == ["> "]


def test_a_complaint_brings_no_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["toolyard", "score", "runs/\x1b[31mred\u202e"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 1
    shown = capsys.readouterr().err
    assert commands(shown) == []
    assert shown.count("\n") == 1


@given(ANY)
def test_markdown_cells_stay_in_their_cell(text: str) -> None:
    shown = escape_markdown(text)
    assert commands(shown) == []
    assert "\n" not in shown
    assert "<" not in shown
    assert ">" not in shown
    bare = re.sub(r"\\[!-/:-@\[-`{-~]|&#\d+;", "", shown)
    assert not set("\\`*_{}[]|~$&") & set(bare)
    for line in markdown_tables([Table("t", ("a", "b"), ((text, text),))]).split("\n")[4:5]:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3


@given(ANY, ANY)
def test_a_foreign_manifest_names_no_file_elsewhere(started: str, digest: str) -> None:
    name = log_name({"started": started, "digest": digest}, "nestools")
    assert re.fullmatch(r"[A-Za-z0-9_.+-]{1,210}", name)
    assert Path("out", name).parent == Path("out")
    assert name.endswith(".eval")


def test_a_run_of_ours_is_logged_under_inspects_pattern() -> None:
    manifest = {"started": "2026-01-02T03:04:05+00:00", "digest": "0123456789abcdef"}
    assert log_name(manifest, "mtu") == "2026-01-02T03-04-05+00-00_mtu_0123456789ab.eval"
