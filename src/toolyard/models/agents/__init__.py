"""Agents, not only models: whatever makes its own way with tools is asked step by step and measured like a model.

    python:MODULE:FUNCTION         a function of (messages, tools) that returns text or an assistant message
    inspect-agent:MODULE:FUNCTION  a function of (tools) that returns an agent of inspect-ai
    agent:COMMAND                  a command that speaks MCP as client; TOOLYARD_MCP_URL leads to the tools

They need `--style native`: the tools are then offered as functions, and the calls run in the sample's own world.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from toolyard.core.errors import UsageError
from toolyard.models.base import Limits, Model

FORMS = "python:MODULE:FUNCTION, inspect-agent:MODULE:FUNCTION or agent:COMMAND"


def is_agent(spec: str) -> bool:
    """Whether a MODEL argument names an agent of the user's."""
    return spec.partition(":")[0] in LOADERS


def load_agent(spec: str, limits: Limits) -> Model:
    """The agent as a model."""
    kind, _, rest = spec.partition(":")
    return LOADERS[kind](spec, rest, limits)


def import_function(spec: str, place: str) -> Callable[..., object]:
    """The function behind MODULE:FUNCTION; modules of the folder that one works in are found, too."""
    import sys

    module, _, name = place.partition(":")
    if not module or not name:
        raise UsageError(f"{spec} names no function; wanted {FORMS}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(import_module(module), name, None)
    except (Exception, SystemExit) as error:  # a stranger's module may raise anything
        why = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise UsageError(
            f"{spec}: the module {module} cannot be imported ({' '.join(why.split())[:300]})"
        ) from error
    if not callable(found):
        raise UsageError(f"{spec}: {module} has no function {name}")
    function: Callable[..., object] = found
    return function


def _load_python_agent(spec: str, place: str, limits: Limits) -> Model:
    from toolyard.models.agents.agent_functions import FunctionModel

    return FunctionModel(import_function(spec, place), name=spec, concurrency=limits.concurrency)


def _load_inspect_agent(spec: str, place: str, limits: Limits) -> Model:
    from toolyard.models.agents.agent_steps import SteppedModel
    from toolyard.models.agents.inspect_agents import inspect_work

    return SteppedModel(spec, inspect_work(import_function(spec, place)), limits)


def _load_command_agent(spec: str, command: str, limits: Limits) -> Model:
    from toolyard.models.agents.agent_steps import SteppedModel
    from toolyard.models.agents.commands import command_work

    return SteppedModel(spec, command_work(command, limits.timeout), limits)


LOADERS: Mapping[str, Callable[[str, str, Limits], Model]] = {
    "python": _load_python_agent,
    "inspect-agent": _load_inspect_agent,
    "agent": _load_command_agent,
}
