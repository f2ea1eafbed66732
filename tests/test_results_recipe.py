"""Recipes: the pages of results and perturbations, and a probe of a real model, from stored answers."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import orjson
import perturbation_study
import probe_real
import pytest
import results
import results_runs
import ways_study
from perturbation_study import main, order_verdict
from results_runs import score_pack, score_packs, told
from results_summary import ENOUGH, below_chance, summary_cell
from results_tables import TRAINED_ON, Result, figures_table, official_headline, result_of, result_sets

from cases import each_case
from owntools_desk import DESK
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError
from toolyard.core.types import Completion, Request
from toolyard.lines import encode
from toolyard.owntools.mirror.mirror_files import make_mirror
from toolyard.owntools.sources import load_source
from toolyard.report.compare.compared_runs import load_compared
from toolyard.report.compare.sensitivity import measure_sensitivity
from toolyard.report.tables.formats import with_interval
from toolyard.run.api import evaluate
from toolyard.run.store.packs import Pack
from toolyard.stats.bootstrap import Estimate

ROOT = Path(__file__).parents[1]


def test_the_page_is_rebuilt_from_packed_answers(tmp_path: Path) -> None:
    runs, stored, nothing = tmp_path / "runs", tmp_path / "answers", tmp_path / "nothing"
    folders = [
        evaluate("nestools", model, style=style, limit=6, runs=runs).folder
        for model, style in (("scripted/oracle", "default"), ("scripted/random", "default"), ("scripted/random", "native"))
    ]  # fmt: skip
    several = evaluate("nestools", "scripted/random", limit=6, trials=2, temperature=0.7, runs=runs).folder
    results.pack([*folders, several], nothing, stored)
    page, readme = tmp_path / "results.md", tmp_path / "README.md"
    readme.write_text("before\n<!-- results:start -->\nold\n<!-- results:end -->\nafter\n")
    results.rebuild(stored, tmp_path / "work", nothing, page, readme, jobs=1)
    text = page.read_text()
    for title in (
        "Models and metrics", "Trials with sampling", "Paired differences", "Effect of style and serving",
        "Smallest detectable",
    ):  # fmt: skip
        assert f"### {title}" in text
    assert "| scripted/oracle | default | 6 | 100.0" in text
    assert "old" not in readme.read_text() and "| scripted/oracle |" in readme.read_text()
    marks = {path: path.stat().st_mtime_ns for path in tmp_path.glob("work/*/scores.jsonl")}
    results.pack(folders[:1], nothing, stored)
    assert len(list(stored.glob("*.xz"))) == 4, "the same run again takes the place of the first"
    results.rebuild(stored, tmp_path / "work", nothing, page, readme, jobs=1)
    assert page.read_text() == text
    assert {path: path.stat().st_mtime_ns for path in marks} == marks, "what was scored is not scored again"
    next(stored.glob("*.xz")).write_bytes(b"changed")
    with pytest.raises(SystemExit, match="is not what"):
        results.unpack(stored, tmp_path / "third", nothing, 1)


def sections(text: str) -> dict[str, str]:
    """The parts of docs/results.md by the titles of their data sets."""
    return {part.partition("\n")[0]: part for part in text.split("\n## ")[1:]}


def rows_of_table(text: str) -> list[list[str]]:
    """The cells of the first table of a text, without the line below its head."""
    lines = [line for line in text.splitlines() if line[:1] == "|"]
    return [line.strip("| ").split(" | ") for place, line in enumerate(lines) if place != 1]


def test_the_pages_tables_are_those_of_the_stored_answers() -> None:
    """The overview and the README's rows say what the parts of docs/results.md say, built from the stored answers."""
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    again = "python recipes/results.py builds docs/results.md and the README's table again"
    assert results.index_digest(results.ANSWERS) in page, again
    found = results.PLACE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    parts = sections(page)
    head, *rows = rows_of_table(page.split("\n## ")[0])
    scored = [row for row in rows if row[1] != "–"]
    across = 1 + ("Left out here" in parts)
    assert len(scored) == len(parts) - across, "the last parts are across all data sets, and what is left out"
    known = [dict(zip(head, row, strict=True)) for row in rows]
    order, *shown = rows_of_table(found.group())
    assert len(shown) == 4 and all(dict(zip(order, row, strict=True)) in known for row in shown), again
    for row in scored:
        benchmark, data = (word.strip("`") for word in row[0].split(", "))
        part = parts[f"{load_benchmark(benchmark).about.title}: {data}"]
        lines = [line.replace("\\", "") for line in part.splitlines()]
        for model, cell in zip(head[4:], row[4:], strict=True):
            value, _, count = cell.replace("**", "").partition(", n ")
            own = [line for line in lines if line.startswith(f"| {model} |")]
            known = any(f"| {count or row[2]} | {value} |" in line for line in own)
            few = all(int(line.split(" | ")[2]) < ENOUGH * int(row[2]) for line in own)
            assert known if value not in ("–", "withheld") else few or value in own[0], (
                f"{row[0]}, {model}: the page says {cell}; {again}"
            )


