"""The ToolEyes part of a mixture: rounds of executed goals, each the conversation so far and the next round.

The calls run in a world of another seed than that of the queries. The last round answers with what was found.
"""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence

from toolyard.benchmarks.tooleyes.documents import FINISH
from toolyard.benchmarks.tooleyes.episode import OBSERVATION, written
from toolyard.benchmarks.tooleyes.prompt import prompt
from toolyard.benchmarks.tooleyes.rounds import read_round
from toolyard.benchmarks.tooleyes.scene import BUDGET_TOKENS
from toolyard.core.types import Failure, Json, Message, Options, Sample, derived_seed
from toolyard.synth.chains.chain import Argument, ResultReference
from toolyard.synth.chains.projection import at, returned
from toolyard.synth.goals.book import Filling
from toolyard.synth.mixture.goal_requests import SOURCE, filling_of, goal_drafts, trained_goals
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.rows import TrainingRow
from toolyard.synth.mixture.wishes import Wishes
from toolyard.synth.stages import Context, Rows
from toolyard.text.names import spoken
from toolyard.world.executor import call
from toolyard.world.phrase import speakable
from toolyard.world.registry import library
from toolyard.world.state import World

OPTIONS = Options(style="zero-shot")
WORLD_SEED = 4711
MOST_OTHERS = 6
MOST_FACTS = 4
SHORTEST_WORD = 3
LONGEST_FACT = 160
FIRST = ("The user needs {noun}. {tool} gives that.", "I start with {tool}, which gives {noun}.")
NEXT = ("The last call gave what {tool} needs. I call it now.", "With that I can call {tool}.")
LAST = ("I have all that was asked for.", "Everything is known; I answer.")


def drafts(rows: Rows, count: int, context: Context) -> Iterator[dict[str, Json]]:  # noqa: ARG001
    """So many rounds, each of a request of its own; the answer is one round more than there are calls."""
    for number, draft in enumerate(goal_drafts(count, context.seed)):
        rng = random.Random(derived_seed(context.seed, "tooleyes", number))
        yield {**draft, "round": rng.randrange(len(trained_goals()[draft["goal"]].plan) + 1)}


def rows(draft: Mapping[str, Json], wishes: Wishes) -> Iterator[TrainingRow | Failure]:
    """The round of a draft, after those before it; a call that fails ends it without a row."""
    filling = filling_of(draft)
    rng = random.Random(derived_seed(wishes.seed, f"tooleyes/{draft['id']}", 0))
    played = _played(filling, draft["round"], rng)
    if isinstance(played, Failure):
        yield played
        return
    *messages, last = played
    ends = draft["round"] == len(filling.plan)
    group = "tooleyes finish" if ends else "tooleyes call"
    row = TrainingRow(f"tooleyes/{draft['id']}", "tooleyes", group, SOURCE, tuple(messages), last.content)
    if row.tokens > wishes.most_tokens:
        yield Failure("too_long", row.id)
    else:
        yield row if read_round(row.answer).valid else Failure("wrong_answer", row.id)


def _played(filling: Filling, rounds: int, rng: random.Random) -> list[Message] | Failure:
    """The conversation up to that round, which is its last message."""
    world = World.fresh(seed=WORLD_SEED)
    documents = _documents(filling, rng)
    messages = list(prompt(Sample("", {"query": filling.text, "documents": documents}, None), OPTIONS))
    results: list[Json] = []
    for place, step in enumerate(filling.plan):
        arguments = {key: _value(given, results, filling) for key, given in step.arguments.items()}
        tool = library()[step.tool]
        thought = rng.choice(NEXT if place else FIRST).format(
            tool=tool.name, noun=tool.facts.noun or "a result"
        )
        spoken_round = written(thought, tool.name, json.dumps(arguments, ensure_ascii=False))
        messages.append(Message("assistant", spoken_round))
        seen = call(world, step.tool, arguments, budget_tokens=BUDGET_TOKENS)
        if seen.error:
            return Failure("call_failed", f"{step.tool}: {seen.error}")
        if place == rounds:
            return messages
        messages.append(Message("user", OBSERVATION + seen.text))
        results.append(seen.value)
    said = " ".join(_facts(filling, results))
    finished = json.dumps({"answer": said}, ensure_ascii=False)
    return [*messages, Message("assistant", written(rng.choice(LAST), FINISH, finished))]


def _documents(filling: Filling, rng: random.Random) -> list[Json]:
    """The tools of the goal and some of the same packages, no two of one name."""
    own = list(dict.fromkeys(step.tool for step in filling.plan))
    packages = {tool.rpartition("/")[0] for tool in own}
    near = [tool for package in sorted(packages) for tool in _tools_of(package) if tool not in own]
    chosen = {library()[tool].name: tool for tool in rng.sample(near, min(len(near), MOST_OTHERS))}
    chosen |= {library()[tool].name: tool for tool in own}
    names = rng.sample(sorted(chosen), len(chosen))
    return [_document(chosen[name]) for name in names]


@functools.cache
def _tools_of(package: str) -> tuple[str, ...]:
    return tuple(tool for tool in speakable() if tool.rpartition("/")[0] == package and not is_held_out(tool))


@functools.cache
def _document(tool: str) -> Mapping[str, Json]:
    known = library()[tool]
    return {
        "name": known.name,
        "description": known.document.description,
        "parameters": known.document.schema(),
    }


def _value(given: Argument, results: Sequence[Json], filling: Filling) -> Json:
    if isinstance(given, list):
        return [_value(each, results, filling) for each in given]
    if not isinstance(given, ResultReference):
        return given
    return _fields(filling.plan[given.step].tool, results[given.step]).get(given.field)


def _fields(tool: str, output: Json) -> dict[str, Json]:
    found = {field.name: at(output, field.path) for field in returned(tool)}
    return {name: value for name, value in found.items() if value is not None}


def _facts(filling: Filling, results: Sequence[Json]) -> Iterator[str]:
    """What was found, as short statements: of every call what the request has words for, most of the last."""
    asked = [word for word in re.findall(r"[a-z]+", filling.text.casefold()) if len(word) >= SHORTEST_WORD]
    for place, (step, output) in enumerate(zip(filling.plan, results, strict=True), 1):
        found = dict(_scalars(output))
        wanted = [name for name in found if any(word in spoken(name).replace(" ", "") for word in asked)]
        most = MOST_FACTS if place == len(filling.plan) else 1
        chosen = [*wanted, *(name for name in found if name not in wanted)][:most]
        if chosen:
            noun = library()[step.tool].facts.noun or "result"
            yield f"{noun.capitalize()}: {', '.join(f'{spoken(name)} {found[name]}' for name in chosen)}."


def _scalars(output: Json) -> Iterator[tuple[str, Json]]:
    """The plain values of a result, of a list those of its first entry."""
    if isinstance(output, list):
        yield from _scalars(output[0] if output else None)
    elif isinstance(output, Mapping):
        for name, value in output.items():
            if isinstance(value, Mapping | list):
                yield from _scalars(value)
            elif value not in (None, "") and len(str(value)) <= LONGEST_FACT:
                yield name, value
