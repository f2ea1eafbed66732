"""docs/results.md out of packed answers: models by figures, paired differences, ranks, what a style moved."""

from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError
from toolyard.run.api import evaluate

ROOT = Path(__file__).parents[1]
RECIPES = ROOT / "recipes"


def test_the_page_is_rebuilt_from_packed_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    import results

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


def test_the_pages_tables_are_those_of_the_stored_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The overview and the README's rows say what the parts of docs/results.md say, built from the stored answers."""
    monkeypatch.syspath_prepend(str(RECIPES))
    import results
    from results_summary import ENOUGH

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


def test_stored_answers_score_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One small run again: a scorer that has moved is seen here before somebody trusts the page."""
    monkeypatch.syspath_prepend(str(RECIPES))
    import results
    from results_runs import score_pack
    from results_tables import result_of

    from toolyard.report.tables.formats import with_interval

    (path,) = results.ANSWERS.glob("mtu_smollm2-135m_default_fresh_*.jsonl.xz")
    scored = score_pack(path, "", tmp_path, tmp_path)
    assert not isinstance(scored, str), scored
    summary = result_of(scored).paper.summary
    part = sections((ROOT / "docs" / "results.md").read_text(encoding="utf-8"))[
        "MTU-Bench: turns and tools: fresh"
    ]
    told = f"| {summary.samples} | {with_interval(summary.figures['average'])} |"
    (line,) = [line for line in part.splitlines() if line.startswith("| SmolLM2-135M | default")]
    assert told in line.replace("\\", ""), "python recipes/results.py scores the stored answers again"


def test_a_learning_curve_is_read_off_the_names_of_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from results_tables import TRAINED_ON

    found = TRAINED_ON.search("openai/smollm2-tuned-2000rows?base_url=http://127.0.0.1:8001/v1")
    assert found is not None and found.groups() == ("2000", "")
    assert TRAINED_ON.search("hf/smollm2-tuned-8k-rows").groups() == ("8", "k")  # type: ignore[union-attr]
    assert TRAINED_ON.search("openai/qwen2.5-coder-1.5b") is None
    other = TRAINED_ON.search("openai/qwen2.5-coder-1.5b-tuned-6859rows")
    assert other is None, "another model is a line of its own, not a point of the curve"


def test_a_run_that_was_stopped_is_kept_where_every_sample_has_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    import results

    folder = evaluate("nestools", "scripted/oracle", limit=3, runs=tmp_path).folder
    manifest = folder / "manifest.json"
    manifest.write_bytes(orjson.dumps({**orjson.loads(manifest.read_bytes()), "finished": None}))
    assert results.packed_run(folder, tmp_path), "the answers are all there"
    transcripts = folder / "transcripts.jsonl"
    transcripts.write_bytes(b"".join(transcripts.read_bytes().splitlines(keepends=True)[:2]))
    with pytest.raises(DataError, match="is not finished"):
        results.packed_run(folder, tmp_path)


def test_a_model_is_the_same_at_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of a model that moved takes the place of its earlier one; another style stands beside it."""
    monkeypatch.syspath_prepend(str(RECIPES))
    from results_runs import told

    from toolyard.run.store.packs import Pack

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
    monkeypatch.syspath_prepend(str(RECIPES))
    import results_runs

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


def test_models_rank_on_the_same_samples_and_against_the_baselines_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from results_summary import below_chance, summary_cell
    from results_tables import Result, figures_table, official_headline, result_sets

    from toolyard.report.compare.compared_runs import load_compared

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
