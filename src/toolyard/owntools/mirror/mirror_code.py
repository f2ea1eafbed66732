"""The Python code of a mirror: plain, typed, one function per tool, meant to be read and edited."""

import json
import keyword
import re
import unicodedata
from collections.abc import Container, Mapping, Set
from textwrap import wrap

from toolyard.owntools.mirror.mirror_plan import MirrorPlan, TablePlan, ToolPlan
from toolyard.owntools.sources.source_schemas import json_type
from toolyard.text.documents import Parameter
from toolyard.text.printable import printable_line

TYPES = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list[Json]",
    "object": "dict[str, Json]",
}  # fmt: skip
_WORD = re.compile(r"[^0-9A-Za-z_]+")
_USED = re.compile(r"(?<!def )\b(create|delete|given|listed|read|update)\(")
LONGEST_NAME = 80
_HALVES = re.compile("[\ud800-\udfff]")
# Names that the code of a mirror uses itself.
OWN_NAMES = frozenset(
    {
        "world", "self", "given", "create", "delete", "listed", "read", "update", "row", "rows", "MIRROR", "Mirror",
        "World", "Json", "Path", "annotations",
    }
)  # fmt: skip
HEAD = '''"""Twins of the tools of {name}: edit what an inference got wrong; `card.md` says what was inferred.

Every function gets a world, whose tables remember what calls changed, and the arguments of a checked call.
"""

from __future__ import annotations

from pathlib import Path

from toolyard.owntools.mirror.kernel import {names}

MIRROR = Mirror(Path(__file__).parent)
'''
INIT = '''"""Offline twin of {name}; serve it with `toolyard serve {folder}` or `python -m {package}`."""

from .tools import MIRROR

__all__ = ["MIRROR"]
'''
MAIN = '''"""Serves the mirror over MCP on standard input and output."""

from toolyard.owntools.mirror.serving import serve_stdio

from . import MIRROR

serve_stdio(MIRROR)
'''


def module_code(plan: MirrorPlan) -> str:
    """The text of `tools.py`."""
    bodies = [_function_code(each, plan) for each in plan.tools]
    used = sorted({word for body in bodies for word in re.findall(_USED, body)})
    head = HEAD.format(name=plan.source.name, names=", ".join(["Json", "Mirror", "World", *used]))
    tables = "".join(f'{constant_name(table)} = MIRROR.table("{table.name}")\n' for table in plan.tables)
    return head + tables + "".join(bodies)


def constant_name(table: TablePlan) -> str:
    """The name of a table in the code."""
    name = python_name(table.name).upper()
    return f"{name}_" if name in OWN_NAMES else name


def python_name(name: str, taken: Container[str] = ()) -> str:
    """A Python name for a documented one, in plain letters: Python takes some letters for others."""
    plain = _WORD.sub("_", unicodedata.normalize("NFKD", name)).strip("_")[:LONGEST_NAME] or "value"
    plain = f"p_{plain}" if plain[0].isdigit() else plain
    while keyword.iskeyword(plain) or plain in OWN_NAMES or plain in taken:
        plain += "_"
    return plain


def _function_code(plan: ToolPlan, mirror: MirrorPlan) -> str:
    tool = plan.tool
    tables = {constant_name(each) for each in mirror.tables}
    names = _keyword_names(plan, tables)
    renamed = {word: name for name, word in names.items() if word != name}
    options = [f'"{tool.name}"']
    if plan.meaning.changes and plan.table:
        options.append("writes=True")
    if renamed:
        options.append(f"names={_literal_code(renamed)}")
    parameters = [
        _parameter_code(each, names[each.name])
        for each in sorted(tool.parameters, key=lambda p: not p.required)
    ]
    arguments = "".join(f"    {each},\n" for each in parameters)
    star = f"    *,\n{arguments}" if arguments else ""
    return (
        f"\n\n@MIRROR.twin({', '.join(options)})\n"
        f"def {python_name(tool.name, tables)}(\n    world: World,\n{star}) -> Json:\n"
        f"{_docstring_code(plan)}{_body_code(plan, mirror, names)}"
    )


