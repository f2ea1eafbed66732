"""`--perturb NAME=LEVEL`: gold stays provable, level 0 is the run without it, and no style without results takes it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cases import each_case
from toolyard import evaluate
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.core.perturbations import NAMES, NOTE, sample_perturbation
from toolyard.core.types import Completion, Request, Transcript
from toolyard.report.report_files import write_report
from toolyard.report.tables.run_tables import report_tables
from toolyard.run.grade.grading import grade_all
from toolyard.run.play.offline import gold_answers, play_with
from toolyard.run.run import Run
from toolyard.run.settings import Settings

STYLES = {
    "nestools": ("native", "native-parallel", "search", "code"),
    "tooleyes": ("example", "native", "search", "code"),
    "mtu": ("native-executed", "code-executed"),
}
CASES = [(name, style) for name, styles in STYLES.items() for style in styles]
LIMIT = 3


def planned(benchmark: str, style: str, perturb: str, limit: int = LIMIT) -> Run:
    return Run.plan(Settings(benchmark, "scripted/oracle", style=style, perturb=perturb, limit=limit))


def played(run: Run) -> list[Transcript]:
    return play_with(run.setup, run.samples, gold_answers(run.setup, run.samples))


def outcomes(run: Run, transcripts: list[Transcript]) -> list[float | None]:
    graded = grade_all(run.setup, run.samples, transcripts, {}, "paper")
    return [each.score.values.get("outcome") for each in graded]


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("benchmark", "style"), CASES)
def test_gold_that_handles_perturbation_is_right(benchmark: str, style: str, name: str, level: int) -> None:
    run = planned(benchmark, style, f"{name}={level}")
    transcripts = played(run)
    assert set(outcomes(run, transcripts)) == {1.0}
    changed = [note for each in transcripts for note in each.notes[NOTE]]
    # At level 1 few calls fail; something is changed under all others.
    assert changed or (name, level) == ("faults", 1)
    assert all(set(note) == {"call", "tool", "what"} for note in changed)


@pytest.mark.parametrize("benchmark", ["nestools", "tooleyes"])
def test_an_agent_that_ignores_failures_and_pages_loses(benchmark: str) -> None:
    """The same gold plan without a second try and without a second page."""
    lost = 0
    for name in ("faults", "paging"):
        run = planned(benchmark, "code", f"{name}=3", 8)
        base = Run.plan(replace(run.settings, perturb=""))
        naive = gold_answers(base.setup, base.samples)
        found = outcomes(run, play_with(run.setup, run.samples, naive))
        lost += sum(value != 1.0 for value in found)
    assert lost > 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("benchmark", "style"), [("nestools", "native"), ("tooleyes", "example")])
def test_level_0_is_the_run_without_it(tmp_path: Path, benchmark: str, style: str, name: str) -> None:
    base = Settings(benchmark, "scripted/oracle", style=style, limit=2, runs=tmp_path)
    without, zero = Run.plan(base), Run.plan(replace(base, perturb=f"{name}=0"))
    assert (without.config.digest(), without.folder) == (zero.config.digest(), zero.folder)
    assert [sample.input for sample in without.samples] == [sample.input for sample in zero.samples]
    one = Run.plan(replace(base, perturb=f"{name}=1"))
    assert one.config.digest() != without.config.digest()
    unseen = Run.plan(replace(base, benchmark="nestools", style="default", perturb=f"{name}=0"))
    assert not unseen.settings.perturb, "a style that shows no results has a run without it, too"


def test_a_stored_run_is_opened_with_its_perturbation_and_resumes(tmp_path: Path) -> None:
    asked = []

    class Counting:
        name, price = "python/counting", None

        async def generate(self, request: Request) -> Completion:
            asked.append(request.sample)
            return Completion('Thought: done.\nAction: finish\nAction Input: {"answer": "no"}')

        async def close(self) -> None: ...

    counting: Any = Counting()
    for _ in range(2):
        result = evaluate("tooleyes", counting, perturb="drift=2", limit=2, runs=tmp_path, name="run")
    assert len(asked) == 2
    opened = Run.open(result.folder)
    given = [sample_perturbation(sample) for sample in opened.samples]
    assert all(each is not None and (each.name, each.level) == ("drift", 2) for each in given)
    manifest = json.loads((result.folder / "manifest.json").read_text())
    assert manifest["identity"]["perturb"] == "drift=2"


@each_case("benchmark, style, says")
def test_a_style_that_shows_no_results_is_refused(benchmark: str, style: str | None, says: str) -> None:
    with pytest.raises(UsageError, match="shows no results of calls") as caught:
        Run.plan(Settings(benchmark, "scripted/oracle", style=style, perturb="noise=1", limit=1))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wanted", ["noise", "noise=4", "noise=-1", "fog=1", "=1", "noise=1=1"])
def test_what_is_no_perturbation_is_refused(wanted: str) -> None:
    with pytest.raises(UsageError, match="no such name or level: wanted one of noise"):
        Run.plan(Settings("tooleyes", "scripted/oracle", perturb=wanted, limit=1))


def test_a_call_that_failed_for_a_moment_may_be_made_again_and_others_may_not() -> None:
    run = planned("nestools", "native", "faults=3", 1)
    (sample,) = run.samples
    tool = sample.gold["calls"][0]
    function = {"name": tool["api_name"], "arguments": json.dumps(tool["parameters"])}

    def insist(_: Request) -> Completion:
        return Completion("", tool_calls=({"id": "1", "type": "function", "function": function},))

    (found,) = play_with(run.setup, run.samples, insist)
    told: list[Any] = [message.content for message in found.messages if message.role == "tool"]
    (failure,) = found.notes[NOTE]
    assert "make the same call again" in told[0] and failure["call"] == 1
    # The second try succeeds, the third gets its answer again, the fourth ends the episode.
    assert (len(told), found.notes["repeated_calls"]) == (4, 2)
    assert "API_call_0" in told[1] and told[2].startswith(told[1])


def test_no_document_changes_but_those_of_the_run() -> None:
    benchmark = load_benchmark("tooleyes")
    plain, paged = planned("tooleyes", "native", "", 2), planned("tooleyes", "native", "paging=1", 2)
    prompts = [benchmark.task.prompt(sample, run.options) for run in (plain, paged) for sample in run.samples]
    assert prompts[:2] == prompts[2:]
    names = {
        name
        for sample in paged.samples
        for document in sample.input["documents"]
        for name in document["parameters"]["properties"]
    }
    assert "result_page" in names
    assert all("result_page" not in json.dumps(sample.input["documents"]) for sample in plain.samples)


@pytest.mark.parametrize(
    ("style", "says"), [("code", "4 of 4 answers"), ("native", "0 of 4 answers: it was not tried")]
)
def test_a_run_says_how_many_results_were_changed(tmp_path: Path, style: str, says: str) -> None:
    # Without a call nothing is tried.
    model = "scripted/oracle" if style == "code" else "scripted/word-overlap"
    run = evaluate("nestools", model, limit=4, runs=tmp_path, style=style, perturb="faults=3")
    report = write_report(run.folder)
    assert f"faults=3 changed results in {says}" in report_tables(report)[0].note
    assert report.to_json()["perturbed_samples"] == int(says[0])
