"""Rows as the corpora have them: the parts that are read.

A row of another form raises where it is read (`entries.items_of`) and is skipped, with what it lacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypeAlias, TypedDict

from toolyard.core.types import JsonValue

Values: TypeAlias = Mapping[str, JsonValue]


class SgdAction(TypedDict):
    """What a speaker of SGD does, with surface forms and canonical values."""

    act: str
    slot: str
    values: list[str]
    canonical_values: list[str]


class SgdSpan(TypedDict):
    """Where a value stands in an utterance of SGD."""

    slot: str
    start: int
    exclusive_end: int


class SgdState(TypedDict):
    """The state of a service after a user's turn."""

    active_intent: str
    slot_values: Mapping[str, list[str]]


class SgdServiceCall(TypedDict):
    """A call of SGD."""

    method: str
    parameters: Values


class SgdFrame(TypedDict):
    """What a turn of SGD says about one service; a user's has a state, the system's may have a call."""

    service: str
    actions: list[SgdAction]
    slots: list[SgdSpan]
    state: SgdState
    service_call: NotRequired[SgdServiceCall]
    service_results: NotRequired[list[Values]]


class SgdTurn(TypedDict):
    """One utterance of SGD."""

    speaker: str
    utterance: str
    frames: list[SgdFrame]


class SgdDialogue(TypedDict):
    """A dialogue of SGD."""

    dialogue_id: str
    services: list[str]
    turns: list[SgdTurn]


class SchemaSlot(TypedDict):
    """A slot of a schema, of SGD or of MultiWOZ 2.2."""

    name: str
    description: str
    is_categorical: bool
    possible_values: list[str]


class SchemaIntent(TypedDict):
    """An intent of a schema; MultiWOZ lists names where SGD has defaults by name."""

    name: str
    description: str
    is_transactional: bool
    required_slots: list[str]
    optional_slots: Mapping[str, str]
    result_slots: list[str]


class SchemaService(TypedDict):
    """A service of a schema."""

    service_name: str
    slots: list[SchemaSlot]
    intents: list[SchemaIntent]


MultiwozActs: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]


class MultiwozDomain(TypedDict):
    """The state of one domain."""

    semi: Values
    book: Mapping[str, JsonValue]


class MultiwozUtterance(TypedDict):
    """One utterance of MultiWOZ; the system's utterances hold the state."""

    text: str
    dialog_act: MultiwozActs
    metadata: Mapping[str, MultiwozDomain]


# Under `log` user and system in turn.
MultiwozDialogue: TypeAlias = Mapping[str, list[MultiwozUtterance]]
# Under `data` pieces with `text`; one with an `entity` is a parameter.
SnipsRow: TypeAlias = Mapping[str, list[Mapping[str, str]]]


class MetalwozDialogue(TypedDict):
    """A dialogue of MetaLWOZ."""

    id: str
    domain: str
    turns: list[str]


class SpanSegment(TypedDict, total=False):
    """A span of TM-1 or TM-2, in one of two spellings."""

    text: str
    annotations: list[Mapping[str, str]]
    start_index: int
    startIndex: int
    end_index: int
    endIndex: int


class SpanUtterance(TypedDict):
    """One utterance of TM-1 or TM-2."""

    speaker: str
    text: str
    segments: NotRequired[list[SpanSegment] | None]


class SpanConversation(TypedDict, total=False):
    """A conversation of TM-1 or TM-2, in one of two spellings."""

    conversation_id: str
    conversationId: str
    utterances: list[SpanUtterance]


# A part of a call of TM-4: `name` says which, `context` of which call, and `value`.
CallAnnotation: TypeAlias = Mapping[str, str]


class CallApi(TypedDict):
    """A call of TM-3; contents are objects, or lists of `{arg_name, arg_value}`."""

    name: str
    args: NotRequired[Values | list[Values] | None]
    response: NotRequired[Values | list[Values] | None]


class CallUtterance(TypedDict):
    """One utterance of TM-3 or TM-4."""

    speaker: str
    text: str
    annotations: NotRequired[list[CallAnnotation] | None]
    apis: NotRequired[list[CallApi] | None]


class CallConversation(TypedDict):
    """A conversation of TM-3 or TM-4."""

    conversation_id: str
    utterances: list[CallUtterance]


class OntologyTool(TypedDict, total=False):
    """A tool of TM-1's ontology."""

    id: str
    required: list[str]
    optional: list[str]


class OntologyGroup(TypedDict):
    """A group of annotations of TM-2's ontology."""

    prefix: str
    annotations: list[str]


# A call of TM-3's `apis.json`: `args` with `all_of` and `any_of`, `response` with `keys`.
ApiDocument: TypeAlias = Mapping[str, Mapping[str, list[str]]]
