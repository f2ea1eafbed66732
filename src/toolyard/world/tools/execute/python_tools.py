"""Execute/Execute, Python: programs that run in a sandbox on the virtual disk, alone or in a session."""

from typing import Annotated, Any, TypedDict

from toolyard.world.isolation import sandbox
from toolyard.world.isolation.sandbox import Ran, run
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.types import FilePath, Range
from toolyard.world.tools.execute import BY_CODE
from toolyard.world.tools.execute.python_disk import make_disk, store_changes
from toolyard.world.tools.file import files

GROUP = Group("Execute/Execute")
warm_up = sandbox.warm_up
SESSION = Store("python_session")
MAX_INPUTS = 40
Code = Annotated[str, Range(1, 20_000)]


class Execution(TypedDict):
    output: str
    error: str | None
    files_written: list[FilePath]


class ReplOutput(TypedDict):
    printed: str
    error: str | None
    inputs_so_far: int


class ReplValue(TypedDict):
    value: str | None
    value_type: str
    printed_text: str
    failure: str | None


def format_value(value: object) -> str:
    """A value as Python prints it; sets are sorted, since their order is chance."""
    try:
        return _repr(value)[:20_000]
    except ValueError:
        return "<an integer of more than 4300 digits>"


def _repr(value: Any) -> str:
    if _is_object(value):
        return f"{value.name}({value.attributes})"
    match value:
        case set() | frozenset() if value:
            inner = "{" + ", ".join(sorted(map(_repr, value))) + "}"
            return inner if isinstance(value, set) else f"frozenset({inner})"
        case list():
            return "[" + ", ".join(map(_repr, value)) + "]"
        case tuple():
            return "(" + ", ".join(map(_repr, value)) + ("," if len(value) == 1 else "") + ")"
        case dict():
            return "{" + ", ".join(f"{_repr(key)}: {_repr(item)}" for key, item in value.items()) + "}"
    return repr(value)


def _is_object(value: object) -> bool:
    """Whether a value is an object of a class that the program itself wrote."""
    return type(value).__name__ == "MontyClassProxy"


def _type_name(value: Any) -> str:
    """The name of a value's type; that of the program's own class for its objects."""
    return str(value.name) if _is_object(value) else type(value).__name__


@GROUP.tool(
    isolated=True,
    examples=[
        {"code": "for i in range(10):\n    print(i)"},
        {"code": "(123 + 234) / 23 * 19"},
        {"code": "open('/workspace/squares.txt', 'w').write(str([n * n for n in range(5)]))"},
    ],
    phrase="run a fresh stand-alone Python program whose source is {code}",
    noun="the output of the Python program",
    stands_in_for=BY_CODE,
    listed_as="PythonProgram",
)
def execute_pycode(world: World, *, code: Code) -> Execution:
    """What a Python program prints, with the value of a last expression; every call starts afresh.

    The program starts in /workspace, where the other file tools start, and runs for one second at most. The Python is
    a subset without network and keyboard: no subclasses, generators and del; an import of a module that is missing
    names those there are.

    code: Python source text.
    """
    disk = make_disk(world)
    ran = run(code, now=world.now, seed=world.seed, disk=disk, directory=files.HOME)
    written = store_changes(world, disk)
    output = ran.output if ran.value is None else f"{ran.output}{format_value(ran.value)}\n"
    return {"output": output, "error": ran.error, "files_written": written}


def _run_in_session(world: World, code: str) -> tuple[Ran, int]:
    """Runs code after all that the session ran before; kept unless it failed.

    A session is the list of its inputs: it is repeated for each call, which gives the same state every
    time, costs little, and can be stored, copied and compared like everything else in a world.
    """
    store = world.store(SESSION)
    inputs = store.get("inputs", [])
    if len(inputs) >= MAX_INPUTS:
        raise ToolFault(
            "limit_exceeded",
            f"the session holds {MAX_INPUTS} inputs; run the code as a program of its own instead",
        )
    # Earlier inputs wrote their files already: what they write now is thrown away.
    disk, scratch = make_disk(world), make_disk(world, again=True)
    ran = run(
        code, now=world.now, seed=world.seed, disk=disk, before=inputs, scratch=scratch, directory=files.HOME
    )
    if ran.error is None:
        store["inputs"] = inputs = [*inputs, code]
        store_changes(world, disk)
    return ran, len(inputs)


@GROUP.tool(
    isolated=True,
    examples=[{"code": "x = 20\nprint(x + 1)"}],
    phrase="show what is printed in the lasting Python session by code that reads {code}",
    noun="the printed output of the Python session",
    stands_in_for=BY_CODE,
    listed_as="PythonSession",
)
def exectue_pycode_REPL(world: World, *, code: Code, sync: bool = True) -> ReplOutput:  # noqa: N802 - an id
    """What code prints in a lasting Python session: names defined by earlier calls are still there.

    The Python is the subset that whole programs have.

    code: Python statements.
    sync: Whether to wait for the result; it comes at once either way.
    """
    ran, count = _run_in_session(world, code)
    return {"printed": ran.output, "error": ran.error, "inputs_so_far": count}


@GROUP.tool(
    isolated=True,
    examples=[{"code": "(3 + 4) * (5 - 2)"}],
    phrase=(
        "give me the value of the last expression when the lasting Python session runs code that reads {code}"
    ),
    noun="the value from the Python session",
    stands_in_for=BY_CODE,
    listed_as="PythonSessionValue",
)
def exectue_pycode_REPL_Ast(world: World, *, code: Code, sync: bool = True) -> ReplValue:  # noqa: N802 - an id
    """The value of the last expression of code in the lasting Python session, as Python writes it.

    The Python is the subset that whole programs have.

    code: Python statements, the last of them an expression.
    sync: Whether to wait for the result; it comes at once either way.
    """
    ran, _ = _run_in_session(world, code)
    return {
        "value": None if ran.value is None else format_value(ran.value),
        "value_type": _type_name(ran.value),
        "printed_text": ran.output,
        "failure": ran.error,
    }
