"""Failing trajectories as a case file, for a person to correct; `toolyard run cases.yaml` then tests them.

{"tools": "tools.json", "draft": true,
 "cases": [{"id": "r1", "conversation": [{"user": "..."}], "expect": {"calls": [...]}, "found": [...]}]}
"""

from collections.abc import Mapping, Sequence

import yaml

from toolyard.core.types import Failure, JsonValue
from toolyard.traffic.row_drafts import user_turns
from toolyard.traffic.traffic_scoring import JudgedEpisode
from toolyard.traffic.trajectory import RecordedTurn

CASES, TOOLS = "cases.yaml", "tools.json"
HEADER = """\
# Drafts from recorded traffic: `expect` holds what the agent did, often the very mistake, and `found` what was seen.
# Correct every case, remove `found` and the line `draft: true`, then: toolyard run {name} -m MODEL
"""


def case_drafts(judged: Sequence[JudgedEpisode]) -> tuple[str, dict[str, JsonValue]]:
    """The text of the case file, and the tools that its cases call."""
    failing = [item for item in judged if item.failing and user_turns(item.trajectory)]
    tools: dict[str, Mapping[str, JsonValue]] = {}
    for item in failing:
        tools |= item.trajectory.tools or {}
    content = {"tools": TOOLS, "draft": True, "cases": [_case_of_trajectory(item) for item in failing]}
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)
    return HEADER.format(name=CASES) + text, {"tools": [dict(tool) for tool in tools.values()]}


def _case_of_trajectory(item: JudgedEpisode) -> dict[str, JsonValue]:
    *past, last = user_turns(item.trajectory)
    said = [*(turn for turns in past for turn in _turn_messages(turns)), {"user": last[0].text}]
    calls = [
        {call.name: dict(call.arguments)}
        for turn in last[1:]
        for call in turn.calls
        if not isinstance(call.arguments, Failure)
    ]
    return {
        "id": item.trajectory.id,
        **({"conversation": said} if len(said) > 1 else {"request": last[0].text}),
        "expect": {"calls": calls},
        "found": [f"{found.figure}: {found.why}" for found in item.findings],
    }


def _turn_messages(turns: Sequence[RecordedTurn]) -> list[dict[str, str]]:
    """What user and assistant said to each other in one turn."""
    answers = " ".join(turn.text for turn in turns if turn.role == "assistant" and turn.text)
    return [{"user": turns[0].text}, *([{"assistant": answers}] if answers else [])]
