"""What is known about a tool besides how to call it, said in its `@GROUP.tool(...)`; only phrase and noun are common.

@GROUP.tool(examples=[{"q": "Oslo"}],
            phrase="look up the forecast for {q}[ over the next {days} days]", noun="the weather forecast",
            jobs=("weather about now",))
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from toolyard.core.types import JsonValue
from toolyard.world.kernel.categories import Content

# Stands for everything that is written on the web: see `Category.on_the_web`.
THE_WEB = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a tool knows about itself.

    content          what it returns, where its category says otherwise: computed, reference or simulated
    promises         word of its official description -> path of the result that stands for it ("price": "items[].cost"):
                     never null; said only where the type allows null, or where no field has the name of the word
    phrase           how a person asks for it, as an imperative: {parameter} is a slot, and a group in brackets with
                     one slot is said only where that parameter is used; without a phrase no data are made with it
    noun             what it returns is called, with its article
    jobs             names of jobs that it does as well as any other tool that names them
    stands_in_for    what else it can be bent to: categories, subcategories, ids, or `THE_WEB`
    general          whether it could be bent to almost any job
    chat             whether people would ask for it in a dialogue
    fields           fields of work it belongs to beside those of its category, each with its place there
    listed_as        its name in a list of tools of many services, where the id says too little
    called_as        its name in a call, where the id says too little
    described_as     what it does, where the document says too little without the other tools of its service
    not_credentials  parameters that are called like credentials and are none
    """

    content: Content | None = None
    promises: Mapping[str, str] = field(default_factory=dict)
    phrase: str = ""
    noun: str = ""
    jobs: tuple[str, ...] = ()
    stands_in_for: tuple[str, ...] = ()
    general: bool = False
    chat: bool = True
    fields: Mapping[str, int] = field(default_factory=dict)
    listed_as: str = ""
    called_as: str = ""
    described_as: str = ""
    not_credentials: tuple[str, ...] = ()


class FactArguments(TypedDict, total=False):
    """The facts as keyword arguments of `@tool`."""

    content: Content
    promises: Mapping[str, str]
    phrase: str
    noun: str
    jobs: tuple[str, ...]
    stands_in_for: tuple[str, ...]
    general: bool
    chat: bool
    fields: Mapping[str, int]
    listed_as: str
    called_as: str
    described_as: str
    not_credentials: tuple[str, ...]


class ToolArguments(FactArguments, total=False):
    """All keyword arguments of `@tool`: the facts, and how the function is registered and called."""

    examples: Sequence[Mapping[str, JsonValue]]
    name: str
    isolated: bool
    extra: bool
