"""Which turns an MTU part is made of, each with the tools beside its own: drafts that become rows one by one."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    Document,
    StandardRow,
    StandardTurn,
    all_written,
    standard_row,
)
from toolyard.benchmarks.mtu.synth.instruct.request_words import joined
from toolyard.benchmarks.mtu.synth.instruct.settings import TRAIN
from toolyard.benchmarks.mtu.synth.instruct.written_thoughts import UNABLE, thought
from toolyard.benchmarks.mtu.synth.training import goal_dialogues, seal_turns
from toolyard.benchmarks.mtu.synth.training.chosen_turns import Candidate, chosen, wanted_of_kinds
from toolyard.benchmarks.mtu.synth.training.linked_requests import linked_rows
from toolyard.benchmarks.mtu.synth.training.tool_lists import (
    SIZES,
    KnownTool,
    drawn,
    from_flat,
    others_beside,
)
from toolyard.benchmarks.mtu.synth.training.vague_requests import two_vague_requests
from toolyard.core.types import JsonValue, derived_seed
from toolyard.synth.mixture import seal_tools
from toolyard.synth.mixture.goal_requests import SOURCE as GOALS
from toolyard.synth.mixture.goal_requests import trained_goals
from toolyard.synth.stages import Context, Row, Rows

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
    material = gathered(rows, count, context)
    taken: dict[str, list[Candidate]] = defaultdict(list)
    for each in chosen(material.candidates, count, context.seed):
        taken[each.id].append(each)
    for row in rows:
        for each in taken.get(row["id"], ()):
            yield _draft(standard_row(row), each.place, material, context.seed)
    for name, made in material.made.items():
        for each in taken.get(name, ()):
            yield _draft(made, each.place, material, context.seed)


def gathered(rows: Rows, count: int, context: Context) -> Material:
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
    material.tools[GOALS] = dict(goal_dialogues.world_tools())
    plain: list[StandardRow] = []
    for draft, filling in goal_dialogues.requests():
        turn = goal_dialogues.asked(filling, rng)
        topics = sorted({step.tool.split("/")[0] for step in filling.plan})
        own = goal_dialogues.own_tools(filling)
        row = _plain(draft["id"], GOALS, (turn,), own, topics, draft["origin"])
        plain.append(row)
        _add_goal(row, [draft], material, GOALS)
        if rng.random() < TALKED:
            field_of_goal = trained_goals()[draft["goal"]].field.split("/")[-1].lower()
            turns = goal_dialogues.with_talk(turn, field_of_goal, rng)
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
    own = {str(document["name"]): document for document in (*first.documents, *second.documents)}
    if len(own) < len(first.documents) + len(second.documents):
        return
    one, other = first.turns[0], second.turns[0]
    turn = StandardTurn(joined([one.user, other.user], rng), label="call", calls=(*one.calls, *other.calls))
    row = replace(
        first,
        id=f"{first.id}+{second.id}",
        topics=sorted({*first.topics, *second.topics}),
        turns=(replace(turn, thought=thought(turn, (), rng)),),
        documents=list(own.values()),
    )
    _add_goal(row, [*material.goals[first.id], *material.goals[second.id]], material, f"{GOALS} both")


def _add_seal(sources: Path, material: Material, rng: random.Random) -> None:
    tools = seal_tools.tools_of(sources)
    material.tools[seal_tools.NAME] = seal_turns.known_tools(tools)
    for request in seal_tools.seal_requests(sources):
        turn = seal_turns.turn_of(request, rng)
        own = tuple(from_flat(tool) for tool in request.tools)
        topics = sorted({str(tool["field"]).split("/")[0] for tool in request.tools})
        row = _plain(request.id, seal_tools.NAME, (turn,), own, topics, request.id)
        material.add(row, seal_tools.NAME)


def _plain(
    name: str,
    source: str,
    turns: tuple[StandardTurn, ...],
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
        row, name, last = without_tool(row, rng.choice(UNABLE)), f"{row.id}#unable", 0
    own = {str(document["name"]): document for document in row.documents}
    taken = {word for tool in own for word in row.originals.get(tool, ())}
    count = max(0 if own else 1, drawn(SIZES[row.setting], rng) - len(own))
    return {
        "id": name,
        "origin": row.origins[0],
        "source": row.source,
        "setting": row.setting,
        "turns": all_written(row.turns[: last + 1]),
        "own": list(own.values()),
        "others": others_beside(own, taken, row.topics, known, count, rng),
        **({"goals": material.goals[row.id]} if row.id in material.goals else {}),
    }


def without_tool(row: StandardRow, reason: str) -> StandardRow:
    """A single request whose tool is not in the list."""
    turn = replace(row.turns[0], calls=(), label="unable", thought=reason)
    return replace(row, turns=(turn,), documents=())
