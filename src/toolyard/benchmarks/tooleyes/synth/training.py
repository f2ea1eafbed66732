"""The ToolEyes part of a mixture: rounds of executed goals, each the conversation so far and the next round.

The calls run in a world of another seed than that of the queries. The last round answers with what was found.
"""

import functools
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.data.sample import FINISH, ToolEyesSample
from toolyard.benchmarks.tooleyes.task.episode import OBSERVATION, call_text
from toolyard.benchmarks.tooleyes.task.prompt import EXAMPLE, ZERO_SHOT, prompt
from toolyard.benchmarks.tooleyes.task.rounds import read_round
from toolyard.benchmarks.tooleyes.task.scene import BUDGET_TOKENS
from toolyard.core.types import Failure, JsonValue, Message, Options, Record, Sample, derived_seed
from toolyard.synth.chains.chain import Argument, ResultReference
from toolyard.synth.chains.projection import returned_fields, value_at_path
from toolyard.synth.goals.goal_book import Filling
from toolyard.synth.mixture.goal_requests import SOURCE, WORLD_SEED, draft_filling, goal_drafts, trained_goals
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.nonsense import nonsense_words
from toolyard.synth.mixture.rows import TrainingRow
from toolyard.synth.stages import Context, Rows
from toolyard.text.names import name_in_words
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

MOST_OTHERS = 6
MOST_FACTS = 4
SHORTEST_WORD = 3
LONGEST_FACT = 160
FIRST = ("The user needs {noun}. {tool} gives that.", "I start with {tool}, which gives {noun}.")
NEXT = ("The last call gave what {tool} needs. I call it now.", "With that I can call {tool}.")
LAST = ("I have all that was asked for.", "Everything is known; I answer.")


def drafts(rows: Rows, count: int, context: Context) -> Iterator[dict[str, JsonValue]]:  # noqa: ARG001
    """So many rounds, each of a request of its own; the answer is one round more than there are calls."""
    for number, draft in enumerate(goal_drafts(count, context.seed)):
        rng = random.Random(derived_seed(context.seed, "tooleyes", number))
        yield {**draft, "round": rng.randrange(len(trained_goals()[draft["goal"]].plan) + 1)}


def rows(draft: Record, settings: MixtureSettings) -> Iterator[TrainingRow | Failure]:
    """The round of a draft, after those before it; a call that fails ends it without a row."""
    filling = draft_filling(draft)
    rng = random.Random(derived_seed(settings.seed, f"tooleyes/{draft['id']}", 0))
    renamed = rng.random() < settings.renamed
    offer = _offer_tools(filling, rng, renamed=renamed)
    options = settings.asked(f"tooleyes/{draft['id']}", EXAMPLE, ZERO_SHOT)
    played = _play_rounds(filling, offer, draft["round"], rng, options)
    if isinstance(played, Failure):
        yield played
        return
    *messages, last = played
    group = "tooleyes finish" if draft["round"] == len(filling.plan) else "tooleyes call"
    group += " zero-shot" if options.style == ZERO_SHOT else ""
    name = f"tooleyes/{draft['id']}"
    row = TrainingRow(name, "tooleyes", group, SOURCE, tuple(messages), last.content, renamed)
    if row.tokens > settings.most_tokens:
        yield Failure("too_long", row.id)
    else:
        yield row if read_round(row.answer).valid else Failure("wrong_answer", row.id)


@dataclass(frozen=True, slots=True)
class TrainingOffer:
    """The documents that a request is asked with, and the names that tools and parameters have there."""

    documents: Sequence[Record]
    tools: Mapping[str, str]
    fields: Mapping[str, str]

    def spoken(self, thought: str, tool: str, arguments: Mapping[str, JsonValue]) -> str:
        """A call as it is written."""
        given = {self.fields.get(name, name): value for name, value in arguments.items()}
        return call_text(thought, self.tools[tool], json.dumps(given, ensure_ascii=False))


