"""The environment's core: the same task for the same seed, splits that share nothing, floors, the oracle's 1."""

from __future__ import annotations

import contextlib
import json
import runpy
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from cases import each_case
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import JsonValue
from toolyard.env import Environment, environments, task_pool, task_seeds
from toolyard.env.adapters.trl import answer_reward, answer_rows
from toolyard.env.agent_baselines import try_agents
from toolyard.env.gym_task import APART, SPLITS, Apart, Draft, EnvironmentTask, GoldCall, TaskPlace, TaskTurn
from toolyard.env.single_answers import Answers
from toolyard.env.task_agents import AGENTS, call, message, oracle, right_actions
from toolyard.env.task_functions import function, system
from toolyard.env.task_pool import TaskPool
from toolyard.env.task_seeds import (
    asked_by_shipped_sets,
    belongs_to_split,
    digest_of,
    drawn_sample,
    drawn_task,
)
from toolyard.synth.chains.execution import output_digest
from toolyard.synth.chains.remembered_calls import call as call_tool
from toolyard.synth.chains.remembered_calls import remembered_calls
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

BENCHMARKS = ("mtu", "nestools", "toolbehonest", "tooleyes")
RECIPES = "Food/spoonacular_recipes_search/search_recipes"
MATCHES = "Competition/Cricket_Live_Data/results_by_date"
HOSTILE = (
    None, 7, b"\xff", [], [[]], {}, {"content": 5}, {"tool_calls": "x"}, {"tool_calls": [None, 3, {"id": []}]},
    {"tool_calls": [{"function": {"name": None, "arguments": "{"}}]},
    {"tool_calls": [{"function": {"name": "x" * 9999, "arguments": {"a": float("nan"), "b": 10**5000}}}]},
    {"tool_calls": [call("nobody", {})] * 100}, "", " ", "<think>", "x" * 300_000, "[" * 5000, "{" * 50,
    '<tool_call>{"name": "a", "arguments": {"\ud800": 1}}</tool_call>', "<tool_call>", '{"tool_calls": 3}', object(),
)  # fmt: skip


def test_every_benchmark_has_an_environment() -> None:
    assert environments() == BENCHMARKS


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_trivial_agents_stay_on_the_floor_and_the_oracle_earns_one(benchmark: str) -> None:
    found = try_agents(benchmark, "train", 2)
    earned = {
        name: found[name]["reward"].value
        for name in ("do-nothing", "call-everything", "replay", "talk-only", "oracle")
    }
    # The calls of another task may hold one that this task needs as well.
    assert earned["replay"] is not None
    assert earned["replay"] <= 0.1
    assert (earned["do-nothing"], earned["call-everything"], earned["oracle"]) == (0, 0, 1)
    assert earned["talk-only"] == 0
    assert set(found) == set(AGENTS)


@pytest.mark.parametrize("benchmark", ["mtu", "nestools", "toolbehonest"])
def test_answers_in_the_benchmarks_form_earn_one_where_they_are_right(benchmark: str) -> None:
    answers = Answers(benchmark)
    for seed in range(2):
        assert answers.rewards(seed, answers.right(seed)).total == 1
        assert answers.rewards(seed, "").total == 0
    assert answers.prompt(0) == Answers(benchmark).prompt(0) != answers.prompt(1)
    (row,) = answer_rows(benchmark, "train", 1)
    reward = answer_reward(benchmark, "train")
    right = [[{"role": "assistant", "content": answers.right(0)}]]
    assert reward(completions=right, seed=[row["seed"]], prompts=[row["prompt"]]) == [1]


def test_tooleyes_is_played_and_not_answered_at_once() -> None:
    with pytest.raises(UsageError, match="not answered at once"):
        drawn_sample(TaskPlace("tooleyes"))


