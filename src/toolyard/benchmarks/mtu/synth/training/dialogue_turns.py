"""One turn of a dialogue as a row to train on: the prompt is the one that a run sends, made by the same functions.

The answer is checked against the benchmark itself: it must be read back as gold and score 1 under every profile.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import orjson

from toolyard.benchmarks.mtu.data import RawRow, build
from toolyard.benchmarks.mtu.parse import parse
from toolyard.benchmarks.mtu.prompt import TEMPLATES, history_text, prompt, reference_shown
from toolyard.benchmarks.mtu.sample import MtuSample
from toolyard.benchmarks.mtu.score import score
from toolyard.benchmarks.mtu.synth.instruct.completed_turns import past_of
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import Document, StandardTurn, standard_turns
from toolyard.benchmarks.mtu.synth.instruct.settings import SETTINGS
from toolyard.benchmarks.mtu.synth.training.dialogue_day import moved
from toolyard.benchmarks.mtu.synth.training.other_names import nonsense, spelled
from toolyard.benchmarks.mtu.synth.training.rewording import reworded
from toolyard.benchmarks.mtu.synth.training.tool_lists import DESCRIBED, FORMS, NAMES, drawn, written_as
from toolyard.benchmarks.mtu.synth.world.rows_text import answer as gold_answer
from toolyard.core.types import Failure, JsonValue, Options, Record, Transcript
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.rows import TrainingRow, estimated
from toolyard.text.templates import render

OPTIONS = Options(style="default")
# How often the history of turns with several calls shows what they returned; the released files never do.
OBSERVED = 0.2
# How often tool names are spelled in another way.
SPELLINGS = {"": 60, "snake": 28, "camel": 6, "pascal": 6}


@dataclass(frozen=True, slots=True)
class TrainingDialogue:
    """What the rows of a dialogue share: its turns, the tools that are its own and the others in their order."""

    id: str
    source: str
    setting: str
    turns: tuple[StandardTurn, ...]
    own: tuple[Document, ...]
    others: tuple[Document, ...]
    today: date
    renamed: bool = False

    @property
    def tools(self) -> int:
        """How many tools there are."""
        return len(self.own) + len(self.others)

    def until(self, place: int) -> TrainingDialogue:
        """The same up to one of its turns."""
        return replace(self, id=f"{self.id}/{place}", turns=self.turns[: place + 1])


def sample_of(dialogue: TrainingDialogue, tools: Sequence[Document], *, observed: bool = True) -> MtuSample:
    """The last turn as the benchmark loads it."""
    turn, place = dialogue.turns[-1], len(dialogue.turns) - 1
    past = [past_of(each) for each in dialogue.turns[:-1]]
    if not observed:
        past = [{**each, "observation": ""} for each in past]
    calls = {call.name: call.arguments for call in turn.calls}
    asked = question(dialogue, tools, past, turn.user)
    name = f"{dialogue.setting}_0" + (f"_{place}" if dialogue.setting[0] == "M" else "")
    raw = RawRow(name, asked, gold_answer(dialogue.setting, calls), "", dialogue.id)
    return build([raw], dialogue.setting)[0]


def question(dialogue: TrainingDialogue, tools: Sequence[Document], past: list[Any], user: str) -> str:
    """The question of a row in the form of the benchmark's files."""
    setting = SETTINGS[dialogue.setting]
    day = f"{dialogue.today:%A}, {dialogue.today.isoformat()}"
    fields = {"today": f"Today is {day}.", "reference": reference_shown(tools)}
    head = f"{render(TEMPLATES[setting.template], fields)}\nTools:\n{json.dumps([*tools])}"
    history = f"History Dialog: \n{history_text(past, setting.history)}\n" if past else ""
    return f"{head}\n{history}User: {user}"


def answer_of(turn: StandardTurn) -> str:
    """The answer in the form that the prompt asks for."""
    lines = [f"Thought: {turn.thought}"]
    for call in turn.calls:
        lines += [f"Action: {call.name}", f"Action Input: {json.dumps(call.arguments, ensure_ascii=False)}"]
    return "\n".join(lines)


def dialogue_of(draft: Record, settings: MixtureSettings, rng: random.Random) -> TrainingDialogue:
    """The dialogue of a draft on a day, perhaps under other names."""
    turns, today = moved(standard_turns(draft), rng)
    own, others = tuple(draft["own"]), tuple(draft["others"])
    return named(
        TrainingDialogue(draft["id"], draft["source"], draft["setting"], turns, own, others, today),
        settings,
        rng,
    )


