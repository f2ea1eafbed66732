"""Errata of the official data: accepted by `paper` and `outcome` where asked for, never by `official`, never elsewhere."""

from pathlib import Path

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.errata import digest_of, read_errata, with_errata
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Sample, Transcript
from toolyard.run.grade.grading import grade

YES = Options(values={"errata": "yes"})


@pytest.mark.parametrize("name", ["nestools", "mtu"])
def test_every_erratum_is_about_an_official_row_and_says_why(name: str, shared: Path) -> None:
    benchmark = load_benchmark(name)
    found = benchmark.data.load(shared / "data" / name, YES)
    corrected = {sample.id for sample in found if sample.gold.get("alternatives")}
    errata = read_errata(benchmark.data.starter.parent)
    assert {erratum.id for erratum in errata} == corrected
    assert all(erratum.reason and erratum.alternatives for erratum in errata)
    plain = benchmark.data.load(shared / "data" / name, Options())
    assert not any(sample.gold.get("alternatives") for sample in plain)


def test_paper_takes_an_erratum_and_official_does_not(shared: Path) -> None:
    benchmark = load_benchmark("mtu")
    setup = RunSetup.default(benchmark)
    answer = "Thought: None of these tools finds flights, so I cannot help with that."
    for options, right in ((Options(), 0.0), (YES, 1.0)):
        samples = benchmark.data.load(shared / "data" / "mtu" / "benchmark" / "S-S_eval.jsonl", options)
        sample = next(sample for sample in samples if sample.id == "S-S_25")
        transcript = Transcript.answered(sample.id, answer)
        assert grade(setup, sample, transcript, {}, "paper").score.values["right"] == right
        assert grade(setup, sample, transcript, {}, "official").score.values["right"] == 0.0
        assert grade(setup, sample, transcript, {}, "paper").score.values["outcome"] == (right or None)


def test_errata_meet_no_other_row_of_the_same_id() -> None:
    benchmark = load_benchmark("nestools")
    with pytest.raises(DataError, match="no erratum is about these rows"):
        benchmark.data.load(benchmark.data.starter, YES)


def test_words_of_the_row_stand_in_by_their_place(tmp_path: Path) -> None:
    sample = Sample("1", {"query": "Paint it in the fall, please."}, {"calls": [{"parameters": {}}]})
    line = (
        '{"id": "1", "digest": "%s", "reason": "r", "alternatives": '
        '[{"call": 0, "parameter": "season", "said": [4, 1]}]}'
    )
    (tmp_path / "errata.jsonl").write_text(line % digest_of(sample.input["query"]), encoding="utf-8")
    (found,) = with_errata((sample,), YES, tmp_path, lambda each: str(each.input["query"]))
    assert found.gold["alternatives"] == [{"call": 0, "parameter": "season", "values": ["fall"]}]
