"""Dialogues out of subjects and goals: what people ask, leave out, change, want to know again, or give up.

A script is a line of moves; `a` and `b` are two requests of one subject, which the first of them opens; several of them
are made in one turn, as are the calls of a goal.
Turns without a call have reasons of their own: a value is missing, something is confirmed, known already, put off,
given up, beyond the listed tools, or just said.

{"id": "M-S/00012", "setting": "M-S", "form": "M-S", "script": "hello missing-a supply-a known-a ask-b", "hard": "",
 "turns": [...], "tools": [...], "inferred": ["DE"]}

`form` is the setting whose rows look like these; it differs for OOD, where all four occur.
"""

import math
import operator
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import (
    Talk,
    alternative_answers,
    gold_arguments,
    small_talk,
    tables,
)
from toolyard.benchmarks.mtu.synth.world.pipeline import (
    check,
    choose_in_turn,
    draft_numbers,
    provenance,
    rows_per_setting,
    write,
)
from toolyard.benchmarks.mtu.synth.world.subject_book import Subject, is_out_of_domain, subjects, technical
from toolyard.benchmarks.mtu.synth.world.tool_documents import (
    FEWEST,
    MOST,
    are_alike,
    choose_distractors,
    choose_names,
    document,
    find_look_alikes,
    names,
    observed_result,
    tool_list,
)
from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth import stages
from toolyard.synth.chains.chain import (
    Chain,
    ChainStep,
    PlannedStep,
    execute,
    execute_step,
    resolve_arguments,
)
from toolyard.synth.chains.execution import executed_call
from toolyard.synth.chains.projection import is_empty, value_at_path
from toolyard.synth.chains.rivals import tells_some
from toolyard.synth.chains.substitutes import Job, can_replace, chain_jobs
from toolyard.synth.goals.accepts import Accepts
from toolyard.synth.goals.goal_book import Filling, all_goals, fill_phrasing
from toolyard.synth.requests.request_book import UserRequest, Values, drawn_values
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows
from toolyard.text.json_values import leaves
from toolyard.text.names import capitalise
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

_POINT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?")
_FIELD = re.compile(r"\{(?:(\d)\.)?([\w.\[\]]+)\}(\.?)")
_ANY_FIELD = re.compile(r"\{([\w.\[\]]+)\}")
_INDEX = re.compile(r"\[(\d+)\]")
# A number from here up is said with two decimals at most, a smaller one with four.
_ROUNDED = 10
_SENTENCE = re.compile(r"(?<=[.?!] )[a-z]")
# How people go on, and nobody begins.
_GOES_ON = re.compile(r"^(?:And|Also|While we|Tonight) |\b(?:also|too|as well|else)\b", re.IGNORECASE)
PHRASES: Mapping[str, Sequence[Any]] = tomllib.loads(Path(__file__).with_name("talk.toml").read_text("utf-8"))
Move = Callable[["RequestTalk", str], Failure | None]
# Categories whose tools give ideas, sayings and made-up things: there is nothing to be sure of.
_NO_FACTS = frozenset({"Advice", "Joke", "Random", "Faker"})


