"""The turns of an MTU part, each with its distractor tools: drafts that become rows one by one.

So many of every kind are taken as the evaluation has, evenly over where they come from. A kind is a setting with a number
of calls. Tool lists are as long as those of the released files, by setting; nothing else of those files is used. They
have these shares of turns without a call: S-S 25 %, M-S 50 %, M-M 54 %; of turns with two
calls or more: S-M 100 % (85 % with a reference), M-M 27 %.

Requests that no corpus has: of Seal-Tools, of the book of goals, and two single requests as one.

goal     calls that take each other's results, alone or after some talk that says nothing a call would need
vague    both say too little for a call: nothing is called, both are asked about
"""

import math
import random
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn, group_values
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
    dialogue_setting,
    items_to_json,
    standard_row,
)
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import PHRASES, write_thought
from toolyard.benchmarks.mtu.synth.instruct.tool_library import names_beside
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import gold_arguments
from toolyard.benchmarks.nestools.synth.record_documents import record_document
from toolyard.benchmarks.nestools.synth.similar_tools import names, pool
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.synth.mixture import seal_tools
from toolyard.synth.mixture.goal_requests import SOURCE as GOALS
from toolyard.synth.mixture.goal_requests import all_goal_drafts, draft_filling, trained_goals
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.seal_tools import SealRequest
from toolyard.synth.stages import Context, Row, Rows
from toolyard.text.documents import from_nestools, to_mtu
from toolyard.text.names import join_with_and

