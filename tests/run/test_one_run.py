"""A run is one thing for all verbs: it asks for what is missing, keeps what is there, and scores from its files."""

import asyncio
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from answering_model import AnsweringModel
from cases import each_case
from toolyard import evaluate
from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.cli.progress import run_and_report
from toolyard.core.benchmark import Benchmark, Reference
from toolyard.core.errors import BudgetExceeded, DataError, ProviderError, RunMismatch, UsageError
from toolyard.core.types import Completion, Options, Profile, Request, Sample, Score, Usage
from toolyard.models.base import Price
from toolyard.report.content import load_report
from toolyard.report.export.run_export import FORMS
from toolyard.report.report_files import write_report
from toolyard.run.grade.evidence import Instruments
from toolyard.run.grade.scoring import score_settings
from toolyard.run.play.execute import RunResult, begin_run, execute_run, score_run
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings, Settings
from toolyard.run.store.run_directory import BASELINES
from toy_benchmark import TOOLS, toy_benchmark

NESTOOLS = load_benchmark("nestools")


class Notes:
    """What was done, in a file, because copies of the process do part of it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, word: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{word}\n")

    def taken(self) -> Counter[str]:
        """How often each thing was done since the last time."""
        words = self.path.read_text("utf-8").splitlines()
        self.path.unlink()
        return Counter(words)


def counting(data: Path, notes: Notes) -> Benchmark:
    """The toy with two profiles, which notes what is done with it."""
    toy = toy_benchmark(data)

    def load(path: Path, options: Options) -> tuple[Sample, ...]:
        notes.add("loaded")
        return toy.data.load(path, options)

    def score(sample: Sample, prediction: str, evidence: object, profile: Profile) -> Score:
        notes.add(f"{profile}: {prediction}")
        return toy.scoring.score(sample, prediction, {}, profile)

    def alpha(sample: Sample, messages: object, rng: object) -> str:
        notes.add("baseline")
        return "alpha"

    return replace(
        toy,
        data=replace(toy.data, load=load),
        scoring=replace(toy.scoring, score=score),
        checks=replace(toy.checks, baselines={"first-tool": alpha}),
        reference=Reference(),
    )


# The file whose openings for reading are noted, and where; Python cannot take back a hook.
WATCHED: dict[str, Notes] = {}


def note_opening(event: str, arguments: tuple[object, ...]) -> None:
    """Notes every opening of a watched file for reading, by whichever function, in copies of the process too."""
    if event != "open" or not WATCHED or not isinstance(arguments[0], str | bytes):
        return
    name = os.fsdecode(arguments[0])
    notes = WATCHED.get(Path(name).name)
    # Appending opens the file for writing, and looks at the end of its last line with "r+".
    writing = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    if notes is not None and not writing:
        notes.add(f"read {name}")


sys.addaudithook(note_opening)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notes]:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    notes = Notes(tmp_path / "notes.txt")
    WATCHED["transcripts.jsonl"] = notes
    yield notes
    WATCHED.clear()


def toy_run(tmp_path: Path, notes: Notes, model: str = "scripted/oracle", name: str = "r") -> Run:
    data = tmp_path / "count.txt"
    data.write_text("12")
    settings = Settings("toy", model, runs=tmp_path / "runs", name=name)
    return Run.plan(settings, counting(data, notes))


def readings(counts: Counter[str], folder: Path) -> int:
    return counts[f"read {folder / 'transcripts.jsonl'}"]


def test_one_run_loads_reads_grades_and_plays_once(tmp_path: Path, watched: Notes) -> None:
    report = run_and_report(toy_run(tmp_path, watched), "toy", reports=True)
    counts = watched.taken()
    answers = Counter(item.transcript.text for item in report.graded["paper"])
    assert counts["loaded"] == 1
    assert readings(counts, report.folder) == 0, "what is written here need not be read"
    assert counts["baseline"] == 12
    for profile in ("paper", "official"):
        graded = sum(counts[f"{profile}: {text}"] for text in answers)
        # each answer once, and the twelve of the baseline that says alpha
        assert graded == 12 + 12 * ("alpha" in answers)
        assert counts[f"{profile}: "] == 12, "the empty baseline"
    run_and_report(toy_run(tmp_path, watched), "toy", reports=True)
    counts = watched.taken()
    assert (counts["loaded"], readings(counts, report.folder), counts["baseline"]) == (1, 1, 0)


def nestools_run(tmp_path: Path, model: str) -> list[str]:
    return [
        "run", "nestools", "-m", model, "--limit", "3",
        "--runs", str(tmp_path / "runs"), "--name", model.rpartition("/")[2],
    ]  # fmt: skip


def test_every_verb_reads_the_transcripts_once(tmp_path: Path, watched: Notes) -> None:
    def times(*words: str) -> list[int]:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        counts = watched.taken() if watched.path.exists() else Counter()
        return [readings(counts, tmp_path / "runs" / name) for name in ("oracle", "empty")]

    first, second = (nestools_run(tmp_path, f"scripted/{name}") for name in ("oracle", "empty"))
    oracle, empty = (str(tmp_path / "runs" / name) for name in ("oracle", "empty"))
    assert times(*first) == [0, 0]
    assert times(*first) == [1, 0], "for its hash: nothing has changed since it was shown"
    assert times(*second) == [0, 0]
    assert times("score", oracle) == [1, 0]
    assert times("report", oracle) == [1, 0]
    assert times("export", oracle, "--to", "csv", "--out", str(tmp_path / "out")) == [1, 0]
    assert times("compare", oracle, empty) == [1, 1]


def changed_data(tmp_path: Path) -> tuple[Path, Path]:
    """A finished run, and its data with another gold answer than it had."""
    data = tmp_path / "data"
    data.mkdir()
    for file in NESTOOLS.data.starter.iterdir():
        (data / file.name).write_bytes(file.read_bytes())
    folder = evaluate(
        "nestools", "scripted/oracle", data=str(data), limit=3, runs=tmp_path / "runs", name="r"
    ).folder
    file = data / "test_data.jsonl"
    first, *rest = file.read_text("utf-8").splitlines(keepends=True)
    row = json.loads(first)
    parameters = row["call"][0]["parameters"]
    parameters[next(iter(parameters))] = "another"
    file.write_text(json.dumps(row) + "\n" + "".join(rest), "utf-8")
    return folder, data


def test_every_verb_refuses_data_that_were_changed_and_rewrites_nothing(tmp_path: Path) -> None:
    folder, data = changed_data(tmp_path)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}
    same = ["run", "nestools", "-m", "scripted/oracle", "--data", str(data), "--limit", "3"]
    for words in (
        ["score", str(folder)],
        ["report", str(folder)],
        ["export", str(folder), "--to", "csv", "--out", str(tmp_path / "out")],
        [*same, "--runs", str(folder.parent), "--name", "r"],
    ):
        done = CliRunner().invoke(app, words)
        assert isinstance(done.exception, RunMismatch), words
        assert "have changed" in str(done.exception)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"} == before


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "../other", "/tmp/x", "a\\b"])
def test_a_name_never_leaves_the_runs_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="not the name of one folder"):
        Run.plan(Settings("nestools", "scripted/oracle", limit=1, runs=tmp_path / "runs", name=name))


@pytest.mark.parametrize(
    ("given", "flag"),
    [
        ({"data": "starter"}, "--data"),
        ({"evidence": Path("e.jsonl")}, "--evidence"),
        ({"options": {"variant": "x"}}, "--variant"),
    ],
)
def test_what_a_run_cannot_change_is_refused(tmp_path: Path, given: dict[str, object], flag: str) -> None:
    with pytest.raises(UsageError, match=f"{flag} cannot change"):
        score_settings(ScoreSettings(str(tmp_path), **given))  # type: ignore[arg-type]


def test_baselines_follow_the_embedder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    folder = evaluate(
        "toolbehonest", "scripted/random", limit=7, runs=tmp_path / "runs", embedder="hash"
    ).folder
    hashed = load_report(folder).baselines["paper"]
    score_settings(ScoreSettings(str(folder), embedder="none"))
    alone = load_report(folder).baselines["paper"]
    by_name = {item.name: item.figures for item in alone}
    # Without an embedder how near a proposed tool comes is not known.
    assert by_name["scripted/random"]["l3_ms"] is None
    assert {item.name: item.figures for item in hashed}["scripted/random"]["l3_ms"] is not None
    assert json.loads((folder / BASELINES).read_text())["paper"] == by_name


@pytest.mark.parametrize("content", ["", "{", '{"key": 1}', "[]"])
def test_damaged_baselines_are_made_again(tmp_path: Path, content: str) -> None:
    folder = evaluate("nestools", "scripted/empty", limit=2, runs=tmp_path).folder
    wanted = load_report(folder).baselines
    (folder / BASELINES).write_text(content)
    assert load_report(folder).baselines == wanted


def test_a_report_later_is_the_same_file(tmp_path: Path) -> None:
    words = f"run nestools -m scripted/random --limit 4 --runs {tmp_path} --name r".split()
    done = CliRunner().invoke(app, [*words, "--no-report"])
    assert done.exit_code == 0, done.output
    assert "toolyard report" in done.output
    names = ("report.html", "report.json", "report.md")
    assert not any((tmp_path / "r" / name).exists() for name in names)
    write_report(tmp_path / "r")
    later = [(tmp_path / "r" / name).read_bytes() for name in names]
    CliRunner().invoke(app, words)
    assert [(tmp_path / "r" / name).read_bytes() for name in names] == later


def test_charts_are_drawn_when_somebody_asks_for_them(tmp_path: Path) -> None:
    words = f"run nestools -m scripted/random --limit 2 --runs {tmp_path} --name r".split()
    done = CliRunner().invoke(app, words)
    assert "report.html (with charts: toolyard report" in done.output
    page = tmp_path / "r" / "report.html"
    assert "<figure" not in page.read_text() and "toolyard report r<" in page.read_text()
    write_report(tmp_path / "r")
    assert "<figure" in page.read_text()
    CliRunner().invoke(app, words)
    assert "<figure" in page.read_text(), "nothing has changed"


@pytest.mark.parametrize("content", [b"", b"{", b'{"digest": "x"}', b"[1]", b"\xff\xfe"])
def test_a_damaged_manifest_is_mended_by_the_same_command(tmp_path: Path, content: bytes) -> None:
    settings = {"limit": 3, "runs": tmp_path, "name": "r"}
    folder = evaluate("nestools", "scripted/oracle", **settings).folder
    whole = json.loads((folder / "manifest.json").read_text())
    answers = (folder / "transcripts.jsonl").read_bytes()
    (folder / "manifest.json").write_bytes(content)
    with pytest.raises(DataError, match=r"manifest\.json is damaged"):
        Run.open(folder)
    evaluate("nestools", "scripted/oracle", **settings)
    mended = json.loads((folder / "manifest.json").read_text())
    assert (mended["identity"], mended["usage"]) == (whole["identity"], whole["usage"])
    assert (folder / "transcripts.jsonl").read_bytes() == answers


def test_the_command_mends_a_damaged_manifest_and_refuses_changed_data_after(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(NESTOOLS.data.starter, data)
    words = ["run", "nestools", "-m", "scripted/oracle", "--limit", "2", "--data", str(data), "--no-report"]
    words += ["--runs", str(tmp_path), "--name", "r"]
    assert CliRunner().invoke(app, words).exit_code == 0
    (tmp_path / "r" / "manifest.json").write_bytes(b"")
    assert CliRunner().invoke(app, words).exit_code == 0
    changed = next(path for path in sorted(data.iterdir()) if path.is_file())
    changed.write_bytes(changed.read_bytes() + b"\n")
    with pytest.raises(RunMismatch, match="have changed since"):
        CliRunner().invoke(app, words, catch_exceptions=False)


def finished(folder: Path) -> str | None:
    """The date of a run's end in its manifest."""
    found: str | None = json.loads((folder / "manifest.json").read_text())["finished"]
    return found


