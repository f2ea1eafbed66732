"""API-Bank and ToolTalk as multi-turn single-tool rows (Table 5), by two policies.

    API-Bank   lv1-lv2-samples/level-1-given-desc/AddAlarm-level-1-1.jsonl
               {"role": "User", "text": "Wake me at six."}
               {"role": "API", "api_name": "AddAlarm", "param_dict": {"time": "..."}, "result": {"output": ...}}
               {"role": "AI", "text": "It is set."}
    ToolTalk   data/easy/AddAlarm-easy.json
               {"metadata": {...}, "conversation": [{"role": "user", "text": "..."},
                {"role": "assistant", "text": "...", "apis": [{"request": {...}, "response": {...}}]}]}

A turn is one user utterance with everything up to the next. `strict` keeps dialogues that are M-S as they
stand: two turns or more, at most one call in each, at least one in all. `step` keeps all: a turn with k calls
becomes k steps, each after the observations of those before, and a closing step without a call where a reply
stands after the last one. A last user turn without an answer is a turn without a call for `strict` in
API-Bank and dropped everywhere else.
The paper does not say which subset it used, and no subset here has its number of dialogues.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NotRequired, TypeAlias, TypedDict, cast

import orjson

from toolyard.benchmarks.mtu.data.rows import RawRow, build_samples
from toolyard.benchmarks.mtu.data.sample import MtuSample, MtuTurn
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.task.prompt import TEMPLATES, history_text
from toolyard.benchmarks.user_files import json_lines, read_json
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import JsonValue, derived_seed
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.text.json_values import mapping
from toolyard.text.templates import render

POLICIES = ("step", "strict")
DEFAULT_POLICY = "step"
CONTINUED = "(Carry on with what I just asked for.)"
# API-Bank shows the tools of the dialogue; as many others are put beside them so that there is a choice.
OTHER_TOOLS = 5
# Put in by ToolTalk's own executor, in no tool document: never the model's to fill in.
INJECTED = "session_token"


# The document of a tool in the spelling of `corpora_tools.json`; its name is all that is looked at here.
ToolDocument: TypeAlias = Mapping[str, JsonValue]


class ToolTalkRequest(TypedDict):
    """What a ToolTalk assistant calls."""

    api_name: str
    parameters: Mapping[str, JsonValue]


class ToolTalkApi(TypedDict):
    """A call of ToolTalk with what came back."""

    request: ToolTalkRequest
    response: NotRequired[JsonValue]
    exception: NotRequired[JsonValue]


class ToolTalkMessage(TypedDict):
    """One message of a ToolTalk conversation."""

    role: str
    text: str
    apis: NotRequired[list[ToolTalkApi]]


class ToolTalkMetadata(TypedDict, total=False):
    """Where and when a ToolTalk conversation takes place."""

    timestamp: str
    location: str
    username: str


class ToolTalkConversation(TypedDict):
    """A file of ToolTalk."""

    metadata: ToolTalkMetadata
    conversation: list[ToolTalkMessage]


@dataclass(frozen=True, slots=True)
class ConvertedStep:
    """What becomes one row: the user's words, the call that is right (None for none), and the turn as history."""

    user: str
    call: Call | None
    past: MtuTurn


@dataclass(slots=True)
class ConvertedTurn:
    """One user utterance, the calls it led to with their observations, and the reply.

    `closed` says that a reply stands after the last call.
    """

    user: str
    calls: list[Call] = field(default_factory=list)
    observations: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    answered: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class ConvertedDialogue:
    """One conversation of either corpus."""

    name: str
    source: str
    turns: tuple[ConvertedTurn, ...]
    tools: tuple[ToolDocument, ...]
    situation: str


def detect_corpus(path: Path) -> str | None:
    """Which of the two corpora a folder holds, if any."""
    if (path / "lv1-lv2-samples").is_dir():
        return "api-bank"
    if (path / "data" / "tooltalk").is_dir() and (path / "data" / "easy").is_dir():
        return "tooltalk"
    return None


