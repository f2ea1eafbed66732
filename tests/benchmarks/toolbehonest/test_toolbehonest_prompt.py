"""Prompts keep the paper's contract and never see the gold; a second question depends on the answer alone."""

import hashlib
import re
from dataclasses import replace

import pytest

from cases import cases
from graded_answers import drive, grade
from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.papers.analysis import reprompt_table
from toolyard.benchmarks.toolbehonest.task.prompt import TEMPLATES
from toolyard.benchmarks.toolbehonest.task.variations import VARIATIONS
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import UsageError
from toolyard.core.types import Completion, Conversation, Generate, Options, Sample, Transcript

SNAPSHOT = cases(__file__, "SNAPSHOT")


def starter(language: str = "en") -> dict[str, Sample]:
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options(values={"language": language}))
    return {sample.id: sample for sample in samples}


def play(sample: Sample, answers: list[str], **values: str) -> tuple[Conversation, list[Generate]]:
    """The episode of one sample with these answers, and what it asked for."""
    episode = BENCHMARK.task.episode((sample,), RunSetup.default(BENCHMARK, Options(values=values)))
    effects: list[Generate] = []

    def answer(effect: Generate) -> Completion:
        effects.append(effect)
        return Completion(answers[len(effects) - 1])

    return drive(episode, answer)[0], effects


def test_templates_are_those_that_version_1_was_measured_with() -> None:
    found = {
        name: hashlib.sha256(text.encode()).hexdigest()[:12]
        for name, text in BENCHMARK.task.templates.items()
    }
    assert found == SNAPSHOT


def test_an_example_and_a_template_of_the_user_stand_in_the_prompt() -> None:
    sample = next(iter(starter().values()))
    zero_shot, example = (
        BENCHMARK.task.prompt(sample, Options(style))[0].content for style in ("zero-shot", "example")
    )
    assert "Föhr" in example
    assert "Föhr" not in zero_shot
    head, _, tail = zero_shot.partition("\n\n<task>\n")
    assert example.startswith(head)
    assert example.endswith(tail)
    (message,) = BENCHMARK.task.prompt(sample, Options(templates={"level_1_en": "Say {{task}}"}))
    assert message.content == f"Say {sample.input['task']}"
    with pytest.raises(UsageError):
        BENCHMARK.task.prompt(sample, Options(templates={"level_1_en": "{{gold}}"}))


def test_levels_2_and_3_end_with_task_and_tools_and_ask_for_the_missing_tool() -> None:
    sample = Sample("x", {"task": "Do {{tools}}.", "tools": "1. A: b", "level": 2, "language": "en"}, None)
    (message,) = BENCHMARK.task.prompt(sample, Options())
    tail = "<task>\nDo {{tools}}.\n</task>\n<provided_tools>\n1. A: b\n</provided_tools>"
    assert message.content.endswith(tail)
    for language, words in (("en", "describe the tool that is missing"), ("zh", "描述所缺少的工具")):
        assert words in BENCHMARK.task.templates[f"level_3_{language}"]
        assert "UnsolvableQuery" in BENCHMARK.task.templates[f"level_3_{language}"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_prompts_are_the_same_without_gold_and_of_one_form_for_both_twins(language: str) -> None:
    samples = starter(language)
    for sample in samples.values():
        blind = replace(sample, gold=None, groups={}, id="x", cluster="y")
        assert BENCHMARK.task.prompt(sample, Options()) == BENCHMARK.task.prompt(blind, Options())
    for sample in samples.values():
        text = BENCHMARK.task.prompt(sample, Options())[0].content
        bare = text.replace(sample.input["task"], "T").replace(sample.input["tools"], "L")
        other = next(item for item in samples.values() if item.input["level"] == sample.input["level"])
        first = BENCHMARK.task.prompt(other, Options())[0].content
        assert bare == first.replace(other.input["task"], "T").replace(other.input["tools"], "L")


def test_only_a_level_1_verdict_of_solvable_is_questioned_and_only_on_request() -> None:
    sample = starter()["single_step/1000/unsolvable/1"]
    solvable, unsolvable = "<answer>solvable</answer>", "<answer>unsolvable</answer>"
    assert len(play(sample, [solvable, unsolvable])[1]) == 1
    assert len(play(sample, [unsolvable], reprompt="yes")[1]) == 1
    conversation, effects = play(sample, [solvable, unsolvable], reprompt="yes")
    assert [effect.request.turn for effect in effects] == [0, 1]
    assert [message.role for message in conversation.messages] == ["user", "assistant", "user", "assistant"]
    assert len(play(starter()["os/1150/unsolvable/2"], ["<answer>solvable</answer>"], reprompt="yes")[1]) == 1


def test_a_corrected_verdict_is_reported_and_the_first_one_scored() -> None:
    rows = []
    for name in ("single_step/1000/unsolvable/1", "single_step/1000/solvable/1"):
        sample = starter()[name]
        conversation, _ = play(
            sample, ["<answer>solvable</answer>", "<answer>unsolvable</answer>"], reprompt="yes"
        )
        transcript = Transcript(name, 0, conversation.messages, conversation.completions)
        for profile in ("official", "paper"):
            score = grade(BENCHMARK, sample, transcript, profile)
            assert score.values[f"{'' if 'un' in name else 'solvable_'}l1_em"] == float("un" not in name)
        rows.append((sample, transcript, score))
    assert reprompt_table(rows).rows == (
        ("unsolvable", 1, "corrected", 1.0, 1.0),
        ("solvable", 1, "kept", 0.0, 0.0),
    )


def test_log_probabilities_are_asked_for_at_level_1_only() -> None:
    answers = ["<answer>unsolvable</answer>"]
    for level, wanted in ((1, True), (2, False)):
        sample = starter()[f"single_step/1000/solvable/{level}"]
        assert play(sample, answers, confidence="yes")[1][0].request.decoding.logprobs is wanted
        assert play(sample, answers)[1][0].request.decoding.logprobs is False


@pytest.mark.parametrize("folder", [TEMPLATES, VARIATIONS["german"].templates], ids=["own", "german"])
def test_worked_examples_show_every_scored_answer_with_tools_of_no_row(
    folder: dict[str, str],
) -> None:
    answers = {
        level: re.findall(r"<answer>(.*?)</answer>", folder[f"example_{level}_en"], re.DOTALL)
        for level in (1, 2, 3)
    }
    assert answers[1] == ["solvable", "unsolvable"]
    planned = [line.rpartition("Planned tool: ")[2] for line in answers[3][0].splitlines()]
    assert planned == answers[2][0].splitlines() == ["FerryTimes", "UnsolvableQuery", "NoteBook", "Finish"]
    assert not any(name in sample.input["tools"] for sample in starter().values() for name in planned[::2])
