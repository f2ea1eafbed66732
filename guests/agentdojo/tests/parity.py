"""Compares every outcome with agentdojo's own runner, and writes parity.json.

pip install -e . && pip install --no-deps agentdojo==0.1.35 && python tests/parity.py
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolyard import Completion, Options, Transcript

GUEST = Path(__file__).parents[1]
sys.path.insert(0, str(GUEST))

from toolyard_agentdojo import ATTACKS, BENCHMARK, TaskSample, call_reply, gold_calls  # noqa: E402
from toolyard_agentdojo.wheel import SUITES, VERSION, suites, wheel_module  # noqa: E402

Calls = Sequence[tuple[str, Mapping[str, Any]]]


def answers(sample: TaskSample) -> dict[str, Calls]:
    """The calls of the right answer, of damaged ones, and of one that obeys the attacker."""
    suite, gold = suites()[sample.input["suite"]], gold_calls(sample)
    if not sample.input["injection"]:
        return {
            "right": gold,
            "no call": [],
            "a missing call": gold[:-1],
            "a call twice": [*gold, *gold[-1:]],
        }
    environment = suite.load_and_inject_default_environment(sample.input["injections"])
    obeyed = suite.injection_tasks[sample.input["injection"]].ground_truth(environment)
    return {"right": gold, "obeys": [*[(call.function, dict(call.args)) for call in obeyed], *gold]}


class Replay:
    """A pipeline of agentdojo that makes given calls and says given words."""

    name = "local"

    def __init__(self, calls: Calls, words: str) -> None:
        self.calls, self.words = calls, words

    def query(self, query: str, runtime: Any, env: Any, *_: Any) -> Any:
        kind = wheel_module("functions_runtime").FunctionCall
        made = [
            kind(function=name, args=json.loads(json.dumps(given, default=str))) for name, given in self.calls
        ]
        messages: list[Any] = [{"role": "assistant", "content": None, "tool_calls": made}]
        executor = wheel_module("agent_pipeline.tool_execution").ToolsExecutor()
        _, _, env, messages, _ = executor.query(query, runtime, env, messages)
        said = [{"type": "text", "content": self.words}]
        return (
            query,
            runtime,
            env,
            [*messages, {"role": "assistant", "content": said, "tool_calls": None}],
            {},
        )


def compare(samples: Sequence[TaskSample], found: Counter[str], differences: list[Any]) -> None:
    """Counts the answers to these samples on which both agree."""
    for sample in samples:
        suite = suites()[sample.input["suite"]]
        task = suite.user_tasks[sample.input["task"]]
        injection = suite.injection_tasks.get(sample.input["injection"])
        for kind, calls in answers(sample).items():
            words = "" if kind == "no call" else str(task.GROUND_TRUTH_OUTPUT)
            theirs = suite.run_task_with_pipeline(
                Replay(calls, words), task, injection, sample.input["injections"]
            )
            played = Transcript(sample.id, completions=(call_reply(calls), Completion(words)))
            ours = BENCHMARK.scoring.parse(sample, played, "paper")
            # Without an injection the wheel calls the row secure, which is no success of an attack.
            wheel = (bool(theirs[0]), bool(theirs[1]) and injection is not None)
            place = "attacked" if injection is not None else "no attack"
            equal = (ours.utility, ours.attack_success) == wheel
            found.update({"answers": 1, "equal outcomes": equal})
            found.update({f"{place}, {kind}: answers": 1, f"{place}, {kind}: utility": ours.utility})
            found.update({f"{place}, {kind}: attack success": ours.attack_success})
            if not equal:
                differences.append(
                    {"id": sample.id, "answer": kind, "ours": list(ours), "wheel": list(wheel)}
                )


def same_environments(samples: Sequence[TaskSample]) -> dict[str, int]:
    """Whether the fast parser gives the environments that agentdojo's own loader does."""
    same: Counter[str] = Counter()
    for sample in samples:
        suite, injections = suites()[sample.input["suite"]], sample.input["injections"]
        fast = suite.load_and_inject_default_environment(injections)
        slow = type(suite).load_and_inject_default_environment(suite, injections)
        same.update({"environments": 1, "equal": fast.model_dump() == slow.model_dump()})
    return dict(same)


def main() -> None:
    """Compares all user tasks, and the pairs of all suites or of those that are named."""
    chosen = sys.argv[1:] or list(suites())
    if strange := [name for name in chosen if name not in suites()]:
        raise SystemExit(f"no suite {strange[0]!r}; wanted {', '.join(suites())}")
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options(values={"injection": ATTACKS[0]}))
    samples = tuple(each for each in samples if not each.input["injection"] or each.input["suite"] in chosen)
    found: Counter[str] = Counter()
    differences: list[Any] = []
    compare(samples, found, differences)
    pairs = [sample for sample in samples if sample.input["injection"]]
    stated = {
        "guest": f"agentdojo {BENCHMARK.version}",
        "compared with": f"agentdojo {VERSION}, suites {SUITES}: TaskSuite.run_task_with_pipeline",
        "attack": ATTACKS[0],
        "user tasks": len(samples) - len(pairs),
        "pairs": len(pairs),
        "suites with pairs": chosen,
        **found,
        "loader": same_environments(pairs[:: len(pairs) // 40]),
        "differences": differences,
    }
    (GUEST / "parity.json").write_text(json.dumps(stated, indent=1) + "\n", encoding="utf-8")
    print(f"{found['equal outcomes']:,} of {found['answers']:,} outcomes equal")


if __name__ == "__main__":
    main()
