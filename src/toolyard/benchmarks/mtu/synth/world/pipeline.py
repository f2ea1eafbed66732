"""Dialogues from the world, without a model: executed goals turned into user turns, gold calls and replies.

    {"id": "M-S/0012", "setting": "M-S", "script": 16, "hard": "", "chain": {...}, "turns": [...], "tools": [...]}

One row of the pipeline is one dialogue; the files hold one row per turn.

A dialogue is about an executed chain of calls (`1` stands for a single call). Hard scripts name the type of Table 8 that
they are built for.
"""

import functools
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from toolyard.benchmarks.mtu.data.rows import SETTINGS as ALL_SETTINGS
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import dialogue_rows, execution_of, fault, tables
from toolyard.benchmarks.mtu.synth.world.dialogue_sentences import chain_in_user_words
from toolyard.benchmarks.mtu.synth.world.moves import SCRIPTS, Script, compose, refuses_later, setting_scripts
from toolyard.benchmarks.mtu.synth.world.tool_documents import are_alike, is_day
from toolyard.core.types import Failure, derived_seed
from toolyard.synth import stages
from toolyard.synth.chains.chain import Chain, ChainStep, chain_from_json, execute, to_json
from toolyard.synth.chains.execution import write_execution
from toolyard.synth.chains.filling import ANYTHING, Demand, fill_plan
from toolyard.synth.chains.sampling import Scope, draw
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows
from toolyard.world.kernel.phrase import phrases, speakable
from toolyard.world.kernel.registry import library

SETTINGS = ALL_SETTINGS[:4]
DIALOGUES = 200
_LEAST_DRAFTS = 24
_TRIES = 6


def drafts(context: Context) -> Iterator[Row | Rejected]:
    """More drafts than dialogues wanted, evenly over settings and scripts."""
    known = {setting: setting_scripts(setting) for setting in SETTINGS}
    for setting, number in draft_numbers(known, context.rows or DIALOGUES, _LEAST_DRAFTS):
        script = known[setting][number % len(known[setting])]
        yield {
            "id": f"{setting}/{number:05}",
            "setting": setting,
            "script": SCRIPTS.index(script),
            "hard": script.hard,
            "number": number,
        }


def draft_numbers(settings: Iterable[str], rows: int, least: int) -> Iterator[tuple[str, int]]:
    """Settings and numbers of twice as many drafts as dialogues are wanted."""
    for setting, wanted in rows_per_setting(rows, [*settings]).items():
        yield from ((setting, number) for number in range(max(least, 2 * wanted) if wanted else 0))


def rows_per_setting(rows: int, settings: Sequence[str] = SETTINGS) -> dict[str, int]:
    """How many dialogues each setting gets."""
    each, rest = divmod(rows, len(settings))
    return {setting: each + (place < rest) for place, setting in enumerate(settings)}


def draw_goal(row: Row, context: Context, demand: Demand = ANYTHING) -> Outcome:
    """The executed chain that a draft is about; a draw that does not stand is drawn again a few times."""
    script = SCRIPTS[row["script"]]
    again: list[str] = []
    for attempt in range(_TRIES):
        n = row["number"] * _TRIES + attempt
        chain = draw_chain(script, context.seed, n, demand)
        if isinstance(chain, Failure):
            again.append(f"redrawn_{chain.kind}")
            continue
        if not refuses_later(script):
            return Kept({"chain": to_json(chain), "removed": None}, tuple(again))
        unable = removed_goal(chain, context.seed, n)
        if not isinstance(unable, Failure):
            removed = to_json(Chain((unable,), chain.seed))
            return Kept({"chain": to_json(chain), "removed": removed}, tuple(again))
        again.append(f"redrawn_{unable.kind}")
    return Rejected(again[-1].removeprefix("redrawn_"))


def talk(row: Row, context: Context) -> Outcome:
    """The turns and the tool list."""
    rng = Random(derived_seed(context.seed, f"talk/{row['id']}", 0))
    unable = chain_from_json(row["removed"]).steps[0] if row["removed"] else None
    made = compose(SCRIPTS[row["script"]], chain_from_json(row["chain"]), unable, rng)
    return Rejected(made.kind, made.detail) if isinstance(made, Failure) else Kept(made)