@dataclass(slots=True, kw_only=True)
class RequestTalk(Talk):
    """The dialogue so far, and what it is about."""

    parts: Mapping[str, UserRequest]
    goal: Filling | None
    shared: Values
    opening: str
    values: dict[str, Values] = field(default_factory=dict)
    seen: dict[str, Record] = field(default_factory=dict)
    answered: set[tuple[str, str]] = field(default_factory=set)
    inferred: list[str] = field(default_factory=list)

    def draw(self, part: str) -> Values:
        """Values for a request: those that were said before, where it has a slot of that name for them."""
        self.values[part] = self.shared = self.parts[part].draw_values(self.rng, self.shared)
        return self.shared

    def ask(self, phrasings: Sequence[str], values: Values, *, last: bool = True) -> str:
        """One of the phrasings, after the opening where it has not been said; only the last of several is tied on."""
        fresh = [each for each in phrasings if (last and not self.opening) or not _GOES_ON.search(each)]
        said = fill_phrasing(self.rng.choice(fresh or phrasings), values.words)
        opening, self.opening = self.opening, ""
        whole = f"{opening} {capitalise(said)}" if opening else said
        return _SENTENCE.sub(lambda found: found[0].upper(), whole)

    def make(
        self,
        situation: str,
        user: str,
        plan: Sequence[PlannedStep],
        reply: str,
        known: str = "",
        accepts: Accepts = (),
    ) -> Failure | None:
        """One more turn that makes the calls; the reply holds returned fields (`{1.city}`, `{2.items[0].price}`).

        What is observed holds these fields and those of `known`, which later answers tell. The turn says what else is
        right about its calls.
        """
        called = [self.called[planned.tool] for planned in plan]
        steps: list[ChainStep] = []
        given: list[dict[str, Any]] = []
        executed: list[Any] = []
        results: list[Record] = []
        for place, planned in enumerate(plan, 1):
            done = execute_step(self.world, planned, steps)
            if isinstance(done, Failure):
                return done
            arguments = resolve_arguments(planned, steps)
            steps.append(done)
            result = observed_result(done.tool, done.output) | named_fields(reply + known, place, done.output)
            given.append(
                {"name": self.called[done.tool], "arguments": gold_arguments(planned.arguments, called)}
            )
            executed.append(executed_call(done.tool, arguments, done.output, result))
            results.append(result)
        thought = (
            f"Everything is known that {' and '.join(called)} {'needs' if len(called) == 1 else 'need'}."
        )
        assistant = fill_reply(reply, *results)
        if isinstance(assistant, Failure):
            return assistant
        self.say(situation, user, thought, assistant, given, executed)
        accepted = alternative_answers(plan, called, accepts)
        if isinstance(accepted, Failure):
            return accepted
        self.turns[-1] |= {ALTERNATIVES: accepted} if accepted else {}
        return None


def fill_reply(template: str, *results: Mapping[str, JsonValue]) -> str | Failure:
    """A reply with returned fields in it, points in time as people say them; `{name}` is a field of the first call."""
    missing: list[str] = []

    def said(found: re.Match[str]) -> str:
        value = results[int(found[1] or 1) - 1].get(_path_key(found[2]))
        if value is None or value == "":
            missing.append(found[0])
        if isinstance(value, float):
            value = round(value, 2 if abs(value) >= _ROUNDED else 4)
            value = int(value) if value.is_integer() else value
        text = _POINT.sub(r"\2 on \1", str(value))
        # A text that ends in a stop is not given another one.
        return text.rstrip(".") + found[3] if found[3] else text

    text = _FIELD.sub(said, template)
    return Failure("empty_reply", missing[0]) if missing else text


def named_fields(template: str, place: int, output: JsonValue) -> dict[str, JsonValue]:
    """The returned values that a template names by their paths, for one of the calls (counted from 1)."""
    paths = [found[2] for found in _FIELD.finditer(template) if int(found[1] or 1) == place]
    return {_path_key(path): value for path in paths if not is_empty(value := value_at_path(output, path))}


def _path_key(path: str) -> str:
    """`items[1].title` -> `items_2_title`."""
    plain = _INDEX.sub(lambda found: f"_{int(found[1]) + 1}", path)
    return plain.replace(".", "_").strip("_")


def _make_request(talk: RequestTalk, part: str, situation: str, user: str) -> Failure | None:
    request, values = talk.parts[part], talk.values[part]
    talk.inferred += values.inferred
    known = " ".join(each.answer for each in request.known)
    trouble = talk.make(situation, user, [request.call(values)], request.reply, known)
    if trouble is None:
        talk.seen[part] = talk.turns[-1]["executed"][0]["result"]
    return trouble


def ask(talk: RequestTalk, part: str) -> Failure | None:
    """The user asks for something with all that it takes."""
    request = talk.parts[part]
    return _make_request(talk, part, "asked", talk.ask(request.ask, talk.draw(part)))


