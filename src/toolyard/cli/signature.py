"""Command signatures read off settings: every option is stated in its settings class and nowhere else."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from dataclasses import fields
from functools import wraps
from typing import Any, get_args, get_type_hints

import typer

from toolyard.cli.output import benchmark_options
from toolyard.core.options import Option, options_in

Command = Callable[..., None]


def takes(kind: type[Any], *, without: Collection[str] = ()) -> Callable[[Command], Command]:
    """Gives a command one parameter for each option of `kind`; it is called with `settings` made of them.

    Where the settings hold a benchmark's own `options`, words that no parameter takes become these.
    """
    offered = [item for item in options_in(kind) if item.name not in without]
    owned = any(item.name == "options" for item in fields(kind))

    def decorate(command: Command) -> Command:
        own = list(inspect.signature(command, eval_str=True).parameters.values())

        @wraps(command)
        def call(**given: Any) -> None:
            values = {item.name: _value(item, given.pop(item.name)) for item in offered}
            if owned:
                values["options"] = benchmark_options(given["context"])
            command(settings=kind(**values), **given)

        hints = get_type_hints(kind)
        derived = [_parameter(item, hints[item.name]) for item in offered]
        only = inspect.Parameter.KEYWORD_ONLY
        kept = [item.replace(kind=only) for item in own if item.name != "settings"]
        first = [item for item in kept if item.annotation is typer.Context]
        rest = [item for item in kept if item.annotation is not typer.Context]
        call.__signature__ = inspect.Signature([*first, *derived, *rest])  # type: ignore[attr-defined]
        call.__annotations__ = {}
        return call

    return decorate


def _parameter(item: Option, hint: Any) -> inspect.Parameter:
    if not item.flags:
        default = typer.Argument(item.default, help=item.help)
    else:
        shown = "" if item.commas else item.default
        default = typer.Option(shown, *item.flags, help=item.help, min=item.minimum, max=item.maximum)
    # What Python programs may give as an object is a word on the command line.
    words = str | None if type(None) in get_args(hint) else str
    annotation = words if item.commas or str in get_args(hint) else hint
    return inspect.Parameter(
        item.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _value(item: Option, given: Any) -> Any:
    if not item.commas:
        return given
    return tuple(part.strip() for part in given.split(",") if part.strip())