@pytest.mark.parametrize("again", ["report", "score", "begin"])
def test_a_run_that_lost_a_line_is_no_longer_finished(tmp_path: Path, again: str) -> None:
    folder = evaluate("nestools", "scripted/oracle", limit=3, runs=tmp_path, name="r").folder
    lines = (folder / "transcripts.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "transcripts.jsonl").write_bytes(b"".join(lines[:-1]))
    assert finished(folder)
    if again == "report":
        assert write_report(folder).manifest["finished"] is None
    elif again == "score":
        asyncio.run(score_run(Run.open(folder), Instruments(embedder="hash")))
    else:
        assert begin_run(Run.open(folder))["finished"] is None
    assert finished(folder) is None
    evaluate("nestools", "scripted/oracle", limit=3, runs=tmp_path, name="r")
    assert finished(folder)


def test_scores_of_answers_that_are_lost_stay(tmp_path: Path) -> None:
    folder = evaluate("nestools", "scripted/oracle", limit=3, runs=tmp_path, name="r").folder
    scores = (folder / "scores.jsonl").read_bytes()
    (folder / "transcripts.jsonl").unlink()
    with pytest.raises(DataError, match="has lost 3 of its 3 answers"):
        CliRunner().invoke(app, ["score", str(folder)], catch_exceptions=False)
    assert (folder / "scores.jsonl").read_bytes() == scores


@each_case("key, value")
def test_a_manifest_of_odd_types_is_mended_by_a_command(tmp_path: Path, key: str, value: object) -> None:
    settings = {"limit": 1, "runs": tmp_path, "name": "r"}
    folder = evaluate("nestools", "scripted/oracle", **settings).folder
    whole = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**whole, key: value}))
    with pytest.raises(DataError, match=rf"manifest\.json is damaged .*{key}"):
        Run.open(folder)
    evaluate("nestools", "scripted/oracle", **settings)
    assert json.loads((folder / "manifest.json").read_text())[key] == whole[key]


