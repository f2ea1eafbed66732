"""One turn of a dialogue as a row to train on: the prompt is the one that a run sends, made by the same functions.

The answer is checked against the benchmark itself: it must be read back as gold and score 1 under every profile.
Dialogues over the world's tools have more tools and more reasons for a turn without a call than corpora do.

Corpora speak of March 2024, all of them from one day; a model that always sees the same "today" learns the dates by
heart instead of counting. So the day is moved where nothing that is said contradicts it:

    no date is said, only "tomorrow"      today and all stored days move together
    dates are said, nothing is relative   today is any day up to the first of them
    both                                  everything stays

Tools are written in the forms that the released files have, as often as there:

    names          names alone, of optional parameters with their default: ["city"], {"day": "dontcare"}, ["rain"]
    named_results  parameters with type and description, results by name
    full           parameters and results with type and description
    untyped        parameters and results by name and description
"""

import functools
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import orjson

from toolyard.benchmarks.mtu.data.rows import RawRow, build_samples
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.score import score
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.corpora.sgd import TODAY as TODAY_OF_CORPORA
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import Document, read_turns
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import past_turn
from toolyard.benchmarks.mtu.synth.instruct.tool_library import SECTIONS
from toolyard.benchmarks.mtu.synth.training.other_names import all_nonsense, respell_tool_names, reword_names
from toolyard.benchmarks.mtu.synth.training.turn_drafts import SHARES, draw_key
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import TODAY, question
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import gold_answer as gold_answer
from toolyard.benchmarks.mtu.synth.world.pipeline import drafts as world_dialogues
from toolyard.benchmarks.mtu.synth.world.pipeline import draw_goal, talk
from toolyard.benchmarks.mtu.synth.world.tool_documents import names
from toolyard.benchmarks.mtu.task.prompt import prompt
from toolyard.core.types import Failure, JsonValue, Options, Record, Transcript, derived_seed
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.rows import TrainingRow, estimate_tokens
from toolyard.synth.stages import Context, Rejected
from toolyard.text.json_values import leaves, map_texts
from toolyard.text.ordinals import MONTH_NAMES, WEEKDAY_NAMES

