"""Drafted code out of a model's reply: parsed, never executed.

A reply holds one fenced block:

    def find_ferry(origin: str, destination: str):
        \"\"\"Find the next ferry between two ports.
        required parameters:
        origin (str): port of departure
        destination (str): port of arrival
        Returns:
        ferry_code (str): code of the crossing
        \"\"\"
        ...

    def main():
        data0 = find_ferry("Turku", "Mariehamn")
        ...
        # Find the next ferry from Turku to Mariehamn and ...
"""

import ast
import re
import warnings

from toolyard.benchmarks.nestools.synth.walk_refusal import DraftRefused
from toolyard.synth.stages import Context, Each, Kept, Outcome, Row
from toolyard.text.json_scan import MAX_DEPTH, nesting_depth

MAIN = "main"
LONGEST_CODE = 20_000
FENCE = "```"
LANGUAGES = ("", "py", "python", "python3")
_COMMENT = re.compile(r"[ \t]*#+[ \t]?(.*)")
_TASK_NAME = re.compile(r"(?:task|query|request)[ \t]*:[ \t]*", re.IGNORECASE)


def fenced_code(reply: str) -> str | None:
    """The last Python block that defines something, or else the last Python block; None without one.

    A block that is never closed is a reply that broke off, and counts as none.
    """
    blocks: list[str] = []
    block: list[str] | None = None
    wanted = False
    for line in reply.split("\n"):
        bare = line.strip()
        if not bare.startswith(FENCE):
            if block is not None:
                block.append(line)
            continue
        if block is None:
            block, wanted = [], bare.lstrip("`").strip().lower() in LANGUAGES
            continue
        if wanted:
            blocks.append("\n".join(block))
        block = None
    found = [text for text in blocks if "def " in text] or blocks
    return found[-1] if found else None


def parse_code(code: str) -> ast.Module:
    """The syntax tree, or a refusal: nothing that a text can hold makes the parser fall over."""
    if len(code) > LONGEST_CODE:
        raise DraftRefused("too_long", f"{len(code)} characters, at most {LONGEST_CODE} are read")
    if nesting_depth(code) > MAX_DEPTH:
        raise DraftRefused("too_deep", f"nested deeper than {MAX_DEPTH}")
    try:
        with warnings.catch_warnings():
            # An unknown escape such as "\d" is read as Python reads it; the model's text is nobody's bug.
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError) as error:
        raise DraftRefused("syntax_error", str(error)) from None
    except (RecursionError, MemoryError):
        raise DraftRefused("too_deep", "an expression is nested too deep") from None


def tool_functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """Every function of the module but `main`, in order."""
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name != MAIN]


def main_function(tree: ast.Module) -> ast.FunctionDef:
    """The function that makes the calls."""
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == MAIN]
    if not found:
        raise DraftRefused("no_main")
    if len(found) > 1:
        raise DraftRefused("several_mains", f"{len(found)} functions are named main")
    return found[0]


def raw_task(code: str, main: ast.FunctionDef) -> str:
    """The comment below the last statement of `main`, on one line; empty where there is none."""
    # Python counts only these as ends of lines, str.splitlines counts more.
    lines = re.split("\r\n|\r|\n", code)[main.end_lineno or 0 :]
    said: list[str] = []
    for line in lines:
        comment = _COMMENT.fullmatch(line)
        if comment is not None:
            said.append(comment.group(1).strip())
        elif line.strip():
            break
    text = " ".join(" ".join(said).split())
    name = _TASK_NAME.match(text)
    return text[name.end() :] if name else text


def extract_code_and_task(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The code of a reply and the raw task in it; a task that is absent is written by a later stage."""
    code = fenced_code(row["reply"])
    if code is None:
        return DraftRefused("no_code_block", row["reply"]).rejected
    try:
        tree = parse_code(code)
        if not tool_functions(tree):
            raise DraftRefused("no_functions")
        task = raw_task(code, main_function(tree))
    except DraftRefused as refused:
        return refused.rejected
    return Kept({"code": code, "task": task}, () if task else ("no_task",))


EXTRACT = Each("extract", 1, ("reply",), ("code", "task"), extract_code_and_task)