def test_stored_answers_score_as_the_page_says(tmp_path: Path) -> None:
    """One small run again: a scorer that has moved is seen here before somebody trusts the page."""
    (path,) = results.ANSWERS.glob("mtu_smollm2-135m_default_fresh_*.jsonl.xz")
    scored = score_pack(path, "", tmp_path, tmp_path)
    assert not isinstance(scored, str), scored
    summary = result_of(scored).paper.summary
    part = sections((ROOT / "docs" / "results.md").read_text("utf-8"))["MTU-Bench: turns and tools: fresh"]
    told = f"| {summary.samples} | {with_interval(summary.figures['average'])} |"
    (line,) = [line for line in part.splitlines() if line.startswith("| SmolLM2-135M | default")]
    assert told in line.replace("\\", ""), "python recipes/results.py scores the stored answers again"


def test_a_learning_curve_is_read_off_the_names_of_models() -> None:
    found = TRAINED_ON.search("openai/smollm2-tuned-2000rows?base_url=http://127.0.0.1:8001/v1")
    assert found is not None and found.groups() == ("2000", "")
    assert TRAINED_ON.search("hf/smollm2-tuned-8k-rows").groups() == ("8", "k")  # type: ignore[union-attr]
    assert TRAINED_ON.search("openai/qwen2.5-coder-1.5b") is None
    other = TRAINED_ON.search("openai/qwen2.5-coder-1.5b-tuned-6859rows")
    assert other is None, "another model is a line of its own, not a point of the curve"


def test_a_run_that_was_stopped_is_kept_where_every_sample_has_its_answers(tmp_path: Path) -> None:
    folder = evaluate("nestools", "scripted/oracle", limit=3, runs=tmp_path).folder
    manifest = folder / "manifest.json"
    manifest.write_bytes(orjson.dumps({**orjson.loads(manifest.read_bytes()), "finished": None}))
    assert results.packed_run(folder, tmp_path), "the answers are all there"
    transcripts = folder / "transcripts.jsonl"
    transcripts.write_bytes(b"".join(transcripts.read_bytes().splitlines(keepends=True)[:2]))
    with pytest.raises(DataError, match="is not finished"):
        results.packed_run(folder, tmp_path)


def test_a_model_is_the_same_at_another_address(tmp_path: Path) -> None:
    """A run of a model that moved takes the place of its earlier one; another style stands beside it."""

    def pack(model: str, style: str = "default") -> Pack:
        identity = {
            "benchmark": "mtu",
            "model": model,
            "style": style,
            "options": {},
            "decoding": {"temperature": 0.0},
        }
        return Pack(
            {"identity": identity, "data": "starter", "judge": "", "similarity": "minilm"}, {}, (), ()
        )

    first = told(pack("openai/smollm2-tuned?base_url=http://127.0.0.1:8001/v1"))
    assert told(pack("openai/smollm2-tuned?base_url=http://127.0.0.1:8003/v1")) == first
    assert told(pack("openai/smollm2-135m?base_url=http://127.0.0.1:8001/v1")) != first
    assert told(pack("openai/smollm2-tuned?base_url=http://127.0.0.1:8001/v1", "native")) != first