def check(row: Row, context: Context) -> Outcome:  # noqa: ARG001 - the signature of every stage
    """Passes a dialogue that loads, whose gold can be known, and whose calls return the same again."""
    found = fault(row)
    return Kept() if found is None else Rejected(found.kind, found.detail)


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many dialogues of every setting as wanted, evenly over its scripts, no goal twice."""
    seen: set[str] = set()

    def fault(row: Row) -> str:
        steps = [[step["tool"], step["arguments"]] for step in row["chain"]["steps"]]
        key = json.dumps([row["setting"], steps])
        if key in seen:
            return "repeated_goal"
        seen.add(key)
        return ""

    def script(row: Row) -> int:
        return int(row["number"] % len(setting_scripts(row["setting"])))

    def tools(row: Row) -> list[str]:
        return [step["tool"] for step in row["chain"]["steps"]]

    yield from choose_in_turn(rows, rows_per_setting(context.rows or DIALOGUES), fault, script, tools)


def choose_in_turn(
    rows: Rows,
    wanted: Mapping[str, int],
    fault: Callable[[Row], str],
    script: Callable[[Row], int],
    uses: Callable[[Row], list[str]],
) -> Iterator[Row | Rejected]:
    """So many rows of every setting without a fault, one script after the other; the rest is surplus.

    Those that use what is not yet used come first.
    """
    waiting: dict[str, dict[int, list[Row]]] = {setting: defaultdict(list) for setting in wanted}
    for row in rows:
        if reason := fault(row):
            yield Rejected(reason, row=row["id"])
        else:
            waiting[row["setting"]][script(row)].append(row)
    for setting, left in wanted.items():
        used: Counter[str] = Counter()
        queues = [waiting[setting][place] for place in sorted(waiting[setting])]
        while any(queues):
            for queue in filter(None, queues):
                row = min(queue, key=lambda row: sum(used[each] for each in uses(row)))
                queue.remove(row)
                used.update(uses(row))
                yield row if left > 0 else Rejected("surplus", row=row["id"])
                left -= 1


def write(rows: Rows, folder: Path, context: Context) -> None:  # noqa: ARG001 - the signature of every writer
    """One file per setting in the official form, a line per turn."""
    numbers: dict[str, int] = defaultdict(int)
    executed = []
    for row in rows:
        setting = row["setting"]
        with (folder / f"{setting}_eval.jsonl").open("a", encoding="utf-8", newline="\n") as file:
            for line in dialogue_rows(row, numbers[setting]):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        executed.append(execution_of(row, f"{setting}_{numbers[setting]}"))
        numbers[setting] += 1
    write_execution(folder, executed)


def provenance(words: str) -> Callable[[Context], stages.Provenance]:
    """What cards say of executed dialogues whose words come from there."""
    text = (
        "Every call was executed in the world of this package, whose services and people are invented, and is kept in "
        f"`execution.jsonl`. {words} No model took part."
    )
    return lambda _context: stages.Provenance(text, {"Toolyard world": "Apache-2.0"})


STAGES = (
    stages.RowSource("drafts", 2, ("setting", "script", "hard", "number"), drafts),
    stages.Each("goal", 1, ("script", "number"), ("chain", "removed"), draw_goal),
    stages.Each("talk", 2, ("script", "chain", "removed"), ("turns", "tools"), talk),
    stages.Each("check", 1, ("setting", "hard", "turns", "tools"), (), check),
    stages.Whole("choose", 1, ("setting", "number", "chain"), (), choose),
)
PROVENANCE = provenance("User turns, thoughts and replies are written by grammar.")
GRAMMAR = stages.Pipeline("grammar", "mtu", STAGES, write, PROVENANCE, tables, rows=DIALOGUES, of_world=True)


_LONGEST_LITERAL = 160
_MAIL_DOMAIN = re.compile(r"@([\w.-]+)")


@functools.cache
def tool_scope(world_seed: int = 0) -> Scope:
    """All tools except those that fit any request and those that users would not ask for in a dialogue."""
    excluded = frozenset(each.id for each in speakable().values() if each.general or not each.chat)
    return Scope(excluded, (), world_seed)


def draw_chain(script: Script, seed: int, n: int, demand: Demand = ANYTHING) -> Chain | Failure:
    """The executed chain of draw n for the script, or why there is none."""
    if script.structure != "1":
        drawn = draw(seed, n, script.structure, tool_scope(), demand)
    else:
        rng = Random(derived_seed(seed, f"single/{script.setting}/{script.name}", n))
        drawn = draw_single(script.hard, rng, demand)
    if isinstance(drawn, Failure):
        return drawn
    return _chain_fault(drawn, script) or drawn


def _chain_fault(chain: Chain, script: Script) -> Failure | None:
    tools = [step.tool for step in chain.steps]
    trouble = rival_tools(tools) or next((found for step in chain.steps if (found := _unsayable(step))), None)
    if trouble is not None:
        return trouble
    if script.hard == "specific_values" and chain_in_user_words(chain, plainly=False) == chain:
        return Failure("nothing_specific", tools[0])
    return None


def rival_tools(tools: Sequence[str]) -> Failure | None:
    """The first of the tools that another one might pass for."""
    one = next((one for one in tools if any(one != other and are_alike(one, other) for other in tools)), None)
    return None if one is None else Failure("rival_tools", one)


def _unsayable(step: ChainStep) -> Failure | None:
    """The values of a call that a user would not type in a chat."""
    for name, value in step.literals.items():
        where = f"{step.tool} {name}"
        if "\n" in str(value) or len(str(value)) > _LONGEST_LITERAL:
            return Failure("long_or_multi_line_value", where)
        if "[]" in str(value):
            return Failure("empty_value", where)
        if any("example" not in address for address in _MAIL_DOMAIN.findall(str(value))):
            return Failure("private_address", where)
    texts = [value for value in step.literals.values() if isinstance(value, str)]
    return Failure("same_value_twice", step.tool) if len({*texts}) < len(texts) else None


def draw_single(hard: str, rng: Random, demand: Demand = ANYTHING) -> Chain | Failure:
    """One executed call of a random tool that suits the hard type."""
    chosen = library()[rng.choices(*_tools_and_weights(hard))[0]]
    unwanted = demand.tools((chosen.id,))
    if unwanted is not None:
        return unwanted
    plan = fill_plan((chosen.id,), ({},), 0, rng, demand)
    return plan if isinstance(plan, Failure) else execute(plan)


@functools.cache
def _tools_and_weights(hard: str) -> tuple[Sequence[str], Sequence[float]]:
    """The tools that can serve a hard type; a category counts with the root of its size."""
    usable = [each for each in speakable() if each not in tool_scope().exclude and phrases()[each].parameters]
    tools = [each for each in usable if hard != "specific_values" or _can_be_said_otherwise(each)]
    sizes = Counter(library()[each].category for each in tools)
    return tools, [1 / math.sqrt(sizes[library()[each].category]) for each in tools]


def _can_be_said_otherwise(tool_id: str) -> bool:
    """Whether a request for the tool has a value with a rule that says it in other words."""
    said = phrases()[tool_id].parameters
    schemas = [item.schema for item in library()[tool_id].document.parameters if item.name in said]
    return any(is_day(schema) or {"en", "de"} <= set(schema.get("enum", ())) for schema in schemas)


def removed_goal(chain: Chain, seed: int, n: int) -> ChainStep | Failure:
    """A call that belongs to no tool of the chain, for a turn that nothing can serve."""
    rng = Random(derived_seed(seed, "removed", n))
    drawn = draw_single("", rng)
    if isinstance(drawn, Failure):
        return drawn
    step = drawn.steps[0]
    if any(are_alike(step.tool, other.tool) or are_alike(other.tool, step.tool) for other in chain.steps):
        return Failure("rival_tools", step.tool)
    return step
