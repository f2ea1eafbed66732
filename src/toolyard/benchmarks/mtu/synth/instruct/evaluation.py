"""A dialogue as MTU-Eval rows, one per turn, with the recorded history.

{"id": "M-S_12_1", "question": "<instructions, tool list, history> User: From Oslo to Bergen.",
 "answer": {"FindBus": {"from_city": "Oslo", "to_city": "Bergen"}}, "hard": ["inheritance"], "source": "sgd"}
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from toolyard.benchmarks.mtu.prompt import TEMPLATES, history_text
from toolyard.benchmarks.mtu.synth.corpora.dates import TODAY
from toolyard.benchmarks.mtu.synth.instruct.synthesis import past_of
from toolyard.core.types import Json, derived_seed
from toolyard.synth.stages import Row
from toolyard.text.templates import render

Documents = Mapping[tuple[str, str], Json]


def listed_tools(row: Row, library: Documents, seed: int) -> list[Json]:
    """The tool documents of a row, its own and the others, in an order that says nothing.

    Results are listed by name, as the official M-S rows have them: in full they are more than half of a prompt.
    """
    own = {document["name"]: document for document in row["documents"]}
    tools = [
        *own.values(),
        *(
            library[row["source"], name]
            for name in row["others"]
            if name not in own and (row["source"], name) in library
        ),
    ]
    tools.sort(key=lambda tool: str(tool["name"]))
    random.Random(derived_seed(seed, f"order/{row['id']}", 0)).shuffle(tools)
    return [
        {**tool, "result_parameters": [each["name"] for each in tool["result_parameters"]]} for tool in tools
    ]


@lru_cache(maxsize=2)
def instructions(multiple: bool) -> str:
    """The instructions for turns of one call or of several."""
    template = TEMPLATES["instructions_multiple" if multiple else "instructions_single"]
    return render(template, {"today": f"6. Today is {TODAY}."}).strip()


def evaluation_rows(row: Row, tools: Sequence[Json]) -> Iterator[dict[str, Json]]:
    """The turns of a dialogue as rows of the benchmark."""
    multiple = row["setting"][2] == "M"
    form = "actions" if multiple else "observed"
    listing = json.dumps([*tools], ensure_ascii=False)
    head = f"{instructions(multiple)}\nTools with their parameters:\n{listing}\n"
    history: list[Json] = []
    for place, turn in enumerate(row["turns"]):
        answer = {call["name"]: call["arguments"] for call in turn["calls"]}
        yield {
            "id": row["id"] if is_single(row) else f"{row['id']}_{place}",
            "question": head + _dialogue(row, history, form) + f"User: {turn['user']}",
            "answer": answer or ({} if multiple else {"": {}}),
            "hard": row["hard"][place],
            "source": row["source"],
        }
        history.append(past_of(turn))


def is_single(row: Row) -> bool:
    """Whether the id of the row is that of its only turn."""
    return bool(row["setting"][0] == "S" and row["split"] == "train")


def _dialogue(row: Row, history: list[Json], form: str) -> str:
    if row["setting"][0] == "S":
        return ""
    past = f"{history_text(history, form).rstrip()}\n" if history else ""
    return f"History Dialog: \n{past}"
