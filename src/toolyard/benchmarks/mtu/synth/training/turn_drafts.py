"""The turns of an MTU part, each with its distractor tools: drafts that become rows one by one.

So many of every kind are taken as the evaluation has, evenly over where they come from. A kind is a setting with a number
of calls. The released files have these shares of turns without a call: S-S 25 %, M-S 50 %, M-M 54 %; of turns with two
calls or more: S-M 100 % (85 % with a reference), M-M 27 %.

Requests that no corpus has: of Seal-Tools, of the book of goals, and two single requests as one.

goal     calls that take each other's results, alone or after some talk that says nothing a call would need
vague    both say too little for a call: nothing is called, both are asked about
"""

import functools
import math
import random
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.instruct.composing import (
    compose_row,
    documents_of_parts,
    go_together,
    join_requests,
)
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    TRAIN,
    Document,
    StandardRow,
    all_as_json,
    standard_row,
)
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import PHRASES, write_thought
from toolyard.benchmarks.mtu.synth.instruct.tool_library import names_beside
from toolyard.benchmarks.mtu.synth.training.tool_lists import SHARES, SIZES, KnownTool, draw_key, from_flat
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import gold_arguments
from toolyard.benchmarks.nestools.synth.record_documents import document
from toolyard.benchmarks.nestools.synth.similar_tools import names, pool
from toolyard.core.types import JsonValue, derived_seed
from toolyard.synth.goals.goal_book import Filling
from toolyard.synth.mixture import seal_tools
from toolyard.synth.mixture.goal_requests import SOURCE as GOALS
from toolyard.synth.mixture.goal_requests import all_goal_drafts, filling_of, trained_goals
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.seal_tools import SealRequest
from toolyard.synth.stages import Context, Row, Rows
from toolyard.text.names import join_with_and

KINDS: Mapping[tuple[str, int], int] = {
    (setting, int(calls)): share for setting, row in SHARES["kinds"].items() for calls, share in row.items()
}
WEIGHTS: Mapping[str, float] = SHARES["weights"]


@dataclass(frozen=True, slots=True, order=True)
class Candidate:
    """One turn that could be trained on; `stratum` says where it comes from and what it is."""

    id: str
    place: int
    setting: str
    calls: int
    stratum: str

    @property
    def kind(self) -> tuple[str, int]:
        """Its place in the table of shares."""
        most = {"S-S": 1, "M-S": 1, "M-M": 3}.get(self.setting, 5)
        return self.setting, min(self.calls, most)


def wanted_of_kinds(rows: int, there: Collection[tuple[str, int]] = KINDS) -> dict[tuple[str, int], int]:
    """How many rows of every kind a mixture of that size takes, out of the kinds that are there."""
    total = sum(share for kind, share in KINDS.items() if kind in there)
    return {kind: round(rows * share / total) for kind, share in KINDS.items() if kind in there}


def choose_turns(candidates: Sequence[Candidate], rows: int, seed: int) -> list[Candidate]:
    """The turns that are taken, kind by kind; strata by the root of their size, so that no source drowns the others."""
    by_kind: dict[tuple[str, int], dict[str, list[Candidate]]] = {}
    for each in candidates:
        by_kind.setdefault(each.kind, {}).setdefault(each.stratum, []).append(each)
    taken: list[Candidate] = []
    for kind, count in wanted_of_kinds(rows, by_kind).items():
        strata = by_kind[kind]
        shares = _shares({name: len(members) for name, members in strata.items()}, count)
        for name in sorted(strata):
            rng = random.Random(derived_seed(seed, f"choose/{kind}/{name}", 0))
            taken += rng.sample(sorted(strata[name]), shares[name])
    return sorted(taken)


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """How many each stratum gives: by the root of its size, never more than it has."""
    shares = dict.fromkeys(sizes, 0)
    left = min(wanted, sum(sizes.values()))
    while left:
        free = {name: _weight(name, sizes[name]) for name in sizes if shares[name] < sizes[name]}
        total = sum(free.values())
        given = 0
        for name in sorted(free, key=lambda name: (-free[name], name)):
            more = min(max(1, int(left * free[name] / total)), sizes[name] - shares[name], left - given)
            shares[name] += more
            given += more
        left -= given
    return shares