def ask_several(talk: RequestTalk, parts: str) -> Failure | None:
    """The user asks for several things of the subject at once."""
    own = [name for part in parts for slots in talk.parts[part].slots for name in slots.split("+")]
    if any(own.count(name) > 1 for name in own if name != "count"):
        return Failure("said_twice", talk.parts[parts[0]].tool)
    said: list[str] = []
    replies: list[str] = []
    for place, part in enumerate(parts, 1):
        request = talk.parts[part]
        values = talk.draw(part)
        talk.inferred += values.inferred
        said.append(talk.ask(request.ask, values, last=place == len(parts)))
        replies.append(_ANY_FIELD.sub(rf"{{{place}.\1}}", request.reply))
    plan = [talk.parts[part].call(talk.values[part]) for part in parts]
    return talk.make("asked", " ".join(map(capitalise, said)), plan, " ".join(replies))


def omit_value(talk: RequestTalk, part: str) -> Failure | None:
    """The user leaves something out that the tool cannot do without, and is asked for it."""
    request = talk.parts[part]
    if not request.open:
        return Failure("nothing_missing", request.tool)
    values = talk.draw(part)
    user = talk.ask(request.open, values)
    thought = f"For {talk.called[request.tool]} something is still missing that only the user can say."
    talk.say("missing", user, thought, fill_phrasing(talk.rng.choice(request.which), values.words))
    return None


def supply(talk: RequestTalk, part: str) -> Failure | None:
    """The user says what was missing."""
    return _make_request(
        talk, part, "supplied", talk.parts[part].missing_value_reply(talk.values[part], talk.rng)
    )


def change(talk: RequestTalk, part: str) -> Failure | None:
    """The user wants the same with another value, which is not worked out from what was returned."""
    request, before = talk.parts[part], talk.values[part]
    values = request.change_value(before, talk.rng)
    if values is None:
        return Failure("nothing_to_change", request.tool)
    talk.values[part] = values
    if _is_proportion(request, before, values):
        return Failure("plain_proportion", request.tool)
    return _make_request(talk, part, "changed", talk.ask(request.change, values))


def _is_proportion(request: UserRequest, *asked: Values) -> bool:
    """Whether all numbers that change in the result grow as the changed value does."""
    old, new = (values.values[request.lacks.split("+")[0]] for values in asked)
    made = [done for values in asked if isinstance(done := execute([request.call(values)]), Chain)]
    pairs: Iterator[Any] = zip(*(leaves(chain.steps[0].output) for chain in made), strict=False)
    moved = [
        pair for pair in pairs if len({*pair}) > 1 and all(isinstance(each, int | float) for each in pair)
    ]
    if not isinstance(old, int | float) or not isinstance(new, int | float):
        return False
    return bool(moved) and all(math.isclose(two * old, one * new, rel_tol=0.01) for one, two in moved)


def ask_known_field(talk: RequestTalk, part: str) -> Failure | None:
    """The user asks for something that was returned already."""
    left = [each for each in talk.parts[part].known if (part, each.field) not in talk.answered]
    if not left or not talk.observed:
        return Failure("nothing_known", talk.parts[part].tool)
    chosen = talk.rng.choice(left)
    talk.answered.add((part, chosen.field))
    thought = "That was returned before, so nothing has to be called."
    answer = fill_reply(chosen.answer, talk.seen[part])
    if isinstance(answer, Failure):
        return answer
    talk.say("exists", chosen.question, thought, answer)
    return None


def refuse_request(talk: RequestTalk, part: str) -> Failure | None:
    """The user wants what no listed tool can do."""
    request = talk.parts[part]
    user = talk.ask(request.ask, request.draw_values(talk.rng, talk.shared))
    talk.say("inability", user, "None of the listed tools can do that.", talk.rng.choice(PHRASES["unable"]))
    return None


def ask_goal(talk: RequestTalk, part: str) -> Failure | None:  # noqa: ARG001 - the signature of every move
    """The user asks for several things at once."""
    if talk.goal is None:
        return Failure("no_goal")
    talk.inferred += [value for value in talk.goal.says if value not in talk.goal.text]
    return talk.make("asked", talk.goal.text, talk.goal.plan, talk.goal.reply, accepts=talk.goal.accepts)