def test_a_seed_gives_the_same_task_again_and_splits_differ() -> None:
    first, again, other = (Environment("tooleyes", split).reset(5) for split in ("train", "train", "eval"))
    assert first == again
    assert first.messages != other.messages
    assert first.messages[0]["role"] == "system"
    assert {tool["type"] for tool in first.tools} == {"function"}


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_another_world_returns_other_values_and_the_oracle_earns_one_there(benchmark: str) -> None:
    seen = []
    for world_seed in (0, 1):
        environment = Environment(benchmark, world_seed=world_seed)
        observation = environment.reset(2)
        act = oracle(environment.task)
        while not environment.over:
            observation = environment.step(act(observation)).observation
        assert environment.earned.total == 1
        seen.append([each["content"] for each in observation.messages if each["role"] == "tool"])
    assert seen[0] != seen[1]
    assert environment.task.id == f"{benchmark}/train/2/world-1"


@pytest.mark.parametrize("benchmark", ["mtu", "nestools", "toolbehonest"])
def test_answers_at_once_are_right_in_another_world_as_well(benchmark: str) -> None:
    answers = Answers(benchmark, world_seed=1)
    assert answers.rewards(0, answers.right(0)).total == 1


def test_no_task_belongs_to_both_splits_and_none_to_the_starter_set() -> None:
    calls = [("Weather/weatherapi/search", {"q": f"town {number}"}) for number in range(200)]
    sides = [[belongs_to_split(TaskPlace("nestools", split), [each]) for split in SPLITS] for each in calls]
    assert all(sum(side) == 1 for side in sides)
    assert 100 < sum(side[0] for side in sides) < 190
    assert len(asked_by_shipped_sets("nestools")) > 100
    for split in SPLITS:
        task = drawn_task(TaskPlace("tooleyes", split, 2))
        tools = {each.name: each.tool for each in task.draft.functions}
        made = [(tools[gold.function], gold.arguments) for gold in task.gold]
        assert belongs_to_split(TaskPlace("tooleyes", split), made)
    assert digest_of([("a", {"x": 1, "y": 2}), ("b", {})]) == digest_of([("b", {}), ("a", {"y": 2, "x": 1})])


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_remembered_calls_give_the_same_tasks(benchmark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = TaskPlace(benchmark, "eval", 3)
    remembered = [drawn_task(place), drawn_task(place)]
    monkeypatch.setattr(task_seeds, "remembered_calls", contextlib.nullcontext)
    assert remembered == [drawn_task(place)] * 2


def test_calls_in_a_changed_world_and_outside_the_block_are_executed() -> None:
    tool, given = (
        "File/file_operation/write_file",
        dict(library()["File/file_operation/write_file"].examples[0]),
    )
    with remembered_calls():
        first, second = World.fresh(0), World.fresh(0)
        seen = [call_tool(world, tool, given) for world in (first, second)]
        assert seen[0] is seen[1]
        assert first.diff() == second.diff() != {}
        assert call_tool(first, tool, given) is not call_tool(second, tool, given)
    assert call_tool(World.fresh(0), tool, given) is not seen[0]


def test_hostile_actions_never_raise_and_end_the_task() -> None:
    environment = Environment("tooleyes")
    environment.reset(1)
    task = environment.task
    for action in HOSTILE:
        environment.play(task)
        for _ in range(40):
            step = environment.step(action)
            assert step.reward == 0
            json.dumps(step.observation.messages, allow_nan=False).encode()
            if step.terminated or step.truncated:
                break
        assert environment.over


def task_of(benchmark: str, tool: str, arguments: dict[str, JsonValue]) -> EnvironmentTask:
    """A task of one call, which is executed here; the user states every value."""
    output = output_digest(call_tool(World.fresh(0), tool, arguments).value)
    gold = GoldCall("look_up", arguments, output)
    turn = TaskTurn(f"Look this up: {json.dumps(arguments)}", (gold,), "That is done.")
    return EnvironmentTask(TaskPlace(benchmark), Draft(system(), (turn,), (function(tool, "look_up"),)))


@pytest.mark.parametrize("benchmark", ["nestools", "mtu"])
@each_case("tool, arguments, changes, right")
def test_a_value_spelled_otherwise_that_does_the_same_earns_the_same(
    benchmark: str,
    tool: str,
    arguments: dict[str, JsonValue],
    changes: dict[str, JsonValue],
    right: bool,
) -> None:
    environment = Environment(benchmark)
    environment.play(task_of(benchmark, tool, arguments))
    given = {name: value for name, value in {**arguments, **changes}.items() if value is not None}
    environment.step(message(call("look_up", given)))
    last = environment.step("That is done.")
    assert (last.reward == 1, environment.earned.outcome == 1) == (right, right)
    assert last.reward > 0


def test_each_family_falls_with_its_own_fault() -> None:
    environment = Environment("tooleyes")
    environment.reset(1)
    task = environment.task
    right = list(right_actions(task))
    unneeded = next(
        each.name for each in task.draft.functions if each.name not in {gold.function for gold in task.gold}
    )

    def earned(*actions: object) -> dict[str, float]:
        environment.play(task)
        for action in actions:
            environment.step(action)
        return environment.earned.families

    assert earned(*right) == {"format": 1, "tool_choice": 1, "arguments": 1, "outcome": 1}
    assert earned(*right[:-1], "I do not know.")["outcome"] == 0
    assert earned("", *right)["format"] == pytest.approx(len(right) / (len(right) + 1))
    assert earned(message(call(unneeded, {})), *right)["tool_choice"] == pytest.approx(1 - 1 / len(task.gold))
    wrong = [message(call(gold.function, {"nothing": 1})) for gold in task.gold]
    found = earned(*wrong, right[-1])
    assert (found["tool_choice"], found["arguments"], found["outcome"]) == (1, 0, 0)


def test_the_second_repetition_of_a_call_ends_the_task() -> None:
    environment = Environment("tooleyes")
    environment.reset(1)
    first = next(iter(right_actions(environment.task)))
    steps = [environment.step(first) for _ in range(3)]
    answers = [step.observation.messages[-1]["content"] for step in steps]
    assert answers[1].startswith(answers[0])
    assert [step.terminated for step in steps] == [False, False, True]


def test_calls_written_in_text_count_like_messages() -> None:
    environment = Environment("tooleyes")
    environment.reset(1)
    gold = environment.task.gold
    for each in gold:
        call_text = json.dumps({"name": each.function, "arguments": dict(each.arguments)})
        environment.step(f"<tool_call>\n{call_text}\n</tool_call>")
    step = environment.step(environment.task.draft.turns[0].reply)
    assert (step.reward, step.terminated, step.info["families"]["outcome"]) == (1, True, 1)
    assert environment.step("more").reward == 0


def test_mistakes_of_the_programmer_are_one_line() -> None:
    for work in (
        lambda: Environment("chess"),
        lambda: Environment("mtu", "test"),  # type: ignore[arg-type]
        lambda: Environment("mtu").step("x"),
        lambda: Environment("mtu").reset("7"),  # type: ignore[arg-type]
    ):
        with pytest.raises(UsageError):
            work()


def test_the_oracle_of_a_refusal_says_what_is_missing() -> None:
    task = next(
        task
        for seed in range(20)
        if (task := drawn_task(TaskPlace("toolbehonest", "train", seed))).draft.groups["verdict"]
        == "unsolvable"
    )
    environment = Environment("toolbehonest")
    observation, act = environment.play(task), oracle(task)
    while not environment.over:
        observation = environment.step(act(observation)).observation
    assert environment.earned.total == 1
    environment.play(task)
    for action in [*right_actions(task)][:-1]:
        environment.step(action)
    environment.step(message(call("UnsolvableQuery", {"missing_tool": "something"})))
    assert environment.earned.outcome == 0
    assert environment.earned.tool_choice < 1


def test_a_refusal_that_shares_only_common_words_earns_nothing() -> None:
    """Words of every twentieth document, such as list, known or simulated, say nothing about what is missing."""
    found = try_agents("toolbehonest", "train", 12, {"replay": AGENTS["replay"]})
    assert (found["replay"]["reward"].value or 0) <= 0.05


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_a_task_read_from_a_pool_is_the_one_that_was_drawn(benchmark: str, tmp_path: Path) -> None:
    place = TaskPlace(benchmark, "train", 1)
    drawn = TaskPool(tmp_path / "tasks").task(place)
    read = TaskPool(tmp_path / "tasks").task(place)
    assert read == drawn
    assert read is not drawn
    assert TaskPool(tmp_path / "tasks").fill(place, [1]) == 0
    environment = Environment(benchmark)
    observation, act = environment.play(read), oracle(read)
    while not environment.over:
        observation = environment.step(act(observation)).observation
    assert environment.earned.total == 1


def test_a_pool_is_bounded_and_a_group_shares_its_task(monkeypatch: pytest.MonkeyPatch) -> None:
    task = drawn_task(TaskPlace("tooleyes"))
    asked: list[TaskPlace] = []
    monkeypatch.setattr(
        task_pool, "drawn_task", lambda place: asked.append(place) or replace(task, place=place)
    )
    pool = TaskPool(in_memory=3)
    group = [Environment("tooleyes", pool=pool) for _ in range(64)]
    assert len({environment.reset(5).messages[1]["content"] for environment in group}) == 1
    assert len(asked) == 1
    assert len({id(environment.task) for environment in group}) == 1
    for seed in range(10):
        group[0].reset(seed)
    assert len(pool) == 3
    group[0].reset(9)
    assert len(asked) == 11
    group[0].reset(0)
    assert len(asked) == 12


def test_episodes_that_share_a_task_do_not_touch_each_other() -> None:
    group = [Environment("tooleyes") for _ in range(32)]
    for environment in group:
        environment.reset(1)
    actions = list(right_actions(group[0].task))
    for number, environment in enumerate(group):
        for action in actions if number % 2 else ["I do not know."]:
            environment.step(action)
    assert [environment.earned.outcome for environment in group] == [number % 2 for number in range(32)]


def test_a_worker_draws_ahead_into_the_file(tmp_path: Path) -> None:
    pool, place = TaskPool(tmp_path / "tasks"), TaskPlace("tooleyes")
    with pool.draw_ahead(place, [0]):
        deadline = time.monotonic() + 300
        while not pool.holds(place) and time.monotonic() < deadline:
            time.sleep(0.2)
    assert pool.holds(place)
    assert pool.task(place) == drawn_task(place)


def test_a_pool_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match=r"cannot be used.*--pool"):
        TaskPool(tmp_path / "folder").task(TaskPlace("tooleyes"))
    (tmp_path / "cases.yaml").write_text("name: mine\n")
    with pytest.raises(DataError, match=r"is not a pool of tasks; .*--pool"):
        TaskPool(tmp_path / "cases.yaml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases.yaml", "folder"]


