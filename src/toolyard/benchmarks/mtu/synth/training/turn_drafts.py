"""The turns of an MTU part, each with its distractor tools: drafts that become rows one by one.

So many of every kind are taken as the evaluation has, evenly over where they come from. A kind is a setting with a number
of calls. The released files have these shares of turns without a call: S-S 25 %, M-S 50 %, M-M 54 %; of turns with two
calls or more: S-M 100 % (85 % with a reference), M-M 27 %.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueTurn
from toolyard.benchmarks.mtu.synth.instruct.completed_turns import PHRASES, write_thought
from toolyard.benchmarks.mtu.synth.instruct.composing import compose_row, documents_of_parts, join_requests
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    TRAIN,
    Document,
    StandardRow,
    all_as_json,
    standard_row,
)
from toolyard.benchmarks.mtu.synth.training.composed_requests import (
    known_tools,
    linked_rows,
    own_tools,
    request_turn,
    requests,
    turn_of,
    two_vague_requests,
    with_talk,
    world_tools,
)
from toolyard.benchmarks.mtu.synth.training.tool_lists import (
    SHARES,
    SIZES,
    KnownTool,
    draw_key,
    from_flat,
    others_beside,
)
from toolyard.core.types import JsonValue, derived_seed
from toolyard.synth.mixture import seal_tools
from toolyard.synth.mixture.goal_requests import SOURCE as GOALS
from toolyard.synth.mixture.goal_requests import trained_goals
from toolyard.synth.stages import Context, Row, Rows

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


# Single requests kept for linking, of every source.
KEPT_FOR_LINKS = 4000
# Linked requests made for every row of several calls that is wanted.
LINKED = 0.6
TALKED = 0.5
# Openings that say too little, joined two by two, as a share of those there are.
VAGUE = 0.6
# Two goals asked for in one turn, as a share of all requests.
DOUBLED = 0.4
# The place that stands for a single request without its tool.
TOOL_GONE = -1


@dataclass(slots=True)
class Material:
    """What drafts are made of: tools by source, single requests to link, requests that say too little, dialogues that no
    corpus has, and the goals behind some of these."""

    tools: dict[str, dict[str, KnownTool]] = field(default_factory=lambda: defaultdict(dict))
    single: dict[str, list[StandardRow]] = field(default_factory=lambda: defaultdict(list))
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
    material = gather_material(rows, count, context)
    taken: dict[str, list[Candidate]] = defaultdict(list)
    for each in choose_turns(material.candidates, count, context.seed):
        taken[each.id].append(each)
    for row in rows:
        for each in taken.get(row["id"], ()):
            yield _draft(standard_row(row), each.place, material, context.seed)
    for name, made in material.made.items():
        for each in taken.get(name, ()):
            yield _draft(made, each.place, material, context.seed)


def gather_material(rows: Rows, count: int, context: Context) -> Material:
    """One walk over everything: what there is to choose from."""
    material = Material()
    for row in rows:
        if row["split"] == TRAIN:
            _note(row, material)
    rng = random.Random(derived_seed(context.seed, "links", 0))
    several = sum(number for (setting, _), number in wanted_of_kinds(count).items() if setting == "S-M")
    total = sum(map(len, material.single.values()))
    for source, single in sorted(material.single.items()):
        for made in linked_rows(single, round(LINKED * several * len(single) / total), rng):
            material.add(made, f"{source} linked")
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
    for document in () if hard else row["documents"]:
        originals = frozenset(row["originals"].get(document["name"], ()))
        known = KnownTool(document, originals, frozenset(row["topics"]))
        material.tools[source].setdefault(document["name"], known)
    for place, turn in enumerate(turns):
        calls = len(turn["calls"])
        kind = row.get("composed", "") if calls > 1 else "" if calls else str(turn.get("label"))
        material.candidates.append(Candidate(row["id"], place, setting, calls, f"{source} {kind}"))
    opening = turns[0]
    if not hard and not opening["calls"] and opening.get("label") == "missing":
        material.vague[source].append(standard_row({**row, "turns": turns[:1]}))
    if setting == "S-S" and len(turns[0]["calls"]) == 1 and not hard:
        material.candidates.append(Candidate(row["id"], TOOL_GONE, setting, 0, f"{source} unable"))
        if len(material.single[source]) < KEPT_FOR_LINKS:
            material.single[source].append(standard_row(row))


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
        "others": others_beside(own, taken, row.topics, known, count, rng),
        **({"goals": material.goals[row.id]} if row.id in material.goals else {}),
    }


def without_tool(row: StandardRow, reason: str) -> StandardRow:
    """A single request whose tool is not in the list."""
    turn = replace(row.turns[0], calls=(), label="unable", thought=reason)
    return replace(row, turns=(turn,), documents=())
