"""Checks of single calls: promise, bounds, closure, freshness, collection, determinism, state."""

from collections.abc import Iterable, Sequence

from toolyard.core.types import JsonValue
from toolyard.world.kernel.arguments import schema_problem
from toolyard.world.kernel.checks.check_counts import Count
from toolyard.world.kernel.checks.seen_calls import SeenCall, seen_call
from toolyard.world.kernel.effects import is_read_only
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.graph import values_at
from toolyard.world.kernel.state import World

# The share of all tools that may answer alike under two seeds: those that compute or look up.
MOST_ALIKE = 0.35
# The longest result that ToolEyes' authors kept, and how many letters of JSON a token has at the least.
MOST_TOKENS, LETTERS_PER_TOKEN = 4096, 3


def check_promises(calls: Iterable[SeenCall]) -> Count:
    """Examples work, results have the declared shape, and the fields that a tool promises are never null."""
    count = Count()
    for each in calls:
        count.looked_at += 1
        if each.error is not None:
            count.note_defect(each.tool.id, f"example is refused: {each.error}")
            continue
        problem = schema_problem(each.value, each.tool.document.result)
        if problem and problem[0] == "wrong_type":
            count.note_defect(each.tool.id, problem[1])
        for path in each.tool.facts.promises.values():
            found = values_at(each.value, path)
            if None in found:
                count.note_defect(each.tool.id, f"{path} is null")
    return count


def check_bounds(calls: Iterable[SeenCall]) -> Count:
    """Values keep the ranges, forms and choices that the document declares."""
    count = Count()
    for each in calls:
        if each.error is None:
            count.looked_at += 1
            problem = schema_problem(each.value, each.tool.document.result)
            if problem and problem[0] != "wrong_type":
                count.note_defect(each.tool.id, problem[1])
    return count


def closure(calls: Iterable[SeenCall]) -> Count:
    """Who takes a meaning takes what another tool returned under it; a refusal of another argument is none of it."""
    count = Count()
    for each in calls:
        assert each.edge is not None
        count.looked_at += 1
        if each.error is not None and _refused_argument(each) in (None, each.edge.parameter):
            given = each.arguments[each.edge.parameter]
            count.note_defect(
                each.tool.id,
                f"{each.edge.parameter}={given!r} of {each.edge.producer} is refused: {each.error}",
            )
    return count


def _refused_argument(refused: SeenCall) -> JsonValue:
    """The argument that a refusal names, if any."""
    error = refused.value.get("error") if isinstance(refused.value, dict) else None
    return error.get("parameter") if isinstance(error, dict) else None


def check_freshness(one: Sequence[SeenCall], other: Sequence[SeenCall]) -> Count:
    """A simulated tool answers at least one of its examples differently under two seeds, and so do most tools."""
    alike: dict[str, bool] = {}
    simulated = {each.tool.id for each in one if each.tool.content == "simulated"}
    for first, second in zip(one, other, strict=True):
        alike[first.tool.id] = alike.get(first.tool.id, True) and first.text == second.text
    count = Count(len(simulated))
    same = [tool for tool in alike if alike[tool]]
    for tool in simulated.intersection(same):
        count.note_defect(tool, "answers the same under both seeds")
    if len(same) > MOST_ALIKE * len(alike):
        count.note_defect("all tools", f"{len(same)} of {len(alike)} answer the same, {MOST_ALIKE:.0%} may")
    return count


def check_collection(calls: Iterable[SeenCall]) -> Count:
    """Each tool meets ToolEyes' criteria for collecting tools (appendix C.1), costs apart: none has any."""
    count = Count()
    same_document: dict[tuple[str, str, str], str] = {}
    for each in calls:
        count.looked_at += 1
        if each.error is None and each.value is None:
            count.note_defect(each.tool.id, "returns nothing")
        if len(each.text) > MOST_TOKENS * LETTERS_PER_TOKEN:
            count.note_defect(
                each.tool.id, f"a result of {len(each.text):,} letters, beyond {MOST_TOKENS:,} tokens"
            )
        document = each.tool.document
        subject = (each.tool.category, each.tool.subcategory, document.description)
        first = same_document.setdefault(subject, each.tool.id)
        if first != each.tool.id:
            count.note_defect(each.tool.id, f"has the document of {first}")
        bare = [it.name for it in document.parameters if not it.schema.get("description")]
        if bare or not document.description or not each.tool.scenario:
            count.note_defect(
                each.tool.id, f"lacks a scenario, or words about itself or {', '.join(bare) or 'nothing'}"
            )
    return count


def check_determinism(calls: Iterable[SeenCall]) -> Count:
    """The same call in another fresh world of the seed gives the same answer."""
    count = Count()
    for each in calls:
        count.looked_at += 1
        if seen_call(each.tool, each.arguments, each.seed).text != each.text:
            count.note_defect(each.tool.id, f"{dict(each.arguments)} gives another answer the second time")
    return count


def check_state(calls: Iterable[SeenCall]) -> Count:
    """Tools that read change nothing, and a world that is taken back answers as before."""
    count = Count()
    for each in calls:
        count.looked_at += 1
        if not each.changes:
            continue
        if is_read_only(each.tool):
            count.note_defect(each.tool.id, f"is read-only and changes {', '.join(each.changes)}")
            continue
        world = World.fresh(each.seed)
        before = world.snapshot()
        first = call(world, each.tool.id, each.arguments)
        world.restore(before)
        if world.diff():
            count.note_defect(each.tool.id, "what it changed cannot be taken back")
        elif call(world, each.tool.id, each.arguments).text != first.text:
            count.note_defect(each.tool.id, "answers otherwise in a world that was taken back")
    return count