def _weight(stratum: str, size: int) -> float:
    return math.sqrt(size) * math.prod(WEIGHTS.get(word, 1.0) for word in stratum.split())


TALKED = 0.5
# Openings that say too little, joined two by two, as a share of those there are.
VAGUE = 0.6
# Two goals asked for in one turn, as a share of all requests.
DOUBLED = 0.4
# The place that stands for a single request without its tool.
TOOL_GONE = -1


@dataclass(slots=True)
class Material:
    """What drafts are made of: tools by source, requests that say too little, dialogues that no
    corpus has, and the goals behind some of these."""

    tools: dict[str, dict[str, KnownTool]] = field(default_factory=lambda: defaultdict(dict))
    vague: dict[str, list[StandardRow]] = field(default_factory=lambda: defaultdict(list))
    made: dict[str, StandardRow] = field(default_factory=dict)
    goals: dict[str, list[Mapping[str, JsonValue]]] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)

    def add(self, row: StandardRow, stratum: str) -> None:
        """A dialogue that was made, with all of its turns."""
        self.made[row.id] = row
        for place, turn in enumerate(row.turns):
            self.candidates.append(Candidate(row.id, place, row.setting, len(turn.calls), stratum))


def chosen_drafts(rows: Rows, count: int, context: Context) -> Iterator[dict[str, JsonValue]]:
    """So many turns, in the order of the dialogues."""
    material = gather_material(rows, context)
    taken: dict[str, list[Candidate]] = defaultdict(list)
    for each in choose_turns(material.candidates, count, context.seed):
        taken[each.id].append(each)
    for row in rows:
        for each in taken.get(row["id"], ()):
            yield _draft(standard_row(row), each.place, material, context.seed)
    for name, made in material.made.items():
        for each in taken.get(name, ()):
            yield _draft(made, each.place, material, context.seed)


def gather_material(rows: Rows, context: Context) -> Material:
    """One walk over everything: what there is to choose from."""
    material = Material()
    for row in rows:
        if row["split"] == TRAIN:
            _note(row, material)
    rng = random.Random(derived_seed(context.seed, "made", 0))
    for source, vague in sorted(material.vague.items()):
        for made in two_vague_requests(vague, round(VAGUE * len(vague)), rng):
            material.add(made, f"{source} vague")
    _add_goals(material, rng)
    sources = context.folders.get("sources")
    if sources is not None and seal_tools.is_here(sources):
        _add_seal(sources, material, rng)
    return material


def _note(row: Row, material: Material) -> None:
    source, setting, turns = row["source"], row["setting"], row["turns"]
    hard = bool(row.get("made_hard"))
    for listed in () if hard else row["documents"]:
        originals = frozenset(row["originals"].get(listed["name"], ()))
        known = KnownTool(listed, originals, frozenset(row["topics"]))
        material.tools[source].setdefault(listed["name"], known)
    for place, turn in enumerate(turns):
        calls = len(turn["calls"])
        kind = row.get("composed", "") if calls > 1 else "" if calls else str(turn.get("label"))
        material.candidates.append(Candidate(row["id"], place, setting, calls, f"{source} {kind}"))
    opening = turns[0]
    if not hard and not opening["calls"] and opening.get("label") == "missing":
        material.vague[source].append(standard_row({**row, "turns": turns[:1]}))
    if setting == "S-S" and len(turns[0]["calls"]) == 1 and not hard:
        material.candidates.append(Candidate(row["id"], TOOL_GONE, setting, 0, f"{source} unable"))


def _add_goals(material: Material, rng: random.Random) -> None:
    material.tools[GOALS] = dict(world_tools())
    plain: list[StandardRow] = []
    for draft, filling in requests():
        turn = request_turn(filling, rng)
        topics = sorted({step.tool.split("/")[0] for step in filling.plan})
        own = own_tools(filling)
        row = _plain(draft["id"], GOALS, (turn,), own, topics, draft["origin"])
        plain.append(row)
        _add_goal(row, [draft], material, GOALS)
        if rng.random() < TALKED:
            field_of_goal = trained_goals()[draft["goal"]].field.split("/")[-1].lower()
            turns = with_talk(turn, field_of_goal, rng)
            _add_goal(replace(row, id=f"{row.id}#talk", setting="M-M", turns=turns), [draft], material, GOALS)
    for _ in range(round(DOUBLED * len(plain))):
        first, second = rng.sample(plain, 2)
        _add_both(first, second, material, rng)