def test_a_damaged_manifest_beside_the_answers_of_another_run_stops(tmp_path: Path) -> None:
    folder = evaluate("nestools", "scripted/oracle", ids=("1", "2"), runs=tmp_path, name="r").folder
    (folder / "manifest.json").write_text("{")
    with pytest.raises(DataError, match="the answers beside it are of another run"):
        evaluate("nestools", "scripted/oracle", ids=("3",), runs=tmp_path, name="r")


def out_folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_a_benchmark_without_a_released_scorer_has_one_profile(tmp_path: Path) -> None:
    data = tmp_path / "count.txt"
    data.write_text("8")
    planned = Run.plan(Settings("toy", "scripted/oracle", runs=tmp_path, name="r"), toy_benchmark(data))
    report = run_and_report(planned, "toy", reports=True)
    for form in FORMS:
        FORMS[form](report, out_folder(tmp_path / form))
    assert set(report.graded) == set(report.summaries) == set(report.baselines) == {"paper"}
    line = json.loads((tmp_path / "r" / "scores.jsonl").read_text().splitlines()[0])
    assert set(line["profiles"]) == {"paper"}


def tool_namer(failing: Mapping[str, str] | None = None, price: Price | None = None) -> AnsweringModel:
    """Answers right; fails on the samples it is told to fail on."""

    def answer(request: Request) -> Completion:
        if request.sample in (failing or {}):
            raise ProviderError((failing or {})[request.sample], "did not work")
        return Completion(TOOLS[int(request.sample) % 4], usage=Usage(10, 1))

    return AnsweringModel(answer, price)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "count.txt"
    path.write_text("20")
    return path


