"""The pipeline "world": dialogues of requests and goals whose calls were executed, without a model.

{"id": "M-S/00012", "setting": "M-S", "script": "hello missing-a supply-a known-a ask-b thanks", "hard": "",
 "turns": [...], "tools": [...], "inferred": ["DE"]}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from toolyard.benchmarks.mtu.synth.world.card_tables import tables
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import fault
from toolyard.benchmarks.mtu.synth.world.dialogue_writing import NONSENSE
from toolyard.benchmarks.mtu.synth.world.distractor_tools import FEWEST, MOST, alike, distractors
from toolyard.benchmarks.mtu.synth.world.pipeline import DIALOGUES, SETTINGS, shares, write
from toolyard.benchmarks.mtu.synth.world.request_talk import MOVES, RequestTalk, names_of
from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names
from toolyard.core.types import Failure, derived_seed
from toolyard.synth.chains.chain import Chain, execute
from toolyard.synth.chains.rivals import tells_some
from toolyard.synth.chains.substitutes import does, jobs
from toolyard.synth.goals.goal_book import Filling, goals
from toolyard.synth.requests.request_book import UserRequest, user_requests
from toolyard.synth.stages import (
    Context,
    Each,
    Kept,
    Outcome,
    Pipeline,
    Provenance,
    Rejected,
    Row,
    Rows,
    RowSource,
    Whole,
)
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

MOST_GOAL_CALLS = 5
TRIES = 3
# The letter of a request whose tool is not listed.
REFUSED = "c"
DRAFTS_PER_DIALOGUE, LEAST_DRAFTS = 3, 12
# setting -> scripts: a name in front of a colon is the type of Table 8 that makes the dialogue hard.
SCRIPTS = {
    "S-S": ("ask-a", "ask-a", "ask-a", "inability: refuse-c", "nonsensical_names: ask-a"),
    "S-M": ("goal", "goal", "goal", "nonsensical_names: goal"),
    "M-S": (
        "hello missing-a supply-a known-a ask-b thanks",
        "ask-a known-a change-a refuse-c ask-b thanks",
        "missing-a supply-a wait ask-b known-b thanks",
        "missing-a supply-a change-a sure ask-b known-b thanks",
        "hello ask-a sure ask-b thanks",
        "ask-a change-a known-a thanks",
        "missing-a give_up ask-b known-b change-b thanks",
        "hello missing-a supply-a sure refuse-c missing-b supply-b thanks",
        "inability: ask-a refuse-c ask-b thanks",
        "nonsensical_names: missing-a supply-a change-a thanks",
    ),
    "M-M": (
        "hello goal thanks",
        "goal sure ask-a thanks",
        "hello goal wait thanks",
        "missing-a give_up goal thanks",
        "goal refuse-c thanks",
        "hello goal ask-a",
        "nonsensical_names: goal wait thanks",
    ),
}


def drafts(context: Context) -> Iterator[Row | Rejected]:
    """More drafts than dialogues wanted, evenly over settings and scripts."""
    for setting, wanted in shares(context.rows).items():
        for number in range(max(LEAST_DRAFTS, wanted * DRAFTS_PER_DIALOGUE) if wanted else 0):
            script = SCRIPTS[setting][number % len(SCRIPTS[setting])]
            hard, _, moves = script.rpartition(": ")
            yield {
                "id": f"{setting}/{number:05}", "setting": setting, "script": moves, "hard": hard, "number": number,
            }  # fmt: skip


def talk(row: Row, context: Context) -> Outcome:
    """The turns and the tool list of one draft."""
    rng = Random(derived_seed(context.seed, f"wish/{row['id']}", 0))
    moves = [tuple(f"{move}-".split("-")[:2]) for move in row["script"].split()]
    filling = _goal(rng) if any(name == "goal" for name, _ in moves) else None
    parts = _parts(sorted({part for _, part in moves if part}), filling, rng)
    if isinstance(parts, Failure):
        return Rejected(parts.kind, parts.detail)
    refused = [parts[part].tool for name, part in moves if name == "refuse"]
    used = [step.tool for step in filling.plan] if filling else []
    used += [request.tool for part, request in parts.items() if part != REFUSED]
    called = names_of(used, rng.choice(NONSENSE) if row["hard"] == "nonsensical_names" else "", rng)
    made = RequestTalk(parts, filling, called, row["setting"] in ("S-S", "M-S"), rng, World.fresh(0))
    for name, part in moves:
        trouble = MOVES[name](made, part)
        if trouble is not None:
            return Rejected(trouble.kind, trouble.detail)
    tools = _listed(used, refused, called, made, rng)
    return Kept({"turns": made.turns, "tools": tools, "inferred": sorted({*made.inferred})})


def _goal(rng: Random) -> Filling:
    """A goal whose tools are each called once: an answer is an object of tool names."""
    fitting = [
        goal
        for goal in goals()
        if 2 <= len(goal.plan) <= MOST_GOAL_CALLS and len({step.tool for step in goal.plan}) == len(goal.plan)
    ]
    return rng.choice(fitting).drawn(rng)


def _parts(letters: Sequence[str], filling: Filling | None, rng: Random) -> dict[str, UserRequest] | Failure:
    """A request for every letter: of one theme, or of the goal's kind of tools; no two could stand in for each other."""
    taken = [step.tool for step in filling.plan] if filling else []
    kinds = {library()[tool].about for tool in taken}
    pool = list(user_requests())
    rng.shuffle(pool)
    found: dict[str, UserRequest] = {}
    theme = ""
    for letter in letters:
        fitting = (
            request
            for request in pool
            if not any(alike(request.tool, tool) or alike(tool, request.tool) for tool in taken)
            and (not theme or letter == REFUSED or request.theme == theme)
            and (not kinds or letter == REFUSED or library()[request.tool].about in kinds)
        )
        request = next(fitting, None)
        if request is None:
            return Failure("no_fitting_request", letter)
        found[letter] = request
        theme = theme or ("" if filling else request.theme)
        taken.append(request.tool)
    return found


