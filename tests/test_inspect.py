"""The same completions give the same figures under inspect-ai as under Toolyard's own runner."""

import gc
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolyard.benchmarks import benchmark_names
from toolyard.core.types import Transcript
from toolyard.run.api import evaluate
from toolyard.run.play.execute import RunResult

inspect_ai = pytest.importorskip("inspect_ai", reason="needs inspect-ai: pip install 'toolyard[inspect]'")

# Inspect leaves in-memory streams of its own to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    monkeypatch.chdir(tmp_path)
    yield
    gc.collect()


def prompts_and_answers(transcripts: list[Transcript]) -> dict[tuple[str, ...], str]:
    """Every answer by the texts of the messages that it was given to."""
    known: dict[tuple[str, ...], str] = {}
    for transcript in transcripts:
        texts = [message.content for message in transcript.messages]
        answers = [place for place, message in enumerate(transcript.messages) if message.role == "assistant"]
        for place, completion in zip(
            answers[-len(transcript.completions) :], transcript.completions, strict=True
        ):
            known[tuple(texts[:place])] = completion.text
    return known


def replaying(result: RunResult) -> Any:
    """A mock model of inspect-ai that answers as the run did."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    known = prompts_and_answers([item.transcript for item in result.graded["paper"]])

    def respond(messages: list[Any], tools: Any, choice: Any, config: Any) -> Any:
        output = ModelOutput.from_content("mockllm", known[tuple(message.text for message in messages)])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=respond, memoize=False)


def run_inspect(name: str, model: Any, *, epochs: int = 1, **arguments: Any) -> Any:
    [log] = inspect_ai.eval(
        f"toolyard/{name}", model=model, task_args=arguments, epochs=epochs, log_dir="logs", display="none"
    )
    assert log.status == "success", log.error
    return log


def figures_of(log: Any) -> dict[str, float | None]:
    [score] = log.results.scores
    values = {name: metric.value for name, metric in score.metrics.items()}
    return {name: None if math.isnan(value) else value for name, value in values.items()}


def own_figures(result: RunResult, profile: Any = "paper") -> dict[str, float | None]:
    return {name: figure.value for name, figure in result.summaries[profile].figures.items()}


@pytest.mark.parametrize("name", benchmark_names())
@pytest.mark.parametrize("profile", ["paper", "official"])
def test_inspect_gives_the_figures_of_our_runner(name: str, profile: str, tmp_path: Path) -> None:
    result = evaluate(name, "scripted/random", limit=6, runs=tmp_path / "runs")
    log = run_inspect(name, replaying(result), limit=6, profile=profile)
    assert figures_of(log) == pytest.approx(own_figures(result, profile), nan_ok=True)


@pytest.mark.parametrize(
    ("name", "options"), [("mtu", {"history": "own"}), ("toolbehonest", {"reprompt": "yes"})]
)
@pytest.mark.parametrize("model", ["scripted/random", "scripted/oracle"])
def test_dialogues_and_second_questions_run_under_inspect_too(
    name: str, options: dict[str, Any], model: str, tmp_path: Path
) -> None:
    result = evaluate(name, model, limit=6, runs=tmp_path / "runs", options=options)
    log = run_inspect(name, replaying(result), limit=6, **options)
    assert len(log.samples) == len(result.run.units)
    assert figures_of(log) == pytest.approx(own_figures(result), nan_ok=True)


def test_the_oracle_is_perfect_under_inspect_too(tmp_path: Path) -> None:
    result = evaluate("nestools", "scripted/oracle", limit=4, runs=tmp_path / "runs")
    log = run_inspect("nestools", replaying(result), limit=4)
    assert figures_of(log)["average"] == 1.0
    assert [sample.scores["graded"].value for sample in log.samples] == [1.0] * 4


def test_epochs_are_trials(tmp_path: Path) -> None:
    result = evaluate("nestools", "scripted/first-tool", limit=3, trials=2, runs=tmp_path / "runs")
    log = run_inspect("nestools", replaying(result), epochs=2, limit=3)
    assert len(log.samples) == 6
    assert figures_of(log) == pytest.approx(own_figures(result))


def test_an_unanswered_request_is_unscored_and_not_zero(tmp_path: Path) -> None:
    from inspect_ai.model import get_model

    result = evaluate("nestools", "scripted/oracle", limit=3, runs=tmp_path / "runs")
    answers = replaying(result).api.outputs
    lost = result.graded["paper"][0].transcript.messages[0].content

    def respond(messages: list[Any], *rest: Any) -> Any:
        if messages[0].text == lost:
            raise RuntimeError("overloaded")
        return answers(messages, *rest)

    log = run_inspect("nestools", get_model("mockllm/model", custom_outputs=respond, memoize=False), limit=3)
    assert figures_of(log)["average"] == 1.0
    [score] = log.results.scores
    assert (score.scored_samples, score.unscored_samples) == (2, 1)


def test_the_benchmarks_own_options_reach_the_prompts(tmp_path: Path) -> None:
    from toolyard.inspect_tasks import TASKS

    plain, changed = (TASKS["nestools"](limit=1, **options) for options in ({}, {"style": "default"}))
    assert plain.dataset[0].input[0].text == changed.dataset[0].input[0].text
    with pytest.raises(Exception, match="has no option --nonsense"):
        TASKS["nestools"](nonsense="yes")


def test_the_decoding_of_the_paper_is_the_tasks_default_and_the_user_may_change_it(tmp_path: Path) -> None:
    from inspect_ai.model import get_model

    result = evaluate("nestools", "scripted/oracle", limit=1, runs=tmp_path / "runs")
    answers = replaying(result).api.outputs
    seen: list[Any] = []

    def respond(messages: list[Any], tools: Any, choice: Any, config: Any) -> Any:
        seen.append((config.temperature, config.max_tokens))
        return answers(messages, tools, choice, config)

    model = get_model("mockllm/model", custom_outputs=respond, memoize=False)
    task = {"task_args": {"limit": 1}, "display": "none", "log_dir": "logs"}
    inspect_ai.eval("toolyard/nestools", model=model, **task)
    inspect_ai.eval("toolyard/nestools", model=model, max_tokens=99, **task)
    assert seen == [(0.0, 768), (0.0, 99)]


def test_models_of_inspect_answer_our_runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import inspect_ai.model

    first = evaluate("nestools", "scripted/random", limit=4, runs=tmp_path / "runs")
    mock = replaying(first)
    monkeypatch.setattr(inspect_ai.model, "get_model", lambda name, memoize: mock)
    second = evaluate("nestools", "inspect/mockllm/model", limit=4, runs=tmp_path / "runs")
    assert own_figures(second) == own_figures(first)
    assert second.graded["paper"][0].transcript.completions[0].usage.prompt_tokens == 1


def test_every_benchmark_is_registered() -> None:
    from toolyard.inspect_tasks import TASKS

    assert tuple(TASKS) == benchmark_names()