def plan(data: Path, **settings: object) -> Run:
    base_settings = Settings(benchmark="toy", model="namer", runs=data.parent / "runs", **settings)  # type: ignore[arg-type]
    return Run.plan(base_settings, toy_benchmark(data))


def play(plan: Run, model: AnsweringModel) -> RunResult:
    return asyncio.run(execute_run(plan, model, Instruments()))


def test_a_finished_run_started_again_sends_nothing(data: Path) -> None:
    first, second = tool_namer(), tool_namer()
    result = play(plan(data), first)
    assert len(first.asked) == 20
    assert result.summaries["paper"].figures["accuracy"].value == 1.0
    scores = (result.folder / "scores.jsonl").read_bytes()
    play(plan(data), second)
    assert second.asked == []
    assert (result.folder / "scores.jsonl").read_bytes() == scores


def test_a_run_that_is_scored_half_way_is_not_called_finished(data: Path) -> None:
    run = plan(data)
    with pytest.raises(ProviderError):
        play(run, tool_namer({"3": "bad_key"}))
    assert 0 < len(run.store.transcripts()) < 20
    asyncio.run(score_run(plan(data), Instruments()))
    assert (run.store.manifest() or {})["finished"] is None
    play(plan(data), tool_namer({"3": "server_error"}))
    assert (run.store.manifest() or {})["finished"]