def load(path: Path, form: str, policy: str) -> tuple[MtuSample, ...]:
    """The samples of a corpus folder under a policy."""
    if policy not in POLICIES:
        raise UsageError(f"there is no policy {policy!r}; it may be {' or '.join(POLICIES)}")
    samples: list[MtuSample] = []
    rows: dict[str, list[RawRow]] = {}
    for dialogue in read_dialogues(path, form):
        if policy == "step" or is_strict(dialogue):
            rows.setdefault(dialogue.source, []).extend(_rows_of_dialogue(dialogue, policy))
    for source, members in rows.items():
        samples += build_samples(members, "M-S", source, first_row=len(samples))
    if not samples:
        raise DataError(f"{path} holds no {form} dialogue that the policy {policy} keeps; try --policy step")
    return tuple(samples)


def is_strict(dialogue: ConvertedDialogue) -> bool:
    """Whether the dialogue is multi-turn single-tool as it stands."""
    counts = [len(turn.calls) for turn in dialogue.turns]
    return len(counts) >= 2 and max(counts) == 1


def read_dialogues(path: Path, form: str) -> list[ConvertedDialogue]:
    """Every dialogue of a corpus that has a turn with an answer."""
    found = _api_bank(path) if form == "api-bank" else _tooltalk_dialogues(path)
    return [dialogue for dialogue in found if dialogue.turns]


@cache
def corpus_tools(form: str) -> tuple[ToolDocument, ...]:
    """The tool documents of a corpus: its names, our descriptions."""
    documents: Mapping[str, list[ToolDocument]] = orjson.loads(
        (Path(__file__).parent / "corpora_tools.json").read_bytes()
    )
    return tuple(documents[form])


def _api_bank(path: Path) -> Iterator[ConvertedDialogue]:
    folders = {"level-1-given-desc": "API-Bank", "level-2-toolsearcher": "API-Bank ToolSearcher"}
    for folder, source in folders.items():
        for file in sorted((path / "lv1-lv2-samples" / folder).glob("*.jsonl")):
            turns: list[ConvertedTurn] = []
            for _, row in json_lines(file, "wanted a role and a text"):
                _add_api_bank(turns, row, file)
            called = {call.name for turn in turns for call in turn.calls}
            yield ConvertedDialogue(
                file.stem, source, tuple(turns), _tools_to_offer(called, file.stem), "This year is 2023."
            )


def _add_api_bank(turns: list[ConvertedTurn], found: JsonValue, file: Path) -> None:
    row = mapping(found)
    role = row.get("role")
    if role == "User":
        _add_user(turns, str(row.get("text", "")))
    elif role in ("AI", "API") and turns:
        turns[-1].answered, turns[-1].closed = True, role == "AI"
        if role == "AI":
            turns[-1].replies.append(str(row.get("text", "")))
        else:
            turns[-1].calls.append(
                Call(str(row.get("api_name")), dict(_require_object(row.get("param_dict"), file)))
            )
            turns[-1].observations.append(
                _text_or_json(_require_object(row.get("result", {}), file).get("output"))
            )
    elif role not in ("AI", "API"):
        raise DataError(f"{file} has a row with the role {role!r}; wanted User, AI or API")


def _require_object(value: JsonValue, file: Path) -> Mapping[str, JsonValue]:
    if not isinstance(value, Mapping):
        raise DataError(
            f"{file} has a call with {_text_or_json(value)}; wanted api_name, an object param_dict and an object result"
        )
    return value


def _tools_to_offer(called: set[str], name: str) -> tuple[ToolDocument, ...]:
    documents = corpus_tools("api-bank")
    rest = [document["name"] for document in documents if document["name"] not in called]
    others = random.Random(derived_seed(0, name, 0)).sample(rest, min(OTHER_TOOLS, len(rest)))
    return tuple(document for document in documents if document["name"] in {*called, *others})