def test_a_task_has_as_many_calls_and_functions_as_were_asked_for() -> None:
    for seed in range(2):
        environment = Environment("tooleyes", calls=(2, 2), catalogue=40)
        assert len(environment.reset(seed).tools) == 40
        assert len(environment.task.gold) == 2
        act, observation = oracle(environment.task), None
        while not environment.over:
            observation = environment.step(act(observation)).observation  # type: ignore[arg-type]
        assert environment.earned.total == 1
    assert environment.task.id == "tooleyes/train/1/calls-2-2/catalogue-40"


@pytest.mark.parametrize("apart", APART)
def test_splits_share_no_calls_no_goals_or_no_held_out_tools(apart: Apart) -> None:
    chains = [[(f"Weather/a/{number % 40}", {"q": number}), ("Food/b/c", {})] for number in range(200)]
    sides = {
        split: [each for each in chains if belongs_to_split(TaskPlace("mtu", split, apart=apart), each)]
        for split in SPLITS
    }
    assert sum(map(len, sides.values())) == len(chains)
    assert all(sides.values())
    tools = [{tool for tool, _ in each} for each in sides["eval"]]
    if apart != "calls":
        assert not any({tool for tool, _ in each} in tools for each in sides["train"])


def test_the_grpo_recipe_is_short_and_its_rewards_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = Path(__file__).parents[2] / "recipes" / "grpo.py"
    assert len(recipe.read_text("utf-8").splitlines()) < 60
    monkeypatch.setattr(sys, "argv", [recipe.name, "--steps", "3"])
    made = runpy.run_path(str(recipe))
    assert made["arguments"]().steps == 3
    assert made["dry"]("nestools", 2) == (1.0, 0.0)
