"""What a model did on each sample of a probe, read alike from all four benchmarks."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.scoring.outcome import read_freely
from toolyard.core.types import Completion, Failure, Record
from toolyard.run.play.execute import RunResult
from toolyard.stats.summary import Graded

NOTHING = "(no call)"
UNSOLVABLE = "UnsolvableQuery"
LONGEST = 4_000


@dataclass(frozen=True, slots=True)
class SeenCall:
    """A call that a model made; `arguments` is None where only the tool is known."""

    tool: str
    arguments: Record | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One sample: what was wanted, what was called, and how it was graded.

    `refuses` marks samples on which the right answer is that nothing can be done; `refused` says whether the model
    said so. `level` is the depth of a nested request or the turn of a dialogue.
    """

    benchmark: str
    id: str
    cluster: str
    request: str
    answer: str
    offered: tuple[str, ...]
    wanted: tuple[SeenCall, ...]
    called: tuple[SeenCall, ...]
    right: bool | None
    score: float | None
    reasons: tuple[str, ...]
    refuses: bool = False
    refused: bool | None = None
    level: int = 0

    @property
    def tools_right(self) -> bool:
        """Whether the called tools are the wanted ones, whatever their order."""
        return sorted(call.tool for call in self.called) == sorted(call.tool for call in self.wanted)

    def confusions(self) -> Iterator[tuple[str, str]]:
        """(wanted, called) for every call that went to another tool, or nowhere, or came from nowhere."""
        lacking = [call.tool for call in self.wanted]
        extra = []
        for call in self.called:
            if call.tool in lacking:
                lacking.remove(call.tool)
            else:
                extra.append(call.tool)
        for place, tool in enumerate(lacking):
            yield tool, extra[place] if place < len(extra) else NOTHING
        yield from ((NOTHING, tool) for tool in extra[len(lacking) :])


def observe_runs(results: Mapping[str, RunResult]) -> tuple[Seen, ...]:
    """Every graded sample of the probe's runs under the paper's definitions."""
    readers = {
        "nestools": _read_nested,
        "mtu": _read_turn,
        "toolbehonest": _read_twin,
        "tooleyes": _read_goal,
    }
    found: list[Seen] = []
    for name, result in results.items():
        found += [readers[name](result, item) for item in result.graded["paper"]]
    return tuple(found)


def _parse_prediction(result: RunResult, item: Graded) -> Any:
    return result.run.benchmark.scoring.parse(item.sample, item.transcript, "paper")


def _common_fields(result: RunResult, item: Graded, request: str, figure: str) -> Record:
    answers = [_completion_text(completion) for completion in item.transcript.completions]
    return {
        "benchmark": result.run.benchmark.name,
        "id": item.sample.id,
        "cluster": item.sample.cluster,
        "request": request,
        "answer": "\n---\n".join(answers)[:LONGEST],
        "score": item.score.values.get(figure),
        "reasons": item.score.reasons,
    }


def _completion_text(completion: Completion) -> str:
    calls = [json.dumps(call.get("function", call), ensure_ascii=False) for call in completion.tool_calls]
    return "\n".join(filter(None, [completion.text, *calls]))


def _read_nested(result: RunResult, item: Graded) -> Seen:
    sample = item.sample
    prediction = _parse_prediction(result, item)
    calls = () if isinstance(prediction, Failure) else prediction
    tools = [*sample.input["tools"], *sample.input.get("distractors", ())]
    by_id = {str(tool["api_id"]): tool["api_name"] for tool in tools}
    names = [str(call.name) if call.name is not None else by_id.get(str(call.tool_id), "?") for call in calls]
    values = item.score.values
    return Seen(
        **_common_fields(result, item, sample.input["query"], "outcome"),
        offered=tuple(str(tool["api_name"]) for tool in tools),
        wanted=tuple(SeenCall(call["api_name"], call["parameters"]) for call in sample.gold["calls"]),
        called=tuple(
            SeenCall(name, {str(k): v for k, v in call.parameters.items()})
            for name, call in zip(names, calls, strict=True)
        ),
        right=None if values.get("outcome") is None else values["outcome"] == 1,
        level=int(sample.groups["depth"].rstrip("+")),
    )


def _read_turn(result: RunResult, item: Graded) -> Seen:
    sample = item.sample
    prediction = _parse_prediction(result, item)
    wanted = tuple(SeenCall(call["name"], call["arguments"]) for call in sample.gold["calls"])
    said = [str(turn["user"]) for turn in sample.input["history"]]
    answers = " ".join(f"{turn['assistant']} {turn['observation']}" for turn in sample.input["history"])
    return Seen(
        **_common_fields(
            result,
            item,
            "\n".join([*said, sample.input["user"]]) + (f"\n[{answers}]" if answers else ""),
            "right",
        ),
        offered=tuple(str(tool["name"]) for tool in sample.input["tools"]),
        wanted=wanted,
        called=tuple(SeenCall(call.name, call.arguments) for call in prediction.calls),
        right=item.score.values.get("right") == 1,
        refuses=not wanted,
        refused=None if wanted else not prediction.calls and prediction.failure is None,
        level=1 + int(sample.gold["turn"]) if sample.input["setting"][0] == "M" else 1,
    )


def _read_twin(result: RunResult, item: Graded) -> Seen:
    sample = cast(ToolBeHonestSample, item.sample)
    # What the answer says counts here, not whether it stands in the form that was asked for.
    reading = read_freely(sample, _parse_prediction(result, item).said or "")
    level, gold = sample.input["level"], sample.gold
    unsolvable = sample.id.split("/")[-2] == "unsolvable"
    planned = () if level == 1 else tuple(SeenCall(name) for name in reading.tools if name)
    wanted = () if level == 1 else tuple(SeenCall(name) for name in gold.plan)
    refused = reading.verdict == "unsolvable" if level == 1 else UNSOLVABLE in reading.tools
    value = item.score.values.get("outcome")
    return Seen(
        **_common_fields(result, item, sample.input["task"], "outcome"),
        offered=_offered_names(sample.input["tools"]),
        wanted=wanted,
        called=planned,
        right=None if value is None else value == 1,
        refuses=unsolvable,
        refused=refused if unsolvable else None,
        level=len(gold.plan),
    )


def _offered_names(text: str) -> tuple[str, ...]:
    return tuple(line.split(". ", 1)[-1].split(":", 1)[0] for line in text.splitlines())


def _read_goal(result: RunResult, item: Graded) -> Seen:
    sample = item.sample
    trajectory = _parse_prediction(result, item)
    made = [
        SeenCall(turn.action, turn.arguments if isinstance(turn.arguments, Mapping) else {})
        for turn in trajectory.rounds
        if turn.action and turn.action.lower() not in ("finish", "ask_to_user")
    ]
    value = item.score.values.get("outcome")
    plan = [step for step in sample.gold.plan if step.tool not in ("finish", "ask_to_user")]
    known = " ".join(map(str, sample.input.get("slots", {}).values()))
    return Seen(
        **_common_fields(result, item, f"{sample.input['query']}\n{known}".strip(), "outcome"),
        offered=tuple(str(document["name"]) for document in sample.input["documents"]),
        wanted=tuple(SeenCall(step.tool, step.arguments) for step in plan),
        called=_first_call_per_tool(made),
        right=None if value is None else value == 1,
        level=1,
    )


def _first_call_per_tool(calls: Sequence[SeenCall]) -> tuple[SeenCall, ...]:
    """Calls of different tools; an agent may well call one again."""
    found: dict[str, SeenCall] = {}
    for call in calls:
        found.setdefault(call.tool, call)
    return tuple(found.values())