def _play_rounds(
    filling: Filling, offer: TrainingOffer, rounds: int, rng: random.Random, options: Options
) -> list[Message] | Failure:
    """The conversation up to that round, which is its last message."""
    if len(set(offer.tools.values())) < len(offer.tools):
        return Failure("same_name", filling.text)
    world = World.fresh(seed=WORLD_SEED)
    sample: ToolEyesSample = Sample(
        "", {"query": filling.text, "path": "", "documents": list(offer.documents)}, None
    )
    messages = list(prompt(sample, options))
    results: list[JsonValue] = []
    for place, step in enumerate(filling.plan):
        arguments = {key: _resolve_value(given, results, filling) for key, given in step.arguments.items()}
        noun = library()[step.tool].facts.noun or "a result"
        thought = rng.choice(NEXT if place else FIRST).format(tool=offer.tools[step.tool], noun=noun)
        messages.append(Message("assistant", offer.spoken(thought, step.tool, arguments)))
        seen = call(world, step.tool, arguments, budget_tokens=BUDGET_TOKENS)
        if seen.error:
            return Failure("call_failed", f"{step.tool}: {seen.error}")
        if place == rounds:
            return messages
        messages.append(Message("user", OBSERVATION + seen.text))
        results.append(seen.value)
    finished = json.dumps({"answer": " ".join(_found_facts(filling, results))}, ensure_ascii=False)
    return [*messages, Message("assistant", call_text(rng.choice(LAST), FINISH, finished))]


def _offer_tools(filling: Filling, rng: random.Random, *, renamed: bool) -> TrainingOffer:
    """The tools of the goal and some of the same packages, no two of one name."""
    own = list(dict.fromkeys(step.tool for step in filling.plan))
    packages = sorted({tool.rpartition("/")[0] for tool in own})
    near = [tool for package in packages for tool in _tools_of_package(package) if tool not in own]
    chosen = {library()[tool].name: tool for tool in rng.sample(near, min(len(near), MOST_OTHERS))}
    chosen |= {library()[tool].name: tool for tool in own}
    listed = rng.sample(sorted(chosen.values()), len(chosen))
    tools = {tool: library()[tool].name for tool in (*listed, *own)}
    fields: dict[str, str] = {}
    if renamed:
        words = nonsense_words(rng)
        tools = {tool: next(words) for tool in tools}
        names = (each.name for tool in tools for each in library()[tool].document.parameters)
        fields = {name: next(words) for name in dict.fromkeys(names)}
    return TrainingOffer([_tool_document(tool, tools[tool], fields) for tool in listed], tools, fields)


@functools.cache
def _tools_of_package(package: str) -> tuple[str, ...]:
    return tuple(tool for tool in speakable() if tool.rpartition("/")[0] == package and not is_held_out(tool))


def _tool_document(tool: str, name: str, fields: Mapping[str, str]) -> dict[str, JsonValue]:
    known = library()[tool].document
    schema = known.schema()
    parameters = {
        **schema,
        "properties": {fields.get(key, key): value for key, value in schema["properties"].items()},
        "required": [fields.get(key, key) for key in schema["required"]],
    }
    return {"name": name, "description": known.description, "parameters": parameters}


def _resolve_value(given: Argument, results: Sequence[JsonValue], filling: Filling) -> JsonValue:
    if isinstance(given, list):
        return [_resolve_value(each, results, filling) for each in given]
    if not isinstance(given, ResultReference):
        return given
    return _said_fields(filling.plan[given.step].tool, results[given.step]).get(given.field)


def _said_fields(tool: str, output: JsonValue) -> dict[str, JsonValue]:
    found = {field.name: value_at_path(output, field.path) for field in returned_fields(tool)}
    return {name: value for name, value in found.items() if value is not None}


def _found_facts(filling: Filling, results: Sequence[JsonValue]) -> Iterator[str]:
    """What was found, as short statements: of every call what the request has words for, most of the last."""
    asked = [word for word in re.findall(r"[a-z]+", filling.text.casefold()) if len(word) >= SHORTEST_WORD]
    for place, (step, output) in enumerate(zip(filling.plan, results, strict=True), 1):
        found = dict(_plain_values(output))
        wanted = [
            name for name in found if any(word in name_in_words(name).replace(" ", "") for word in asked)
        ]
        most = MOST_FACTS if place == len(filling.plan) else 1
        chosen = [*wanted, *(name for name in found if name not in wanted)][:most]
        if chosen:
            noun = library()[step.tool].facts.noun or "result"
            yield f"{noun.capitalize()}: {', '.join(f'{name_in_words(name)} {found[name]}' for name in chosen)}."


def _plain_values(output: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """The plain values of a result, of a list those of its first entry."""
    if isinstance(output, list):
        yield from _plain_values(output[0] if output else None)
    elif isinstance(output, Mapping):
        for name, value in output.items():
            if isinstance(value, Mapping | list):
                yield from _plain_values(value)
            elif value not in (None, "") and len(str(value)) <= LONGEST_FACT:
                yield name, value
