"""Which steps of a plan wait for others, as the executed calls beside the rows show (`execution.jsonl`).

A call waits for every earlier one that returned a value which it passes: `"arguments": {"to_email": "a@b.example"}` for
the one with `"result": {"abuse_mail": "a@b.example"}`. A result holds every field that can be passed on.
"""

import re
from dataclasses import replace

from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY
from toolyard.core.types import JsonValue, Record
from toolyard.text.json_values import leaves

# Shorter values are compared as a whole: a 5 stands in many texts.
_TELLING = 4
_ORDERED = re.compile(
    r"\b(?:one after (?:the other|another)|in (?:this|the following) order|after(?:wards| that)|only then)\b"
)


def with_order(sample: ToolBeHonestSample, line: Record | None) -> ToolBeHonestSample:
    """The sample with what each step waits for; as it is where no calls are known, or its task states an order."""
    plan, calls = sample.gold.plan, [] if line is None else line["calls"]
    if line is None or len(calls) != len(plan) or _ORDERED.search(sample.input["task"]):
        return sample
    given, returned = ([_texts(call.get(part)) for call in calls] for part in ("arguments", "result"))
    # The step that a limit leaves undone is told at the end.
    limited = dict(line.get("unsolvable") or {}).get("form") == "limit"
    earlier = tuple(
        tuple(
            before
            for before in range(step)
            if (limited and tool == UNSOLVABLE_QUERY) or _shares(given[step], returned[before])
        )
        for step, tool in enumerate(plan)
    )
    return replace(sample, gold=replace(sample.gold, earlier=earlier))


def _texts(value: JsonValue) -> set[str]:
    return {str(leaf).strip().lower() for leaf in leaves(value)}


def _shares(given: set[str], returned: set[str]) -> bool:
    return not given.isdisjoint(returned) or any(
        min(len(said), len(text)) >= _TELLING and (said in text or text in said)
        for said in given
        for text in returned
    )