def test_failed_requests_are_unscored_and_tried_again(data: Path) -> None:
    failed = play(plan(data), tool_namer({"3": "timeout", "8": "server_error"})).summaries["paper"]
    assert (failed.samples, failed.unscored) == (18, 2)
    assert failed.unscored_reasons == {"server_error": 1, "timeout": 1}
    assert failed.figures["accuracy"].value == 1.0
    assert failed.withheld
    again = tool_namer()
    repaired = play(plan(data), again).summaries["paper"]
    assert sorted(again.asked) == [("3", 0), ("8", 0)]
    assert (repaired.samples, repaired.unscored, repaired.withheld) == (20, 0, False)


@pytest.mark.parametrize("kind", ["bad_key", "unreachable", "not_found"])
def test_a_hopeless_failure_stops_the_run(data: Path, kind: str) -> None:
    model = tool_namer({str(n): kind for n in range(20)})
    with pytest.raises(ProviderError, match="did not work"):
        play(plan(data, concurrency=2), model)
    assert len(model.asked) <= 4


def test_trials_are_apart_and_a_limit_takes_clusters_round_robin(data: Path) -> None:
    model = tool_namer()
    result = play(plan(data, trials=3, limit=2), model)
    assert sorted(model.asked) == [(sample, trial) for sample in ("0", "1") for trial in (0, 1, 2)]
    assert result.summaries["paper"].samples == 6
    assert [sample.gold for sample in plan(data, limit=4).samples] == list(TOOLS)


def test_unknown_ids_budgets_without_price_and_other_settings_under_one_name_are_refused(data: Path) -> None:
    with pytest.raises(UsageError, match="no sample has the id 99"):
        plan(data, ids=("3", "99"))
    with pytest.raises(UsageError, match="needs a price"):
        play(plan(data, max_cost=1.0), tool_namer())
    play(plan(data, name="mine"), tool_namer())
    with pytest.raises(RunMismatch, match="seed differ"):
        play(plan(data, name="mine", seed=5), tool_namer())


def test_the_budget_stops_the_run_and_what_was_paid_for_is_kept(data: Path) -> None:
    model = tool_namer(price=Price(1e6, 0))
    with pytest.raises(BudgetExceeded, match=r"with \$50.0000 spent: 15 of 20 samples remain"):
        play(plan(data, max_cost=50.0, concurrency=1), model)
    assert len(model.asked) == 5
    more = tool_namer()
    play(plan(data), more)
    assert len(more.asked) == 15
