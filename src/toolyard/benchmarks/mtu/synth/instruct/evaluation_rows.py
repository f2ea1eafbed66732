"""A dialogue as MTU-Eval rows, one per turn, with the recorded history.

{"id": "M-S_12_1", "question": "<instructions, tool list, history> User: From Oslo to Bergen.",
 "answer": {"FindBus": {"from_city": "Oslo", "to_city": "Bergen"}}, "hard": ["inheritance"], "difficulty": "hard",
 "source": "sgd"}

A dialogue is hard where a turn has one of the six types of Table 8.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from toolyard.benchmarks.mtu.hard_types import TABLE_8
from toolyard.benchmarks.mtu.prompt import TEMPLATES, history_text, reference_shown
from toolyard.benchmarks.mtu.synth.corpora.sgd_calendar import TODAY
from toolyard.benchmarks.mtu.synth.instruct.completed_turns import past_of
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import Document, StandardRow
from toolyard.benchmarks.mtu.synth.instruct.settings import SETTINGS, TRAIN
from toolyard.core.types import JsonValue, derived_seed
from toolyard.text.templates import render

# By source and name.
Documents: TypeAlias = Mapping[tuple[str, str], Document]


def listed_tools(row: StandardRow, documents: Documents, seed: int) -> list[dict[str, JsonValue]]:
    """The tool documents of a row, its own and the others, in an order that says nothing.

    Results are listed by name, as the official M-S rows have them: in full they are more than half of a prompt.
    """
    own = {document["name"]: document for document in row.documents}
    others = [(row.source, name) for name in row.others if name not in own]
    tools = [*own.values(), *(documents[key] for key in others if key in documents)]
    tools.sort(key=lambda tool: str(tool["name"]))
    random.Random(derived_seed(seed, f"order/{row.id}", 0)).shuffle(tools)
    return [
        {**tool, "result_parameters": [each["name"] for each in tool["result_parameters"]]} for tool in tools
    ]


@lru_cache(maxsize=2)
def instructions(template: str) -> str:
    """The instructions for turns of one call or of several."""
    return render(
        TEMPLATES[template], {"today": f"6. Today is {TODAY}.", "reference": reference_shown(())}
    ).strip()


def head(setting: str, listing: str) -> str:
    """What stands before the dialogue in every prompt of a setting."""
    return f"{instructions(SETTINGS[setting].template)}\nTools with their parameters:\n{listing}"


def evaluation_rows(row: StandardRow, tools: Sequence[Document]) -> Iterator[dict[str, JsonValue]]:
    """The turns of a dialogue as rows of the benchmark."""
    setting = SETTINGS[row.setting]
    before = head(row.setting, json.dumps([*tools], ensure_ascii=False))
    is_hard = any(tag in TABLE_8 for tags in row.hard for tag in tags)
    history: list[Any] = []
    for place, turn in enumerate(row.turns):
        answer = {call.name: call.arguments for call in turn.calls}
        past = f"{history_text(history, setting.history).rstrip()}\n" if history else ""
        dialogue = f"History Dialog: \n{past}" if setting.several_turns else ""
        numbered = setting.several_turns or row.split != TRAIN
        yield {
            "id": f"{row.id}_{place}" if numbered else row.id,
            "question": f"{before}\n{dialogue}User: {turn.user}",
            "answer": answer or ({} if setting.several_calls else {"": {}}),
            "hard": row.hard[place],
            "difficulty": "hard" if is_hard else "normal",
            "source": row.source,
        }
        history.append(past_of(turn))