def ask_to_confirm(talk: RequestTalk, part: str) -> Failure | None:
    """The user asks to confirm what was found; not asked of an idea or a saying."""
    called = [step["tool"] for turn in talk.turns[-1:] for step in turn["executed"]]
    if any(library()[tool].category in _NO_FACTS for tool in called):
        return Failure("nothing_to_confirm", called[0])
    thought = "The user wants to have confirmed what was found; it is known."
    small_talk("confirmed", thought, PHRASES["sure"])(talk, part)
    return None


def say_thanks(talk: RequestTalk, part: str) -> Failure | None:
    """The user takes leave; less warmly where the last thing could not be done."""
    refused = bool(talk.turns) and talk.turns[-1]["situation"] == "inability"
    words = PHRASES["nevertheless" if refused else "thanks"]
    small_talk("chat", "The user wants nothing more.", words)(talk, part)
    return None


MOVES: Mapping[str, Move] = {
    "ask": ask, "several": ask_several, "missing": omit_value, "supply": supply, "change": change, "known": ask_known_field,
    "refuse": refuse_request, "goal": ask_goal,
    "hello": small_talk("chat", "The user has not asked for anything yet.", PHRASES["hello"]),
    "wait": small_talk("chat", "The user only wants a moment; nothing is asked for.", PHRASES["wait"]),
    "sure": ask_to_confirm,
    "give_up": small_talk("chat", "The user does not want it any more, so nothing is called.", PHRASES["give_up"]),
    "thanks": say_thanks,
}  # fmt: skip


OOD = "OOD"
DIALOGUES = 250
MOST_GOAL_CALLS = 5
TRIES = 3
# The letter of a request whose tool is not listed.
REFUSED = "x"
LEAST_DRAFTS = 12
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
    for setting, number in draft_numbers(SETTINGS, context.rows or DIALOGUES, LEAST_DRAFTS):
        known = request_scripts(setting)
        place = number % len(known)
        script = known[place]
        yield {
            "id": f"{setting}/{number:05}", "setting": setting, "form": script.form, "script": script.moves,
            "hard": script.hard, "place": place,
        }  # fmt: skip


def request_scripts(setting: str) -> list[RequestScript]:
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
    filling = _draw_goal(outside, rng) if ("goal", "") in moves else None
    most = max(len(part) for _, part in moves)
    subject = rng.choice([one for one in subjects() if one.out_of_domain == outside and one.together >= most])
    parts = _draw_requests(subject, moves, FEWEST_PARAMETERS if row["form"] == "S-S" else 0, rng)
    if isinstance(parts, Failure):
        return Rejected(parts.kind, parts.detail)
    refused = [parts[part].tool for name, part in moves if name == "refuse"]
    used = [step.tool for step in filling.plan] if filling else []
    used += [request.tool for part, request in parts.items() if part != REFUSED]
    called = choose_names(used, rng, nonsense=row["hard"] == "nonsensical_names")
    shared = drawn_values(subject.slots, rng)
    openings = subject.openings_for(parts.values())
    if not openings:
        return Rejected("nothing_opens", subject.name)
    opening = fill_phrasing(rng.choice(openings), shared.words)
    made = RequestTalk(
        parts=parts, goal=filling, called=called, observed=row["form"] in ("S-S", "M-S"), rng=rng,
        world=World.fresh(0), shared=shared, opening=opening,
    )  # fmt: skip
    for name, part in moves:
        trouble = MOVES[name](made, part)
        if trouble is not None:
            return Rejected(trouble.kind, trouble.detail)
    # What was called, each call with the world before it.
    plans = [list(filling.plan)] if filling else []
    plans += [[parts[part].call(values)] for part, values in made.values.items()]
    wanted = [job for chain in map(execute, plans) if isinstance(chain, Chain) for job in chain_jobs(chain)]
    if any(can_replace(tool, job) for job in wanted for tool in used if tool != job.tool):
        return Rejected("rival_tools")
    beside = _draw_distractors(used, refused, wanted, rng)
    given: dict[str, set[str]] = {tool: set() for tool in used}
    by_name = {name: tool for tool, name in called.items()}
    for call in (call for turn in made.turns for call in turn["calls"]):
        given[by_name[call["name"]]] |= set(call["arguments"])
    tools = tool_list(used, given, called, beside, rng)
    return Kept({"subject": subject.name, "turns": made.turns, "tools": tools,
                 "inferred": sorted({*made.inferred, *shared.inferred})})  # fmt: skip


