"""Tool documents out of drafted functions: docstring and signature must say the same (section 3.3)."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from toolyard.benchmarks.nestools.data.audit import PYTHON_TYPES
from toolyard.benchmarks.nestools.synth.drafted_code import parse_code, tool_functions
from toolyard.benchmarks.nestools.synth.examples import read_example
from toolyard.benchmarks.nestools.synth.walk_refusal import DraftRefused
from toolyard.core.types import JsonValue, Record
from toolyard.synth.stages import Context, Each, Kept, Outcome, Row

TYPES = tuple(PYTHON_TYPES)
SECTIONS = {"required parameters:": "required", "optional parameters:": "optional", "returns:": "responses"}
NOTHING = frozenset({"none", "none.", "-", "- none"})
MOST_TOOLS = 10
MOST_ENTRIES = 12
_ENTRY = re.compile(r"(?P<name>[^\s(]+)[ \t]*\((?P<type>[^()]*)\)[ \t]*:(?P<description>.*)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
# Types that models write for the plain ones that the data know.
GENERIC = {"List": "list", "Dict": "dict"}


@dataclass(slots=True)
class Document:
    """What a docstring says: name -> {"type", "description"} in each section, and whether it was put right."""

    description: str
    required: dict[str, Record] = field(default_factory=dict)
    optional: dict[str, Record] = field(default_factory=dict)
    responses: dict[str, JsonValue] = field(default_factory=dict)
    simplified: bool = False


@dataclass(frozen=True, slots=True)
class DraftedTool:
    """A tool in the form of the data, and whether types had to be simplified for it."""

    document: Record
    simplified: bool


def plain_type(written: str) -> str:
    """The plain type that a written one stands for: `List[str]` is a list, `str, optional` a str."""
    text = written.strip().removesuffix("optional").rstrip(" ,")
    base = text.partition("[")[0].strip()
    return GENERIC.get(base, base)


def read_docstring(text: str, function: str) -> Document:
    """The parts of a docstring in our form, or a refusal."""
    lines = [line.strip() for line in text.split("\n")]
    first = next((n for n, line in enumerate(lines) if line.lower() in SECTIONS), len(lines))
    description = " ".join(" ".join(lines[:first]).split())
    if not description:
        raise DraftRefused("no_description", function)
    document = Document(description)
    section = ""
    seen: set[str] = set()
    for line in filter(None, lines[first:]):
        if line.lower() in SECTIONS:
            section = SECTIONS[line.lower()]
            if section in seen:
                raise DraftRefused("docstring_form", f"{function}: {line} occurs twice")
            seen.add(section)
        elif line.lower() not in NOTHING:
            _add_entry(document, section, line, function)
    return document


def _add_entry(document: Document, section: str, line: str, function: str) -> None:
    found = _ENTRY.fullmatch(line)
    if found is None:
        raise DraftRefused("docstring_form", f"{function}: {line}")
    name, kind = found["name"], plain_type(found["type"])
    if _NAME.fullmatch(name) is None:
        raise DraftRefused("bad_name", f"{function}: {name}")
    if kind not in TYPES:
        raise DraftRefused("unknown_type", f"{function}: {name} ({found['type']})")
    described = found["description"].strip()
    if not described:
        raise DraftRefused("no_description", f"{function}: {name}")
    entries: dict[str, JsonValue] = getattr(document, section)
    if name in entries or (section == "optional" and name in document.required):
        raise DraftRefused("repeated_name", f"{function}: {name}")
    if len(entries) >= MOST_ENTRIES:
        raise DraftRefused("too_large", f"{function}: more than {MOST_ENTRIES} entries under {section}")
    entries[name] = {"type": kind, "description": described}
    document.simplified |= kind != found["type"].strip()


def annotated_type(node: ast.expr | None) -> str:
    """The plain type of an annotation; empty where it is none that the data know."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and _is_none(node.right):
        node = node.left
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Optional":
        node = node.slice
    if isinstance(node, ast.Subscript):
        node = node.value
    return plain_type(node.id) if isinstance(node, ast.Name) else ""


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _check_signature(node: ast.FunctionDef, document: Document) -> None:
    given = node.args
    if given.posonlyargs or given.vararg or given.kwonlyargs or given.kwarg or node.decorator_list:
        raise DraftRefused("bad_signature", f"{node.name}: only plain parameters are wanted")
    names = [argument.arg for argument in given.args]
    split = len(names) - len(given.defaults)
    if names[:split] != list(document.required) or names[split:] != list(document.optional):
        raise DraftRefused("signature_mismatch", f"{node.name}({', '.join(names)}) against its docstring")
    declared = document.required | document.optional
    for argument in given.args:
        if argument.annotation is None:
            raise DraftRefused("untyped_parameter", f"{node.name}: {argument.arg}")
        kind = annotated_type(argument.annotation)
        if kind not in TYPES:
            raise DraftRefused("unknown_type", f"{node.name}: {argument.arg}")
        if kind != declared[argument.arg]["type"]:
            raise DraftRefused(
                "signature_type", f"{node.name}: {argument.arg} is {kind} and in the docstring not"
            )
        document.simplified |= not isinstance(argument.annotation, ast.Name)


def read_tool(node: ast.FunctionDef) -> DraftedTool:
    """The tool that a function stands for, or a refusal."""
    if _NAME.fullmatch(node.name) is None:
        raise DraftRefused("bad_name", node.name)
    text = ast.get_docstring(node)
    if text is None:
        raise DraftRefused("no_docstring", node.name)
    document = read_docstring(text, node.name)
    _check_signature(node, document)
    tool = {
        "api_name": node.name,
        "api_description": document.description,
        "parameters": document.required | document.optional,
        "required": list(document.required),
        "responses": document.responses,
    }
    return DraftedTool(tool, document.simplified)


def read_tools(functions: Sequence[ast.FunctionDef]) -> list[DraftedTool]:
    """All tools, no two of one name, or a refusal."""
    if len(functions) > MOST_TOOLS:
        raise DraftRefused("too_large", f"{len(functions)} functions, at most {MOST_TOOLS} are read")
    names = [node.name for node in functions]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise DraftRefused("duplicate_tool", repeated[0])
    return [read_tool(node) for node in functions]


def check_format(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The tools of the code in the form of the data; a tool of the example that was shown is none of the draft's."""
    try:
        functions = tool_functions(parse_code(row["code"]))
        copied = [node.name for node in functions if node.name in read_example(row["example"]).tools]
        if copied:
            raise DraftRefused("copied_example", copied[0])
        tools = read_tools(functions)
    except DraftRefused as refused:
        return refused.rejected
    repairs = ("type_simplified",) if any(tool.simplified for tool in tools) else ()
    return Kept({"api": [tool.document for tool in tools]}, repairs)


FORMAT = Each("format", 1, ("code", "example"), ("api",), check_format)
