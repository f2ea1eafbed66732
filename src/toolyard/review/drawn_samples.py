"""Which items of a review are drawn: all, so many at random, or as many of each stratum; and the papers' protocols."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from toolyard.core.errors import UsageError, refuse_unknown

Item = TypeVar("Item")
# What a group of samples is told by, where an item has groups.
Groups = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Protocol:
    """How a paper's people worked: what was drawn, and who decided."""

    people: str
    sample: int | None = None
    by: str = ""
    pairs: bool = False
    # What a row is looked at for, in the words of --dimensions.
    perspectives: tuple[str, ...] = ()


# NesTools, 3.3: whether the call chain fits the tools, and whether the query asks for what it must.
NESTED = (
    "chain:wrong tool|missing call|needless call|wrong order|wrong nesting|wrong value",
    "query:value not told|asks for something else|unclear|unnatural",
)
# MTU-Bench, 3.2 and its quality check: whether to call and what, with which parameters, and as the tool is defined.
TURNS = (
    "selection:call missing|call needless|call too early|wrong tool",
    "parameters:missing|needless|wrong value|not told by the user",
    "definition:no such tool|no such parameter|wrong type",
)
# ToolBeHonest, 3.4 and A.2: what its people sorted out, and what must hold of the twin.
HONEST = (
    "task:unclear|illogical|biased",
    "plan:step and tool do not fit|another tool does the step|wrong order|needless step",
    "twin:can be solved|wrong place|words give the verdict away",
)
PROTOCOLS: Mapping[str, Protocol] = {
    "tooleyes": Protocol("three annotators, the majority decides, a split is a tie", 200, pairs=True),
    "nestools": Protocol("two annotators, an expert decides where they differ", perspectives=NESTED),
    "mtu-train": Protocol("three experts, a fourth where they differ", 500, perspectives=TURNS),
    "mtu-test": Protocol("three experts on every row, a fourth where they differ", perspectives=TURNS),
    "toolbehonest": Protocol("two reviewers on every pair, a third where they differ", perspectives=HONEST),
    "mtu-figures": Protocol("five annotators compare two models", 100, "setting=M-S,S-M", pairs=True),
}


def find_protocol(name: str) -> Protocol:
    """The protocol of that name."""
    refuse_unknown("--protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def draw_items(
    items: Sequence[Item],
    count: int | None,
    seed: int,
    by: str = "",
    groups_of: Callable[[Item], Groups] = lambda _: {},
) -> tuple[Item, ...]:
    """That many of the items at random, in their old order; all where no number is given.

    `by` names a group whose keys get equal shares, as far as they have items: `setting`, or `setting=M-S,S-M` for
    these keys alone.
    """
    if not by:
        return _sample_items(items, count, seed)
    strata = index_strata(items, by, groups_of)
    members = sum(map(len, strata.values()))
    wanted = members if count is None else count
    if not 1 <= wanted <= members:
        raise UsageError(f"--sample {wanted} cannot be drawn from {members}; give 1 to {members}")
    rng = random.Random(seed)
    queues = [rng.sample(places, len(places)) for _, places in sorted(strata.items())]
    chosen: list[int] = []
    while len(chosen) < wanted:
        for queue in queues:
            if queue and len(chosen) < wanted:
                chosen.append(queue.pop())
    return tuple(items[place] for place in sorted(chosen))


def _sample_items(items: Sequence[Item], count: int | None, seed: int) -> tuple[Item, ...]:
    if count is None:
        return tuple(items)
    if not 1 <= count <= len(items):
        raise UsageError(f"--sample {count} cannot be drawn from {len(items)}; give 1 to {len(items)}")
    chosen = sorted(random.Random(seed).sample(range(len(items)), count))
    return tuple(items[index] for index in chosen)


def index_strata(items: Sequence[Item], by: str, groups_of: Callable[[Item], Groups]) -> dict[str, list[int]]:
    """The places of the items of each key of a group; a group or key that no item has is refused."""
    name, _, listed = by.partition("=")
    keys = [key for key in listed.split(",") if key]
    found: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        key = groups_of(item).get(name)
        if key is not None and (not keys or key in keys):
            found.setdefault(key, []).append(place)
    if not found or set(keys) - set(found):
        known = sorted({group for item in items for group in groups_of(item)})
        raise UsageError(f"--by {by!r} fits no item; groups are {', '.join(known) or 'not known here'}")
    return found