def _add_goal(
    row: StandardRow, behind: list[Mapping[str, JsonValue]], material: Material, stratum: str
) -> None:
    material.add(row, stratum)
    material.goals[row.id] = behind


def _add_both(first: StandardRow, second: StandardRow, material: Material, rng: random.Random) -> None:
    """Two requests in one turn, where no tool is called twice."""
    if len(documents_of_parts([first, second])) < len(first.documents) + len(second.documents):
        return
    one, other = first.turns[0], second.turns[0]
    turn = DialogueTurn(
        join_requests([one.user, other.user], rng), label="call", calls=(*one.calls, *other.calls)
    )
    turns = (replace(turn, thought=write_thought(turn, (), rng)),)
    row = compose_row([first, second], f"{first.id}+{second.id}", turns, "both")
    _add_goal(row, [*material.goals[first.id], *material.goals[second.id]], material, f"{GOALS} both")


def _add_seal(sources: Path, material: Material, rng: random.Random) -> None:
    tools = seal_tools.tools_of(sources)
    material.tools[seal_tools.NAME] = known_tools(tools)
    for request in seal_tools.seal_requests(sources):
        turn = turn_of(request, rng)
        own = tuple(from_flat(tool) for tool in request.tools)
        topics = sorted({str(tool["field"]).split("/")[0] for tool in request.tools})
        row = _plain(request.id, seal_tools.NAME, (turn,), own, topics, request.id)
        material.add(row, seal_tools.NAME)


def _plain(
    name: str,
    source: str,
    turns: tuple[DialogueTurn, ...],
    own: Sequence[Document],
    topics: Sequence[str],
    origin: str,
) -> StandardRow:
    setting = "S-M" if len(turns[0].calls) > 1 else "S-S"
    return StandardRow(name, source, "", topics, "", TRAIN, [origin], turns, own, (), {}, setting=setting)


def _draft(row: StandardRow, place: int, material: Material, seed: int) -> dict[str, Any]:
    """One turn with what stands before it and the tools that it lists."""
    known: Mapping[str, KnownTool] = material.tools[row.source]
    rng = random.Random(derived_seed(seed, f"draft/{row.id}", place))
    name, last = f"{row.id}/{place}", place
    if place == TOOL_GONE:
        # Only tools of other topics: one of the same might do the job.
        known = {each: tool for each, tool in known.items() if tool.topics.isdisjoint(row.topics)}
        row, name, last = without_tool(row, rng.choice(PHRASES["unable"])), f"{row.id}#unable", 0
    own = {str(document["name"]): document for document in row.documents}
    taken = {word for tool in own for word in row.originals.get(tool, ())}
    count = max(0 if own else 1, int(draw_key(SIZES[row.setting], rng)) - len(own))
    return {
        "id": name,
        "origin": row.origins[0],
        "source": row.source,
        "setting": row.setting,
        "turns": all_as_json(row.turns[: last + 1]),
        "own": list(own.values()),
        "others": [known[each].document for each in names_beside(known, own, taken, row.topics, count, rng)],
        **({"goals": material.goals[row.id]} if row.id in material.goals else {}),
    }


def without_tool(row: StandardRow, reason: str) -> StandardRow:
    """A single request whose tool is not in the list."""
    turn = replace(row.turns[0], calls=(), label="unable", thought=reason)
    return replace(row, turns=(turn,), documents=())


def turn_of(request: SealRequest, rng: random.Random) -> DialogueTurn:
    """The request as a turn; what an earlier call returns is named `Tool.result`."""
    results = {
        label: f"{call['api']}.{result}"
        for call, tool in zip(request.calling, request.tools, strict=True)
        for label, result in zip(call["responses"], tool["responses"], strict=False)
    }
    calls = tuple(
        DialogueCall(
            call["api"],
            {
                key: results.get(value, value) if isinstance(value, str) else value
                for key, value in call["parameters"].items()
            },
        )
        for call in request.calling
    )
    turn = DialogueTurn(request.query, label="call", calls=calls)
    return replace(turn, thought=write_thought(turn, (), rng))