def _tooltalk_dialogues(path: Path) -> Iterator[ConvertedDialogue]:
    for folder, source in (("easy", "ToolTalk easy"), ("tooltalk", "ToolTalk hard")):
        for file in sorted((path / "data" / folder).glob("*.json")):
            row = cast(ToolTalkConversation, read_json(file, "wanted a ToolTalk conversation"))
            turns: list[ConvertedTurn] = []
            for message in row["conversation"]:
                _add_tooltalk(turns, message)
            turns = [turn for turn in turns if turn.answered]
            yield ConvertedDialogue(
                file.stem, source, tuple(turns), corpus_tools("tooltalk"), _situation_text(row["metadata"])
            )


def _add_tooltalk(turns: list[ConvertedTurn], message: ToolTalkMessage) -> None:
    if message["role"] == "user":
        _add_user(turns, message["text"])
        return
    turns[-1].answered = turns[-1].closed = True
    turns[-1].replies.append(message["text"])
    for api in message.get("apis", []):
        request = api["request"]
        arguments = {key: value for key, value in request["parameters"].items() if key != INJECTED}
        turns[-1].calls.append(Call(request["api_name"], arguments))
        exception = api.get("exception")
        turns[-1].observations.append(
            _text_or_json({"error": exception} if exception else api.get("response"))
        )


def _situation_text(metadata: ToolTalkMetadata) -> str:
    stamp = str(metadata.get("timestamp", ""))
    user = f" The user {metadata['username']} is logged in." if "username" in metadata else ""
    return (
        f"Today is {stamp[:10]}, the time is {stamp[11:]}, the place is {metadata.get('location', '')}.{user}"
    )


def _add_user(turns: list[ConvertedTurn], text: str) -> None:
    """A new turn; a second utterance before any answer belongs to the first."""
    if turns and not turns[-1].answered:
        turns[-1].user += " " + text
    else:
        turns.append(ConvertedTurn(text))


def _rows_of_dialogue(dialogue: ConvertedDialogue, policy: str) -> Iterator[RawRow]:
    history: list[MtuTurn] = []
    number = 0
    for turn in dialogue.turns:
        steps = _steps_of_turn(turn) if policy == "step" else _step_of_whole_turn(turn)
        for step in steps:
            answer = {step.call.name: dict(step.call.arguments)} if step.call else {"": {}}
            row_id = f"{dialogue.name}_{number}"
            yield RawRow(row_id, _question_text(dialogue, history, step.user), answer, "", row_id)
            history.append(step.past)
            number += 1


def _steps_of_turn(turn: ConvertedTurn) -> Iterator[ConvertedStep]:
    user = turn.user
    for call, observation in zip(turn.calls, turn.observations, strict=True):
        yield ConvertedStep(user, call, _past_turn(user, [call], observation, ""))
        user = CONTINUED
    if turn.closed:
        yield ConvertedStep(user, None, _past_turn(user, [], "", " ".join(turn.replies)))


def _step_of_whole_turn(turn: ConvertedTurn) -> Iterable[ConvertedStep]:
    past = _past_turn(turn.user, turn.calls, " ".join(turn.observations), " ".join(turn.replies))
    return (ConvertedStep(turn.user, turn.calls[0] if turn.calls else None, past),)


def _past_turn(user: str, calls: Sequence[Call], observation: str, reply: str) -> MtuTurn:
    return {
        "user": _join_lines(user),
        "thought": "",
        "calls": [{"name": call.name, "arguments": dict(call.arguments)} for call in calls],
        "observation": _join_lines(observation),
        "assistant": _join_lines(reply),
    }


def _question_text(dialogue: ConvertedDialogue, history: list[MtuTurn], user: str) -> str:
    instructions = render(TEMPLATES["instructions_single"], {"today": f"6. {dialogue.situation}"})
    tools = orjson.dumps(json_safe(list(dialogue.tools))).decode()
    past = f"{history_text(history, 'observed')}\n" if history else ""
    return f"{instructions}\nTools with their parameters:\n{tools}\nHistory Dialog: \n{past}User: {_join_lines(user)}"


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def _text_or_json(value: JsonValue) -> str:
    return value if isinstance(value, str) else orjson.dumps(json_safe(value)).decode()