FIRST = date.fromisoformat(TODAY_OF_CORPORA)
FARTHEST = 20
_ISO = re.compile(r"\b2024-03-(\d\d)\b")
_SAID = re.compile(
    rf"\b(?:{'|'.join(MONTH_NAMES)}|jan|feb|mar)\b|\b\d{{1,2}}(?:st|nd|rd|th)\b|\b\d{{1,2}}/\d{{1,2}}\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"\b(?:today|tonight|tomorrow|day after|next|this (?:week|month|morning|evening|afternoon)|weekend|now|"
    rf"{'|'.join(WEEKDAY_NAMES)})\b",
    re.IGNORECASE,
)


def move_dialogue_day(
    turns: Sequence[DialogueTurn], rng: random.Random
) -> tuple[tuple[DialogueTurn, ...], date]:
    """The turns and their day."""
    words = " ".join(text for turn in turns for text in (turn.user, turn.assistant))
    values = " ".join(str((call.arguments, call.observation)) for turn in turns for call in turn.calls)
    days = [int(found) for found in _ISO.findall(f"{words} {values}")]
    said = _SAID.search(words) is not None or _ISO.search(words) is not None
    relative = _RELATIVE.search(words) is not None
    if not days and not said:
        return tuple(turns), FIRST + timedelta(days=rng.randrange(FARTHEST + 1))
    if said and relative:
        return tuple(turns), FIRST
    if said:
        return tuple(turns), FIRST + timedelta(days=rng.randrange(max(1, min(days, default=FARTHEST))))
    step = rng.randrange(max(1, min(FARTHEST, 31 - max(days))))

    def move(value: object) -> Any:
        return map_texts(value, lambda text: _ISO.sub(lambda day: f"2024-03-{int(day[1]) + step:02}", text))

    def move_call(call: DialogueCall) -> DialogueCall:
        return replace(call, arguments=move(call.arguments), returned=move(call.observation))

    moved = (replace(turn, calls=tuple(map(move_call, turn.calls))) for turn in turns)
    return tuple(moved), FIRST + timedelta(days=step)


NAMES, NAMED_RESULTS, FULL, UNTYPED = "names", "named_results", "full", "untyped"
DESCRIBED = (NAMED_RESULTS, FULL, UNTYPED)
FORMS: Mapping[str, Mapping[str, int]] = SHARES["forms"]
OPTIONS = Options(style="default")
# How often the history of turns with several calls shows what they returned; the released files never do.
OBSERVED = 0.2


@dataclass(frozen=True, slots=True)
class TrainingDialogue:
    """What the rows of a dialogue share: its turns, the tools that are its own and the others in their order."""

    id: str
    source: str
    setting: str
    turns: tuple[DialogueTurn, ...]
    own: tuple[Document, ...]
    others: tuple[Document, ...]
    today: date
    renamed: bool = False

    def until(self, place: int) -> "TrainingDialogue":
        """The same up to one of its turns."""
        return replace(self, id=f"{self.id}/{place}", turns=self.turns[: place + 1])


def sample_of(dialogue: TrainingDialogue, tools: Sequence[Document], *, observed: bool = True) -> MtuSample:
    """The last turn as the benchmark loads it."""
    turn, place = dialogue.turns[-1], len(dialogue.turns) - 1
    past = [past_turn(each) for each in dialogue.turns[:-1]]
    if not observed:
        past = [{**each, "observation": ""} for each in past]
    calls = {call.name: call.arguments for call in turn.calls}
    asked = question(dialogue.setting, tools, past, turn.user, dialogue.today)
    name = f"{dialogue.setting}_0" + (f"_{place}" if dialogue.setting[0] == "M" else "")
    raw = RawRow(name, asked, gold_answer(dialogue.setting, calls), "", dialogue.id)
    return build_samples([raw], dialogue.setting)[0]


def turn_answer(turn: DialogueTurn) -> str:
    """The answer in the form that the prompt asks for."""
    lines = [f"Thought: {turn.thought}"]
    for call in turn.calls:
        lines += [f"Action: {call.name}", f"Action Input: {json.dumps(call.arguments, ensure_ascii=False)}"]
    return "\n".join(lines)


def dialogue_from_draft(draft: Record, settings: MixtureSettings, rng: random.Random) -> TrainingDialogue:
    """The dialogue of a draft on a day, perhaps under other names."""
    turns, today = move_dialogue_day(read_turns(draft), rng)
    named = {name: draft[name] for name in ("id", "source", "setting")}
    own, others = tuple(draft["own"]), tuple(draft["others"])
    return vary_names(
        TrainingDialogue(**named, turns=turns, own=own, others=others, today=today), settings, rng
    )


def vary_names(dialogue: TrainingDialogue, settings: MixtureSettings, rng: random.Random) -> TrainingDialogue:
    """The dialogue with nonsense names, other sensible names, another spelling of tool names, or unchanged."""
    everything = [*dialogue.own, *dialogue.others]
    chance = rng.random()
    renamed = chance < settings.renamed
    if renamed:
        names = all_nonsense(everything, rng)
    elif chance < settings.renamed + settings.reworded:
        names = reword_names(everything, rng)
    else:
        names = respell_tool_names(everything, draw_key(SHARES["spellings"], rng))
    return replace(
        dialogue,
        turns=tuple(map(names.turn, dialogue.turns)),
        own=tuple(map(names.document, dialogue.own)),
        others=tuple(map(names.document, dialogue.others)),
        renamed=renamed,
    )


def training_row(dialogue: TrainingDialogue, most_tokens: int, rng: random.Random) -> TrainingRow | Failure:
    """The row of the last turn, checked by the benchmark's own scoring."""
    calls = len(dialogue.turns[-1].calls)
    answer = turn_answer(dialogue.turns[-1])
    # Estimates that were rounded one by one may be less than that of the whole.
    sample = as_evaluation_sample(dialogue, most_tokens - estimate_tokens(len(answer)) - 1, rng)
    if isinstance(sample, Failure):
        return sample
    wrong = failing_profile(sample, answer)
    if wrong:
        return Failure(wrong, dialogue.id)
    group = f"{dialogue.setting} {min(calls, 5)} {'call' if calls == 1 else 'calls'}"
    messages = prompt(sample, OPTIONS)
    return TrainingRow(
        f"mtu/{dialogue.id}", "mtu", group, dialogue.source, messages, answer, dialogue.renamed
    )


def as_evaluation_sample(dialogue: TrainingDialogue, room: int, rng: random.Random) -> MtuSample | Failure:
    """The last turn as an evaluation asks it, with as many tools as there is room for.

    Tools that are not its own leave first; where even its own are too many, they are shown in the short form.
    """
    form = draw_key(FORMS[dialogue.setting[2]], rng)
    if dialogue.renamed and form not in DESCRIBED:
        form = DESCRIBED[0]
    tools = [*dialogue.own, *dialogue.others]
    order = rng.sample(range(len(tools)), len(tools))
    observed = (
        dialogue.setting[2] == "S"
        or rng.random() < OBSERVED
        or not is_grounded_without_observations(dialogue)
    )
    without = prompt(sample_of(dialogue, (), observed=observed), OPTIONS)
    bare = estimate_tokens(sum(len(message.content) for message in without))
    for shape in dict.fromkeys((form, form if dialogue.renamed else NAMES)):
        shown = [document_in_form(tool, shape) for tool in tools]
        sizes = [estimate_tokens(len(orjson.dumps(tool)) + 2) + 1 for tool in shown]
        kept = set(range(len(dialogue.own)))
        free = room - bare - sum(sizes[: len(kept)])
        for index in order:
            if index not in kept and sizes[index] <= free:
                kept.add(index)
                free -= sizes[index]
        if free >= 0:
            return sample_of(dialogue, [shown[index] for index in order if index in kept], observed=observed)
    return Failure("too_long", dialogue.id)


def document_in_form(document: Document, form: str) -> dict[str, JsonValue]:
    """The document in one of the forms."""
    sections = {key: list(document[key]) for key in SECTIONS}
    if form == UNTYPED:
        for key, parameters in sections.items():
            sections[key] = [
                {name: value for name, value in each.items() if name != "type"} for each in parameters
            ]
    shown: dict[str, Any] = {"name": document["name"], "description": document["description"], **sections}
    if form in (NAMES, NAMED_RESULTS):
        shown["result_parameters"] = [each["name"] for each in document["result_parameters"]]
    if form == NAMES:
        shown["required_parameters"] = [each["name"] for each in document["required_parameters"]]
        optional = document["optional_parameters"]
        shown["optional_parameters"] = {each["name"]: each.get("default", "dontcare") for each in optional}
    return shown


def failing_profile(sample: MtuSample, answer: str) -> str:
    """Under which profile the answer does not score 1; empty where it does under all."""
    transcript = Transcript.answered(sample.id, answer)
    for profile in ("paper", "official"):
        values = score(sample, parse(sample, transcript, profile), {}, profile).values
        if values["right"] != 1:
            return f"wrong_under_{profile}"
        if profile == "paper" and values["outcome"] != 1:
            return "wrong_under_outcome"
    return ""


def is_grounded_without_observations(dialogue: TrainingDialogue) -> bool:
    """Whether all values of the last turn stand before it also where no observation is shown."""
    *past, turn = dialogue.turns
    said = [turn.user, *(text for each in past for text in (each.user, each.assistant))]
    said += [str(call.arguments) for each in past for call in each.calls]
    seen = " ".join(str(call.observation) for each in past for call in each.calls).casefold()
    values = [str(value).casefold() for call in turn.calls for value in leaves(call.arguments)]
    heard = " ".join(said).casefold()
    return all(value in heard or value not in seen for value in values)


SOURCE = "world"
# Turns of a dialogue in the mean.
TURNS = 2.5
WORLD_SETTINGS: Mapping[str, float] = {"S-S": 0.2, "S-M": 0.1, "M-S": 0.5, "M-M": 0.2}


def world_drafts(count: int, seed: int) -> Iterator[dict[str, JsonValue]]:
    """Drafts of dialogues that give about so many turns."""
    wanted = round(count / TURNS)
    found: dict[str, list[Record]] = {setting: [] for setting in WORLD_SETTINGS}
    for draft in world_dialogues(Context(row_seed(seed), 2 * wanted)):
        if not isinstance(draft, Rejected):
            found[draft["setting"]].append(draft)
    for setting, share in WORLD_SETTINGS.items():
        for draft in found[setting][: round(share * wanted)]:
            name = f"world/{draft['id']}"
            yield {"id": name, "origin": f"{name}/{seed}", "world": draft}


def row_seed(seed: int) -> int:
    """The seed of dialogues to train on: another than that of an evaluation set made with the same number."""
    return derived_seed(seed, "training", 0)


def world_rows(draft: Record, settings: MixtureSettings) -> Iterator[TrainingRow | Failure]:
    """A row for every turn of the dialogue."""
    context = Context(row_seed(settings.seed))
    row: Record = draft["world"]
    for step in (draw_goal, talk):
        made: Any = step(row, context)
        if isinstance(made, Rejected):
            yield Failure(made.reason, draft["id"])
            return
        row = {**row, **made.fields}
    turns = tuple(map(_read_turn, row["turns"]))
    called = {call.name for turn in turns for call in turn.calls}
    if called & held_out_names():
        yield Failure("held_out", draft["id"])
        return
    tools = [tool for tool in row["tools"] if tool["name"] not in held_out_names()]
    own, others = (
        tuple(tool for tool in tools if (tool["name"] in called) == wanted) for wanted in (True, False)
    )
    rng = random.Random(derived_seed(settings.seed, draft["id"], 0))
    whole = TrainingDialogue(draft["id"], SOURCE, row["setting"], turns, own, others, TODAY)
    whole = vary_names(whole, settings, rng)
    for place in range(len(turns)):
        yield training_row(whole.until(place), settings.most_tokens, rng)


def _read_turn(turn: Record) -> DialogueTurn:
    seen = json.loads(turn["observation"]) if turn["observation"] else {}
    calls = tuple(DialogueCall(call["name"], call["arguments"], returned=seen) for call in turn["calls"])
    return DialogueTurn(turn["user"], turn["assistant"], calls=calls, thought=turn["thought"])


@functools.cache
def held_out_names() -> frozenset[str]:
    """The names of tools that no row may show."""
    return frozenset(name for tool, name in names().items() if is_held_out(tool))
