"""Whether an answer selects: it is bounded in length, and it does not hand over what tools returned as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolyard.benchmarks.tooleyes.scoring.checks.passages import fold_letters
from toolyard.core.types import JsonValue
from toolyard.text.values import leaves

_KEY = re.compile(r"[\"'][\w .-]{1,40}[\"']\s*:\s*(?:[\"'\[{\d-]|true|false|null|None|True|False)")
_PLAIN_KEY = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b\s*[:=]")
_RAW = re.compile(r"\[\s*\{\s*[\"']\w+[\"']\s*:|\{\s*[\"']\w+[\"']\s*:[^{}]*[,{]\s*[\"']\w+[\"']\s*:")
MOST_KEYS = 4
LONGEST = 1500
MORE_THAN_GOLD = 5
EXTRA_LEAVES = 16


def selection_fault(answer: str, gold_length: int, wanted: int, observed: Sequence[JsonValue]) -> str:
    """Why an answer is no selection; empty where it is one."""
    keys = len(_KEY.findall(answer))
    if _RAW.search(answer):
        return "the answer pastes data as a tool returned them"
    if keys >= MOST_KEYS or len(_PLAIN_KEY.findall(answer)) >= MOST_KEYS:
        return f"the answer pastes data: {keys} fields as a tool returned them"
    limit = max(LONGEST, MORE_THAN_GOLD * gold_length)
    if len(answer) > limit:
        return f"the answer has {len(answer)} characters and does not select; {limit} are enough"
    extra = _leaves_said(answer, observed) - wanted
    if extra > EXTRA_LEAVES + wanted:
        return f"the answer lists {extra} values that were not asked for"
    return ""


def _leaves_said(answer: str, observed: Sequence[JsonValue]) -> int:
    """How many different values of the observations stand in the answer."""
    plain = fold_letters(answer)
    said = 0
    for leaf in dict.fromkeys(str(leaf) for value in observed for leaf in leaves(value)):
        text = fold_letters(leaf).strip()
        if 2 < len(text) <= 80 and text in plain:
            said += re.search(rf"(?<!\w){re.escape(text)}(?!\w)", plain) is not None
    return said