def _draw_goal(outside: bool, rng: Random) -> Filling:
    """A goal with a reply whose tools are each called once: an answer is an object of tool names."""
    fitting = [
        goal
        for goal in all_goals()
        if goal.reply
        and not technical(goal.plan)
        and 2 <= len(goal.plan) <= MOST_GOAL_CALLS
        and len({step.tool for step in goal.plan}) == len(goal.plan)
        and any(is_out_of_domain(step.tool) for step in goal.plan) == outside
    ]
    return rng.choice(fitting).drawn(rng)


def _draw_requests(
    subject: Subject, moves: Sequence[tuple[str, ...]], fewest: int, rng: Random
) -> dict[str, UserRequest] | Failure:
    """A request of the subject for every letter, each fit for its moves; nothing could pass for what is refused."""
    pool = list(subject.requests)
    rng.shuffle(pool)
    found: dict[str, UserRequest] = {}
    for letter in sorted({letter for _, letters in moves for letter in letters}):
        wanted = {name for name, letters in moves if letter in letters}
        taken = [request.tool for request in found.values()]
        near = are_alike if letter == REFUSED else operator.eq
        fitting = (
            request
            for request in pool
            if not any(near(request.tool, tool) or near(tool, request.tool) for tool in taken)
            and not (letter == REFUSED and any(tells_some(tool, request.tool) for tool in taken))
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


def _draw_distractors(
    used: Sequence[str], refused: Sequence[str], wanted: Sequence[Job], rng: Random
) -> list[str]:
    """Tools that are not needed: none does, when tried, what was called, or tells any of what was refused."""
    found: list[str] = []
    for _ in range(TRIES):
        found += [
            tool
            for tool in choose_distractors([*used, *found], list(refused), rng)
            if not any(tells_some(tool, each) for each in refused)
            and not any(can_replace(tool, job) for job in wanted)
        ]
        if len(found) >= FEWEST:
            break
    return found[:MOST]


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many dialogues of every setting as wanted: no request twice, each script in turn, rare subjects first."""
    said: set[str] = set()

    def fault(row: Row) -> str:
        asked = [turn["user"] for turn in row["turns"] if turn["calls"] or turn["situation"] == "inability"]
        if said & {*asked[:1]}:
            return "repeated_request"
        if row["setting"] == OOD and (tools := _called_tools(row)) and not any(map(is_out_of_domain, tools)):
            return "in_domain"
        said.update(asked)
        return ""

    def tools_and_subject(row: Row) -> list[str]:
        """What a dialogue uses up: its tools, and its subject as much as they together."""
        tools = _called_tools(row)
        return [*tools, *[row["subject"]] * len(tools)]

    wanted = rows_per_setting(context.rows or DIALOGUES, SETTINGS)
    yield from choose_in_turn(rows, wanted, fault, operator.itemgetter("place"), tools_and_subject)


def _called_tools(row: Row) -> list[str]:
    return [call["tool"] for turn in row["turns"] for call in turn["executed"]]


def add_look_alikes(row: Row, context: Context) -> Outcome:
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
    found = [*row["tools"], *(document(tool, names()[tool]) for tool in find_look_alikes(turns, listed))]
    Random(derived_seed(context.seed, f"look_alikes/{row['id']}", 0)).shuffle(found)
    return Kept({"tools": found})


STAGES = (
    stages.RowSource("drafts", 2, ("setting", "form", "script", "hard", "place"), drafts),
    stages.Each(
        "talk", 6, ("setting", "form", "script", "hard"), ("subject", "turns", "tools", "inferred"), talk
    ),
    stages.Each("check", 2, ("setting", "form", "hard", "turns", "tools", "inferred"), (), check),
    stages.Whole("choose", 3, ("setting", "place", "subject", "turns"), (), choose),
    stages.Each("look_alikes", 3, ("turns", "tools"), ("tools",), add_look_alikes),
)
PROVENANCE = provenance("What users say is written by hand for each subject and goal, with slots.")
REQUESTS = stages.Pipeline("world", "mtu", STAGES, write, PROVENANCE, tables, rows=DIALOGUES, of_world=True)
