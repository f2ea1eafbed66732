"""Examples of drafts, written by us: one is shown with every request, in rotation."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_DEFINED = re.compile(r"^def (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A field, and the reply that a model should give for it."""

    field: str
    reply: str

    @property
    def tools(self) -> frozenset[str]:
        """The names of its tools."""
        return frozenset(_DEFINED.findall(self.reply)) - {"main"}


def example_names() -> tuple[str, ...]:
    """The names of all examples, sorted."""
    folder = files(__package__).joinpath("templates/examples")
    return tuple(sorted(item.name for item in folder.iterdir() if item.name.endswith(".txt")))


@cache
def read_example(name: str) -> Example:
    """The example of that name; its first line is the field."""
    text = files(__package__).joinpath(f"templates/examples/{name}").read_text(encoding="utf-8")
    field, _, reply = text.partition("\n")
    return Example(field.strip(), reply.strip())
