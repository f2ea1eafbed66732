"""Files for other programs, terminals and pages: names and texts of strangers stay text."""

import asyncio
import csv
import io
import json
import re
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from cases import cases
from report_toy import page_benchmark, toy_report
from toolyard.cli import main
from toolyard.cli.output import print_json, print_tables
from toolyard.core.benchmark import Scene
from toolyard.core.table import Table
from toolyard.owntools.mirror.mirror_files import card_text
from toolyard.report.export.hub_export import details_card
from toolyard.report.export.inspect_log import log_name
from toolyard.report.export.latex import latex_tables
from toolyard.report.export.run_export import csv_text
from toolyard.report.gate.gate_outputs import gate_junit, gate_markdown
from toolyard.run.play.environment import DECLINED, ask_at_terminal
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.synth.data_card import card
from toolyard.synth.stages import Provenance
from toolyard.text.markdown import escape_markdown, markdown_tables
from toolyard.text.printable import printable_json, printable_line, printable_text

MARKS = (
    "![x](http://example.invalid/p.png)", "[x](javascript:alert(1))", "<http://example.invalid>", "<img src=x onerror=y>",
    "<!-- hidden", "a\n\n# PASSED\n\nb", "# PASSED", "## PASSED ##", "PASSED\n===", "===", "---", "- - -", "- item",
    "+ item", "* item", "1. item", "23) item", "> quoted", "```\nx\n```", "~~~\nx", "`````\nx", "a | b\n|---|---|",
    "    code",
    "![x][y]\n\n[y]: http://example.invalid/p.png", "&lt;b&gt; &#x3c;", "\\", "\\`", "`` ` ``", "x ``` y", "***", "a  \nb",
)  # fmt: skip
# What a paragraph of our own words may be made of.
PLAIN = {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "softbreak"}
UNSEEN = cases(__file__, "UNSEEN")
READER = MarkdownIt("commonmark").enable("table")


def parts(text: str) -> list[Token]:
    """Every block and every piece of a line that a reader of Markdown finds."""
    return [piece for token in READER.parse(text) for piece in (token, *(token.children or ()))]


def words(text: str) -> str:
    """What a reader of Markdown shows of it."""
    return "".join(one.content for one in parts(text) if one.type in ("text", "text_special", "code_inline"))


@pytest.mark.parametrize("text", MARKS)
def test_markdown_of_strangers_is_a_paragraph_that_reads_as_it_was_written(text: str) -> None:
    shown = escape_markdown(text)
    assert {piece.type for piece in parts(shown)} <= PLAIN
    assert words(shown) == " ".join(text.split())
    assert [piece.tag for piece in parts(f"# {shown}") if piece.type == "heading_open"] == ["h1"]
    assert words(f"# {shown}") == " ".join(text.split())


@pytest.mark.parametrize(
    "text", ["see http://example.invalid/a", "HTTPS://example.invalid", "at www.example.invalid"]
)
def test_no_bare_address_becomes_a_link_where_readers_make_some(text: str) -> None:
    assert re.search(r"(?<!\\)://|www\.", escape_markdown(text)) is None
    assert words(escape_markdown(text)) == text


@pytest.mark.parametrize("text", MARKS)
def test_a_table_in_markdown_keeps_its_shape(text: str) -> None:
    found = parts(markdown_tables([Table(text, ("a", text), ((text, 1), (text, text)), text)]))
    assert sum(piece.type == "tr_open" for piece in found) == 3
    assert sum(piece.type in ("td_open", "th_open") for piece in found) == 6
    assert {piece.type for piece in found} & {
        "image", "link_open", "html_inline", "html_block", "code_inline", "code_block", "fence", "hr", "bullet_list_open",
        "ordered_list_open", "blockquote_open",
    } == set()  # fmt: skip
    assert [piece.tag for piece in found if piece.type == "heading_open"] == ["h3"]


def mirror_plan(text: str) -> Any:
    tool = SimpleNamespace(tool=SimpleNamespace(name=text), kind="get", table=text, origin="inferred")
    table = SimpleNamespace(name=text, key=text, rows=(1,), recorded=0, fields=(text, text))
    source = SimpleNamespace(name=text, kind="openapi")
    return SimpleNamespace(
        source=source, seed=0, tools=(tool,), tables=(table,), recorded=(), filler=f"filler: {text}"
    )


def gate(text: str) -> Any:
    run = SimpleNamespace(
        folder=Path(text.replace("/", "|")),
        label=text,
        version=text,
        benchmark=SimpleNamespace(name="nestools"),
    )
    policy = SimpleNamespace(profile="paper", level=0.05)
    return SimpleNamespace(
        run=run, baseline=run, policy=policy, reasons=(text,), figures=(), decision="INCONCLUSIVE", samples=1
    )


def synth_card(text: str) -> str:
    facts: Any = {
        "benchmark": "mtu", "rows": 1, "seed": 0, "pipeline": "world", "toolyard": "1", "model": text,
        "options": {"words": text}, "files": {text: "0"},
    }  # fmt: skip
    return card(facts, Provenance("Ours."), [])


CARDS = {
    "mirror": lambda text, _folder: card_text(mirror_plan(text)),
    "gate": lambda text, _folder: gate_markdown(gate(text)),
    "synth": lambda text, _folder: synth_card(text),
    "hub": lambda text, folder: details_card(
        replace_data(toy_report(folder, "3", model=f"openai/{text}"), text)
    ),
}


