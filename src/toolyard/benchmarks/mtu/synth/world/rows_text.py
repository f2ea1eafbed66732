"""The question of a row: instructions, tool list, history and the user's turn, as in the starter sets.

    question("M-S", documents, [{"user": "A bus to Bergen.", "thought": "...", "calls": [...], ...}], "On Friday.")

Tool lists are Python literals in S-S and M-S and JSON in S-M and M-M, as in the released files; histories come in
the two forms that `prompt.history_text` writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.prompt import history_text
from toolyard.core.types import Record
from toolyard.text.templates import render

_TEMPLATES = Path(__file__).parents[1] / "templates"
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
INSTRUCTIONS = {
    calls: (_TEMPLATES / f"row_{name}.txt").read_text(encoding="utf-8")
    for calls, name in (("S", "single"), ("M", "multiple"))
}


def question(setting: str, documents: Sequence[Any], history: Sequence[Any], user: str, today: date) -> str:
    """The whole prompt of one turn; `setting` is S-S, S-M, M-S or M-M."""
    turns, calls = setting[0], setting[2]
    day = f"{_WEEKDAYS[today.weekday()]}, {today.isoformat()}"
    instructions = render(INSTRUCTIONS[calls], {"today": day}).strip()
    listed = repr(list(documents)) if calls == "S" else json.dumps(list(documents), ensure_ascii=False)
    head = f"\n{instructions}\nTools with their parameters:\n{listed}\n"
    if turns == "S":
        return f"{head}User: {user}"
    past = history_text(list(history), "observed" if calls == "S" else "actions")
    label = "User: " if calls == "S" else "User:  "
    return f"{head}History Dialog: \n" + (f"{past}\n" if past else "") + label + user


def answer(setting: str, calls: Mapping[str, Record]) -> dict[str, Any]:
    """The gold answer in the spelling of the setting: M-M says "no call" as `{}`, the others as `{"": {}}`."""
    if calls:
        return {name: dict(arguments) for name, arguments in calls.items()}
    return {} if setting == "M-M" else {"": {}}
