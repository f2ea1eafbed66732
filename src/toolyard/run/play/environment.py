"""The world and the user of an episode that calls tools."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from toolyard.core.benchmark import RunSetup, Scene
from toolyard.core.scene import DECLINED, DocumentedTool
from toolyard.core.types import (
    AskUser,
    Decoding,
    Execute,
    Failure,
    JsonValue,
    Message,
    Observation,
    Record,
    Request,
)
from toolyard.models.base import Model
from toolyard.models.loading import load_model
from toolyard.run.play.episodes import Answer, EpisodeEnvironment, Unit
from toolyard.text.parsing import read_json
from toolyard.text.printable import printable_text
from toolyard.text.templates import render

if TYPE_CHECKING:
    from toolyard.world.mcp import Answers

# A reply to (question, scene).
User = Callable[[str, Scene], Awaitable[str]]


def make_environment(
    setup: RunSetup, unit: Unit, user: User | None = None, *, rehearsed: bool = False
) -> EpisodeEnvironment | None:
    """A fresh world for the unit's episode; None for benchmarks that call no tools.

    An episode that is `rehearsed` without a model calls the scene's stand-ins.
    """
    found = setup.benchmark.task.scene_in(setup.options.style)
    if found is None:
        return None
    scene = found(unit.samples[0], setup.options)
    if rehearsed and scene.rehearsal:
        scene = replace(scene, part=scene.rehearsal)
    return WorldEnvironment(scene, user or scripted_user)


class WorldEnvironment:
    """Tools of one fresh world, and somebody to ask."""

    def __init__(self, scene: Scene, user: User) -> None:
        from toolyard.world.kernel.allowance import Allowance
        from toolyard.world.kernel.registry import select
        from toolyard.world.kernel.state import World

        self.scene = scene
        self._documented = tool_ids(scene.documented)
        of_parts = (tool.id for part in scene.part for tool in select(part))
        self.offered = tuple(dict.fromkeys((*of_parts, *self._documented.values())))
        self.world = World.fresh(scene.seed)
        self._allowance = Allowance()
        self._before = self.world.snapshot()
        self._earlier = list(scene.before)
        self._user = user

    def begin_round(self) -> None:
        """The model has replied: the calls of one reply are counted from here."""
        self._allowance.begin_round()

    async def execute(self, effect: Execute) -> Observation:
        """The tool's result, cut to the scene's budget; a call that cannot be made is a structured error."""
        from toolyard.world.kernel.executor import Rules, call_async

        await self._make_earlier_calls()
        rules = Rules(
            offered=self.offered,
            compatibility=self.scene.compatibility,
            renames=self._renames(effect.tool),
            budget_tokens=self.scene.budget_tokens,
            allowance=self._allowance,
        )
        known = self._documented.get(effect.tool)
        found = await call_async(self.world, known or effect.tool, effect.arguments, rules)
        return found if known is None else named_results(known, self.scene.documented[effect.tool], found)

    async def _make_earlier_calls(self) -> None:
        """What was done before the episode; its changes are none of the episode's."""
        from toolyard.world.kernel.executor import call_async

        while self._earlier:
            step = self._earlier.pop(0)
            await call_async(self.world, str(step.tool), step.arguments)
            self._before = self.world.snapshot()

    def _renames(self, name: str) -> Mapping[str, str]:
        """Documented parameter names that differ from ours, for calls that follow official documents."""
        from toolyard.world.kernel.compat import renamed_parameters
        from toolyard.world.kernel.faults import ToolFault
        from toolyard.world.kernel.naming import resolve_tool

        if not self.scene.compatibility:
            return {}
        try:
            return renamed_parameters(resolve_tool(name, self.offered).id)
        except ToolFault:
            # The call itself will say that there is no such tool.
            return {}

    async def ask_user(self, effect: AskUser) -> str:
        """The user's reply."""
        return await self._user(effect.question, self.scene)

    def answers(self) -> Answers:
        """A server's answers, whose calls are made here."""
        from toolyard.world.kernel.registry import library
        from toolyard.world.mcp import Answers

        tools = [library()[tool_id] for tool_id in self.offered]
        return Answers(tools, perform=lambda name, arguments: self.execute(Execute(name, arguments)))

    def changes(self) -> Record:
        """What the episode has changed in its world."""
        changed: Record = self.world.diff(self._before)
        return changed

    async def reference(self) -> Record | None:
        """What the scene's plan returns and changes in a fresh world; None where there is no plan."""
        if self.scene.plan is None:
            return None
        return await played_plan(self.scene)


