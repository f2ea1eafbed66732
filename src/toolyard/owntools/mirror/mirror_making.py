"""From a source to the folder of its mirror: record what may be recorded, infer the rest, write it down."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolyard.core.errors import UsageError
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import JsonValue
from toolyard.owntools.mirror.call_recording import Show, record_calls, say_nothing
from toolyard.owntools.mirror.mirror_files import refuse_other_folder, write_mirror
from toolyard.owntools.mirror.mirror_plan import MirrorPlan, plan_mirror
from toolyard.owntools.mirror.recorded_calls import RecordedCall
from toolyard.owntools.sources.tool_source import ToolSource


def make_mirror(
    source: ToolSource,
    folder: Path,
    *,
    number: int = 0,
    allowed: Sequence[str] = (),
    given: Mapping[str, JsonValue] | None = None,
    seed: int = 0,
    anew: bool = False,
    show: Show = say_nothing,
) -> MirrorPlan:
    """The plan of a mirror, which then stands in its folder; `number` real calls of each tool are recorded."""
    refuse_other_folder(folder, anew=anew)
    unknown = [
        name for name in allowed if "*" not in name and name not in {tool.name for tool in source.tools}
    ]
    if unknown:
        raise UsageError(
            f"--allow {unknown[0]}: {source.name} has no such tool; see: toolyard tools lint SOURCE"
        )
    calls: tuple[RecordedCall, ...] = ()
    if number:
        calls = run_async(record_calls(source, number, allowed=allowed, given=given, seed=seed, show=show))
    return write_mirror(plan_mirror(source, seed, calls), folder, anew=anew)


def parse_given_values(texts: Sequence[str]) -> dict[str, JsonValue]:
    """NAME=VALUE pairs; a value that is JSON counts as such, any other as text."""
    found: dict[str, JsonValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"--given {text!r}; wanted is NAME=VALUE, e.g. repo_path=.")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
