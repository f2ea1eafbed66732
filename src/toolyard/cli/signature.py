"""Command signatures read off settings: every option is stated in its settings class and nowhere else."""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from functools import wraps
from types import GenericAlias
from typing import Any, get_args, get_origin, get_type_hints

import typer

from toolyard.cli.output import benchmark_options
from toolyard.core.errors import UsageError, refuse_unknown
from toolyard.core.options import Option, options_in

Command = Callable[..., None]
# Before the name of an option, for the flags that it had in older days.
SEVERAL = "several"


def takes_options(*kinds: type[object], without: Collection[str] = ()) -> Callable[[Command], Command]:
    """Gives a command one parameter for each option of each kind; it is called with records made of them.

    The parameter that is annotated with a kind takes the record. Where it holds a benchmark's own `options`, words that
    no parameter takes become these. A parameter `several` takes all words of the options that may be given again; a command
    without it refuses the second.
    """
    offered = {kind: [item for item in options_in(kind) if item.name not in without] for kind in kinds}

    def decorate(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True).parameters.values()
        names = {item.annotation: item.name for item in own if item.annotation in offered}
        takes_several = any(item.name == SEVERAL for item in own)

        @wraps(command)
        def call(**given: Any) -> None:
            several = {
                item.name: tuple(given[item.name])
                for items in offered.values()
                for item in items
                if item.several
            }
            records = {names[kind]: _record_from_words(kind, items, given) for kind, items in offered.items()}
            if takes_several:
                command(**records, **given, several=several)
                return
            for name, words in several.items():
                if len(words) > 1:
                    raise UsageError(f"--{name} is given {len(words)} times; this command takes it once")
            command(**records, **given)

        derived = [each for kind, items in offered.items() for each in _parameters_of_options(kind, items)]
        kept = [_as_keyword(item) for item in own if item.annotation not in offered and item.name != SEVERAL]
        first = [item for item in kept if item.annotation is typer.Context]
        rest = [item for item in kept if item.annotation is not typer.Context]
        vars(call)["__signature__"] = inspect.Signature([*first, *derived, *rest])
        call.__annotations__ = {}
        return call

    return decorate


def _as_keyword(item: inspect.Parameter) -> inspect.Parameter:
    return item.replace(kind=inspect.Parameter.KEYWORD_ONLY)


def _record_from_words(kind: type[Any], items: list[Option], given: dict[str, Any]) -> Any:
    """The settings that the words of the command line stand for; they leave `given`."""
    values = {item.name: _value_of_option(item, given) for item in items}
    if any(item.name == "options" for item in fields(kind)):
        values["options"] = benchmark_options(given["context"])
    return kind(**values)


def _parameters_of_options(kind: type[object], items: list[Option]) -> Iterator[inspect.Parameter]:
    hints: Mapping[str, object] = get_type_hints(kind)
    for item in items:
        yield _keyword_parameter(item.name, _word_type(item, hints[item.name]), _typer_parameter(item))


def _keyword_parameter(name: str, annotation: object, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _typer_parameter(item: Option) -> object:
    """The option as the library of command lines states it."""
    all_named = all(choice in item.help for choice in item.choices)
    words = item.help if all_named else f"{item.help} One of: {', '.join(item.choices)}."
    if not item.flags:
        return typer.Argument(item.default, help=words)
    default = "" if item.commas else [] if item.default == () else item.default
    return typer.Option(
        default, *item.flags, help=words, min=item.minimum, max=item.maximum, show_default=item.shown or True
    )


def _word_type(item: Option, hint: object) -> object:
    """What Python programs may give as an object is a word on the command line, a tuple a repeated option."""
    if item.several:
        return list[str]
    if get_origin(hint) is tuple:
        return str if item.commas else GenericAlias(list, get_args(hint)[:1])
    if item.commas or str in get_args(hint):
        return str | None if type(None) in get_args(hint) else str
    return hint


def _value_of_option(item: Option, given: dict[str, Any]) -> Any:
    value = given.pop(item.name)
    if item.several:
        value = value[0]
    elif item.commas:
        value = tuple(part.strip() for part in value.split(",") if part.strip())
    elif item.default == ():
        value = tuple(value)
    for word in value if isinstance(value, tuple) else (value,):
        if item.choices and word != item.default:
            refuse_unknown(item.flag or item.name, word, item.choices)
    return value
