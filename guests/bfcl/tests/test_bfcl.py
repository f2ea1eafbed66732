"""BFCL as a guest: what needs no wheel runs everywhere, the rest where bfcl-eval is installed."""

from __future__ import annotations

import decimal
import json
import random
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from toolyard_bfcl import BENCHMARK
from toolyard_bfcl.calls import Call, Services, read_gold, read_result, read_text, result_of
from toolyard_bfcl.rows import CATEGORIES, RowSample, read_rows
from toolyard_bfcl.wheel import INSTALL

from toolyard import Completion, DataError, Failure, Message, Options, RunSetup, Transcript, check_benchmark
from toolyard.run.play.offline import play_offline

GUEST = Path(__file__).parents[1]
needs_wheel = pytest.mark.skipif(find_spec("bfcl_eval") is None, reason=f"needs BFCL's data: {INSTALL}")
needs_parsers = pytest.mark.skipif(
    find_spec("tree_sitter_java") is None, reason="needs the parsers of Java: pip install toolyard-bfcl[java]"
)


def load(categories: str) -> tuple[RowSample, ...]:
    return BENCHMARK.data.load(BENCHMARK.data.starter, Options(values={"categories": categories}))


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('[area(base=10, unit="cm")]', [Call("area", {"base": 10, "unit": "cm"})]),
        ("`math.add(a=-1, b=2*1.5)`", [Call("math.add", {"a": -1, "b": 3.0})]),
        ("f(x=[1, (2, 'a')], y={'k': None})", [Call("f", {"x": [1, (2, "a")], "y": {"k": None}})]),
        ("f(x=name, y=g(1), z=a[0])", [Call("f", {"x": "name", "y": "g(1)", "z": "a[0]"})]),
        ("f(x=g(y=1))", [Call("f", {"x": {"g": {"y": 1}}})]),
        ("f('by position'), g()", [Call("f"), Call("g")]),
        ("[]", []),
    ],
)
def test_text_is_read_as_bfcl_reads_it(text: str, calls: list[Call]) -> None:
    assert read_text(text) == tuple(calls)


@pytest.mark.parametrize(
    "text",
    [
        "I cannot help with that.", "f(x=lambda: 1)", "f(x=[y for y in z])", "f(x=f'{1}')", "f(x=1 if 2 else 3)",
        "f(x=9**9**9)", "f(x='a' * 10**9)", "f(x=True and g(y=1))", "[f(x=1)][0]", "(" * 5000, "-" * 9000 + "1", "\0",
        "f(x=" + "[" * 3000, "f(x=__import__('os').name)", "f(x=1).__class__",
    ],
)  # fmt: skip
def test_what_is_no_literal_is_no_call(text: str) -> None:
    assert isinstance(read_text(text), Failure)


def test_nothing_in_a_text_is_run(tmp_path: Path) -> None:
    made = tmp_path / "made"
    code = f"__import__('pathlib').Path({str(made)!r}).touch()"
    for text in (code, f"f(x={code})", f"f(x=g(y={code}))", f"f(x=[{code}])", f"f(x=1 + {code})"):
        read_text(text)
    assert not made.exists()


@pytest.mark.parametrize("result", ["[f(x=1)]", None, 3, [1], [{"f": "{"}], [{"f": "[1]"}], [{"f": None}]])
def test_native_results_that_are_no_calls(result: object) -> None:
    assert isinstance(read_result(result, "python", native=True), Failure)


@pytest.mark.parametrize(
    "function", [None, "f", ["f"], {}, {"name": {"a": 1}}, {"name": ["f"], "arguments": "{}"}]
)
def test_calls_of_any_shape_are_results(function: Any) -> None:
    found = read_result(
        result_of(Completion("", tool_calls=({"function": function},))), "python", native=True
    )
    assert isinstance(found, Failure) or len(found) == 1


def test_native_results_are_read_as_json() -> None:
    assert read_result([{"f": '{"x": true}'}, {"g": {}}], "python", native=True) == (
        Call("f", {"x": True}),
        Call("g"),
    )


def test_ground_truth_gets_the_names_of_its_arguments() -> None:
    assert read_gold("sort('a.txt', reverse=True)", {"sort": ["file_name"]}) == Call(
        "sort", {"file_name": "a.txt", "reverse": True}
    )


def test_a_missing_wheel_is_one_line_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("toolyard_bfcl.wheel.version", missing)
    with pytest.raises(DataError, match=INSTALL):
        load("all")


def test_the_package_stays_small() -> None:
    files = (GUEST / "toolyard_bfcl").glob("*.py")
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) < 800


def test_parity_covers_every_row_and_names_what_gold_fails_on() -> None:
    stated = json.loads((GUEST / "parity.json").read_text(encoding="utf-8"))
    assert stated["rows"] == 4441 and set(stated["categories"]) == set(CATEGORIES)
    assert stated["equal verdicts"] == stated["answers"] and stated["differences"] == []
    prompts = stated["prompts"]
    assert set(prompts.values()) == {4441}
    errata = read_rows(GUEST / "toolyard_bfcl" / "errata.jsonl")
    wanted = {
        f"{row['id']} ({style})"
        for row in errata
        for style in (("native", "text") if row["style"] == "all" else ("text",))
    }
    assert set(stated["oracle fails on"]) == wanted


