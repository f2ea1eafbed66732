"""A task being played: its messages so far, the world that its calls change, and what was called in which turn."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from toolyard.core.episodes import SAME_CALL, RepeatedCalls
from toolyard.core.types import Failure, JsonValue
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.env.action_reading import Action, MadeCall, read_action
from toolyard.env.gym_task import EnvironmentTask
from toolyard.env.task_seeds import result_view
from toolyard.synth.chains.execution import output_digest
from toolyard.world.kernel.allowance import Allowance
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.state import World

# Actions that cannot be read, before the task ends.
MOST_FAULTS = 3
COMPLAINT = "That could not be read ({}). Call functions, or answer in words."


@dataclass(frozen=True, slots=True)
class DoneCall:
    """A call that was made: what the function was given, and the error or the digest of what it returned."""

    function: str
    arguments: dict[str, JsonValue]
    error: str | None = None
    output: str = ""


@dataclass(slots=True)
class PlayedTurn:
    """The calls of one turn, and the words that ended it."""

    calls: list[DoneCall] = field(default_factory=list)
    said: str = ""


class Playing:
    """The course of one task."""

    def __init__(self, task: EnvironmentTask) -> None:
        self.task = task
        self.world = World.fresh(task.draft.world_seed)
        self.turns: list[PlayedTurn] = []
        self.actions = 0
        self.faults: list[Failure] = []
        self.ended = False
        self.messages: list[dict[str, JsonValue]] = [{"role": "system", "content": task.draft.system}]
        self._allowance = Allowance()
        self._next_turn()

    @property
    def most_actions(self) -> int:
        """After so many actions the task is cut off: three for every right call, and some to talk."""
        return 3 * len(self.task.gold) + 2 * len(self.task.draft.turns) + MOST_FAULTS

    @property
    def cut_off(self) -> bool:
        """Whether the actions are used up."""
        return not self.ended and self.actions >= self.most_actions

    def act(self, given: object) -> Failure | None:
        """Carries one action out; the fault of one that could not be read."""
        self.actions += 1
        self._allowance.begin_round()
        action = read_action(given)
        if isinstance(action, Failure):
            self._note_fault(action)
            return action
        self.messages.append(_action_message(action))
        unreadable = [each.arguments for each in action.calls if isinstance(each.arguments, Failure)]
        for made in action.calls:
            self._perform(made)
        if not action.calls:
            self.turns[-1].said = action.text
            self._next_turn()
        if unreadable:
            self._count(unreadable[0])
        return unreadable[0] if unreadable else None

    def _note_fault(self, fault: Failure) -> None:
        self.messages.append({"role": "user", "content": COMPLAINT.format(fault.kind.replace("_", " "))})
        self._count(fault)

    def _count(self, fault: Failure) -> None:
        self.faults.append(fault)
        self.ended = self.ended or len(self.faults) >= MOST_FAULTS

    def _perform(self, made: MadeCall) -> None:
        earlier = self._repeats.earlier(made.name, made.arguments)
        if self._repeats.ended:
            self.ended = True
            return
        if earlier is None:
            earlier = self._call_tool(made)
            self._repeats.keep(earlier, made.name, made.arguments)
            done, text = earlier
        else:
            done, text = earlier[0], f"{earlier[1]}\n{SAME_CALL}"
        self.turns[-1].calls.append(done)
        self.messages.append({"role": "tool", "tool_call_id": made.id, "content": text})

    def _call_tool(self, made: MadeCall) -> tuple[DoneCall, str]:
        if isinstance(made.arguments, Failure):
            return _refuse_call(made.name, {}, "unreadable_arguments", "the arguments are no JSON object")
        given = dict(made.arguments)
        function = self.task.function(made.name)
        if function is None:
            return _refuse_call(made.name, given, "unknown_function", f"there is no function {made.name!r}")
        if not function.tool:
            self.ended = True
            return DoneCall(made.name, given), encode({"noted": True})
        seen = call(self.world, function.tool, given, allowance=self._allowance)
        if seen.error is not None:
            return DoneCall(made.name, given, seen.error), seen.text
        view = result_view(self.task.place.benchmark)
        shown = seen.text if view is None else encode(view(function.tool, seen.value))
        return DoneCall(made.name, given, None, output_digest(seen.value)), shown

    def _next_turn(self) -> None:
        if len(self.turns) == len(self.task.draft.turns):
            self.ended = True
            return
        self.messages.append({"role": "user", "content": self.task.draft.turns[len(self.turns)].user})
        self.turns.append(PlayedTurn())
        # Who asks again for the same in a later turn may be answered by the same call.
        self._repeats = RepeatedCalls()


def _refuse_call(name: str, given: dict[str, JsonValue], kind: str, text: str) -> tuple[DoneCall, str]:
    return DoneCall(name, given, kind), encode({"error": text})


def _action_message(action: Action) -> dict[str, JsonValue]:
    """The action as the conversation repeats it."""
    message: dict[str, JsonValue] = {"role": "assistant", "content": json_safe(action.text)}
    if action.calls:
        message["tool_calls"] = [_call_json(each) for each in action.calls]
    return message


def _call_json(made: MadeCall) -> dict[str, JsonValue]:
    given = {} if isinstance(made.arguments, Failure) else made.arguments
    arguments = json.dumps(given, ensure_ascii=False)
    function = {"name": json_safe(made.name), "arguments": arguments}
    return {"id": json_safe(made.id), "type": "function", "function": function}
