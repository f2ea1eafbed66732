"""Calling a tool in a world: a result or a structured error, always within the token budget.

Whatever a tool does, its call ends in a value: arguments are bounded before the tool sees them, computing
tools run in a worker that is stopped at its limits, and an exception that escapes is a fault of that call.
"""

import asyncio
import json
import logging
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from toolyard.core.errors import MissingExtra, ToolyardError
from toolyard.core.types import JsonValue, Observation, Record
from toolyard.world import isolation
from toolyard.world.kernel import seeds
from toolyard.world.kernel.allowance import Allowance
from toolyard.world.kernel.arguments import bind_arguments, measure_arguments
from toolyard.world.kernel.date_arguments import normalise_dates
from toolyard.world.kernel.derived_rows import RECORD
from toolyard.world.kernel.fault_repair import explain_fault
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.naming import resolve_tool, shown_name
from toolyard.world.kernel.registry import Tool
from toolyard.world.kernel.result_text import BUDGET_TOKENS, render
from toolyard.world.kernel.state import Snapshot, World

# Arguments beyond this size go to a worker whatever the tool: texts that long may take any time to read.
ISOLATED_SIZE = 2_000
_log = logging.getLogger("toolyard.world")
_reported: set[tuple[str, str]] = set()


@dataclass(frozen=True, slots=True)
class Faults:
    """Seeded trouble: this share of calls is refused as rate limited or times out."""

    rate: float = 0.0
    seed: int = 0

    def fault_of_call(self, world: World, tool: Tool) -> ToolFault | None:
        """The trouble that the world's present call runs into, if any."""
        chance = seeds.unit(self.seed, world.seed, world.calls, tool.id)
        if chance >= self.rate:
            return None
        if chance < self.rate / 2:
            return ToolFault(
                "rate_limited", "too many requests; try the same call again", retry_after_seconds=1
            )
        return ToolFault("timeout", "the service did not answer in time; try the same call again")


@dataclass(frozen=True, slots=True)
class Rules:
    """How calls are made: what exists for the caller, how arguments are read, what may be used up.

    `offered` limits which ids exist; a name is an id or a name unique among them.
    """

    offered: Sequence[str] | None = None
    compatibility: bool = False
    renames: Mapping[str, str] | None = None
    budget_tokens: int = BUDGET_TOKENS
    faults: Faults | None = None
    allowance: Allowance | None = None


def call(
    world: World,
    name: str,
    arguments: Record,
    *,
    offered: Sequence[str] | None = None,
    compatibility: bool = False,
    renames: Mapping[str, str] | None = None,
    budget_tokens: int = BUDGET_TOKENS,
    faults: Faults | None = None,
    allowance: Allowance | None = None,
) -> Observation:
    """What the tool answers. A fault leaves the world as it was.

    `offered` limits which ids exist for the caller; `name` is an id or a name unique among them.
    """
    rules = Rules(offered, compatibility, renames, budget_tokens, faults, allowance)
    before = world.snapshot()
    try:
        with _faults_only(name):
            job = _prepare_job(world, name, arguments, rules)
            if not job.isolated:
                return _result_observation(_run_here(world, before, job, rules), rules)
            errand = _make_errand(world, before, job)
            try:
                answer = errand.run()
            finally:
                _spend_allowance(rules, errand.seconds)
            return _result_observation(_take_over_state(world, before, answer, job), rules)
    except ToolFault as fault:
        return _fault_observation(world, before, fault, _Asked(name, arguments, rules))


async def call_async(
    world: World, name: str, arguments: Mapping[str, JsonValue], rules: Rules | None = None
) -> Observation:
    """What `call` answers, while the event loop goes on; a world takes one call at a time."""
    rules = rules or Rules()
    before = world.snapshot()
    try:
        with _faults_only(name):
            job = _prepare_job(world, name, arguments, rules)
            if not job.isolated:
                return _result_observation(_run_here(world, before, job, rules), rules)
            errand = _make_errand(world, before, job)
            try:
                answer = await _run_in_thread(errand)
            finally:
                _spend_allowance(rules, errand.seconds)
            return _result_observation(_take_over_state(world, before, answer, job), rules)
    except ToolFault as fault:
        return _fault_observation(world, before, fault, _Asked(name, arguments, rules))


async def _run_in_thread(errand: isolation.Errand) -> dict[str, JsonValue]:
    """The answer to an errand that another thread waits for; where no loop runs, there is none to keep free."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return errand.run()
    try:
        return await loop.run_in_executor(isolation.waiting_threads(), errand.run)
    except asyncio.CancelledError:
        errand.abandon()
        raise


@dataclass(frozen=True, slots=True)
class _Job:
    """A tool, its checked arguments, and whether a worker does it."""

    tool: Tool
    keywords: Mapping[str, object]
    isolated: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call as it was made."""

    name: str
    arguments: Record
    rules: Rules

    def explain_fault(self, fault: ToolFault) -> ToolFault:
        """The call's fault, with what the documents of the tools offered add to it."""
        if not (fault.listed_by or fault.wanted is not None) or not isinstance(self.arguments, Mapping):
            return fault
        tool = resolve_tool(self.name, self.rules.offered)
        return explain_fault(fault, tool, self.arguments, self.rules.offered, self.rules.renames)


