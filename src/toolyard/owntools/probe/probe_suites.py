"""Four suites drawn from a mirror, before any document is written into them.

Rows hold names of tools only, so that the same samples can be written with other documents (`--suggest`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.owntools.probe import probe_wording as wording
from toolyard.owntools.probe.probe_steps import WHOLE, Step, StepChain, Workshop
from toolyard.text.names import name_in_words
from toolyard.world.kernel.state import World

MOST_OFFERED = 16
TRIES = 40
# Tools that a chain may begin with before it is given up.
STARTS = 12
_STAND_INS = {"read": ("read", "list", "search"), "list": ("list", "search"), "search": ("search", "list")}
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class NestedRow:
    """A request whose calls feed each other."""

    request: str
    chain: StepChain
    offered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a dialogue: what the user says, what is to be called, what comes of it."""

    user: str
    calls: tuple[Step, ...]
    reply: str
    thought: str


@dataclass(frozen=True, slots=True)
class DialogueRow:
    """A dialogue of one MTU setting; `kind` says what is hard about it."""

    setting: str
    kind: str
    turns: tuple[Turn, ...]
    offered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TwinRow:
    """A task that the tools can do, and the same task after the tool of one step was taken away."""

    request: str
    chain: StepChain
    removed: int
    offered: tuple[str, ...]
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoalRow:
    """A goal with checks of what the mirror's state or the answer must be in the end."""

    query: str
    plan: tuple[Record, ...]
    checks: Record
    answer: str
    offered: tuple[str, ...]
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suites:
    """The rows of the four suites."""

    nested: tuple[NestedRow, ...]
    dialogues: tuple[DialogueRow, ...]
    twins: tuple[TwinRow, ...]
    goals: tuple[GoalRow, ...]


def draw_suites(shop: Workshop, rows: int, seed: int) -> Suites:
    """So many rows of each suite, no request twice; fewer where the tools do not give more."""
    if not shop.plans:
        raise DataError("the mirror has no tools that can be called; mend its tools.py")
    drawn = Suites(
        nested=_draw_distinct(_draw_nested, shop, rows, seed, lambda row: row.request),
        dialogues=_draw_distinct(
            _dialogue, shop, rows, seed, lambda row: str([turn.user for turn in row.turns])
        ),
        twins=_draw_distinct(_twin, shop, rows, seed, lambda row: f"{row.request}/{row.removed}"),
        goals=_draw_distinct(_goal, shop, rows, seed, lambda row: row.query),
    )
    if not (drawn.nested or drawn.dialogues):
        raise DataError(
            "no call of the mirror went well, so that there is nothing to probe with; mend its tools.py"
        )
    return drawn


def draw_tasks(shop: Workshop, number: int, seed: int) -> tuple[GoalRow, ...]:
    """So many goals, three of four with a fact to tell, the others with a change of state where the tools have one."""
    return _draw_distinct(_draw_task, shop, number, seed, lambda row: row.query)


def _draw_task(shop: Workshop, place: int, rng: Random) -> GoalRow | None:
    return (_state_goal if place % 4 == 3 else _fact_goal)(shop, rng)


def _draw_distinct(
    draw: Callable[[Workshop, int, Random], Row | None],
    shop: Workshop,
    rows: int,
    seed: int,
    key: Callable[[Row], str],
) -> tuple[Row, ...]:
    found: dict[str, Row] = {}
    place, tries = 0, 0
    for attempt in range(rows * TRIES):
        if len(found) == rows:
            break
        row = draw(shop, place, Random(derived_seed(seed, draw.__name__, attempt)))
        tries += 1
        if row is not None and key(row) not in found:
            found[key(row)] = row
            place, tries = place + 1, 0
        elif tries >= TRIES // 8:  # this kind of row, or this tool, may be impossible here
            place, tries = place + 1, 0
    return tuple(found.values())


def draw_offered_tools(shop: Workshop, needed: Sequence[str], rng: Random) -> tuple[str, ...]:
    """The needed tools among others, in chance order; those about the same things first where there are many."""
    names = [tool.name for tool in shop.mirror.source.tools if tool.name in shop.plans]
    others = [name for name in names if name not in needed]
    nouns = {shop.plans[name].meaning.noun for name in needed}
    rng.shuffle(others)
    others.sort(key=lambda name: shop.plans[name].meaning.noun not in nouns)
    chosen = [*needed, *others[: MOST_OFFERED - len(needed)]]
    rng.shuffle(chosen)
    return tuple(dict.fromkeys(chosen))


def _draw_nested(shop: Workshop, place: int, rng: Random) -> NestedRow | None:
    length = 1 + place % 3
    chain = _draw_linked_chain(shop, length, rng) if length > 1 else _single(shop, rng)
    if chain is None:
        return None
    request = wording.chain_request(shop.plans, chain, rng)
    return NestedRow(request, chain, draw_offered_tools(shop, chain.tools, rng))


def _draw_linked_chain(shop: Workshop, length: int, rng: Random) -> StepChain | None:
    """A chain of calls that feed each other; independent ones where the tools give none of that length."""
    for _ in range(STARTS):
        chain = shop.chain(length, rng)
        if chain is not None:
            return chain
    return shop.chain(2, rng, linked=False)


