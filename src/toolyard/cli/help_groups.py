"""Help in groups: the commands of the program by task, the options of `run` by what they change."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from typer.core import TyperCommand, TyperGroup

EVALUATE, COMPARE, OWN_TOOLS = "Evaluate", "Compare and gate", "Your own tools and servers"
DATA, TRAINING, SERVE = "Data", "Training", "Serve tools"
COMMAND_GROUPS: Mapping[str, Sequence[str]] = {
    EVALUATE: ("list", "fetch", "check", "stats", "estimate", "run", "score", "report", "view"),
    COMPARE: (
        "compare",
        "gate",
        "ways",
        "curve",
        "effect",
        "agreement",
        "board",
        "export",
        "bundle",
        "verify",
    ),
    OWN_TOOLS: ("certify", "traffic", "mirror", "probe", "tools"),
    DATA: ("synth", "review", "new"),
    TRAINING: ("train", "env"),
    SERVE: ("serve",),
}
# Of the parameters of `run`, by name; an option that is nowhere here comes last.
OPTION_GROUPS: Mapping[str, Sequence[str]] = {
    "Model and data": ("model", "label", "data", "fresh", "fresh_seed", "config", "env_file", "prices"),
    "Which items": ("limit", "shortest", "budget", "pilot", "minutes", "ids", "trials", "seed"),
    "Prompts and answers": (
        "style", "templates", "system", "variation", "sensitivity", "catalogue", "perturb", "rewriter",
        "max_tokens", "temperature",
    ),
    "Judge and similarity": ("judge", "judge_trials", "judge_temperature", "embedder"),
    "Output": ("compare", "fail_under", "full", "no_report", "json", "runs", "name", "help"),
}  # fmt: skip
REST = "Requests and machines"


def group_names(names: Iterable[str], groups: Mapping[str, Sequence[str]], rest: str) -> dict[str, list[str]]:
    """The names by group, in the order of the groups; those that no group names come under `rest`."""
    known = list(names)
    found = {title: [name for name in members if name in known] for title, members in groups.items()}
    named = {name for members in groups.values() for name in members}
    found[rest] = [*found.get(rest, []), *(name for name in known if name not in named)]
    return {title: members for title, members in found.items() if members}


class WholeSentences(TyperGroup):
    """Commands whose help lists each with its whole first sentence, on as many lines as that takes."""

    groups: ClassVar[Mapping[str, Sequence[str]]] = {}
    rest = "Commands"

    def format_commands(self, ctx: object, formatter: Any) -> None:  # noqa: ARG002 - as its base has it
        """Writes one section for each group of commands."""
        width = max(map(len, self.commands))
        for title, names in group_names(self.commands, self.groups, self.rest).items():
            rows = [
                (name.ljust(width), self.commands[name].get_short_help_str(sys.maxsize)) for name in names
            ]
            with formatter.section(title):
                formatter.write_dl(rows)


class GroupedCommands(WholeSentences):
    """A program whose help lists commands by task."""

    groups = COMMAND_GROUPS
    rest = "Other"


class GroupedOptions(TyperCommand):
    """A command whose help lists options by what they change."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes the arguments, then one section for each group of options."""
        records = {item.name: item.get_help_record(ctx) for item in self.get_params(ctx)}
        shown = {name: record for name, record in records.items() if name and record is not None}
        groups = {"Arguments": ("benchmark",), **OPTION_GROUPS}
        for title, names in group_names(shown, groups, REST).items():
            with formatter.section(title):
                formatter.write_dl([shown[name] for name in names])