async def played_plan(scene: Scene) -> Record | None:
    """The plan's observations and changes, in a world of their own."""
    around = WorldEnvironment(replace(scene, plan=None), scripted_user)
    observations: list[JsonValue] = []
    while scene.plan is not None and (step := scene.plan(observations)) is not None:
        if step.tool is None:
            question = str(next(iter(step.arguments.values()), ""))
            observations.append(await around.ask_user(AskUser(question)))
            continue
        around.begin_round()
        text = (await around.execute(Execute(step.tool, step.arguments))).text
        value = read_json(text)
        observations.append(text if isinstance(value, Failure) else value)
    return {"observations": observations, "changes": around.changes()}


async def scripted_user(question: str, scene: Scene) -> str:
    """The slot whose key words the question names best; a polite refusal where none fits.

    A slot's key is a comma-separated list of words; the slot with the most of them in the question wins,
    the first on ties.
    """
    asked = set(re.findall(r"\w+", question.lower()))
    best, most = DECLINED, 0
    for key, reply in scene.slots.items():
        hits = sum(set(word.strip().lower().split()) <= asked for word in key.split(","))
        if hits > most:
            best, most = reply, hits
    return best


async def ask_at_terminal(question: str, scene: Scene) -> str:  # noqa: ARG001 - the signature of a user
    """Whoever sits at the terminal."""
    shown = printable_text(question).replace("\n", "\n  ")
    sys.stderr.write(f"\nThe model asks: {shown}\n> ")
    sys.stderr.flush()
    line = await asyncio.to_thread(sys.stdin.readline)
    return line.strip() or DECLINED


@asynccontextmanager
async def playing_user(setup: RunSetup, paid: Callable[[Model], Answer]) -> AsyncIterator[User]:
    """Who answers a model's questions: `--user scripted` (from the sample's slots), `person`, or a model.

    `paid` gives the answers of a model, each of them counted.
    """
    wanted = setup.options.values.get("user", "scripted")
    if not is_model(wanted):
        yield ask_at_terminal if wanted == "person" else scripted_user
        return
    template = {**setup.benchmark.task.templates, **setup.options.templates}["user"]
    model = load_model(wanted)
    try:
        yield model_user(paid(model), template, setup.judge_decoding)
    finally:
        await model.close()


def is_model(user: str) -> bool:
    """Whether `--user` names a model."""
    return user not in ("", "scripted", "person")


def model_user(answer: Answer, template: str, decoding: Decoding) -> User:
    """A model that plays the user: it knows the goal and the slots and nothing else."""

    async def reply(question: str, scene: Scene) -> str:
        known = "\n".join(f"- {key}: {value}" for key, value in scene.slots.items()) or "- nothing more"
        text = render(template, {"goal": scene.goal, "known": known, "question": question})
        completion = await answer(Request((Message("user", text),), decoding))
        return completion.text.strip() or DECLINED

    return reply


def tool_ids(documented: Mapping[str, DocumentedTool]) -> dict[str, str]:
    """The id of each tool by its name; a document keeps the words of the world's, whatever the tool is called."""
    return {
        name: found
        for name, tool in documented.items()
        if (found := _nearest_id(name, _ids_by_description().get(tool.description, ())))
    }


def _nearest_id(name: str, ids: tuple[str, ...]) -> str:
    """The id whose parts the name has; the first where it has none."""
    plain = name.lower()
    return max(ids, key=lambda each: sum(part.lower() in plain for part in each.split("/")), default="")


@cache
def _ids_by_description() -> Mapping[str, tuple[str, ...]]:
    from toolyard.world.kernel.registry import library

    found: dict[str, tuple[str, ...]] = {}
    for tool_id, tool in library().items():
        described = tool.document.description
        found[described] = (*found.get(described, ()), tool_id)
    return found


def named_results(tool_id: str, tool: DocumentedTool, found: Observation) -> Observation:
    """What the document says that the tool returns, by name; refusals, and results without any of it, as they are."""
    from toolyard.synth.chains.projection import result_value

    if found.error:
        return found
    values = {name: result_value(tool_id, name, found.value) for name in tool.results}
    shown = {name: value for name, value in values.items() if value is not None}
    return replace(found, text=json.dumps(shown, ensure_ascii=False), value=shown) if shown else found