def _single(shop: Workshop, rng: Random) -> StepChain | None:
    step = shop.single_step(shop.due(rng), rng)
    return None if step is None else StepChain((step,))


def _dialogue(shop: Workshop, place: int, rng: Random) -> DialogueRow | None:
    kinds = (_draw_plain_dialogue, _draw_missing_value, _draw_changed_value, _draw_two_calls, _draw_refusal)
    return kinds[place % len(kinds)](shop, rng)


def _reply_of_step(step: Step) -> str:
    return (
        "Done. "
        + ", ".join(
            f"{name_in_words(str(name))}: {wording.value_text(value)}"
            for name, value in list(step.result.items())[:3]
            if isinstance(value, str | int | float)
        )[:200]
    )


def _request_of_step(shop: Workshop, step: Step, rng: Random, without: Sequence[str] = ()) -> str:
    return wording.user_request(
        wording.phrase_request(shop.plans[step.tool], step, rng, without=without), rng
    )


def _turn_of_step(shop: Workshop, step: Step, rng: Random, user: str = "") -> Turn:
    said = user or _request_of_step(shop, step, rng)
    return Turn(said, (step,), _reply_of_step(step), f"The tool {step.tool} does this.")


def _closing_turn(rng: Random) -> Turn:
    return Turn(wording.thanking_turn(rng), (), "You are welcome.", "The user wants nothing more.")


def _draw_plain_dialogue(shop: Workshop, rng: Random) -> DialogueRow | None:
    step = shop.single_step(shop.due(rng), rng)
    if step is None:
        return None
    return DialogueRow(
        "S-S", "plain", (_turn_of_step(shop, step, rng),), draw_offered_tools(shop, (step.tool,), rng)
    )


def _draw_call_and_required(shop: Workshop, rng: Random) -> tuple[Step, str] | None:
    """A call and one of its required values that a user may leave out or change."""
    step = shop.single_step(shop.due(rng), rng)
    if step is None:
        return None
    required = [name for name in shop.plans[step.tool].tool.document.required if name in step.arguments]
    return (step, rng.choice(required)) if required else None


def _draw_missing_value(shop: Workshop, rng: Random) -> DialogueRow | None:
    """The user leaves a required value out and gives it when asked."""
    found = _draw_call_and_required(shop, rng)
    if found is None:
        return None
    step, name = found
    first = _request_of_step(shop, step, rng, without=(name,))
    asking = Turn(first, (), wording.missing_value_question(name), f"The {name_in_words(name)} is missing.")
    turns = (
        asking,
        _turn_of_step(shop, step, rng, wording.given_later(name, step.arguments[name])),
        _closing_turn(rng),
    )
    return DialogueRow("M-S", "missing", turns, draw_offered_tools(shop, (step.tool,), rng))


def _draw_changed_value(shop: Workshop, rng: Random) -> DialogueRow | None:
    """The user changes a value after the call, so that it has to be made again."""
    found = _draw_call_and_required(shop, rng)
    if found is None or shop.plans[found[0].tool].meaning.changes:
        return None
    step, name = found
    value = shop.other_value(step.tool, name, rng, step.arguments[name])
    again = shop.step(World.fresh(), step.tool, {**step.arguments, name: value}, {})
    if again is None or value == step.arguments[name]:
        return None
    turns = (
        _turn_of_step(shop, step, rng),
        _turn_of_step(shop, again, rng, wording.value_correction(name, value, rng)),
        _closing_turn(rng),
    )
    return DialogueRow("M-S", "changing", turns, draw_offered_tools(shop, (step.tool,), rng))


def _draw_two_calls(shop: Workshop, rng: Random) -> DialogueRow | None:
    """Two calls in one turn, in the order in which they are asked for."""
    chain = shop.chain(2, rng, linked=False)
    if chain is None:
        return None
    user = wording.chain_request(shop.plans, chain, rng)
    turn = Turn(user, chain.steps, "Both are done.", "Two calls are needed.")
    return DialogueRow("S-M", "several", (turn,), draw_offered_tools(shop, chain.tools, rng))


def _draw_refusal(shop: Workshop, rng: Random) -> DialogueRow | None:
    """One call, then a request for which no tool is offered."""
    step, other = shop.single_step(shop.due(rng), rng), shop.single_step(shop.due(rng), rng)
    if step is None or other is None:
        return None
    gone = possible_substitutes(shop, other.tool)
    if step.tool in gone:
        return None
    asked = _request_of_step(shop, other, rng)
    refusal = Turn(asked, (), "I am sorry, none of my tools can do that.", "No tool does this.")
    offered = tuple(name for name in draw_offered_tools(shop, (step.tool,), rng) if name not in gone)
    return DialogueRow("M-S", "refused", (_turn_of_step(shop, step, rng), refusal), offered)


def possible_substitutes(shop: Workshop, name: str) -> frozenset[str]:
    """The tool itself and those that could do its job: the same operation on the same kind of thing, or a wider one."""
    plan = shop.plans[name]
    if not plan.table:
        return frozenset({name})
    kinds = _STAND_INS.get(plan.kind, (plan.kind,))
    return frozenset(
        each for each, other in shop.plans.items() if other.table == plan.table and other.kind in kinds
    ) | {name}