@needs_wheel
def test_the_contract_holds() -> None:
    result = check_benchmark(
        BENCHMARK, "starter", {"categories": "simple_java,live_parallel,irrelevance,relevance"}
    )
    assert result.passed, [check for check in result.checks if not check.passed]
    assert [finding.where for finding in result.findings] == ["simple_java_36", "simple_java_65"]


@needs_wheel
@pytest.mark.parametrize("style", ["native", "text"])
def test_gold_is_right_in_turns(style: str) -> None:
    samples = load("multi_turn_miss_func")[:25]
    setup = RunSetup.default(BENCHMARK, Options(style))
    scoring = BENCHMARK.scoring
    for sample, played in zip(samples, play_offline(setup, samples, BENCHMARK.checks.oracle), strict=True):
        score = scoring.score(sample, scoring.parse(sample, played, "paper"), {}, "paper")
        assert score.values["accuracy"] == 1.0, (sample.id, score.reasons)
        assert len(played.notes["turns"]) == len(sample.input["turns"])


@needs_wheel
def test_a_row_ends_with_a_model_that_never_stops_calling() -> None:
    samples = load("multi_turn_base")[:1]

    def call_on(sample: RowSample, messages: Sequence[Message], rng: random.Random) -> str:
        return "[ls()]"

    setup = RunSetup.default(BENCHMARK, Options("text"))
    (played,) = play_offline(setup, samples, call_on)
    score = BENCHMARK.scoring.score(
        samples[0], BENCHMARK.scoring.parse(samples[0], played, "paper"), {}, "paper"
    )
    assert played.notes["turns"] == [21]
    assert score.errors == {"answer": {"multi_turn:force_terminated": 1}}


@needs_wheel
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("power", {"base": 10, "exponent": 10**9}), ("logarithm", {"value": 2, "base": 3, "precision": 10**9}),
        ("square_root", {"number": 2, "precision": 10**12}), ("round_number", {"number": 2, "decimal_places": 10**9}),
        ("_load_scenario", {"scenario": {}}), ("__init__", {}), ("eval", {"x": "1"}), ("add", {"a": 1, "b": 2, "c": 3}),
    ],
)  # fmt: skip
def test_services_refuse_what_they_do_not_offer(name: str, arguments: dict[str, object]) -> None:
    services = Services(["MathAPI"], {}, long_context=False)
    before = decimal.getcontext().prec
    assert services.call(Call(name, arguments)).startswith("Error during execution")
    services.call(Call("square_root", {"number": 2, "precision": 9}))
    assert decimal.getcontext().prec == before


@needs_wheel
def test_answers_that_trip_the_checker_are_wrong() -> None:
    sample = next(each for each in load("simple_javascript") if each.id == "simple_javascript_16")
    arrays = json.dumps({"vertices": "[[" + "],[" * 40 + "x", "pivot": "[1]", "angle": "1"})
    result = [{"rotateVertices": arrays}]
    played = Transcript(sample.id, completions=(Completion(""),), notes={"native": True, "result": result})
    score = BENCHMARK.scoring.score(sample, BENCHMARK.scoring.parse(sample, played, "paper"), {}, "paper")
    assert score.errors == {"answer": {"checker_error": 1}}


@needs_wheel
@pytest.mark.parametrize("line", ["[]", '{"id": 3}', "{", '{"id": "x", "result": ' + "[" * 100_000])
def test_broken_result_files_are_one_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "BFCL_v4_simple_python_result.json"
    file.write_text(line)
    read = BENCHMARK.scoring.read_predictions
    assert read is not None
    with pytest.raises(DataError, match="line 1"):
        read(tmp_path, ())


@needs_wheel
def test_result_files_of_other_rows(tmp_path: Path) -> None:
    file = tmp_path / "BFCL_v4_irrelevance_result.json"
    rows = ["irrelevance_0", "live_simple_0-0-0", "memory_kv_0-customer-0"]
    file.write_text("".join(json.dumps({"id": name, "result": "No."}) + "\n" for name in rows))
    read, samples = BENCHMARK.scoring.read_predictions, load("irrelevance")
    assert read is not None
    assert [each.sample for each in read(tmp_path, samples)] == ["irrelevance_0"]
    file.write_text('{"id": "simple_0", "result": "No."}')
    with pytest.raises(DataError, match="has a row 'simple_0', which BFCL v4 has not"):
        read(tmp_path, samples)


@needs_wheel
@needs_parsers
def test_verdicts_and_prompts_equal_the_wheels(tmp_path: Path) -> None:
    from parity import compare

    samples = (*load("simple_java")[:8], *load("live_relevance"), *load("multi_turn_miss_param")[:4])
    found = compare(samples, tmp_path)
    assert found["differences"] == [] and found["equal verdicts"] == found["answers"] > 400
    assert set(found["prompts"].values()) == {len(samples)}