def _prepare_job(world: World, name: str, arguments: Mapping[str, JsonValue], rules: Rules) -> _Job:
    world.calls += 1
    refusal = rules.allowance.refusal() if rules.allowance else None
    if refusal:
        raise refusal
    tool = resolve_tool(name, rules.offered)
    if not isinstance(arguments, Mapping):
        raise ToolFault("wrong_type", f"arguments must be an object, got {type(arguments).__name__}")
    size = measure_arguments(arguments)
    arguments = normalise_dates(tool.document, arguments, world.today, rules.renames)
    keywords = bind_arguments(
        tool.document,
        arguments,
        compatibility=rules.compatibility,
        renames=rules.renames,
        examples=tool.examples,
    )
    trouble = rules.faults.fault_of_call(world, tool) if rules.faults else None
    if trouble:
        raise trouble
    return _Job(tool, keywords, tool.importable and (tool.isolated or size > ISOLATED_SIZE))


def _run_here(world: World, before: Snapshot, job: _Job, rules: Rules) -> object:
    start = time.perf_counter()
    noted = RECORD.set(world.simulated)
    try:
        value = job.tool.run(world, job.keywords)
        _refuse_overfull(world, before)
        return value
    finally:
        RECORD.reset(noted)
        _spend_allowance(rules, time.perf_counter() - start)


def _refuse_overfull(world: World, before: Snapshot) -> None:
    """A call that leaves more than a store may hold is refused: the next one that reads it would take too long."""
    store = world.overfull_since(before)
    if store is not None:
        raise ToolFault(
            "limit_exceeded",
            f"{store.name.replace('_', ' ')}: no room, as at most {store.most_entries:,} entries with "
            f"{store.most_characters:,} characters are kept; delete some, or write less",
        )


def _spend_allowance(rules: Rules, seconds: float) -> None:
    if rules.allowance:
        rules.allowance.spend(seconds)


def _make_errand(world: World, before: Snapshot, job: _Job) -> isolation.Errand:
    return isolation.Errand(
        {
            "tool": job.tool.id,
            "module": job.tool.function.__module__,
            "keywords": dict(job.keywords),
            "seed": world.seed,
            "calls": world.calls,
            "seconds": before.seconds,
            "draws": before.draws,
            "changes": before.changes,
        }
    )


def _take_over_state(world: World, before: Snapshot, answer: Record, job: _Job) -> object:
    """The value of a worker's answer, with what it changed now in the world; raises its fault."""
    if "fault" in answer:
        kind, message, details, listed_by, wanted = answer["fault"]
        fault = ToolFault(kind, message, **json.loads(details))
        fault.listed_by, fault.wanted = listed_by, wanted
        raise fault
    if "missing" in answer:
        raise ModuleNotFoundError(name=answer["missing"])
    if "memory" in answer:
        raise ToolFault("limit_exceeded", "the call takes too much memory; ask for less at once")
    if "failure" in answer:
        raise _internal_error(job.tool.id, *answer["failure"])
    world.simulated.update(answer["simulated"])
    changes = {**before.changes, **answer["changes"]}
    world.restore(Snapshot(answer["seconds"], answer["draws"], changes, world.seed))
    _refuse_overfull(world, before)
    return json.loads(answer["text"])


@contextmanager
def _faults_only(name: str) -> Iterator[None]:
    """Lets only faults of the call and errors for the user out, whatever a tool raises."""
    try:
        yield
    except (ToolFault, ToolyardError):
        raise
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise MissingExtra(f"{name} needs {package}: pip install 'toolyard[world]'") from error
    except isolation.TimedOut:
        raise ToolFault(
            "timeout", "the call ran longer than it may and was stopped; ask for less at once"
        ) from None
    except Exception as error:
        raise _internal_error(str(name)[:200], type(error).__name__, traceback.format_exc(-8)) from error


def _internal_error(tool_id: str, kind: str, trace: str) -> ToolFault:
    """The fault for an exception that escaped a tool; the first of its kind is written to the log."""
    if (tool_id, kind) not in _reported:
        _reported.add((tool_id, kind))
        _log.error("%s failed with %s\n%s", tool_id, kind, trace)
    return ToolFault("internal_error", f"the tool failed on these arguments ({kind}); try others")


def _result_observation(value: object, rules: Rules) -> Observation:
    start = time.perf_counter()
    shown = render(value, rules.budget_tokens)
    _spend_allowance(rules, time.perf_counter() - start)
    return Observation(shown.text, shown.value)


def _fault_observation(world: World, before: Snapshot, fault: ToolFault, asked: _Asked) -> Observation:
    world.restore(before)
    rules = asked.rules
    fault = asked.explain_fault(fault)
    shown = render(fault.as_json(lambda tool_id: shown_name(tool_id, rules.offered)), rules.budget_tokens)
    return Observation(shown.text, shown.value, fault.kind)
