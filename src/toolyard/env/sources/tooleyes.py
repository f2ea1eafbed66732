"""Requests within one subcategory whose answer must state what the tools returned.

The wanted fact is one that the request does not say: the field of the last result that the tool is there for.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from random import Random

from toolyard.benchmarks.mtu.synth.world.tool_documents import are_alike
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import to_value
from toolyard.core.types import Failure
from toolyard.env.gym_task import Draft, Fits, GoldCall, TaskTurn
from toolyard.env.stage_runner import execute_in_world
from toolyard.env.task_functions import function, system
from toolyard.synth.chains.chain import Chain, execute
from toolyard.synth.chains.execution import output_digest
from toolyard.synth.chains.filling import Demand, fill_plan
from toolyard.synth.chains.projection import Field, is_empty, telling_fields, value_at_path
from toolyard.synth.chains.sampling import Scope
from toolyard.synth.chains.sampling import draw as drawn_chain
from toolyard.synth.goals.sayings import is_whole_word
from toolyard.synth.wording.phrasing import is_plural, step_noun, step_request
from toolyard.synth.wording.requests import chain_query
from toolyard.text.names import capitalise
from toolyard.text.tool_calling import function_names
from toolyard.world.kernel.phrase import phrases, speakable
from toolyard.world.kernel.registry import copies, library

FEWEST_TOOLS = 4
MOST_TOOLS = 14
LONGEST_FACT = 60
LONGEST_REQUEST = 600
_STRUCTURES = {"1": 5, "1->2": 4, "1->2,2->3": 2}
_OPENINGS = ("", "Please ", "I need you to ", "I would like you to ")
_ASKED = (
    "What I want to know is the {words} of {noun}.",
    "Then tell me the {words} of {noun}.",
    "Let me know the {words} of {noun}.",
    "In the end I need the {words} of {noun}.",
)


def draw(rng: Random, fits: Fits, world_seed: int) -> Draft | Failure:
    """A request for one to three calls of one subcategory."""
    group = rng.choice(_askable_groups())
    structure = rng.choices(list(_STRUCTURES), list(_STRUCTURES.values()))[0]
    chain = _draw_chain(group, structure, rng, Demand(calls=fits))
    if isinstance(chain, Failure):
        return chain
    chain = execute_in_world(chain, world_seed)
    if isinstance(chain, Failure):
        return chain
    text = _request_text(chain, rng)
    found = [field for field in telling_fields(chain.steps[-1].tool) if _is_telling(field, chain, text)]
    if not found or len(text) > LONGEST_REQUEST:
        return Failure("nothing_to_tell", chain.steps[-1].tool)
    return _make_task(chain, group, text, found[0], rng)


def _request_text(chain: Chain, rng: Random) -> str:
    if len(chain.steps) > 1:
        return chain_query(chain, rng)
    text = rng.choice(_OPENINGS) + step_request(chain.steps[0], chain, rng)
    ended = text if text.rstrip('"').endswith((".", "!", "?")) else f"{text}."
    return capitalise(ended)


@functools.cache
def _askable_groups() -> tuple[str, ...]:
    """The subcategories with enough tools that can be asked for."""
    counts: dict[str, int] = {}
    for tool in speakable():
        name = tool.rsplit("/", 1)[0]
        counts[name] = counts.get(name, 0) + (tool not in copies())
    return tuple(sorted(name for name, count in counts.items() if count >= FEWEST_TOOLS))


def _tools_of_group(group: str) -> list[str]:
    return [tool for tool in speakable() if tool.rsplit("/", 1)[0] == group and tool not in copies()]


def _draw_chain(group: str, structure: str, rng: Random, demand: Demand) -> Chain | Failure:
    if structure != "1":
        return drawn_chain(rng.getrandbits(32), 0, structure, Scope(domains=(group,)), demand)
    tool = rng.choice(_tools_of_group(group))
    plan = fill_plan((tool,), ({},), 0, rng, demand)
    if isinstance(plan, Failure):
        return plan
    silent = library()[tool].document.parameters and not plan[0].arguments
    return Failure("says_nothing", tool) if silent else execute(plan)


def _is_telling(field: Field, chain: Chain, text: str) -> bool:
    """Whether a field holds something short that nobody has said."""
    value = value_at_path(chain.steps[-1].output, field.path)
    if is_empty(value) or isinstance(value, bool | list | dict) or len(str(value)) > LONGEST_FACT:
        return False
    given = [str(each) for index in range(len(chain.steps)) for each in chain.resolved(index).values()]
    return "\n" not in str(value) and not is_whole_word(str(value), text) and str(value) not in given


def _make_task(chain: Chain, group: str, text: str, field: Field, rng: Random) -> Draft | Failure:
    value = value_at_path(chain.steps[-1].output, field.path)
    used = list(dict.fromkeys(step.tool for step in chain.steps))
    listed = _choose_tools(used, group, rng)
    if not isinstance(value, str | int | float) or to_value(value) is None or len(listed) < 2 * len(used) + 1:
        return Failure("too_few_tools", group)
    shown = dict(zip(listed, function_names([tool.rsplit("/", 1)[1] for tool in listed]), strict=True))
    gold = tuple(
        GoldCall(shown[step.tool], chain.resolved(index), output_digest(step.output))
        for index, step in enumerate(chain.steps)
    )
    last = f"the first entry in {step_noun(chain, -1)}" if field.of_first else phrases()[used[-1]].noun
    asked = rng.choice(_ASKED).format(words=field.words, noun=last)
    verb = "are" if is_plural(field.words) else "is"
    turn = TaskTurn(f"{text} {asked}", gold, f"The {field.words} {verb} {value}.", (value,))
    functions = tuple(function(tool, name) for tool, name in shown.items())
    groups = {"scenario": library()[used[0]].scenario, "subcategory": group, "calls": str(len(gold))}
    return Draft(system(), (turn,), functions, groups, chain.seed)


def _choose_tools(used: list[str], group: str, rng: Random) -> list[str]:
    """The tools of the subcategory, less those that might pass for a needed one."""
    spare = list(_spare_tools(used, group))
    rng.shuffle(spare)
    listed = [*used, *spare[: MOST_TOOLS - len(used)]]
    rng.shuffle(listed)
    return listed


def _spare_tools(used: list[str], group: str) -> Iterator[str]:
    for tool in _tools_of_group(group):
        if tool not in used and not any(are_alike(each, tool) for each in used):
            yield tool
