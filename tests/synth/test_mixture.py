"""Training rows: prompts are those of a run, answers score 1 there, and nothing of an evaluation set is shown."""

import json
import lzma
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cases import cases
from mtu_harbour_corpus import write_corpus
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.mtu.synth.training.dialogue_turns import (
    TrainingDialogue,
    as_evaluation_sample,
    training_row,
    turn_answer,
    world_drafts,
    world_rows,
)
from toolyard.benchmarks.mtu.synth.training.dialogue_turns import dialogue_from_draft as mtu_dialogue
from toolyard.cli.synthesising import next_step
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import UsageError
from toolyard.core.types import Failure, Generate, Message, Options, Sample, Transcript
from toolyard.synth.command import synthesise
from toolyard.synth.mixture.drafting import drafts_of_one_part, split_of_origin
from toolyard.synth.mixture.goal_requests import all_goal_drafts, draft_filling
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.leak_guard import known_texts, leaked_line
from toolyard.synth.mixture.mixture_parts import rows_per_part, training_parts
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.pipeline import PIPELINES
from toolyard.synth.mixture.rows import TrainingRow
from toolyard.synth.settings import SynthSettings
from toolyard.synth.stages import Context
from toolyard.text.names import name_words
from toolyard.world.kernel.registry import library

OPTIONS = {choice.name: choice.default for choice in PIPELINES["world"].choices}
CONTEXT = Context(seed=5, rows=110, options=OPTIONS)
SETTINGS = MixtureSettings(most_tokens=3000, renamed=0.5, seed=5)


def read(path: Path) -> list[dict[str, Any]]:
    with lzma.open(path) as file:
        return [json.loads(line) for line in file]


@cache
def made() -> tuple[TrainingRow, ...]:
    """Rows of all parts, out of the world alone."""
    drafts = drafts_of_one_part(CONTEXT)
    rows = [row for draft in drafts for row in training_parts()[draft["part"]].rows(draft["draft"], SETTINGS)]
    return tuple(row for row in rows if isinstance(row, TrainingRow))


def of(part: str) -> list[TrainingRow]:
    found = [row for row in made() if row.part == part]
    assert found
    return found


def asked(sample: Sample, benchmark: str) -> tuple[Message, ...]:
    """What a run asks first, with its defaults."""
    loaded = load_benchmark(benchmark)
    values = {choice.name: choice.default for choice in loaded.task.choices}
    setup = RunSetup.default(loaded, Options(loaded.task.styles[0], values=values))
    assert loaded.task.episode is not None
    first = next(loaded.task.episode((sample,), setup))
    assert isinstance(first, Generate)
    return first.request.messages


def turns(folder: Path) -> Iterator[tuple[TrainingDialogue, TrainingRow, Sample]]:
    """Turns as rows, and as samples that were written to files and loaded from there."""
    drafts = drafts_of_one_part(replace(CONTEXT, rows=40, options={**OPTIONS, "share": "mtu=1"}))
    for number, draft in enumerate(draft for draft in drafts if "world" not in draft["draft"]):
        dialogue = mtu_dialogue(draft["draft"], SETTINGS, Random(number))
        row = training_row(dialogue, 3000, Random(number))
        sample = as_evaluation_sample(
            dialogue, 3000 - round(len(turn_answer(dialogue.turns[-1])) / 3.5), Random(number)
        )
        assert isinstance(row, TrainingRow), row
        assert not isinstance(sample, Failure)
        gold = {call.name: call.arguments for call in dialogue.turns[-1].calls}
        line = {"id": f"{dialogue.setting}_0", "question": sample.input["question"], "answer": gold}
        file = folder / f"{dialogue.setting}_eval.jsonl"
        file.write_text(json.dumps(line) + "\n", encoding="utf-8")
        yield dialogue, row, load_benchmark("mtu").data.load(file, Options())[0]


def test_an_mtu_prompt_is_what_a_run_asks_and_its_answer_scores_one(tmp_path: Path) -> None:
    scoring = load_benchmark("mtu").scoring
    kinds: Counter[str] = Counter()
    for dialogue, row, sample in turns(tmp_path):
        assert row.prompt == asked(sample, "mtu")
        kinds[f"{dialogue.setting} {len(dialogue.turns[-1].calls)}"] += 1
        for profile in ("paper", "official"):
            read_back = scoring.parse(sample, Transcript.answered(sample.id, row.answer), profile)
            values = scoring.score(sample, read_back, {}, profile).values
            assert values["right"] == 1
            assert profile == "official" or values["outcome"] == 1
    assert {"S-M 2", "S-M 3", "M-M 0", "M-M 2"} <= kinds.keys()