def _keyword_names(plan: ToolPlan, tables: Set[str]) -> dict[str, str]:
    """Documented names -> Python names, no two alike."""
    names: dict[str, str] = {}
    for each in plan.tool.parameters:
        names[each.name] = python_name(each.name, {*tables, *names.values()})
    return names


def _literal_code(values: Mapping[str, str]) -> str:
    return "{" + ", ".join(f'"{key}": {_quote_text(value)}' for key, value in values.items()) + "}"


def _quote_text(text: str) -> str:
    """The text as Python writes it, on one line and in characters that a source may hold."""
    return _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", json.dumps(text, ensure_ascii=False))


def _type_hint(parameter: Parameter) -> str:
    return TYPES.get(parameter.type or json_type({"enum": list(parameter.choices)}), "Json")


def default_for(parameter: Parameter) -> str | int | float | None:
    """What a call that leaves a parameter out gives; None where that is nothing."""
    default = parameter.default
    if parameter.required or _type_hint(parameter) == "Json" or not isinstance(default, str | int | float):
        return None
    return default


def _parameter_code(parameter: Parameter, word: str) -> str:
    hint, default = _type_hint(parameter), default_for(parameter)
    if parameter.required:
        return f"{word}: {hint}"
    if default is not None:
        return (
            f"{word}: {hint} | None = {_quote_text(default) if isinstance(default, str) else repr(default)}"
        )
    return f"{word}: {hint} = None" if hint == "Json" else f"{word}: {hint} | None = None"


def _docstring_code(plan: ToolPlan) -> str:
    plain = printable_line(plan.tool.description).replace("\\", "/").replace('"""', "'''")
    said = " ".join(plain.split())[:300].strip('"')
    text = wrap(said, 100) or [f"{plan.tool.name}."]
    note = f"Inferred as: {plan.kind}" + (f" of {plan.table}." if plan.table else " from the arguments.")
    lines = [f'    """{text[0]}', *(f"    {line}" for line in text[1:]), "", f"    {note}", '    """']
    return "\n".join(lines) + "\n"


def _body_code(plan: ToolPlan, mirror: MirrorPlan, names: Mapping[str, str]) -> str:
    arguments = _arguments_code(names)
    name = plan.tool.name
    if not plan.table:
        return f'    return MIRROR.derived("{name}", {arguments})\n'
    table = mirror.table(plan.table)
    store = constant_name(table)
    key = names.get(plan.meaning.key, "")
    fields = _row_code(plan, names, without=plan.meaning.key if plan.kind in ("update",) else "")
    work = {
        "create": f"create(world, {store}, {fields})",
        "read": f"read(world, {store}, {key})",
        "list": f"listed(world, {store}, {arguments})",
        "search": f"listed(world, {store}, {arguments})",
        "update": f"update(world, {store}, {key}, {fields}{', upserts=True' if plan.upserts else ''})",
        "delete": f"delete(world, {store}, {key})",
    }[plan.kind]
    found = "rows" if plan.kind in ("list", "search") else "row"
    return f'    {found} = {work}\n    return MIRROR.answer("{name}", {found}, {arguments})\n'


def _arguments_code(names: Mapping[str, str]) -> str:
    """The arguments as the call gave them, under their documented names."""
    if all(name == word or (word[0] == '"' and name.isidentifier()) for name, word in names.items()):
        return f"given({', '.join(f'{name}={word}' for name, word in names.items())})"
    pairs = ", ".join(f"{_quote_text(name)}: {word}" for name, word in names.items())
    return f"given(**{{{pairs}}})"


def _row_code(plan: ToolPlan, names: Mapping[str, str], without: str) -> str:
    """The arguments as fields of the table, and what the call itself settles."""
    fields = {plan.renames.get(name, name): word for name, word in names.items() if name != without}
    return _arguments_code({**fields, **{name: _quote_text(value) for name, value in plan.sets.items()}})
