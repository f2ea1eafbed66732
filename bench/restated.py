"""The printed definitions written down as plainly as one would for a single use: the yardstick of `scoring.py`.

They give the counts of the papers' figures and nothing else: no error labels, no reasons, no tolerance beyond case and
white space, no alternatives, no outcome.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

ACTION = re.compile(r"Action:\s*(.+?)\s*\n\s*Action Input:\s*(\{.*\})", re.DOTALL)
LABEL = re.compile(r"API_call_\d+")


def plain(value: Any) -> str:
    """A value as it is compared."""
    return " ".join(str(value).casefold().split())


def nestools(gold: Sequence[Mapping[str, Any]], text: str) -> dict[str, tuple[int, int, int]]:
    """Matched, predicted and wanted of selection, order, parameters and nested parameters (section 4.2)."""
    try:
        calls = json.loads(text[text.index("[") : text.rindex("]") + 1])
        names = [call["api_name"] for call in calls]
        given = [call.get("parameters", {}) for call in calls]
    except (ValueError, KeyError, TypeError, AttributeError):
        names, given = [], []
    wanted = [call["api_name"] for call in gold]
    pairs, wanted_pairs = list(pairwise(names)), list(pairwise(wanted))
    free = list(range(len(names)))
    hits = nested_hits = 0
    for call in gold:
        place = next((index for index in free if names[index] == call["api_name"]), None)
        if place is None:
            continue
        free.remove(place)
        for name, value in call["parameters"].items():
            right = name in given[place] and plain(given[place][name]) == plain(value)
            hits += right
            nested_hits += right and bool(LABEL.search(str(value)))
    return {
        "selection": ((Counter(names) & Counter(wanted)).total(), len(names), len(wanted)),
        "order": ((Counter(pairs) & Counter(wanted_pairs)).total(), len(pairs), len(wanted_pairs)),
        "parameter": (hits, sum(map(len, given)), sum(len(call["parameters"]) for call in gold)),
        "nested": (
            nested_hits,
            sum(bool(LABEL.search(str(value))) for each in given for value in each.values()),
            sum(bool(LABEL.search(str(value))) for call in gold for value in call["parameters"].values()),
        ),
    }


def mtu(gold: Sequence[Mapping[str, Any]], text: str) -> tuple[bool, bool]:
    """Whether the tools are right, and whether their parameters are as well (section 2.2.2)."""
    calls = []
    for name, arguments in ACTION.findall(text):
        try:
            calls.append((name, json.loads(arguments)))
        except ValueError:
            return False, False
    names = [name for name, _ in calls]
    if names != [call["name"] for call in gold]:
        return set(names) == {call["name"] for call in gold}, False
    same = all(
        given.keys() == call["arguments"].keys()
        and all(plain(given[key]) == plain(value) for key, value in call["arguments"].items())
        for (_, given), call in zip(calls, gold, strict=True)
    )
    return True, same


def tooleyes(rounds: Sequence[str], tools: Mapping[str, Sequence[str]]) -> tuple[float, float]:
    """The share of rounds in the wanted format, and of calls that name an offered tool with all it requires."""
    well_formed = real = 0
    for text in rounds:
        found = ACTION.search(text) if "Thought:" in text else None
        if found is None:
            continue
        try:
            arguments = json.loads(found.group(2))
        except ValueError:
            continue
        well_formed += 1
        real += found.group(1) in tools and all(name in arguments for name in tools[found.group(1)])
    return well_formed / max(1, len(rounds)), real / max(1, len(rounds))
