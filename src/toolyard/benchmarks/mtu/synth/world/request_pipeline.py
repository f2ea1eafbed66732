"""The pipeline "world": dialogues on one subject, or with one goal, whose calls were executed, without a model.

{"id": "M-S/00012", "setting": "M-S", "form": "M-S", "script": "hello missing-a supply-a known-a ask-b", "hard": "",
 "turns": [...], "tools": [...], "inferred": ["DE"]}

`form` is the setting whose rows look like these; it differs for OOD, where all four occur.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import tables
from toolyard.benchmarks.mtu.synth.world.pipeline import check, provenance, round_robin, shares, write
from toolyard.benchmarks.mtu.synth.world.request_dialogues import MOVES, RequestTalk
from toolyard.benchmarks.mtu.synth.world.subject_book import Subject, is_out_of_domain, subjects, technical
from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names, names_of, tool_list
from toolyard.benchmarks.mtu.synth.world.tools_beside import FEWEST, MOST, alike, distractors, look_alikes
from toolyard.core.types import Failure, derived_seed
from toolyard.synth.chains.chain import Chain, execute
from toolyard.synth.chains.rivals import tells_some
from toolyard.synth.chains.substitutes import Job, can_replace, jobs
from toolyard.synth.goals.goal_book import Filling, fill_phrasing, goals
from toolyard.synth.requests.request_book import UserRequest, drawn_values
from toolyard.synth.stages import (
    Context,
    Each,
    Kept,
    Outcome,
    Pipeline,
    Rejected,
    Row,
    Rows,
    RowSource,
    Whole,
)
from toolyard.world.kernel.state import World

OOD = "OOD"
DIALOGUES = 250
MOST_GOAL_CALLS = 5
TRIES = 3
# The letter of a request whose tool is not listed.
REFUSED = "x"
DRAFTS_PER_DIALOGUE, LEAST_DRAFTS = 2, 12
# What a single request takes at least: the official ones take three and a half parameters.
FEWEST_PARAMETERS = 3


@dataclass(frozen=True, slots=True)
class RequestScript:
    """The moves of a dialogue (`missing-a supply-a`), and the type of Table 8 that makes it hard."""

    form: str
    moves: str
    hard: str = ""


SCRIPTS = tuple(
    RequestScript(*line.split("\t"))
    for line in Path(__file__).with_name("request_scripts.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
)
FORMS = {form: [script for script in SCRIPTS if script.form == form] for form in SETTINGS[:4]}


def drafts(context: Context) -> Iterator[Row | Rejected]:
    """More drafts than dialogues wanted, evenly over settings and scripts."""
    for setting, wanted in shares(context.rows or DIALOGUES, SETTINGS).items():
        known = scripts(setting)
        for number in range(max(LEAST_DRAFTS, wanted * DRAFTS_PER_DIALOGUE) if wanted else 0):
            place = number % len(known)
            script = known[place]
            yield {
                "id": f"{setting}/{number:05}", "setting": setting, "form": script.form, "script": script.moves,
                "hard": script.hard, "place": place,
            }  # fmt: skip


def scripts(setting: str) -> list[RequestScript]:
    """The scripts of a setting; OOD has those of all forms, one form after the other."""
    if setting != OOD:
        return FORMS[setting]
    longest = max(map(len, FORMS.values()))
    return [known[place % len(known)] for place in range(longest) for known in FORMS.values()]


def talk(row: Row, context: Context) -> Outcome:
    """The turns and the tool list of one draft; a draw that does not stand is drawn again a few times."""
    for attempt in range(TRIES):
        found = _draw_dialogue(row, Random(derived_seed(context.seed, f"subject/{row['id']}", attempt)))
        if not isinstance(found, Rejected):
            break
    return found


def _draw_dialogue(row: Row, rng: Random) -> Outcome:
    moves = [tuple(f"{move}-".split("-")[:2]) for move in row["script"].split()]
    outside = row["setting"] == OOD
    filling = _goal(outside, rng) if ("goal", "") in moves else None
    subject = rng.choice([each for each in subjects() if each.out_of_domain == outside])
    parts = _parts(subject, moves, FEWEST_PARAMETERS if row["form"] == "S-S" else 0, rng)
    if isinstance(parts, Failure):
        return Rejected(parts.kind, parts.detail)
    refused = [parts[part].tool for name, part in moves if name == "refuse"]
    used = [step.tool for step in filling.plan] if filling else []
    used += [request.tool for part, request in parts.items() if part != REFUSED]
    called = names_of(used, rng, nonsense=row["hard"] == "nonsensical_names")
    shared = drawn_values(subject.slots, rng)
    openings = subject.openings_for(parts.values())
    if not openings:
        return Rejected("nothing_opens", subject.name)
    opening = fill_phrasing(rng.choice(openings), shared.words)
    observed = row["form"] in ("S-S", "M-S")
    made = RequestTalk(parts, filling, called, observed, rng, World.fresh(0), shared, opening)
    for name, part in moves:
        trouble = MOVES[name](made, part)
        if trouble is not None:
            return Rejected(trouble.kind, trouble.detail)
    wanted = _jobs(made)
    if any(can_replace(tool, job) for job in wanted for tool in used if tool != job.tool):
        return Rejected("rival_tools")
    beside = _draw_distractors(used, refused, wanted, rng)
    given: dict[str, set[str]] = {tool: set() for tool in used}
    by_name = {name: tool for tool, name in called.items()}
    for call in (call for turn in made.turns for call in turn["calls"]):
        given[by_name[call["name"]]] |= set(call["arguments"])
    tools = tool_list(used, given, called, beside, rng)
    inferred = sorted({*made.inferred, *shared.inferred})
    return Kept({"subject": subject.name, "turns": made.turns, "tools": tools, "inferred": inferred})


def _goal(outside: bool, rng: Random) -> Filling:
    """A goal with a reply whose tools are each called once: an answer is an object of tool names."""
    fitting = [
        goal
        for goal in goals()
        if goal.reply
        and not technical(goal.plan)
        and 2 <= len(goal.plan) <= MOST_GOAL_CALLS
        and len({step.tool for step in goal.plan}) == len(goal.plan)
        and any(is_out_of_domain(step.tool) for step in goal.plan) == outside
    ]
    return rng.choice(fitting).drawn(rng)


def _parts(
    subject: Subject, moves: Sequence[tuple[str, ...]], fewest: int, rng: Random
) -> dict[str, UserRequest] | Failure:
    """A request of the subject for every letter, each fit for its moves; nothing could pass for what is refused."""
    pool = list(subject.requests)
    rng.shuffle(pool)
    found: dict[str, UserRequest] = {}
    for letter in sorted({letter for _, letters in moves for letter in letters}):
        wanted = {name for name, letters in moves if letter in letters}
        taken = [request.tool for request in found.values()]
        near = alike if letter == REFUSED else operator.eq
        fitting = (
            request
            for request in pool
            if not any(near(request.tool, tool) or near(tool, request.tool) for tool in taken)
            and not ("missing" in wanted and not request.open)
            and not ("known" in wanted and not request.known)
            and not ("change" in wanted and not request.change)
            and len(request.step.arguments) >= fewest
        )
        request = next(fitting, None)
        if request is None:
            return Failure("no_fitting_request", letter)
        found[letter] = request
    return found


def _jobs(made: RequestTalk) -> list[Job]:
    """What was called, each call with the world before it."""
    plans = [list(made.goal.plan)] if made.goal else []
    plans += [[made.parts[part].call(values)] for part, values in made.values.items()]
    return [job for chain in map(execute, plans) if isinstance(chain, Chain) for job in jobs(chain)]


def _draw_distractors(
    used: Sequence[str], refused: Sequence[str], wanted: Sequence[Job], rng: Random
) -> list[str]:
    """Tools that are not needed: none does, when tried, what was called, or tells any of what was refused."""
    found: list[str] = []
    for _ in range(TRIES):
        found += [
            tool
            for tool in distractors([*used, *found], list(refused), rng)
            if not any(tells_some(tool, each) for each in refused)
            and not any(can_replace(tool, job) for job in wanted)
        ]
        if len(found) >= FEWEST:
            break
    return found[:MOST]


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many dialogues of every setting as wanted: no request twice, each script in turn, rare subjects first."""
    waiting: dict[str, dict[int, list[Row]]] = {setting: defaultdict(list) for setting in SETTINGS}
    said: set[str] = set()
    for row in rows:
        asked = [turn["user"] for turn in row["turns"] if turn["calls"] or turn["situation"] == "inability"]
        if said & {*asked[:1]}:
            yield Rejected("repeated_request", row=row["id"])
            continue
        if row["setting"] == OOD and (tools := _called_tools(row)) and not any(map(is_out_of_domain, tools)):
            yield Rejected("in_domain", row=row["id"])
            continue
        said.update(asked)
        waiting[row["setting"]][row["place"]].append(row)
    for setting, wanted in shares(context.rows or DIALOGUES, SETTINGS).items():
        yield from round_robin(waiting[setting], wanted, _used_tools_and_subjects)


