"""MTU-Instruct from corpora: what a whole run promises, on a corpus of our own and on part of the real ones."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jinja2.exceptions import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from finished_pipelines import finish
from mtu_harbour_corpus import write_corpus
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.rows import samples_by_dialogue
from toolyard.benchmarks.mtu.synth import PIPELINES
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    comparable_words,
    corpora_library,
    dialogue_rows,
    evaluation_turns,
    is_evaluation,
)
from toolyard.core.errors import UsageError
from toolyard.core.types import Options, Sample
from toolyard.run.grade.checking import check_benchmark
from toolyard.synth.data_card import write_card
from toolyard.synth.pipeline import Finished
from toolyard.synth.stages import Context, Rejected

PIPELINE = PIPELINES["corpora"]
DEFAULTS = {choice.name: choice.default for choice in PIPELINE.choices}
CHATML = """
{%- if tools %}<|im_start|>tools
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}
{%- for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}
{%- for call in message.tool_calls or [] %}<call>{{ call.function.name }} {{ call.function.arguments }}</call>{% endfor %}
<|im_end|>
{% endfor %}"""
ALTERNATING = """
{%- for message in messages %}
{%- if message.role != 'system' and (message.role == 'user') != (loop.index0 % 2 == 1) %}
{{- raise_exception('roles must alternate') }}{% endif %}
[{{ message.role }}] {{ message.content }}
{%- endfor %}"""


def wanted(sources: Path, seed: int = 0, rows: int = 0, **options: str) -> Context:
    named = {key.replace("_", "-"): value for key, value in options.items()}
    return Context(seed, rows, {**DEFAULTS, **named}, "hash", {"sources": sources})


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def made(folder: Path, context: Context) -> tuple[Path, Finished]:
    finished = finish(PIPELINE, folder / "work", context)
    out = folder / "out"
    out.mkdir()
    PIPELINE.write(finished.rows, out, context)
    write_card(PIPELINE, context, finished, "", None, out)
    return out, finished


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Finished]:
    folder = tmp_path_factory.mktemp("harbour")
    context = wanted(write_corpus(folder / "corpora"), hard_share="0.6")
    return made(folder, context)


def render_chat(row: dict[str, Any], template: str) -> str:
    """The row through a chat template of the kind that models carry."""

    def refuse(text: str) -> None:
        raise TemplateError(text)

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = refuse
    return environment.from_string(template).render(messages=row["messages"], tools=row.get("tools"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_row_is_kept_or_rejected_at_every_stage(harbour: tuple[Path, Finished]) -> None:
    for line in harbour[1].funnel:
        # Settings give a dialogue's variants besides it, composition adds rows; nothing may vanish.
        assert line.kept + line.rejected.total() >= line.entered, line.stage
        if line.stage not in ("settings", "compose"):
            assert line.kept + line.rejected.total() == line.entered, line.stage


def test_every_broken_dialogue_is_rejected_for_its_own_reason(harbour: tuple[Path, Finished]) -> None:
    rejected = {line.stage: dict(line.rejected) for line in harbour[1].funnel}
    assert rejected["dialogues"] == {"repeated_id": 1, "not_the_row_form": 1}
    assert rejected["suitable"] == {"no_call": 1, "not_annotated": 1}
    assert rejected["parameters"] == {
        "undefined_tool": 1,
        "fabricated_parameter": 1,
        "missing_required": 1,
        "format_violation": 1,
    }
    assert rejected["verify"] == {"ungrounded_value": 1}


def test_all_four_settings_and_the_held_out_topic_come_out(harbour: tuple[Path, Finished]) -> None:
    rows = list(harbour[1].rows)
    kinds = Counter((row["split"], row["setting"], row["composed"]) for row in rows)
    assert kinds["train", "M-S", ""] == 5
    assert kinds["train", "M-M", "merged"] == 3
    assert kinds["train", "S-S", "cut"] == 2
    assert kinds["train", "S-S", ""] == 12
    assert kinds["ood", "S-S", ""] == 1
    assert kinds["train", "S-M", "joined"] > 0
    train = {
        call["name"]
        for row in rows
        if row["split"] == "train"
        for turn in row["turns"]
        for call in turn["calls"]
    }
    listed = {name for row in rows if row["split"] == "train" for name in row["others"]}
    assert "order_pizza" not in train | listed


def test_the_files_load_as_a_benchmark_and_pass_its_checks(harbour: tuple[Path, Finished]) -> None:
    out, finished = harbour
    for path in (out, out / "harbour.jsonl", out / "ood"):
        result = check_benchmark(BENCHMARK, str(path), {})
        assert result.passed, [check for check in result.checks if not check.passed]
        assert not [finding for finding in result.findings if finding.severity != "note"]
    samples = BENCHMARK.data.load(out, Options())
    assert {sample.groups["source"] for sample in samples} == {"harbour"}
    evaluated = [row for row in finished.rows if row["split"] == "train" and is_evaluation(row["origins"])]
    assert len(samples_by_dialogue(samples)) == len(evaluated) > 0
    assert {sample.groups["setting"] for sample in BENCHMARK.data.load(out / "ood", Options())} == {"OOD"}


def test_a_file_whose_ids_name_no_setting_is_refused(tmp_path: Path) -> None:
    from toolyard.core.errors import DataError

    row = {"id": "X_1", "question": "Tools:\n[]\nUser: Hi", "answer": {}}
    (tmp_path / "own.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises(DataError, match="names no setting"):
        BENCHMARK.data.load(tmp_path, Options())


def test_no_dialogue_is_both_trained_on_and_evaluated(harbour: tuple[Path, Finished]) -> None:
    out, finished = harbour
    evaluated = {"_".join(row["id"].split("_")[:2]) for row in lines(out / "harbour.jsonl")}
    trained = {row["id"] for row in lines(out / "train" / "harbour.react.jsonl")}
    assert evaluated
    assert evaluated.isdisjoint(trained)
    for row in finished.rows:
        assert len({is_evaluation([origin]) for origin in row["origins"]}) == 1, row["origins"]


def test_what_is_joined_is_about_one_subject(harbour: tuple[Path, Finished]) -> None:
    joined = [row for row in harbour[1].rows if row["composed"] == "joined"]
    assert joined
    for row in joined:
        values = [set(call["arguments"].values()) for call in row["turns"][0]["calls"]]
        assert set.intersection(*values), row["turns"][0]["user"]


def test_training_rows_render_through_chat_templates(harbour: tuple[Path, Finished]) -> None:
    out, finished = harbour
    react, native = (lines(out / "train" / f"harbour.{kind}.jsonl") for kind in ("react", "tools"))
    trained = sum(row["split"] == "train" and not is_evaluation(row["origins"]) for row in finished.rows)
    assert len(react) == len(native) == trained
    for row in react:
        assert "Thought: " in render_chat(row, CHATML)
        assert render_chat(row, ALTERNATING)
    for row in native:
        text = render_chat(row, CHATML)
        calls = [each for message in row["messages"] for each in message.get("tool_calls", ())]
        assert text.count("<call>") == len(calls)
        offered = {tool["function"]["name"] for tool in row["tools"]}
        assert {each["function"]["name"] for each in calls} <= offered
        answered = [message["tool_call_id"] for message in row["messages"] if message["role"] == "tool"]
        assert answered == [each["id"] for each in calls]


def test_native_calls_hold_values_where_the_text_refers(harbour: tuple[Path, Finished]) -> None:
    out, _ = harbour
    merged = [row for row in lines(out / "train" / "harbour.react.jsonl") if row["composed"] == "merged"]
    assert all("find_ferry.ship" in str(row["messages"]) for row in merged)
    native = [row for row in lines(out / "train" / "harbour.tools.jsonl") if row["composed"] == "merged"]
    assert all("find_ferry.ship" not in str(row["messages"]) for row in native)


def test_turns_made_hard_are_tagged_by_the_rules_of_the_benchmark(harbour: tuple[Path, Finished]) -> None:
    rows = [row for row in harbour[1].rows if row["made_hard"]]
    assert {row["made_hard"] for row in rows} == {"inability", "nonsensical_names"}
    for row in rows:
        assert row["made_hard"] in row["hard"][0]


def test_no_prompt_holds_what_comes_after_it(harbour: tuple[Path, Finished]) -> None:
    samples: tuple[Sample, ...] = BENCHMARK.data.load(harbour[0], Options())
    for turns in samples_by_dialogue(samples).values():
        for place, sample in enumerate(turns):
            assert len(sample.input["history"]) == place
            assert [past["user"] for past in sample.input["history"]] == [
                turn.input["user"] for turn in turns[:place]
            ]


def test_another_seed_gives_other_bytes_and_none_names_a_folder_of_this_machine(tmp_path: Path) -> None:
    sources = write_corpus(tmp_path / "corpora")
    context = wanted(sources)
    whole, _ = made(tmp_path / "whole", context)
    other, _ = made(tmp_path / "other", wanted(sources, seed=1))
    assert files_of(whole) != files_of(other)
    assert str(tmp_path).encode() not in b"".join(files_of(whole).values())


def test_a_wanted_number_of_rows_is_taken_from_all_settings(tmp_path: Path) -> None:
    context = wanted(write_corpus(tmp_path / "corpora"), rows=8)
    finished = finish(PIPELINE, tmp_path / "work", context)
    assert len(finished.rows) == 8
    settings = Counter(row["setting"] for row in finished.rows)
    assert settings == {"S-S": 2, "S-M": 2, "M-S": 2, "M-M": 2}
    assert finished.funnel[-2].rejected["surplus"] > 0


def test_dialogues_that_an_evaluation_file_shows_are_left_out(tmp_path: Path) -> None:
    sources = write_corpus(tmp_path / "corpora")
    question = "Tools:\n[]\nUser: What is the weather like in Tartu?"
    shown = {"id": "S-S_0", "question": question, "answer": {"": {}}}
    (tmp_path / "S-S_eval.jsonl").write_text(json.dumps(shown) + "\n", "utf-8")
    context = wanted(sources, exclude=str(tmp_path / "S-S_eval.jsonl"))
    finished = finish(PIPELINE, tmp_path / "work", context)
    assert finished.funnel[0].rejected["leaks_from_evaluation"] == 2
    assert not any("weather-" in origin for row in finished.rows for origin in row["origins"])


def test_a_corpus_that_is_not_there_is_named(tmp_path: Path) -> None:
    context = wanted(write_corpus(tmp_path / "corpora"), corpora="atlantis")
    with pytest.raises(UsageError, match="harbour"):
        finish(PIPELINE, tmp_path / "work", context)


def test_the_library_of_a_run_is_built_once_and_anew_where_a_file_has_changed(tmp_path: Path) -> None:
    sources = write_corpus(tmp_path / "corpora")
    library = corpora_library(wanted(sources))
    assert corpora_library(wanted(sources, seed=4, rows=3)) is library
    assert corpora_library(wanted(sources, held_out="Bus")) is not library
    with (sources / "harbour" / "tools.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"name": "sound_horn", "service": "harbour", "description": "Sounds the horn."}\n')
    assert "sound_horn" in corpora_library(wanted(sources)).tools["harbour"]


def test_the_options_say_that_few_rows_still_read_every_corpus() -> None:
    helps = {choice.name: choice.help for choice in PIPELINE.choices}
    assert "all of each is read, also for a few --rows" in helps["corpora"]


def part_of(shared: Path, folder: Path) -> Path:
    """Some files of each shipped corpus, linked."""
    corpora = shared / "data" / "corpora"
    chosen = [
        corpora / "sgd" / "train" / "schema.json",
        min((corpora / "sgd" / "train").glob("dialogues_*.json")),
        max((corpora / "sgd" / "dev").glob("dialogues_*.json")),
        corpora / "sgd" / "dev" / "schema.json",
        corpora / "snips" / "2017-06-custom-intent-engines" / "GetWeather" / "validate_GetWeather.json",
        corpora / "snips" / "2017-06-custom-intent-engines" / "PlayMusic" / "validate_PlayMusic.json",
        corpora / "snips" / "2017-06-custom-intent-engines" / "RateBook" / "validate_RateBook.json",
    ]
    for path in chosen:
        place = folder / path.relative_to(corpora)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(path)
    return folder


def test_part_of_the_shipped_corpora_becomes_dialogues_that_pass_checks(shared: Path, tmp_path: Path) -> None:
    context = replace(wanted(part_of(shared, tmp_path / "corpora")), embedder="minilm")
    out, finished = made(tmp_path, context)
    counts = Counter(row["source"] for row in finished.rows)
    assert counts["snips"] > 250
    assert counts["sgd"] > 100
    assert {row["setting"] for row in finished.rows} == {"S-S", "S-M", "M-S", "M-M"}
    result = check_benchmark(BENCHMARK, str(out), {})
    assert result.passed, [check for check in result.checks if not check.passed]
    serious = [finding for finding in result.findings if finding.severity != "note"]
    # Values that only the corpus' annotation connects with the words ("NYC") are not found in the text.
    assert {
        finding.what.split("=")[0].split(".")[0]
        for finding in serious
        if "stands nowhere" not in finding.what
    } == set()
    assert len(serious) < len(BENCHMARK.data.load(out, Options())) // 10


def test_the_official_evaluation_leaks_are_removed_and_none_is_left(shared: Path, tmp_path: Path) -> None:
    official = shared / "data" / "mtu"
    sources = tmp_path / "corpora" / "sgd"
    sources.mkdir(parents=True)
    (sources / "train").symlink_to(shared / "data" / "corpora" / "sgd" / "train")
    rows = list(dialogue_rows(wanted(tmp_path / "corpora", exclude=str(official))))
    removed = [row for row in rows if isinstance(row, Rejected) and row.reason == "leaks_from_evaluation"]
    assert removed
    shown = evaluation_turns(str(official))
    kept = [row for row in rows if not isinstance(row, Rejected)]
    texts = (text for row in kept for turn in row["turns"] for text in (turn["user"], turn["assistant"]))
    assert not any(comparable_words(text) in shown for text in texts)