def named(dialogue: TrainingDialogue, settings: MixtureSettings, rng: random.Random) -> TrainingDialogue:
    """The dialogue under nonsense names, other sensible names, another spelling of tool names, or as it is."""
    everything = [*dialogue.own, *dialogue.others]
    chance = rng.random()
    renamed = chance < settings.renamed
    if renamed:
        names = nonsense(everything, rng)
    elif chance < settings.renamed + settings.reworded:
        names = reworded(everything, rng)
    else:
        names = spelled(everything, drawn(SPELLINGS, rng))
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
    answer = answer_of(dialogue.turns[-1])
    # Estimates that were rounded one by one may be less than that of the whole.
    sample = evaluated(dialogue, most_tokens - estimated(len(answer)) - 1, rng)
    if isinstance(sample, Failure):
        return sample
    wrong = fault(sample, answer)
    if wrong:
        return Failure(wrong, dialogue.id)
    group = f"{dialogue.setting} {min(calls, 5)} {'call' if calls == 1 else 'calls'}"
    messages = prompt(sample, OPTIONS)
    return TrainingRow(
        f"mtu/{dialogue.id}", "mtu", group, dialogue.source, messages, answer, dialogue.renamed
    )


def evaluated(dialogue: TrainingDialogue, room: int, rng: random.Random) -> MtuSample | Failure:
    """The last turn as an evaluation asks it; tools that are not its own leave where it has too many tokens."""
    form = drawn(FORMS[dialogue.setting[2]], rng)
    if dialogue.renamed and form not in DESCRIBED:
        form = DESCRIBED[0]
    order = rng.sample(range(dialogue.tools), dialogue.tools)
    observed = dialogue.setting[2] == "S" or rng.random() < OBSERVED or not grounded_without(dialogue)
    return _fitting(dialogue, form, order, room, observed) or Failure("too_long", dialogue.id)


def _fitting(
    dialogue: TrainingDialogue, form: str, order: Sequence[int], room: int, observed: bool
) -> MtuSample | None:
    """The sample with as many tools as there is room for; in the short form where even its own are too many."""
    tools = [*dialogue.own, *dialogue.others]
    without = prompt(sample_of(dialogue, (), observed=observed), OPTIONS)
    bare = estimated(sum(len(message.content) for message in without))
    for shape in (form,) if dialogue.renamed else dict.fromkeys((form, NAMES)):
        shown = [written_as(tool, shape) for tool in tools]
        sizes = [estimated(len(orjson.dumps(tool)) + 2) + 1 for tool in shown]
        kept = set(range(len(dialogue.own)))
        free = room - bare - sum(sizes[: len(kept)])
        for index in order:
            if index not in kept and sizes[index] <= free:
                kept.add(index)
                free -= sizes[index]
        if free >= 0:
            return sample_of(dialogue, [shown[index] for index in order if index in kept], observed=observed)
    return None


def fault(sample: MtuSample, answer: str) -> str:
    """Under which profile the answer does not score 1; empty where it does under all."""
    transcript = Transcript.answered(sample.id, answer)
    for profile in ("paper", "official"):
        values = score(sample, parse(sample, transcript, profile), {}, profile).values
        if values["right"] != 1:
            return f"wrong_under_{profile}"
        if profile == "paper" and values["outcome"] != 1:
            return "wrong_under_outcome"
    return ""


def grounded_without(dialogue: TrainingDialogue) -> bool:
    """Whether all values of the last turn stand before it also where no observation is shown."""
    *past, turn = dialogue.turns
    said = " ".join(
        [turn.user, *(text for each in past for text in (each.user, each.assistant, _arguments(each)))]
    ).casefold()
    seen = " ".join(str(call.observation) for each in past for call in each.calls).casefold()
    values = [value for call in turn.calls for value in _leaves(call.arguments)]
    return all(value in said or value not in seen for value in values)


def _arguments(turn: StandardTurn) -> str:
    return " ".join(str(call.arguments) for call in turn.calls)


def _leaves(value: JsonValue) -> list[str]:
    if isinstance(value, Mapping):
        return [leaf for each in value.values() for leaf in _leaves(each)]
    if isinstance(value, list | tuple):
        return [leaf for each in value for leaf in _leaves(each)]
    return [str(value).casefold()]