def test_references_point_to_listed_results_of_earlier_calls() -> None:
    linked = 0
    for row in of("mtu"):
        tools = {tool["name"]: tool for tool in _listed(row.prompt[0].content)}
        lines = row.answer.splitlines()
        names = [line.removeprefix("Action: ") for line in lines if line.startswith("Action: ")]
        for place, line in enumerate(line for line in lines if line.startswith("Action Input: ")):
            for value in json.loads(line.removeprefix("Action Input: ")).values():
                tool, dot, result = value.partition(".") if isinstance(value, str) else ("", "", "")
                if dot and tool in names[:place]:
                    results = tools[tool]["result_parameters"]
                    assert result in [each if isinstance(each, str) else each["name"] for each in results]
                    linked += 1
    assert linked > 10


def test_every_turn_of_a_dialogue_over_the_world_is_a_row_and_ends_in_the_users_words() -> None:
    drafts = [draft for draft in world_drafts(100, 3) if draft["world"]["setting"] == "M-S"]
    dialogues = ([row for row in world_rows(one, SETTINGS) if isinstance(row, TrainingRow)] for one in drafts)
    made_of = next(rows for rows in dialogues if len(rows) > 1)
    assert [row.prompt[0].content.count("\nuser: ") for row in made_of] == list(range(len(made_of)))
    assert any("Action: " in row.answer for row in made_of)
    assert not any(leaked_line(row, known_texts(CONTEXT)) for row in made_of)


def _listed(prompt: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in prompt.splitlines() if line.startswith('{"name":')]


def test_a_nestools_answer_is_gold_for_its_own_prompt() -> None:
    scoring = load_benchmark("nestools").scoring
    for row in of("nestools"):
        prompt = row.prompt[0].content
        tools = json.loads(prompt.split("\nTools:\n")[1].split("\n\nTask:\n")[0])
        calls = json.loads(row.answer)
        assert {call["api_name"] for call in calls} <= {tool["api_name"] for tool in tools}
        gold = [{**call, "responses": list(call["responses"].values())} for call in calls]
        wanted = [tool for tool in tools if tool["api_name"] in {call["api_name"] for call in calls}]
        sample = Sample("1", {"query": prompt, "tools": wanted}, {"calls": gold})
        for profile in ("paper", "official"):
            read_back = scoring.parse(sample, Transcript.answered("1", row.answer), profile)
            assert not isinstance(read_back, Failure)


def test_a_toolbehonest_pair_differs_in_its_answer_and_lists_what_it_plans() -> None:
    verdicts = Counter(row.answer for row in of("toolbehonest") if " level 1 " in row.group)
    assert verdicts["<answer>solvable</answer>"] == verdicts["<answer>unsolvable</answer>"] > 0
    for row in of("toolbehonest"):
        planned = row.answer.removeprefix("<answer>").removesuffix("</answer>").splitlines()
        names = [line.rpartition("Planned tool: ")[2] for line in planned]
        if " level 1 " not in row.group:
            assert all(f". {name}: " in row.prompt[0].content for name in names)
            assert ("UnsolvableQuery" in names) == ("unsolvable" in row.group)


def test_tooleyes_rounds_are_valid_and_the_last_answers() -> None:
    from toolyard.benchmarks.tooleyes.task.rounds import read_round

    for row in of("tooleyes"):
        assert [message.role for message in row.prompt[:2]] == ["system", "user"]
        turn = read_round(row.answer)
        assert turn.valid
        assert (turn.action == "finish") == ("finish" in row.group)
        assert f'"name": "{turn.action}"' in row.prompt[0].content


@pytest.mark.parametrize("part", ["toolbehonest", "tooleyes"])
def test_a_third_of_the_rows_goes_without_the_example_that_a_run_shows_by_default(part: str) -> None:
    shown = {"toolbehonest": "FerryTimes", "tooleyes": "find_museum"}[part]
    default = load_benchmark(part).task.styles[0]
    drafts = list(drafts_of_one_part(replace(CONTEXT, rows=60, options={**OPTIONS, "share": f"{part}=1"})))
    styles = Counter(
        SETTINGS.asked(f"{part}/{draft['draft']['id']}", default, "zero-shot").style for draft in drafts
    )
    assert default == "example"
    assert 0.2 < styles["zero-shot"] / styles.total() < 0.5
    for row in of(part):
        assert (shown in row.prompt[0].content) != row.group.endswith(" zero-shot")
    assert {row.group.endswith(" zero-shot") for row in of(part)} == {True, False}


def test_renamed_rows_have_no_name_of_a_tool_that_the_world_knows() -> None:
    renamed = [row for row in made() if row.renamed and row.part == "nestools"]
    assert renamed
    known = {tool.name for tool in library().values() if len(name_words(tool.name)) > 1}
    for row in renamed:
        assert not {call["api_name"] for call in json.loads(row.answer)} & known
    assert {row.part for row in made() if row.renamed} == {"mtu", "nestools", "toolbehonest", "tooleyes"}