def _listed(
    used: Sequence[str], refused: Sequence[str], called: dict[str, str], made: RequestTalk, rng: Random
) -> list[dict[str, Any]]:
    given: dict[str, set[str]] = {tool: set() for tool in used}
    by_name = {name: tool for tool, name in called.items()}
    for turn in made.turns:
        for call in turn["calls"]:
            given[by_name[call["name"]]] |= set(call["arguments"])
    found = [document(tool, called[tool], used=frozenset(given[tool])) for tool in used]
    found += [document(tool, names()[tool]) for tool in _beside(used, refused, made, rng)]
    rng.shuffle(found)
    return found


def _beside(used: Sequence[str], refused: Sequence[str], made: RequestTalk, rng: Random) -> list[str]:
    """Tools that are not needed: none does, when tried, what was called, or tells any of what was refused."""
    plans = [list(made.goal.plan)] if made.goal else []
    plans += [[made.parts[part].call(values)] for part, values in made.values.items()]
    chains = [chain for chain in map(execute, plans) if isinstance(chain, Chain)]
    wanted = [job for chain in chains for job in jobs(chain)]
    found: list[str] = []
    for _ in range(TRIES):
        found += [
            tool
            for tool in distractors([*used, *found], list(refused), rng)
            if not any(tells_some(tool, each) for each in refused)
            and not any(does(tool, job) for job in wanted)
        ]
        if len(found) >= FEWEST:
            break
    return found[:MOST]


def check(row: Row, context: Context) -> Outcome:  # noqa: ARG001 - the signature of every stage
    """Passes a dialogue that loads, whose gold can be known, and whose calls return the same again."""
    found = fault(row)
    return Kept() if found is None else Rejected(found.kind, found.detail)


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many dialogues of every setting as wanted, no opening request twice, each script in turn."""
    wanted = shares(context.rows)
    said: set[str] = set()
    by_setting: dict[str, list[Row]] = {setting: [] for setting in SETTINGS}
    for row in rows:
        asked = " ".join(
            turn["user"] for turn in row["turns"] if turn["calls"] or turn["situation"] == "inability"
        )
        if asked in said:
            yield Rejected("repeated_request", row=row["id"])
            continue
        said.add(asked)
        by_setting[row["setting"]].append(row)
    for setting, own in by_setting.items():
        for place, row in enumerate(own):
            yield row if place < wanted[setting] else Rejected("surplus", row=row["id"])


def provenance(context: Context) -> Provenance:  # noqa: ARG001 - the signature of every pipeline
    """Our own tools and words."""
    text = (
        "Every call was executed in the world of this package, whose services and people are invented. What users say "
        "is written by hand for each request and goal, with slots. `execution.jsonl` holds the calls as they ran."
    )
    return Provenance(text, {"Toolyard world": "Apache-2.0"})


STAGES = (
    RowSource("drafts", 1, ("setting", "script", "hard", "number"), drafts),
    Each("talk", 4, ("setting", "script", "hard"), ("turns", "tools", "inferred"), talk),
    Each("check", 1, ("setting", "hard", "turns", "tools", "inferred"), (), check),
    Whole("choose", 1, ("setting", "turns"), (), choose),
)
REQUESTS = Pipeline("world", "mtu", STAGES, write, provenance, tables, rows=DIALOGUES, of_world=True)
