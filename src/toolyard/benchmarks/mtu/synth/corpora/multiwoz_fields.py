"""MultiWOZ again, with tools that return the fields they are asked for, as the tools of the released MTU-Bench do.

    "What is its postcode?"   search_hotel {"name": "the lodge", "return_info": ["postcode"]}
    "A cheap one, please."    search_hotel {"pricerange": "cheap", "return_info": ["all"]}

A search is made as soon as the user changes what is wanted, or asks for fields: of the thing spoken of last if there is
one. Nothing is confirmed first. `multiwoz` says how states and bookings are read; `--corpora multiwoz-fields` asks for this.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora import multiwoz
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    CorpusParameter,
    CorpusTool,
    DialogueCall,
    Item,
)
from toolyard.benchmarks.mtu.synth.corpora.multiwoz import (
    SEARCHABLE,
    SLOT_OF_ACT,
    Acts,
    DomainState,
    Tracker,
    wanted_of,
)
from toolyard.core.types import JsonValue, Record

NAME = "multiwoz-fields"
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

    asked: dict[str, list[str]] = field(default_factory=dict)
    spoken_of: frozenset[str] = frozenset()

    def add(self, user: Record, system: Record) -> None:
        """One more turn."""
        self.asked = _requested_fields(user["dialog_act"])
        self.spoken_of = frozenset(act.partition("-")[0].lower() for act in user["dialog_act"])
        Tracker.add(self, user, system)

    def _finds(self, acts: Acts) -> Iterator[DialogueCall]:
        booked = {domain for domain in self.waiting if self._is_shown(domain, acts, "")}
        for domain in sorted(SEARCHABLE & {*self.states, *self.asked}):
            wanted = wanted_of(self.states.get(domain, DomainState()).semi)
            given = self._search(domain, wanted, booked=domain in booked)
            self.searched[domain] = wanted
            if given is not None:
                fields = [name for name in self.asked.get(domain, ()) if name not in BOOKED] or [*ALL]
                arguments = {**_truths(given), FIELDS: fields}
                yield DialogueCall(
                    f"search_{domain}",
                    arguments,
                    self._results(domain, given, acts),
                    service=_service(domain),
                )

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
        if not set(self.asked.get(domain, ())) - BOOKED:
            return None
        return {key: named} if named else wanted or None

    def _bookings(self, acts: Acts, text: str) -> Iterator[DialogueCall]:
        return map(self._with_fields, Tracker._bookings(self, acts, text))

    def _failures(self, acts: Acts) -> Iterator[DialogueCall]:
        return map(self._with_fields, Tracker._failures(self, acts))

    def _with_fields(self, call: DialogueCall) -> DialogueCall:
        domain = call.service
        fields = [name for name in self.asked.get(domain, ()) if name in ("reference", "phone", "type")]
        arguments = {**_truths(call.arguments), FIELDS: fields or [*ALL]}
        return replace(call, service=_service(domain), arguments=arguments)


def load(folder: Path) -> Iterator[Item]:
    """Every dialogue, split by split."""
    for item in multiwoz.load(folder, FieldTracker):
        if isinstance(item, CorpusDialogue):
            intents = [
                tuple((_service(service), _search_tool_name(tool)) for service, tool in turn.intents)
                for turn in item.turns
            ]
            turns = tuple(replace(turn, intents=own) for turn, own in zip(item.turns, intents, strict=True))
            services = tuple(map(_service, item.services))
            item = replace(
                item, id=item.id.replace(multiwoz.NAME, NAME, 1), source=NAME, turns=turns, services=services
            )
        yield item


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """search_ and book_ of each domain, with the fields that can be asked for."""
    return tuple(map(_tool, multiwoz.tools(folder)))


def _tool(tool: CorpusTool) -> CorpusTool:
    choices = (*ALL, *(each.name for each in tool.results))
    asked = CorpusParameter(FIELDS, "array", DESCRIPTION, choices, [*ALL])
    return replace(
        tool,
        name=_search_tool_name(tool.name),
        service=_service(tool.service),
        required=tuple(map(_parameter, tool.required)),
        optional=(*map(_parameter, tool.optional), asked),
    )


def _parameter(parameter: CorpusParameter) -> CorpusParameter:
    if parameter.name in TRUTHS:
        return replace(parameter, type="boolean", choices=())
    return replace(parameter, choices=())


def _service(domain: str) -> str:
    return f"{domain}-fields"


def _search_tool_name(tool: str) -> str:
    return tool.replace("find_", "search_", 1)


def _requested_fields(acts: Acts) -> dict[str, list[str]]:
    """The fields that the user asks for, by domain."""
    found: dict[str, list[str]] = {}
    for act, pairs in acts.items():
        domain, _, kind = act.partition("-")
        if kind == "Request":
            names = [SLOT_OF_ACT.get(slot, "reference" if slot == "Ref" else "") for slot, _ in pairs]
            found.setdefault(domain.lower(), []).extend(dict.fromkeys(filter(None, names)))
    return {domain: names for domain, names in found.items() if names}


def _truths(arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: _truth(value) if name in TRUTHS else value for name, value in arguments.items()}


def _truth(value: JsonValue) -> JsonValue:
    word = str(value).lower()
    return True if word in TRUE else False if word in FALSE else value
