"""The environment in other libraries' forms, checked by those libraries themselves where they are installed."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from toolyard.core.errors import MissingExtra, UsageError
from toolyard.env import adapters, environments
from toolyard.env.gym_task import TaskPlace
from toolyard.env.task_agents import right_actions
from toolyard.env.task_folder import write_folder
from toolyard.env.task_seeds import drawn_task


@pytest.mark.filterwarnings("ignore")
def test_gymnasium_accepts_the_environment() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    made = gymnasium.make("toolyard.env.adapters.gymnasium:toolyard/tooleyes-v0", split="eval")
    check_env(made.unwrapped, skip_render_check=True)
    observation, info = made.reset(seed=3)
    assert set(json.loads(observation)) == {"messages", "tools"}
    assert info["task"] == "tooleyes/eval/3"


def test_a_library_that_is_not_there_names_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = adapters.AdapterLibrary("no_such_library_here", "no-such-library==1")
    monkeypatch.setattr(adapters, "LIBRARIES", {"gymnasium": absent})
    with pytest.raises(MissingExtra, match="pip install 'no-such-library==1'"):
        adapters.load_adapter("gymnasium")
    with pytest.raises(UsageError, match="choose gymnasium"):
        adapters.load_adapter("chess")


def test_verifiers_loads_its_own_env_and_taskset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vf = pytest.importorskip("verifiers.v1")
    write_folder("tooleyes", "verifiers", tmp_path / "out")
    monkeypatch.syspath_prepend(str(tmp_path / "out"))
    made = import_module("environment").load_environment(split="eval")
    assert isinstance(made, vf.Env)
    (task,) = made.taskset.take(1)
    assert (task.data.name, task.data.idx) == ("tooleyes/eval/0", 0)
    assert asyncio.run(task.validate(None)) is True
    player = ScriptedPlayer(task)
    asyncio.run(made.run(task, SimpleNamespace(player=player)))
    assert player.rewards == {"reward": 1.0}
    assert player.metrics["outcome"] == 1


class ScriptedPlayer:
    """Stands where verifiers puts the model: does what is right, in words."""

    def __init__(self, task: Any) -> None:
        self.actions = [
            tagged(action)
            for action in right_actions(drawn_task(TaskPlace("tooleyes", "eval", task.data.seed)))
        ]
        self.rewards: dict[str, float] = {}
        self.metrics: dict[str, float] = {}
        self.trace = self

    @asynccontextmanager
    async def interaction(self, task: Any) -> AsyncIterator[ScriptedPlayer]:
        yield self

    async def turn(self, message: str = "") -> SimpleNamespace:
        return SimpleNamespace(terminated=False, last_reply=self.actions.pop(0))

    def record_reward(self, name: str, value: float, weight: float) -> None:
        self.rewards[name] = value * weight

    def record_metrics(self, found: dict[str, float]) -> None:
        self.metrics |= found


def tagged(action: Any) -> str:
    calls = [json.loads(call["function"]["arguments"]) for call in action["tool_calls"]]
    names = [call["function"]["name"] for call in action["tool_calls"]]
    written = [json.dumps({"name": name, "arguments": made}) for name, made in zip(names, calls, strict=True)]
    return action["content"] + "".join(f"<tool_call>{each}</tool_call>" for each in written)


def test_openenv_serves_the_environment() -> None:
    pytest.importorskip("openenv")
    from openenv.core.env_server.interfaces import Environment as OpenEnvironment

    from toolyard.env.adapters.openenv import ToolyardAction, ToolyardServed, app

    made = ToolyardServed("tooleyes")
    assert isinstance(made, OpenEnvironment)
    seen = made.reset(seed=1)
    assert seen.messages[0]["role"] == "system"
    for action in right_actions(drawn_task(TaskPlace("tooleyes", "train", 1))):
        seen = made.step(ToolyardAction(content=action["content"], tool_calls=action["tool_calls"]))
    assert (seen.done, seen.reward, seen.families["outcome"]) == (True, 1, 1)
    assert made.state.step_count == len(list(right_actions(drawn_task(TaskPlace("tooleyes", "train", 1)))))
    assert "/reset" in {route.path for route in app("tooleyes").routes}


@pytest.mark.parametrize("benchmark", environments())
def test_openenv_finds_no_fault_in_the_written_folder(benchmark: str, tmp_path: Path) -> None:
    write_folder(benchmark, "openenv", tmp_path / "out")
    declared = yaml.safe_load((tmp_path / "out" / "openenv.yaml").read_text())["validation"]
    assert declared["reward"]["range"] == [0, 1]
    assert set(declared) == {"reward", "resources", "capabilities", "network", "types"}
    validation = pytest.importorskip("openenv.validation")
    report = validation.run_validation(tmp_path / "out", max_level=validation.Level.STATIC)
    assert report.verdict == validation.Verdict.PASS


def test_trl_environments_earn_by_their_tools() -> None:
    from toolyard.env.adapters.trl import environment_factory, family_rewards, rows

    made = environment_factory("tooleyes")()
    (row,) = rows(1, first=1)
    text = made.reset(**row)
    task = drawn_task(TaskPlace("tooleyes", "train", 1))
    assert task.draft.turns[0].user in text
    assert made.get_reward() == 0
    for gold in task.gold:
        assert made.call_function(gold.function, dict(gold.arguments)).startswith("<tool_response>")
    assert made.answer_user(task.draft.turns[0].reply) == "The task is over."
    assert made.get_reward() == 1
    assert [reward(environments=[made], seed=[1]) for reward in family_rewards()] == [[1.0]] * 4
    assert made.call_function("more", {}) == "The task is over."


@pytest.mark.filterwarnings("ignore")
def test_trl_trains_a_step_in_the_environment(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
    from trl import GRPOConfig, GRPOTrainer
    from trl.chat_template_utils import qwen2_5_chat_template

    from toolyard.env.adapters.trl import dataset, environment_factory, family_rewards

    words = Tokenizer(models.WordLevel({"<unk>": 0, "<eos>": 1, "a": 2}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<eos>", pad_token="<eos>", unk_token="<unk>"
    )
    tokenizer.chat_template = qwen2_5_chat_template
    tiny = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    trainer = GRPOTrainer(
        Qwen2ForCausalLM(Qwen2Config(vocab_size=16, num_key_value_heads=2, **tiny)),
        reward_funcs=family_rewards(),
        train_dataset=dataset(2),
        environment_factory=environment_factory("tooleyes"),
        processing_class=tokenizer,
        args=GRPOConfig(
            output_dir=str(tmp_path), use_cpu=True, bf16=False, per_device_train_batch_size=2, num_generations=2,
            max_completion_length=8, max_steps=1, report_to=[], save_strategy="no",
        ),
    )  # fmt: skip
    assert [tool.__name__ for tool in trainer.tools] == ["answer_user", "call_function"]
    trainer.train()
    names = {"format", "tool_choice", "arguments", "outcome", "ToolyardEnvironment"}
    assert {f"rewards/{name}/mean" for name in names} <= set(trainer.state.log_history[0])


@pytest.mark.parametrize("name", sorted(adapters.LIBRARIES))
def test_a_written_folder_has_a_card_and_a_module_that_compiles(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    files = {path.name for path in write_folder("nestools", name, folder)}
    assert {"README.md", "environment.py", "requirements.txt"} <= files
    card = (folder / "README.md").read_text("utf-8")
    assert "disjoint by construction" in card
    assert "{{" not in card
    compile((folder / "environment.py").read_text("utf-8"), "environment.py", "exec")
    with pytest.raises(UsageError, match="not empty"):
        write_folder("nestools", name, folder)


def test_the_core_imports_no_library() -> None:
    code = "import sys, toolyard.env; print([n for n in ('gymnasium', 'trl', 'torch', 'verifiers') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
