"""Twins straight from the data of a mirror: what its generated code does, without running any code of its folder."""

from collections.abc import Callable

from toolyard.core.types import JsonValue
from toolyard.owntools.mirror.kernel import (
    Json,
    Mirror,
    Table,
    World,
    create,
    delete,
    given,
    listed,
    read,
    update,
)
from toolyard.owntools.mirror.mirror_code import default_for
from toolyard.owntools.mirror.mirror_plan import MirrorPlan, ToolPlan


def add_twins(mirror: Mirror, plan: MirrorPlan) -> None:
    """Registers a twin for every tool of the plan."""
    tables = {table.name: mirror.table(table.name) for table in plan.tables}
    for each in plan.tools:
        function = (
            _twin_with_table(mirror, each, tables[each.table])
            if each.table
            else _twin_from_arguments(mirror, each)
        )
        mirror.twin(each.tool.name, writes=bool(each.table) and each.meaning.changes)(function)


def _given_arguments(plan: ToolPlan, arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments of a call in the order of the document, with its defaults."""
    return given(**{each.name: arguments.get(each.name, default_for(each)) for each in plan.tool.parameters})


def _twin_from_arguments(mirror: Mirror, plan: ToolPlan) -> Callable[..., Json]:
    def twin(_world: World, /, **arguments: Json) -> Json:
        return mirror.derived(plan.tool.name, _given_arguments(plan, arguments))

    return twin


def _twin_with_table(mirror: Mirror, plan: ToolPlan, table: Table) -> Callable[..., Json]:
    def twin(world: World, /, **arguments: Json) -> Json:
        said = _given_arguments(plan, arguments)
        return mirror.answer(plan.tool.name, _apply_operation(world, plan, table, said), said)

    return twin


def _apply_operation(world: World, plan: ToolPlan, table: Table, said: dict[str, JsonValue]) -> Json:
    """What the operation of a tool makes of the table."""
    key = said.get(plan.meaning.key)
    without = plan.meaning.key if plan.kind == "update" else ""
    row = {plan.renames.get(name, name): value for name, value in said.items() if name != without}
    row |= plan.sets
    if plan.kind == "create":
        return create(world, table, row)
    if plan.kind == "read":
        return read(world, table, key)
    if plan.kind == "update":
        return update(world, table, key, row, upserts=plan.upserts)
    if plan.kind == "delete":
        return delete(world, table, key)
    return listed(world, table, said)
