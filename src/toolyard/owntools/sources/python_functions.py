"""Python functions as tools: the signature gives the schema, the docstring the descriptions.

python:statistics                  every public function of a module
python:statistics:mean,median      these of them

The module is looked for beside the case file that names it, in the current folder, and on Python's path. It is
imported, and its functions are called, in a process of its own.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import JsonValue, Observation, Record
from toolyard.owntools.sources import function_process
from toolyard.owntools.sources.function_process import FunctionProcess, NoReply, exit_reason
from toolyard.owntools.sources.tool_source import (
    Call,
    SourcePlace,
    ToolSource,
    WrittenTool,
    file_slug,
    name_tools,
)


def read_functions(text: str, folders: Sequence[Path] = ()) -> ToolSource:
    """The functions of `MODULE` or `MODULE:name,name`; importing the module runs its code, in another process."""
    module, _, wanted = text.partition(":")
    if not all(part.isidentifier() for part in module.split(".")):
        raise UsageError(
            f"python:{module}: wanted the name of a module, such as python:shop or python:shop.orders, not a path; start "
            "from the folder it lies in, or put it beside the case file"
        )
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    reply = _describe_functions(module, names, folders)
    if "missing" in reply:
        raise UsageError(
            f"python:{module} has no function {reply['missing']!r}; it has {', '.join(reply['public'])}"
        )
    try:
        written = [_written_tool(each) for each in reply["tools"]]
    except (KeyError, TypeError, AttributeError):
        raise DataError(
            f"python:{module} wrote into the channel that describes its functions; name another module"
        ) from None
    return ToolSource(
        file_slug(module),
        "python",
        name_tools(written, f"python:{text}"),
        lambda: _connect_module(module, folders),
    )


def _describe_functions(module: str, names: list[str], folders: Sequence[Path]) -> Record:
    with FunctionProcess(folders) as process:
        try:
            reply = process.ask({"module": module, "names": names}, function_process.IMPORT_SECONDS)
        except NoReply as error:
            reply = {"error": "NoReply", "text": str(error)}
    if "error" in reply:
        hint = "install it, start from the folder it lies in, or put it beside the case file"
        if reply["error"] not in ("ImportError", "ModuleNotFoundError"):
            hint = "mend it, or name another module"
        raise UsageError(f"python:{module} cannot be imported ({exit_reason(reply['text'])}); {hint}")
    return reply


def _written_tool(each: Record) -> WrittenTool:
    if each.get("unsigned"):
        raise DataError(f"function {each['name']} has no signature; name others: python:MODULE:name,name")
    return WrittenTool(
        name=each["name"],
        description=each["description"],
        schema=each["schema"],
        result=each["result"],
        place=SourcePlace(*each["place"]),
    )


@asynccontextmanager
async def _connect_module(module: str, folders: Sequence[Path]) -> AsyncIterator[Call]:
    """Runs calls in order; a crashed process is replaced at the next call."""
    process: FunctionProcess | None = None

    def ask(request: Record) -> dict[str, JsonValue]:
        nonlocal process
        try:
            if process is None:
                process = FunctionProcess(folders)
                # The time of an import is not the first call's.
                process.ask({"module": module, "names": []}, function_process.IMPORT_SECONDS)
            return process.ask(request, function_process.CALL_SECONDS)
        except NoReply as error:
            if process is not None:
                process.stop()
            process = None
            return {"error": "timeout" if "seconds" in str(error) else "ended", "text": str(error)}

    async def call(name: str, arguments: Record) -> Observation:
        reply = await asyncio.to_thread(ask, {"module": module, "call": name, "arguments": dict(arguments)})
        if "error" in reply:
            return Observation(exit_reason(reply["text"]), error=str(reply["error"]))
        return Observation(str(reply["text"]), reply["value"])

    try:
        yield call
    finally:
        if process is not None:
            process.stop()
