"""Trajectories of ATIF, the Agent Trajectory Interchange Format.

    {"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1", "model_name": "m", "tool_definitions": [...]},
     "steps": [{"step_id": 1, "source": "user", "message": "..."},
       {"step_id": 2, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "c1", "function_name": "f",
         "arguments": {}}], "observation": {"results": [{"source_call_id": "c1", "content": "..."}]}}]}

Trajectories of subagents that stand in the same file are read as trajectories of their own.
"""

from collections.abc import Iterable, Iterator, Mapping

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.text.json_values import mapping
from toolyard.traffic.openai_log import Row, list_objects, offered_tools, read_turn
from toolyard.traffic.trajectory import TracedEpisode

VERSIONS = tuple(f"ATIF-v1.{minor}" for minor in range(9))
ROLES = {"system": "system", "user": "user", "agent": "assistant"}


def is_atif(row: Mapping[str, JsonValue]) -> bool:
    """Whether an object has the form, in whatever version."""
    return isinstance(row.get("schema_version"), str) and isinstance(row.get("steps"), list)


def read_atif(rows: Iterable[Row]) -> list[TracedEpisode]:
    """The trajectories of a file; another version, or a step of no known source, is refused by name."""
    found: dict[str, TracedEpisode] = {}
    for where, row in rows:
        for item in _rows_with_subagents(where, row):
            name = str(item.get("trajectory_id") or item.get("session_id") or where)
            name = name if name not in found else f"{name} ({len(found) + 1})"
            agent = mapping(item.get("agent"))
            turns = tuple(read_turn(message) for message in _messages_of_steps(where, item))
            tools = offered_tools(agent.get("tool_definitions"))
            found[name] = TracedEpisode(name, turns, tools, str(agent.get("model_name") or ""))
    return [item for item in found.values() if item.turns]


def _rows_with_subagents(where: str, row: Mapping[str, JsonValue]) -> Iterator[Mapping[str, JsonValue]]:
    if row.get("schema_version") not in VERSIONS:
        found = str(row.get("schema_version"))[:80]
        raise DataError(f"{where}: found {found!r}, read are {VERSIONS[0]} to {VERSIONS[-1]}")
    yield row
    for item in list_objects(row.get("subagent_trajectories")):
        yield from _rows_with_subagents(where, item)


def _messages_of_steps(where: str, row: Mapping[str, JsonValue]) -> Iterator[dict[str, JsonValue]]:
    """The steps in the chat format."""
    for number, step in enumerate(list_objects(row.get("steps")), 1):
        source = str(step.get("source"))
        if source not in ROLES:
            raise DataError(
                f"{where}, step {number}: found source {source[:80]!r}, wanted {', '.join(ROLES)}"
            )
        calls = list(list_objects(step.get("tool_calls")))
        yield {
            "role": ROLES[source],
            "content": step.get("message"),
            "tool_calls": [
                {
                    "id": call.get("tool_call_id"),
                    "function": {"name": call.get("function_name"), "arguments": call.get("arguments")},
                }
                for call in calls
            ],
        }
        observation = step.get("observation")
        only = calls[0].get("tool_call_id") if len(calls) == 1 else ""
        for result in list_objects(observation.get("results") if isinstance(observation, Mapping) else None):
            answered = result.get("source_call_id") or only
            yield {"role": "tool", "content": result.get("content"), "tool_call_id": answered}