def known_tools(tools: Mapping[str, Mapping[str, JsonValue]]) -> dict[str, KnownTool]:
    """The distractor tools that a request may list."""
    return {
        name: KnownTool(
            from_flat(tool), frozenset({name.casefold()}), frozenset({str(tool["field"]).split("/")[0]})
        )
        for name, tool in tools.items()
    }


@functools.cache
def world_tools() -> Mapping[str, KnownTool]:
    """The distractor tools that a goal may list."""
    shown = {tool: from_flat(document(tool)) for tool in pool() if not is_held_out(tool)}
    return {
        str(each["name"]): KnownTool(each, frozenset({tool}), frozenset({tool.split("/")[0]}))
        for tool, each in shown.items()
    }


def requests() -> Iterator[tuple[dict[str, Any], Filling]]:
    """Every request whose tools are each called once: an answer is an object of tool names."""
    for draft in all_goal_drafts():
        filling = filling_of(draft)
        if len({step.tool for step in filling.plan}) == len(filling.plan):
            yield draft, filling


def own_tools(filling: Filling) -> tuple[dict[str, JsonValue], ...]:
    """The documents of the tools that a request is for."""
    return tuple(from_flat(document(step.tool)) for step in filling.plan)


def request_turn(filling: Filling, rng: random.Random) -> DialogueTurn:
    """The turn that asks for everything at once."""
    labels = [names()[step.tool] for step in filling.plan]
    calls = tuple(
        DialogueCall(names()[step.tool], gold_arguments(step.arguments, labels)) for step in filling.plan
    )
    turn = DialogueTurn(filling.text, "Here is what I found.", "call", calls=calls)
    return replace(turn, thought=write_thought(turn, (), rng))


def with_talk(turn: DialogueTurn, field: str, rng: random.Random) -> tuple[DialogueTurn, ...]:
    """The request after an opening and, more often than not, before a closing."""
    opening, reply = rng.choice(WORDS["openings"])
    turns = [
        DialogueTurn(opening.format(field=field), reply, "missing", thought=rng.choice(WORDS["no_wish"])),
        turn,
    ]
    if rng.random() < 0.6:
        turns.append(
            DialogueTurn(
                rng.choice(WORDS["closings"]), "You are welcome.", "chat", thought=rng.choice(WORDS["done"])
            )
        )
    return tuple(turns)


WORDS: Mapping[str, Sequence[Any]] = tomllib.loads(
    Path(__file__).with_name("phrases.toml").read_text("utf-8")
)


VAGUE_TRIES = 8


def two_vague_requests(rows: Sequence[StandardRow], count: int, rng: random.Random) -> Iterator[StandardRow]:
    """So many turns of two openings of one source that say too little."""
    openings = [opening for opening in map(_opening, rows) if opening.documents]
    made: set[tuple[str, str]] = set()
    for _ in range(count * VAGUE_TRIES if len(openings) > 1 else 0):
        if len(made) == count:
            return
        first, second = rng.sample(openings, 2)
        if (
            (first.id, second.id) in made
            or _tools(first) & _tools(second)
            or not go_together([first, second])
        ):
            continue
        made.add((first.id, second.id))
        yield _join_rows(first, second, rng)


def _opening(row: StandardRow) -> StandardRow:
    """The first turn with the tools that its thought names; what was answered is not looked at."""
    turn = replace(row.turns[0], assistant="")
    documents = [each for each in row.documents if each["name"] in turn.thought]
    return replace(row, turns=(turn,), documents=documents)


def _tools(row: StandardRow) -> set[str]:
    return {str(document["name"]) for document in row.documents}


def _join_rows(first: StandardRow, second: StandardRow, rng: random.Random) -> StandardRow:
    one, other = first.turns[0], second.turns[0]
    user = join_requests([one.user, other.user], rng)
    tools = join_with_and([*documents_of_parts([first, second])])
    turn = replace(one, user=user, thought=rng.choice(WORDS["vague_thoughts"]).format(tools=tools))
    row = compose_row([first, second], f"{first.id}+{second.id}#vague", (turn,), "vague")
    return replace(row, setting="M-M")