def _twin(shop: Workshop, place: int, rng: Random) -> TwinRow | None:
    chain = _single(shop, rng) if place % 2 == 0 else _draw_linked_chain(shop, 2 + place % 3 // 2, rng)
    if chain is None:
        return None
    removed = rng.randrange(len(chain.steps))
    gone = possible_substitutes(shop, chain.tools[removed])
    if any(name in gone for at, name in enumerate(chain.tools) if at != removed):
        return None
    offered = draw_offered_tools(shop, chain.tools, rng)
    if len([name for name in offered if name not in gone]) < 1:
        return None
    return TwinRow(
        wording.chain_request(shop.plans, chain, rng), chain, removed, offered, tuple(sorted(gone))
    )


def _goal(shop: Workshop, place: int, rng: Random) -> GoalRow | None:
    kinds = (_state_goal, _fact_goal, _asking_goal)
    changing = any(plan.table and plan.meaning.changes for plan in shop.plans.values())
    return (kinds if changing else (_fact_goal,))[place % (3 if changing else 1)](shop, rng)


def _state_step(shop: Workshop, rng: Random) -> Step | None:
    names = sorted(name for name, plan in shop.plans.items() if plan.table and plan.meaning.changes)
    step = shop.single_step(shop.due(rng, names), rng) if names else None
    return step if step is not None and step.changes else None


def step_json(step: Step) -> Mapping[str, JsonValue]:
    """A step as the plan of a goal has it."""
    return {"tool": step.tool, "arguments": dict(step.arguments)}


def state_checks(step: Step, fields: Record) -> list[JsonValue]:
    """Checks that the changes of a step are there, with the values that the request gave."""
    checks: list[JsonValue] = []
    for store, changes in step.changes.items():
        for change in ("added", "removed", "changed"):
            for key, entry in changes.get(change, {}).items():
                final = entry["after"] if change == "changed" else entry
                where = {name: value for name, value in fields.items() if final.get(name) == value}
                check = {
                    "store": store,
                    "change": change,
                    "where": {} if change == "removed" else where,
                    "count": 1,
                }
                checks.append(check if change == "added" else {**check, "key": key})
    return checks


def _state_goal(shop: Workshop, rng: Random) -> GoalRow | None:
    step = _state_step(shop, rng)
    if step is None:
        return None
    query = _request_of_step(shop, step, rng)
    checks = {"state": state_checks(step, step.arguments)}
    return GoalRow(
        query, (step_json(step),), checks, "It is done.", draw_offered_tools(shop, (step.tool,), rng)
    )


def _asking_goal(shop: Workshop, rng: Random) -> GoalRow | None:
    """A change whose one value only the user knows."""
    step = _state_step(shop, rng)
    if step is None:
        return None
    required = [name for name in shop.plans[step.tool].tool.document.required if name in step.arguments]
    if not required:
        return None
    name = rng.choice(required)
    query = _request_of_step(shop, step, rng, without=(name,))
    words = ", ".join(dict.fromkeys([*name_in_words(name).split(), "which"]))
    ask = {"tool": "ask_to_user", "arguments": {"question": wording.missing_value_question(name)}}
    return GoalRow(
        query, (ask, step_json(step)), {"state": state_checks(step, step.arguments)}, "It is done.",
        draw_offered_tools(shop, (step.tool,), rng), {words: wording.given_later(name, step.arguments[name])},
    )  # fmt: skip


def _fact_goal(shop: Workshop, rng: Random) -> GoalRow | None:
    """A question whose answer only a call can tell."""
    reading = sorted(name for name, plan in shop.plans.items() if not (plan.table and plan.meaning.changes))
    if not reading:
        return None
    step = shop.single_step(shop.due(rng, reading), rng)
    if step is None:
        return None
    given = [str(value) for value in step.arguments.values()]
    facts = [
        str(name)
        for name, value in step.result.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
        and 2 <= len(str(value)) <= 60 and "\n" not in str(value) and str(value) not in given
    ]  # fmt: skip
    if not facts:
        return None
    name = rng.choice(facts)
    path = (
        "0" if name == WHOLE and set(step.result) == {WHOLE} and not _is_object(shop, step) else f"0.{name}"
    )
    wanted = "result" if name == WHOLE else name_in_words(name)
    query = wording.user_request(
        f"{wording.phrase_request(shop.plans[step.tool], step, rng)} and tell me the {wanted}", rng
    )
    checks = {"facts": [{"$": path}]}
    answer = f"The {wanted} is {{{path}}}."
    return GoalRow(query, (step_json(step),), checks, answer, draw_offered_tools(shop, (step.tool,), rng))


def _is_object(shop: Workshop, step: Step) -> bool:
    """Whether the tool itself returned an object, so that its result stands in a field."""
    from toolyard.world.kernel.executor import call

    return isinstance(call(World.fresh(), step.tool, step.arguments, offered=shop.offered).value, Mapping)