SHARES: Record = tomllib.loads(Path(__file__).with_name("turn_shares.toml").read_text("utf-8"))
KINDS: Mapping[tuple[str, int], int] = {
    (setting, int(calls)): share for setting, row in SHARES["kinds"].items() for calls, share in row.items()
}
WEIGHTS: Mapping[str, float] = SHARES["weights"]
# How many tools stand in a list, by setting.
SIZES: Mapping[str, Mapping[str, int]] = SHARES["sizes"]


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool that a list may hold; a list never holds two tools with the same name in the source."""

    document: Document
    originals: frozenset[str]
    topics: frozenset[str]


def flat_to_mtu(tool: Record) -> dict[str, JsonValue]:
    """A tool that is documented flat, as NesTools and Seal-Tools do, in the form of MTU-Bench."""
    return to_mtu(from_nestools(tool))


def draw_key(odds: Mapping[Any, int], rng: random.Random) -> Any:
    """One of the keys, as often as its number says."""
    return rng.choices(list(odds), weights=list(odds.values()))[0]


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


def choose_turns(candidates: Sequence[Candidate], rows: int, seed: int) -> list[Candidate]:
    """The turns that are taken, kind by kind; strata by the root of their size, so that no source drowns the others."""
    by_kind = group_values((each.kind, each) for each in candidates)
    taken: list[Candidate] = []
    known = {kind: share for kind, share in KINDS.items() if kind in by_kind}
    for kind, share in known.items():
        strata = group_values((each.stratum, each) for each in by_kind[kind])
        count = round(rows * share / sum(known.values()))
        shares = _stratum_shares({name: len(members) for name, members in strata.items()}, count)
        for name in sorted(strata):
            rng = random.Random(derived_seed(seed, f"choose/{kind}/{name}", 0))
            taken += rng.sample(sorted(strata[name]), shares[name])
    return sorted(taken)


def _stratum_shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """How many each stratum gives: by the weighted root of its size, never more than it has."""
    weights = {
        name: math.sqrt(size) * math.prod(WEIGHTS.get(word, 1.0) for word in name.split())
        for name, size in sizes.items()
    }
    shares = dict.fromkeys(sizes, 0)
    left = min(wanted, sum(sizes.values()))
    while left:
        free = {name: weights[name] for name in sizes if shares[name] < sizes[name]}
        total = sum(free.values())
        given = 0
        for name in sorted(free, key=lambda name: (-free[name], name)):
            more = min(max(1, int(left * free[name] / total)), sizes[name] - shares[name], left - given)
            shares[name] += more
            given += more
        left -= given
    return shares


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
    goals: dict[str, Sequence[Mapping[str, JsonValue]]] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)

    def add(self, row: StandardRow, stratum: str, goals: Sequence[Mapping[str, JsonValue]] = ()) -> None:
        """A dialogue that was made, with all of its turns and the goals behind it."""
        self.made[row.id] = row
        if goals:
            self.goals[row.id] = goals
        for place, turn in enumerate(row.turns):
            self.candidates.append(Candidate(row.id, place, row.setting, len(turn.calls), stratum))


def chosen_drafts(rows: Rows, count: int, context: Context) -> Iterator[dict[str, JsonValue]]:
    """So many turns, in the order of the dialogues."""
    material = gather_material(rows, context)
    chosen = choose_turns(material.candidates, count, context.seed)
    taken = group_values((each.id, each.place) for each in chosen)
    for row in rows:
        for place in taken.get(row["id"], ()):
            yield _draft_of_turn(standard_row(row), place, material, context.seed)
    for made in material.made.values():
        for place in taken.get(made.id, ()):
            yield _draft_of_turn(made, place, material, context.seed)


def gather_material(rows: Rows, context: Context) -> Material:
    """One walk over everything: what there is to choose from."""
    material = Material()
    for row in rows:
        if row["split"] == TRAIN:
            _note_material(row, material)
    rng = random.Random(derived_seed(context.seed, "made", 0))
    for source, vague in sorted(material.vague.items()):
        for made in two_vague_requests(vague, round(VAGUE * len(vague)), rng):
            material.add(made, f"{source} vague")
    _add_goals(material, rng)
    sources = context.folders.get("sources")
    if sources is not None and seal_tools.is_here(sources):
        _add_seal(sources, material, rng)
    return material


def _note_material(row: Row, material: Material) -> None:
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
    listed = [_known_tool(record_document(tool), tool, tool) for tool in pool() if not is_held_out(tool)]
    material.tools[GOALS] = {str(each.document["name"]): each for each in listed}
    plain: list[StandardRow] = []
    drafts: Iterable[Record] = all_goal_drafts()
    for draft in drafts:
        filling = draft_filling(draft)
        called = [step.tool for step in filling.plan]
        # An answer is an object of tool names: each tool is called once.
        if len({*called}) < len(called):
            continue
        labels = [names()[tool] for tool in called]
        calls = (
            DialogueCall(names()[step.tool], gold_arguments(step.arguments, labels)) for step in filling.plan
        )
        turn = _calling_turn(filling.text, calls, "Here is what I found.", rng)
        documents = [flat_to_mtu(record_document(tool)) for tool in called]
        topics = {tool.split("/")[0] for tool in called}
        row = _request_row(draft["id"], GOALS, turn, documents, topics, draft["origin"])
        plain.append(row)
        material.add(row, GOALS, [draft])
        if rng.random() < TALKED:
            field_of_goal = trained_goals()[draft["goal"]].field.split("/")[-1].lower()
            turns = surround_with_talk(turn, field_of_goal, rng)
            material.add(replace(row, id=f"{row.id}#talk", setting="M-M", turns=turns), GOALS, [draft])
    for _ in range(round(DOUBLED * len(plain))):
        first, second = rng.sample(plain, 2)
        _add_both(first, second, material, rng)


def _add_both(first: StandardRow, second: StandardRow, material: Material, rng: random.Random) -> None:
    """Two requests in one turn, where no tool is called twice."""
    if len(documents_of_parts([first, second])) < len(first.documents) + len(second.documents):
        return
    one, other = first.turns[0], second.turns[0]
    turn = _calling_turn(join_requests([one.user, other.user], rng), (*one.calls, *other.calls), "", rng)
    row = compose_row([first, second], f"{first.id}+{second.id}", (turn,), "both")
    material.add(row, f"{GOALS} both", [*material.goals[first.id], *material.goals[second.id]])


def _add_seal(sources: Path, material: Material, rng: random.Random) -> None:
    tools = seal_tools.seal_tools_by_name(sources)
    material.tools[seal_tools.NAME] = {
        name: _known_tool(tool, name.casefold(), str(tool["field"])) for name, tool in tools.items()
    }
    for request in seal_tools.seal_requests(sources):
        turn = _calling_turn(request.query, seal_calls(request), "", rng)
        documents = [flat_to_mtu(tool) for tool in request.tools]
        topics = {str(tool["field"]).split("/")[0] for tool in request.tools}
        row = _request_row(request.id, seal_tools.NAME, turn, documents, topics, request.id)
        material.add(row, seal_tools.NAME)


def _request_row(
    name: str,
    source: str,
    turn: DialogueTurn,
    documents: Sequence[Document],
    topics: Iterable[str],
    origin: str,
) -> StandardRow:
    """A row of one request, with the documents of its tools alone."""
    setting, about = dialogue_setting([turn]), sorted(topics)
    return StandardRow(
        name, source, "", about, "", TRAIN, [origin], (turn,), documents, (), {}, setting=setting
    )


def _calling_turn(user: str, calls: Iterable[DialogueCall], reply: str, rng: random.Random) -> DialogueTurn:
    """A turn whose calls follow from what the user says in it."""
    turn = DialogueTurn(user, reply, "call", calls=tuple(calls))
    return replace(turn, thought=write_thought(turn, (), rng))


def _draft_of_turn(row: StandardRow, place: int, material: Material, seed: int) -> dict[str, Any]:
    """One turn with what stands before it and the tools that it lists."""
    known: Mapping[str, KnownTool] = material.tools[row.source]
    rng = random.Random(derived_seed(seed, f"draft/{row.id}", place))
    name, last = f"{row.id}/{place}", place
    if place == TOOL_GONE:
        # Only tools of other topics: one of the same might do the job.
        known = {each: tool for each, tool in known.items() if tool.topics.isdisjoint(row.topics)}
        turn = replace(row.turns[0], calls=(), label="unable", thought=rng.choice(PHRASES["unable"]))
        row, name, last = replace(row, turns=(turn,), documents=()), f"{row.id}#unable", 0
    own = {str(document["name"]): document for document in row.documents}
    taken = {word for tool in own for word in row.originals.get(tool, ())}
    count = max(0 if own else 1, int(draw_key(SIZES[row.setting], rng)) - len(own))
    return {
        "id": name,
        "origin": row.origins[0],
        "source": row.source,
        "setting": row.setting,
        "turns": items_to_json(row.turns[: last + 1]),
        "own": list(own.values()),
        "others": [known[each].document for each in names_beside(known, own, taken, row.topics, count, rng)],
        **({"goals": material.goals[row.id]} if row.id in material.goals else {}),
    }


def seal_calls(request: SealRequest) -> Iterator[DialogueCall]:
    """The calls of a request; what an earlier call returns is named `Tool.result`."""
    results = {
        label: f"{call['api']}.{result}"
        for call, tool in zip(request.calling, request.tools, strict=True)
        for label, result in zip(call["responses"], tool["responses"], strict=False)
    }
    for call in request.calling:
        arguments = {
            key: results.get(value, value) if isinstance(value, str) else value
            for key, value in call["parameters"].items()
        }
        yield DialogueCall(call["api"], arguments)


def _known_tool(tool: Record, original: str, field: str) -> KnownTool:
    return KnownTool(flat_to_mtu(tool), frozenset({original}), frozenset({field.split("/")[0]}))


def surround_with_talk(turn: DialogueTurn, field: str, rng: random.Random) -> tuple[DialogueTurn, ...]:
    """The request after an opening and, more often than not, before a closing."""
    user, reply = rng.choice(WORDS["openings"])
    opening = DialogueTurn(user.format(field=field), reply, "missing", thought=rng.choice(WORDS["no_wish"]))
    if rng.random() >= 0.6:
        return opening, turn
    thanks = rng.choice(WORDS["closings"])
    return opening, turn, DialogueTurn(thanks, "You are welcome.", "chat", thought=rng.choice(WORDS["done"]))


WORDS: Mapping[str, Sequence[Any]] = tomllib.loads(
    Path(__file__).with_name("phrases.toml").read_text("utf-8")
)


VAGUE_TRIES = 8


def two_vague_requests(rows: Sequence[StandardRow], count: int, rng: random.Random) -> Iterator[StandardRow]:
    """So many turns of two openings of one source that say too little."""
    openings = [opening for opening in map(_opening_row, rows) if opening.documents]
    made: set[tuple[str, str]] = set()
    for _ in range(count * VAGUE_TRIES if len(openings) > 1 else 0):
        if len(made) == count:
            return
        first, second = rng.sample(openings, 2)
        tools = documents_of_parts([first, second])
        shared = len(tools) < len(first.documents) + len(second.documents)
        if (first.id, second.id) in made or shared or not go_together([first, second]):
            continue
        made.add((first.id, second.id))
        user = join_requests([first.turns[0].user, second.turns[0].user], rng)
        thought = rng.choice(WORDS["vague_thoughts"]).format(tools=join_with_and([*tools]))
        turn = replace(first.turns[0], user=user, thought=thought)
        row = compose_row([first, second], f"{first.id}+{second.id}#vague", (turn,), "vague")
        yield replace(row, setting="M-M")


def _opening_row(row: StandardRow) -> StandardRow:
    """The first turn with the tools that its thought names; what was answered is not looked at."""
    turn = replace(row.turns[0], assistant="")
    documents = [each for each in row.documents if each["name"] in turn.thought]
    return replace(row, turns=(turn,), documents=documents)
