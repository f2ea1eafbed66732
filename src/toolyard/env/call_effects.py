"""Whether a call with other values does what the right one does: the verdict by execution that scoring uses.

It passes every value that the user states (a documented default may be left out), it returns exactly what the right call
returns, and it leaves the same state: in the world of the task, and in two others where the right call stands there.
"""

from __future__ import annotations

from toolyard.benchmarks.execution_verdict import (
    EXECUTION,
    StatedCall,
    WorldRow,
    executed_reason,
    execution_question,
    unstated_wish,
)
from toolyard.core.types import Evidence, Record
from toolyard.env.gym_task import EnvironmentTask, GoldCall
from toolyard.run.grade.executed_calls import executed_plan


def has_same_effect(task: EnvironmentTask, want: GoldCall, given: Record) -> bool:
    """Whether the call with the given arguments is as good as the right one."""
    tools = {each.name: each.tool for each in task.draft.functions}
    parameters = {each.name: each.parameters.get("properties", {}) for each in task.draft.functions}
    plan = [StatedCall(tools[call.function], call.arguments) for call in task.gold if tools[call.function]]
    place = plan.index(StatedCall(tools[want.function], want.arguments))
    before = [{"tool": call.tool, "arguments": dict(call.arguments)} for call in plan[:place]]
    said = " ".join(turn.user for turn in task.draft.turns)
    asked = execution_question(
        WorldRow(seed=task.draft.world_seed, before=before, tools=[tools[want.function]]),
        [plan[place]],
        [StatedCall(tools[want.function], given)],
        [0],
        lambda _, call: unstated_wish(plan[place], call, parameters[want.function], plan, said),
    )
    return any(
        not executed_reason(Evidence(task.id, EXECUTION, reply=executed_plan(each.text))) for each in asked
    )
