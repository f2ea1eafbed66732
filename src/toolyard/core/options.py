"""Settings as dataclasses whose fields know their own flag, help, default and what depends on them.

    @dataclass(frozen=True, slots=True)
    class Settings:
        trials: int = option(1, "--trials", help="Answers per sample.", identity=True)

Command signatures, accepted keywords, a run's identity and the printed command line are read off the fields.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from toolyard.core.benchmark import Choice
from toolyard.core.errors import UsageError, did_you_mean, refuse_unknown

KEY = "option"


@dataclass(frozen=True, slots=True)
class Option:
    """How one setting is given: its flags (an argument has none), its help, and what depends on it.

    `identity`: runs that differ in it are different runs. `repeats`: the printed command line names it.
    `minimum` and `maximum` bound the numbers that are taken; `commas` marks a list that is given as one word.
    `choices` are all words that are taken, and help names them; `shown` is what help says of a default that only
    stands for something. `several`: a command may take it more than once, for one run each.
    """

    name: str
    flags: tuple[str, ...]
    help: str
    default: Any
    required: bool = False
    identity: bool = False
    repeats: bool = False
    minimum: float | None = None
    maximum: float | None = None
    commas: bool = False
    choices: tuple[str, ...] = ()
    shown: str = ""
    several: bool = False

    @property
    def flag(self) -> str:
        """The long flag."""
        return self.flags[-1] if self.flags else ""


def option(
    default: object,
    *flags: str,
    help: str,  # noqa: A002 - the word that every command line library uses
    identity: bool = False,
    repeats: bool = False,
    minimum: float | None = None,
    maximum: float | None = None,
    commas: bool = False,
    choices: tuple[str, ...] = (),
    shown: str = "",
    several: bool = False,
) -> Any:
    """A dataclass field that is an option of the command line; `...` as default makes it required."""
    about = {
        "flags": flags, "help": help, "identity": identity, "repeats": repeats or identity,
        "minimum": minimum, "maximum": maximum, "commas": commas, "choices": choices, "shown": shown,
        "several": several,
    }  # fmt: skip
    if default is ...:
        return field(metadata={KEY: about})
    return field(default=default, metadata={KEY: about})


def options_in(settings: type[Any]) -> Iterator[Option]:
    """The options of a settings class in the order of its fields, keyword-only ones last."""
    for item in sorted(fields(settings), key=lambda item: bool(item.kw_only)):
        if KEY in item.metadata:
            required = item.default is MISSING
            default = ... if required else item.default
            yield Option(name=item.name, default=default, required=required, **item.metadata[KEY])


def resolve_options(
    owner: str, choices: Sequence[Choice], given: Mapping[str, str], common: Sequence[str] = ()
) -> dict[str, str]:
    """The options that `owner` offers, with defaults filled in; an unknown one or a wrong value is refused.

    `common` are the names that the command takes for every owner: one of them may have been meant.
    """
    known = {choice.name: choice for choice in choices}
    flags = {choice.flag: choice.name for choice in choices}
    given = {flags.get(name, name): value for name, value in given.items()}
    for name, value in given.items():
        if name not in known:
            offered = ", ".join(f"--{flag}" for flag in flags) or "none"
            meant = did_you_mean(f"--{name}", [f"--{flag}" for flag in (*flags, *common)], 0.7)
            raise UsageError(f"{owner} has no option --{name}; {meant}its own are {offered}")
        if known[name].choices:
            refuse_unknown(f"--{known[name].flag}", value, known[name].choices)
    return {name: given.get(name, choice.default) for name, choice in known.items()}