def test_a_scorer_is_known_by_what_scores_follow_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """The world is known by its version, which stands in core; a page that is drawn another way moves nothing."""
    read: list[Path] = []
    plain = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or plain(path))  # type: ignore[func-returns-value]
    for name in ("mtu", "tooleyes"):
        read.clear()
        results_runs.scorer_digest.__wrapped__(name)
        parts = {path.relative_to(ROOT / "src" / "toolyard").parts[0] for path in read}
        assert {"core", "run", "stats", "text", "models", "benchmarks"} <= parts
        assert not parts & {"report", "cli", "train", "world"}
        assert any(path.name == "score.py" and path.parents[1].name == name for path in read)


def test_models_rank_on_the_same_samples_and_against_the_baselines_there(tmp_path: Path) -> None:
    found = []
    for model, limit in (("scripted/word-overlap", 30), ("scripted/oracle", 8)):
        paper = load_compared(evaluate("nestools", model, limit=limit, runs=tmp_path).folder, "paper", {})
        found.append(Result(paper, official_headline(paper), "starter", limit))
    (some,) = result_sets(found)
    lines = figures_table(some).rows
    setups = [str(line[1]) for line in lines]
    apart = setups.index("default, on 8 samples")
    assert lines[0][0] == "scripted/word-overlap", "the oracle scores higher, but on other samples"
    assert all(setup == "trivial baseline, on 8 samples" for setup in setups[apart + 1 :])
    overlap = [line for line in lines if line[0] == "scripted/word-overlap" and "baseline" in str(line[1])]
    assert [line[2] for line in overlap] == [30, 8] and overlap[0][3] != overlap[1][3]
    assert summary_cell(some, found[1], 30).startswith("**")
    unknown = replace(some, items=tuple(replace(each, baselines=()) for each in some.items))
    assert not summary_cell(unknown, found[1], 30).startswith("**"), "above what is not known?"
    assert below_chance([unknown]) == []


@each_case("without, found, verdict")
def test_an_order_is_kept_or_reversed_where_both_differences_are_clear(
    without: tuple[float, float], found: tuple[float | None, float | None], verdict: str
) -> None:
    assert order_verdict(Estimate(0.2, *without), Estimate(0.0, *found)) == verdict


def test_a_study_compares_models_without_and_with_each_perturbation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tooleyes", "scripted/oracle", "scripted/no-call", "--style", "example"]
    words += ["--limit", "3", "--levels", "3"]
    out = tmp_path / "study.md"
    monkeypatch.setattr(sys, "argv", ["study", *words, "--runs", str(tmp_path / "runs"), "--out", str(out)])
    main()
    text = out.read_text(encoding="utf-8")
    assert text == capsys.readouterr().out
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| scripted")]
    assert [row[1].strip() for row in rows[:5]] == ["none", "noise=3", "paging=3", "faults=3", "drift=3"]
    # A model that calls nothing meets no perturbation; the other does under each.
    assert [int(row[6]) > 0 for row in rows[:10]] == [False, *[True] * 4, *[False] * 5]
    assert len(rows) == 14 and "reversed: 0 of 4" in text

    found = measure_sensitivity([*(tmp_path / "runs").glob("*oracle*")])
    assert {each.variation for each in found.varied} == {"base", "noise=3", "paging=3", "faults=3", "drift=3"}


AGENTS = ("gold/careful", "gold/hasty", "gold/forgetful")


def run_study(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    benchmark: str,
    runs: Path,
    limit: str,
) -> dict[tuple[str, ...], list[str]]:
    """The rows of both tables by their first two cells."""
    words = [benchmark, *AGENTS, "--limit", limit, "--levels", "3", "--runs", str(runs)]
    monkeypatch.setattr(sys, "argv", ["study", *words])
    main()
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| gold")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return {tuple(row[:2]): row[2:] for row in rows}