def test_rows_are_bounded_and_show_no_held_out_tool() -> None:
    assert max(row.tokens for row in made()) <= 3000
    hidden = {tool.name for tool in library().values() if is_held_out(tool.id)}
    shown = {tool.name for tool in library().values() if not is_held_out(tool.id)}
    for row in of("tooleyes"):
        assert not any(f'"name": "{name}"' in row.prompt[0].content for name in hidden - shown)


def test_the_guard_finds_a_starter_request_in_any_form() -> None:
    known = known_texts(CONTEXT)
    for name in ("mtu", "nestools", "toolbehonest", "tooleyes"):
        benchmark = load_benchmark(name)
        samples = benchmark.data.load(benchmark.data.starter, Options())
        inputs = [
            str(sample.input.get("user") or sample.input.get("query") or sample.input["task"])
            for sample in samples
        ]
        text = max(inputs, key=len).splitlines()[0]
        row = TrainingRow(
            "1", name, "", "", (Message("user", f"Tools:\nUser: {text}\n\nCalls:"),), "Thought: none"
        )
        assert leaked_line(row, known)
    assert not leaked_line(
        TrainingRow("1", "mtu", "", "", (Message("user", "Which ferries leave Oban on Sunday?"),), ""), known
    )
    # A goal may be worded in a training row as a starter set words it; `drafting` leaves such rows out.
    assert sum(bool(leaked_line(row, known)) for row in made()) <= len(made()) // 20


def test_a_mixture_is_the_same_bytes_again_and_keeps_goals_apart(tmp_path: Path) -> None:
    settings = SynthSettings("mixture", "world", rows=120, seed=2, workers=1)
    first, second = (synthesise(replace(settings, out=tmp_path / name)) for name in "ab")
    names = sorted(path.name for path in first.folder.iterdir())
    assert names == ["card.md", "dev.jsonl.xz", "rows.jsonl.xz", "synth.json"]
    assert all((first.folder / name).read_bytes() == (second.folder / name).read_bytes() for name in names)
    rows = read(first.folder / "rows.jsonl.xz")
    assert all(row["messages"][-1]["role"] == "assistant" and row["train"] == "last" for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)
    assert Counter(row["part"] for row in rows).keys() == set(
        cases(__file__, "a_mixture_is_the_same_bytes_again_and_keeps_goals_apart")
    )
    assert {split_of_origin(f"goal {number}") for number in range(600)} == {"train", "dev"}
    assert read(first.folder / "dev.jsonl.xz") == []
    assert next_step("mixture", first.folder).endswith("rows.jsonl.xz --eval-share 0.1")
    (first.folder / "dev.jsonl.xz").write_bytes(lzma.compress(b"{}\n"))
    assert next_step("mixture", first.folder).endswith(f"--eval {first.folder / 'dev.jsonl.xz'}")


def test_corpora_bring_single_calls_and_turns_without_a_call(tmp_path: Path) -> None:
    settings = SynthSettings(
        "mixture",
        sources=write_corpus(tmp_path / "corpora"),
        rows=60,
        workers=1,
        embedder="hash",
        out=tmp_path / "out",
    )
    made_of = synthesise(replace(settings, options={"share": "mtu=1"}))
    groups = Counter(row["group"] for row in read(made_of.folder / "rows.jsonl.xz"))
    assert {"S-S 1 call", "M-S 0 calls", "M-S 1 call"} <= groups.keys()


def test_shares_are_read_and_mistakes_named() -> None:
    assert rows_per_part("mtu=3,chat=1", 80) == {"mtu": 60, "chat": 20}
    with pytest.raises(UsageError, match="unknown part"):
        rows_per_part("mtu=1,poems=1", 10)
    with pytest.raises(UsageError, match="no number"):
        rows_per_part("mtu=much", 10)
    with pytest.raises(UsageError, match="leaves nothing"):
        rows_per_part("mtu=0", 10)
    with pytest.raises(UsageError, match="wanted BENCHMARK=FOLDER"):
        known_texts(replace(CONTEXT, options={**OPTIONS, "exclude": "mtu=nowhere"}))
    with pytest.raises(UsageError, match="no room"):
        list(drafts_of_one_part(replace(CONTEXT, options={**OPTIONS, "max-tokens": "10"})))


def test_an_evaluation_set_can_be_made_of_goals_that_are_never_trained_on(tmp_path: Path) -> None:
    settings = SynthSettings("nestools", "world", rows=3, seed=1, workers=1, out=tmp_path / "set")
    synthesise(replace(settings, options={"goals": "held-out"}))
    asked_for = [
        json.loads(line)["task"]
        for line in (tmp_path / "set" / "test_data.jsonl").read_text("utf-8").splitlines()
    ]
    trained = {draft_filling(draft).text for draft in all_goal_drafts()}
    assert len(asked_for) == 3
    assert not trained & set(asked_for)