def _used_tools_and_subjects(row: Row) -> list[str]:
    """What a dialogue uses up: its tools, and its subject as much as they together."""
    tools = _called_tools(row)
    return [*tools, *[row["subject"]] * len(tools)]


def _called_tools(row: Row) -> list[str]:
    return [call["tool"] for turn in row["turns"] for call in turn["executed"]]


def with_look_alikes(row: Row, context: Context) -> Outcome:
    """The dialogue with tools in its list that share more words with a turn than the one it wants."""
    tools = {name: tool for tool, name in names().items()}
    turns = [
        {"user": turn["user"], "calls": [{call["tool"]: {}} for call in turn["executed"]]}
        for turn in row["turns"]
        if turn["executed"] or turn["situation"] == "inability"
    ]
    listed = [tools[each["name"]] for each in row["tools"] if each["name"] in tools]
    listed += [
        call["tool"] for turn in row["turns"] for call in turn["executed"] if call["tool"] not in listed
    ]
    found = [*row["tools"], *(document(tool, names()[tool]) for tool in look_alikes(turns, listed))]
    Random(derived_seed(context.seed, f"look_alikes/{row['id']}", 0)).shuffle(found)
    return Kept({"tools": found})


STAGES = (
    RowSource("drafts", 2, ("setting", "form", "script", "hard", "place"), drafts),
    Each("talk", 6, ("setting", "form", "script", "hard"), ("subject", "turns", "tools", "inferred"), talk),
    Each("check", 2, ("setting", "form", "hard", "turns", "tools", "inferred"), (), check),
    Whole("choose", 3, ("setting", "place", "subject", "turns"), (), choose),
    Each("look_alikes", 3, ("turns", "tools"), ("tools",), with_look_alikes),
)
PROVENANCE = provenance("What users say is written by hand for each subject and goal, with slots.")
REQUESTS = Pipeline("world", "mtu", STAGES, write, PROVENANCE, tables, rows=DIALOGUES, of_world=True)
