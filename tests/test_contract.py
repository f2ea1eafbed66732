"""What every discovered benchmark promises."""

import random
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import F_STATISTIC, RunSetup
from toolyard.core.types import Options, Sample, Transcript
from toolyard.lines import encode
from toolyard.run.grade.checking import CheckResult, check_benchmark
from toolyard.run.grade.grading import grade
from toolyard.run.plan.data_sources import load_samples, prepare_samples
from toolyard.run.plan.run_config import require_options
from toolyard.run.store.records import score_line

every_benchmark = pytest.mark.parametrize("name", benchmark_names())


@cache
def samples_of(name: str) -> tuple[Sample, ...]:
    benchmark = load_benchmark(name)
    options = Options(benchmark.task.styles[0], values=require_options(benchmark, {}))
    return prepare_samples(benchmark, "starter", load_samples(benchmark, "starter", options), "minilm", 0)


@cache
def checked(name: str) -> CheckResult:
    # Changed gold answers have tests of their own.
    return check_benchmark(load_benchmark(name), "starter", {}, mutate=False)


@every_benchmark
def test_oracle_floor_ids_and_prompts(name: str) -> None:
    result = checked(name)
    assert result.passed, [check for check in result.checks if not check.passed]


@every_benchmark
def test_the_starter_set_has_no_defect(name: str) -> None:
    findings = checked(name).findings
    assert [finding for finding in findings if finding.severity == "defect"] == []


@every_benchmark
def test_loading_twice_gives_the_same_samples_in_the_same_order(name: str) -> None:
    benchmark = load_benchmark(name)
    options = Options(benchmark.task.styles[0], values=require_options(benchmark, {}))
    first, second = (benchmark.data.load(benchmark.data.starter, options) for _ in range(2))
    assert [sample.id for sample in first] == [sample.id for sample in second]
    assert len({sample.id for sample in first}) == len(first)


@every_benchmark
def test_the_record_is_consistent(name: str) -> None:
    benchmark = load_benchmark(name)
    figures = {metric.name for metric in benchmark.scoring.metrics}
    assert benchmark.name == name
    assert benchmark.scoring.headline in figures
    assert set(benchmark.checks.trivial.floor_on(samples_of(name))) <= figures
    for grouping in benchmark.scoring.groupings:
        assert {
            *grouping.figures,
            *(each for keys in grouping.figures_of.values() for each in keys),
        } <= figures
    assert all(len(source.sha256) == 64 and source.size > 0 for source in benchmark.data.sources)
    assert benchmark.task.templates


@every_benchmark
def test_published_figures_are_fractions(name: str) -> None:
    for row in load_benchmark(name).published:
        for figure, value in row.figures.items():
            assert value is None or figure == F_STATISTIC or 0 <= value <= 1, (row.table, row.model, figure)


@every_benchmark
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_any_text_is_graded_alike_twice_and_never_raises(name: str, data: st.DataObject) -> None:
    benchmark = load_benchmark(name)
    sample = data.draw(st.sampled_from(samples_of(name)))
    text = data.draw(texts(name, sample))
    transcript = Transcript.answered(sample.id, text)
    for profile in benchmark.profiles:
        first, second = (
            grade(RunSetup.default(benchmark), sample, transcript, {}, profile) for _ in range(2)
        )
        assert encode(score_line(first.score)) == encode(score_line(second.score))


def texts(name: str, sample: Sample) -> st.SearchStrategy[str]:
    """Arbitrary text, and the perfect answer with something cut out or put in."""
    perfect = load_benchmark(name).checks.oracle(sample, (), random.Random(0))
    places = st.integers(0, len(perfect))
    noise = st.one_of(
        st.text(max_size=20), st.sampled_from(["[", "]", "{", "}", '"', "\\", "<think>", "\ud800", "\n"])
    )
    damaged = st.builds(
        lambda a, b, put: perfect[: min(a, b)] + put + perfect[max(a, b) :], places, places, noise
    )
    return st.one_of(st.text(st.characters(), max_size=200), damaged)
