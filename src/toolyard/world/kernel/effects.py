"""Whether a tool changes the world and whether what it changes may be lost: what a client shows before a call."""

import functools
import inspect
import re
import sys

from toolyard.world.kernel.registry import Tool

_CHANGING = re.compile(r"\.store\(|\.advance\(|\.new_key\(|\bsandbox\b|\bkept_|\bdisk\b")
_READING = re.compile(
    r"^(get|list|search|read|show|find|count|check|query|current|random|what|view|browse|recieve)(_|$)"
)
_LOSING = re.compile(
    r"delete|remove|cancel|clear|drop|rename|move|update|overwrite|write|edit|execute|exectue|run|bash|sql|terminal"
)


@functools.cache
def _module_changes(name: str) -> bool:
    """Whether a module, or one beside it that it uses, has code that changes worlds."""
    package = name.rpartition(".")[0]
    beside = (value for value in vars(sys.modules[name]).values() if inspect.ismodule(value))
    modules = (sys.modules[name], *(each for each in beside if each.__name__.rpartition(".")[0] == package))
    return any(_CHANGING.search(inspect.getsource(module)) for module in modules)


def is_read_only(tool: Tool) -> bool:
    """Whether calls leave the world as it is. Where that is not plain from the code, a tool counts as changing it."""
    if tool.writes is not None:
        return not tool.writes
    if tool.isolated or "world" not in inspect.signature(tool.function).parameters:
        return not tool.isolated
    return not _module_changes(tool.function.__module__) or _READING.search(tool.name) is not None


def is_destructive(tool: Tool) -> bool:
    """Whether a call may overwrite or remove what was there."""
    return not is_read_only(tool) and _LOSING.search(tool.name.lower()) is not None