@pytest.mark.parametrize("benchmark", ["nestools", "mtu"])
def test_a_study_finds_the_weakness_of_each_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], benchmark: str
) -> None:
    rows = run_study(monkeypatch, capsys, benchmark, tmp_path, "8")
    scores = {key: float(row[0].split()[0]) for key, row in rows.items() if key[0] in AGENTS}
    names = ("none", "noise=3", "paging=3", "faults=3", "drift=3")
    assert {scores["gold/careful", name] for name in names} == {100.0}
    assert scores["gold/hasty", "none"] == 100.0 > scores["gold/hasty", "faults=3"]
    forgetful = {scores["gold/forgetful", name] for name in names}
    assert len(forgetful) == 1 and max(forgetful) < 100.0


def test_a_study_that_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    generate = perturbation_study.GoldAgent.generate
    stop_at = 20

    async def counted(agent: Any, request: Request) -> Completion:
        asked.append(request.sample)
        if len(asked) == stop_at:
            raise KeyboardInterrupt
        return await generate(agent, request)

    monkeypatch.setattr(perturbation_study.GoldAgent, "generate", counted)
    with pytest.raises(KeyboardInterrupt):
        run_study(monkeypatch, capsys, "nestools", tmp_path / "stopped", "3")
    stop_at, before = -1, len(asked)
    found = run_study(monkeypatch, capsys, "nestools", tmp_path / "stopped", "3")
    resumed = len(asked) - before
    asked.clear()
    assert run_study(monkeypatch, capsys, "nestools", tmp_path / "whole", "3") == found
    assert resumed < len(asked)
    whole = len(asked)
    assert run_study(monkeypatch, capsys, "nestools", tmp_path / "whole", "3") == found
    assert len(asked) == whole


@pytest.mark.parametrize(
    ("packs", "rows"), [("toolbehonest_smollm2-tuned_*", 2), ("mtu_smollm2-tuned_*_starter_[be7]*", 5)]
)
def test_the_page_of_ways_shows_what_its_recipe_makes(packs: str, rows: int, tmp_path: Path) -> None:
    from toolyard.text.markdown import markdown_tables

    files = {path: path.name for path in sorted(ways_study.ANSWERS.glob(f"{packs}.xz"))}
    scored, left_out = score_packs(files, tmp_path, ways_study.HERE, 1)
    assert not left_out
    tables, _ = ways_study.study(scored)
    shown = ways_study.PAGE.read_text("utf-8")
    made = [line for line in markdown_tables(tables).splitlines() if line.startswith("| ")]
    assert len(made) >= rows
    assert not [line for line in made if line not in shown]


def test_a_lenient_parser_keeps_every_call_that_is_well_formed(monkeypatch: pytest.MonkeyPatch) -> None:
    server = "vllm.entrypoints.openai.chat_completion.protocol vllm.entrypoints.openai.engine.protocol"
    parsers = "vllm.tool_parsers.abstract_tool_parser vllm.tool_parsers.hermes_tool_parser"
    for name in f"{server} {parsers}".split():
        monkeypatch.setitem(sys.modules, name, MagicMock())
    from lenient_hermes import split_calls

    reply = 'So: <tool_call>{"name": "a"}</tool_call><tool_call>{{"name": "b"}}</tool_call>'
    assert split_calls(reply) == ('So: <tool_call>{{"name": "b"}}</tool_call>', [("a", {})])


def test_stages_are_kept_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "desk.jsonl").write_bytes(b"".join(map(encode, DESK)))
    make_mirror(load_source(str(tmp_path / "desk.jsonl")), tmp_path / "sources" / "desk")
    out = str(tmp_path / "out")
    words = ["probe_real", "--sources", str(tmp_path / "sources"), "--out", out, "-m", "scripted/random"]
    words += ["--rows", "2", "--rewritings", "1", "--styles", "default", "--suites", "nestools,mtu"]
    monkeypatch.setattr(probe_real, "ORDER", (("profile", "default"), ("rules", "default")))
    for _ in range(2):
        monkeypatch.setattr(sys, "argv", words)
        probe_real.main()
    assert [each["stage"] for each in probe_real.stages(Path(out))] == ["profile", "rules"]
    assert (tmp_path / "out" / "desk" / "default" / "rules" / "suggestion.json").is_file()
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["probe_real", "--out", out, "--markdown"])
    probe_real.main()
    told = capsys.readouterr().out
    assert "| desk | default | nestools | 2 |" in told
    assert "| desk | default | rule | " in told
