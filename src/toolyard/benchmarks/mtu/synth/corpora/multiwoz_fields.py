"""MultiWOZ again, with tools that return the fields they are asked for, as the tools of the released MTU-Bench do.

    "What is its postcode?"   search_hotel {"name": "the lodge", "return_info": ["postcode"]}
    "A cheap one, please."    search_hotel {"pricerange": "cheap", "return_info": ["all"]}

A search is made as soon as the user changes what is wanted, or asks for fields: of the thing spoken of last if there is
one. Nothing is confirmed first. `multiwoz` says how states and bookings are read; `--corpora multiwoz-fields` asks for this.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora import multiwoz
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool, DialogueCall
from toolyard.benchmarks.mtu.synth.corpora.multiwoz import (
    SEARCHABLE,
    SLOT_OF_ACT,
    Acts,
    DomainState,
    Row,
    Tracker,
    wanted_slots,
)
from toolyard.core.types import JsonValue, Record
from toolyard.text.documents import Parameter

FIELDS = "return_info"
ALL = ("all",)
# What a search must be given before it can be made.
NEEDED = {"train": ("departure", "destination"), "bus": ("departure", "destination")}
# What only a booking returns.
BOOKED = frozenset({"reference"})
# Yes or no, which the corpus writes as words.
TRUTHS = {"internet", "parking"}
TRUE, FALSE = frozenset({"yes", "free", "true"}), frozenset({"no", "false"})
DESCRIPTION = (
    "Which details are to be returned. If the user does not say which are needed, it is ['all']; "
    "otherwise the names of those asked for."
)

is_here = multiwoz.is_here


@dataclass(slots=True)
class FieldTracker(Tracker):
    """Reads a log pair by pair; every call says which fields it wants."""

    source = "multiwoz-fields"
    asked: dict[str, list[str]] = field(default_factory=dict)
    spoken_of: frozenset[str] = frozenset()

    @staticmethod
    def tool(kind: str, domain: str) -> tuple[str, str]:
        """A service and a name of its own for every tool of MultiWOZ."""
        return f"{domain}-fields", f"{'search' if kind == 'find' else kind}_{domain}"

    def call(
        self, kind: str, domain: str, arguments: Record, results: Sequence[Row], *, failed: bool = False
    ) -> DialogueCall:
        """A call with the fields that it wants."""
        asked = (name for name in self.asked.get(domain, ()) if _can_return(kind, name))
        given = {name: _text_to_bool(value) if name in TRUTHS else value for name, value in arguments.items()}
        wanted = {**given, FIELDS: [*asked] or [*ALL]}
        return Tracker.call(self, kind, domain, wanted, results, failed=failed)

    def add(self, user: Record, system: Record) -> None:
        """One more turn."""
        self.asked = _requested_fields(user["dialog_act"])
        self.spoken_of = frozenset(act.partition("-")[0].lower() for act in user["dialog_act"])
        Tracker.add(self, user, system)

    def _finds(self, acts: Acts) -> Iterator[DialogueCall]:
        booked = {domain for domain in self.waiting if self._is_shown(domain, acts, "")}
        for domain in sorted(SEARCHABLE & {*self.states, *self.asked}):
            wanted = wanted_slots(self.states.get(domain, DomainState()).semi)
            given = self._search(domain, wanted, booked=domain in booked)
            self.searched[domain] = wanted
            if given is not None:
                yield self.call("find", domain, given, self._results(domain, given, acts))

    def _search(
        self, domain: str, wanted: dict[str, JsonValue], *, booked: bool
    ) -> dict[str, JsonValue] | None:
        """What is searched for in this turn, if anything."""
        key = "trainID" if domain == "train" else "name"
        before = self.searched.get(domain, {})
        changed = {name for name, value in wanted.items() if before.get(name) != value} - {key}
        named = wanted.get(key) or self.offered.get(domain)
        if domain not in self.spoken_of or booked:
            return None
        if changed or (not before and wanted):
            complete = all(name in wanted for name in NEEDED.get(domain, ()))
            return wanted if complete else None
        if not any(_can_return("find", name) for name in self.asked.get(domain, ())):
            return None
        return {key: named} if named else wanted or None


load = partial(multiwoz.load, tracker=FieldTracker)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """search_ and book_ of each domain, with the fields that can be asked for."""
    return tuple(map(_convert_tool, multiwoz.tools(folder)))


def _convert_tool(tool: CorpusTool) -> CorpusTool:
    choices = (*ALL, *(each.name for each in tool.results))
    asked = Parameter(FIELDS, "array", DESCRIPTION, default=[*ALL], choices=choices)
    service, name = FieldTracker.tool(tool.name.partition("_")[0], tool.service)
    return replace(
        tool,
        name=name,
        service=service,
        required=tuple(map(_convert_parameter, tool.required)),
        optional=(*map(_convert_parameter, tool.optional), asked),
    )


def _convert_parameter(parameter: Parameter) -> Parameter:
    if parameter.name in TRUTHS:
        return replace(parameter, type="boolean", choices=())
    return replace(parameter, choices=())


def _can_return(kind: str, name: str) -> bool:
    """Whether a search or a booking returns the field."""
    return name not in BOOKED if kind == "find" else name in (*BOOKED, "phone", "type")


def _requested_fields(acts: Acts) -> dict[str, list[str]]:
    """The fields that the user asks for, by domain."""
    found: dict[str, list[str]] = {}
    for act, pairs in acts.items():
        domain, _, kind = act.partition("-")
        if kind == "Request":
            names = [SLOT_OF_ACT.get(slot, "reference" if slot == "Ref" else "") for slot, _ in pairs]
            found.setdefault(domain.lower(), []).extend(dict.fromkeys(filter(None, names)))
    return {domain: names for domain, names in found.items() if names}


def _text_to_bool(value: JsonValue) -> JsonValue:
    word = str(value).lower()
    return True if word in TRUE else False if word in FALSE else value