def replace_data(report: Any, text: str) -> Any:
    return replace(report, run=replace(report.run, config=replace(report.run.config, data=text)))


@pytest.mark.parametrize("name", CARDS)
@pytest.mark.parametrize("text", MARKS)
def test_cards_hold_names_of_strangers_as_text(name: str, text: str, tmp_path: Path) -> None:
    harmless, found = (CARDS[name](each, tmp_path) for each in ("harmless", text))
    if found.startswith("---\n"):
        harmless, found = (each[each.index("\n---\n", 4) + 5 :] for each in (harmless, found))
    assert [piece.type for piece in READER.parse(found)] == [piece.type for piece in READER.parse(harmless)]
    risky = {"image", "link_open", "html_inline", "html_block", "fence"}
    assert {piece.type for piece in parts(found)} & risky == set()


@pytest.mark.parametrize("text", UNSEEN)
def test_nothing_unseen_is_left_in_cards_tables_and_test_reports(text: str, tmp_path: Path) -> None:
    written = [CARDS[name](text, tmp_path) for name in CARDS if name != "hub"]
    written += [csv_text(("a",), [(text,)]), markdown_tables([Table(text, (text,), ((text,),), text)])]
    assert all(printable_text(each) == each for each in written)
    ElementTree.fromstring(gate_junit(gate(text)))


def test_what_emoji_and_scripts_need_is_kept() -> None:
    text = "❤️‍🔥 1️⃣ 👩‍💻 葛󠄀 می‌خواهم ☎︎"
    assert printable_text(text) == text.replace("\U000e0100", "\\U000e0100")


FORMULAS = (
    '=HYPERLINK("http://example.invalid")', "+cmd|' /C calc'!A0", "-1+cmd", "@SUM(1)", "\t=1", "\r=1", "a\r=1,b", "a\n=1",
    "a;=1", "a\t=1", "a|=1", "a; =1", " =1", "\u00a0=1", '"=1', "\ufeff=1", "\x00=1", "\u200b=1", "\uff1d1",
    "a\r\n@x", 'a;"=1',
)  # fmt: skip


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("text", FORMULAS)
def test_a_spreadsheet_finds_no_formula_wherever_it_splits(text: str, separator: str) -> None:
    written = csv_text(("id", text), [(text, 1), ("x", text)])
    assert "\r" not in written
    rows = list(csv.reader(io.StringIO(written, newline=""), delimiter=separator))
    cells = [cell.lstrip(' \u00a0\ufeff\u200b\x00"') for row in rows for cell in row]
    assert [cell for cell in cells if cell.startswith(tuple("=+-@\t\r\n\uff1d"))] == []
    assert separator != "," or [len(row) for row in rows] == [2, 2, 2]


@pytest.mark.parametrize("text", ["[10cm] gone", "[", "* gone", "*", "\x00[x]", "  [x]"])
def test_no_row_begins_with_an_option_of_the_line_before(text: str) -> None:
    written = latex_tables([Table("t", (text, "b"), ((text, 1), (text, 2)))])
    assert re.search(r"(?:\\\\|rule)\s*[\[*]", written) is None


@pytest.mark.parametrize("text", ["a--b---c", "?`!`", "``x''", ",,x", 'say "x"'])
def test_signs_are_printed_one_by_one_in_every_encoding(text: str) -> None:
    written = latex_tables([Table("t", ("a",), ((text,),))]).split("\\midrule\n")[1].split(" \\\\")[0]
    assert "\\textquotedbl" not in written
    assert re.search(r"--|[?!`]`|,,", written) is None


def test_a_long_cell_fits_into_a_line_of_tex() -> None:
    written = latex_tables([Table("x" * 300_000, ("y" * 300_000,), (("é{" * 150_000,),), "z" * 300_000)])
    assert max(len(line.encode()) for line in written.splitlines()) < 20_000


def test_a_model_whose_name_is_not_utf8_has_a_digest(tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("3")
    settings = Settings("pagetoy", "openai/\udcff", data=str(tmp_path / "data.txt"), runs=tmp_path)
    assert Run.plan(settings, page_benchmark(tmp_path / "data.txt")).folder.parent == tmp_path


def test_numbers_and_names_of_people_stay_as_they_are_in_csv() -> None:
    text = csv_text(("id", "value"), [("s0", -0.5), ("1->2,2->3", None), ("naïve – 日本語", 1)])
    assert text == 'id,value\ns0,-0.5\n"1->2,2->3",\nnaïve – 日本語,1\n'


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
    assert commands(printable_text(text)) == []
    assert commands(printable_line(text)) == []
    assert "\n" not in printable_line(text)


@pytest.mark.parametrize("text", ["", "plain\n\ttext", "naïve – 日本語 👩‍💻 नमस्ते‍", "می‌خواهم"])
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert printable_text(text) == text


def test_what_people_write_stays_and_unseen_characters_are_written_out() -> None:
    assert printable_text("\x1b[2Jdone\u202e\r\nnext\ud800\U000e0041a\u200db") == (
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
def test_tables_and_json_bring_no_terminal_command(text: str, capsys: pytest.CaptureFixture[str]) -> None:
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
