"""MTU-Bench rows, one per turn, as samples.

    {"id": "M-S_12_1", "question": "<instructions, tool list, history> \\nUser: From Oslo to Bergen.",
     "answer": {"FindBus": {"from_city": "Oslo", "to_city": "Bergen"}},      # {} or {"": {}}: no call
     "alternatives": [{"call": 0, "parameter": "seats", "values": [1]}],     # optional: what else is right
     "inferred": ["NOK"],                        # optional: values that the dialogue says in other words
     "situation": "unable",                      # optional: why nothing is called
     "reply": "28 dollars.",                     # optional: what the dialogue already says, where it is asked again
     "kind": "correction",                       # optional: what makes the turn hard
     "tools": {"python": "M-S_12"},              # optional: the tool list by name (tool_pool.py)
     "review": {"status": "draft"}}              # optional: the answer is still to be put right

A folder holds `S-S_eval.jsonl S-M_eval.jsonl M-S_eval.jsonl M-M_eval.jsonl OOD_eval.jsonl`, any of them, or a
folder `benchmark` that does; or files named after sources (`sgd.jsonl`), whose rows say their setting in the id.
API-Bank and ToolTalk folders are recognised and converted (corpora.py).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.alternatives import read_alternatives
from toolyard.benchmarks.execution_verdict import executed_lines, world_row
from toolyard.benchmarks.mtu.data.dialogues import Key, TurnPlace, rebuild_dialogues, rows_as_dialogues
from toolyard.benchmarks.mtu.data.sample import MtuGold, MtuInput, MtuSample
from toolyard.benchmarks.mtu.data.tool_pool import FIELD, POOL, Lists, read_lists, restore_tool_list
from toolyard.benchmarks.mtu.scoring.calls import Call, gold_calls
from toolyard.benchmarks.mtu.task.question import QuestionParts, ToolList, split_question, wants_several_calls
from toolyard.benchmarks.user_files import lines_of
from toolyard.core.draft_rows import is_draft
from toolyard.core.errors import DataError
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import Failure, JsonValue, Record, Sample

SETTINGS = ("S-S", "S-M", "M-S", "M-M", "OOD")
MULTI_TURN = ("M-S", "M-M", "OOD")
# Recovered from the published figures (specification 1.2): the release itself does not mark them.
OFFICIAL_HARD = {"S-S": (104, 52), "S-M": (94, 39)}


@dataclass(frozen=True, slots=True)
class RawRow:
    """One line of a benchmark file with where it stands."""

    id: str
    question: str
    answer: JsonValue
    difficulty: str
    where: str
    alternatives: JsonValue = None
    inferred: tuple[str, ...] = ()
    draft: bool = False
    situation: str = ""
    kind: str = ""
    tools: ToolList | None = None
    reply: str = ""


def load_official(path: Path) -> tuple[MtuSample, ...]:
    """All samples of a folder or file in the official form, setting by setting, in file order."""
    samples: list[MtuSample] = []
    read: Counter[str] = Counter()
    for setting, file in benchmark_files(path):
        rows = read_rows(file)
        if setting:
            samples += build_samples(rows, setting)
            continue
        for name, members in _rows_by_setting(rows).items():
            samples += build_samples(members, name, file.stem, first_row=read[name])
            read[name] += len(members)
    return tuple(_attach_executions(samples, executed_lines(path if path.is_dir() else path.parent)))


def _attach_executions(samples: Iterable[MtuSample], lines: Mapping[str, Record]) -> Iterator[MtuSample]:
    """The samples with how their gold was executed, where the set says so; a dialogue is one line."""
    for sample in samples:
        before = sum(len(turn["calls"]) for turn in sample.input["history"])
        found = world_row(lines.get(sample.groups["dialogue"]), before, len(sample.gold["calls"]))
        if found is None:
            yield sample
        else:
            gold: MtuGold = {**sample.gold}
            gold["execution" if gold["calls"] else "world"] = found
            yield replace(sample, gold=gold)


def _rows_by_setting(rows: Iterable[RawRow]) -> dict[str, list[RawRow]]:
    """The rows by the setting that their ids begin with, settings in their usual order."""
    found: dict[str, list[RawRow]] = {setting: [] for setting in SETTINGS}
    for row in rows:
        setting = row.id.partition("_")[0]
        if setting not in found:
            wanted = ", ".join(f"{name}_..." for name in SETTINGS)
            raise DataError(f"{row.where} has the id {row.id!r}, which names no setting; wanted {wanted}")
        found[setting].append(row)
    return {setting: members for setting, members in found.items() if members}


def benchmark_files(path: Path) -> list[tuple[str, Path]]:
    """The files of a folder with their settings, or the one file given; "" where ids say the setting."""
    if path.is_file():
        return [(next((name for name in SETTINGS if path.name.startswith(name)), ""), path)]
    folder = path / "benchmark" if (path / "benchmark").is_dir() else path
    found = [(name, folder / f"{name}_eval.jsonl") for name in SETTINGS]
    present = [(name, file) for name, file in found if file.is_file()]
    present = present or [("", file) for file in sorted(path.glob("*.jsonl")) if file.name != POOL]
    if not present:
        raise DataError(
            f"{path} holds no MTU-Bench file; wanted S-S_eval.jsonl, S-M_eval.jsonl, ... there or in "
            "benchmark/ (or an API-Bank or ToolTalk folder); the official ones come with: toolyard fetch mtu"
        )
    return present


def read_rows(file: Path) -> list[RawRow]:
    """The rows of one benchmark file."""
    lists = read_lists(file.parent)
    rows = [_raw_row(line, where, lists) for where, line in lines_of(file, "wanted id, question and answer")]
    if not rows:
        raise DataError(f"{file} is empty; wanted one JSON row per line with id, question and answer")
    return rows


def _raw_row(line: bytes, where: str, lists: Lists) -> RawRow:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DataError(f"{where} is not JSON ({error}); wanted id, question and answer") from error
    if not isinstance(row, dict):
        raise DataError(f"{where} is not an object; wanted id, question and answer")
    for field in ("id", "question"):
        if not isinstance(row.get(field), str):
            raise DataError(f"{where} has no text in `{field}`; wanted id, question and answer")
    if "answer" not in row:
        raise DataError(f"{where} has no `answer`; wanted an object of tool names and their parameters")
    _check_answer(row["answer"], where)
    difficulty = str(row.get("difficulty", ""))
    inferred = tuple(str(value) for value in row.get("inferred") or ())
    question, tools = restore_tool_list(row, lists, where) if FIELD in row else (row["question"], None)
    return RawRow(
        row["id"],
        question,
        row["answer"],
        difficulty,
        where,
        row.get(ALTERNATIVES),
        inferred,
        is_draft(row),
        str(row.get("situation") or ""),
        str(row.get("kind") or ""),
        tools,
        str(row.get("reply") or ""),
    )


def _check_answer(answer: JsonValue, where: str) -> None:
    """Objects, or the JSON text of one, as some official rows have it; text that is no JSON is an audit's finding."""
    if not isinstance(answer, dict | str):
        found = type(answer).__name__
        raise DataError(
            f"{where}: field answer is a {found}; wanted an object of tool names and their parameters"
        )
    for name, parameters in answer.items() if isinstance(answer, dict) else ():
        if not isinstance(parameters, dict | str):
            found = type(parameters).__name__
            raise DataError(f"{where}: field answer.{name} is a {found}; wanted an object of parameters")


def build_samples(
    rows: Sequence[RawRow], setting: str, source: str = "MTU-Bench", *, first_row: int = 0
) -> list[MtuSample]:
    """The samples of one setting; every row is taken apart, placed in its dialogue and labelled."""
    parts = [_question_parts(row) for row in rows]
    keys = [
        Key(row.id, (*(turn["user"] for turn in part.history), part.user))
        for row, part in zip(rows, parts, strict=True)
    ]
    places = rebuild_dialogues(keys) if setting in MULTI_TURN else rows_as_dialogues(keys)
    difficulty = _official_difficulty([row.id for row in rows], setting)
    samples = []
    for index, (row, part, place) in enumerate(zip(rows, parts, places, strict=True)):
        level = row.difficulty or difficulty.get(row.id, "")
        samples.append(_make_sample(row, part, place, RowContext(setting, source, level, first_row + index)))
    return samples


@dataclass(frozen=True, slots=True)
class RowContext:
    """What a sample takes from its file rather than from its row."""

    setting: str
    source: str
    difficulty: str
    row: int


def _question_parts(row: RawRow) -> QuestionParts:
    parts = split_question(row.question, row.tools)
    if isinstance(parts, Failure):
        raise DataError(
            f"{row.where} ({row.id}) has a question without {parts.kind.removeprefix('no_').replace('_', ' ')}; "
            "wanted instructions, one line with the tool list, and a last line `User: ...`"
        )
    return parts


def _make_sample(row: RawRow, part: QuestionParts, place: TurnPlace, context: RowContext) -> MtuSample:
    gold = gold_calls(row.answer)
    kind = context.setting
    if kind == "OOD":
        turns = "M" if place.turns > 1 or part.history else "S"
        kind = f"{turns}-{'M' if wants_several_calls(part.instructions) else 'S'}"
    read_alternatives(row.alternatives, 0 if isinstance(gold, Failure) else len(gold), row.where)
    return Sample(
        id=place.id,
        input=_make_input(row, part, context.setting, kind),
        gold=_make_gold(row, gold, place, context),
        # One cluster for dialogues that share an id, since the released scorer mixes their turns.
        cluster=place.dialogue if context.setting == "OOD" else place.group,
        groups={**_groups_of_turn(context, kind, place), **({"turn_kind": row.kind} if row.kind else {})},
        draft=row.draft,
    )


def _make_gold(
    row: RawRow, found: tuple[Call, ...] | Failure, place: TurnPlace, context: RowContext
) -> MtuGold:
    gold: MtuGold = {
        "calls": [] if isinstance(found, Failure) else [call.to_json() for call in found],
        "unreadable": found.detail if isinstance(found, Failure) else "",
        "row": context.row,
        "turn": place.turn,
        "paper": {"dialogue": place.number, "turns": place.turns},
        # The released scorer knows dialogues by their number only: a second one of the same number
        # overwrites the turns of the first, and as many turns belong to it as it is given. For OOD it has
        # no rule, so the rebuilt dialogues serve.
        "official": {"dialogue": 0, "turns": place.turns if context.setting == "OOD" else None},
    }
    if isinstance(row.alternatives, list) and row.alternatives:
        gold["alternatives"] = row.alternatives
    if row.inferred:
        gold["inferred"] = list(row.inferred)
    if row.situation and not gold["calls"]:
        gold["situation"] = row.situation
    if row.reply and not gold["calls"]:
        gold["reply"] = row.reply
    return gold


def _make_input(row: RawRow, part: QuestionParts, setting: str, kind: str) -> MtuInput:
    return {
        "setting": setting,
        "kind": kind,
        "question": row.question,
        "instructions": part.instructions,
        "tools": list(part.tools),
        "shared_parameters": part.shared_parameters,
        "history": list(part.history),
        "form": part.form or ("observed" if kind[2] == "S" else "actions"),
        "user": part.user,
        "after": part.after,
    }


def _groups_of_turn(context: RowContext, kind: str, place: TurnPlace) -> dict[str, str]:
    groups = {"setting": context.setting, "source": context.source, "dialogue": place.dialogue}
    if context.setting == "OOD":
        groups["ood_kind"] = kind
    if context.difficulty:
        groups["difficulty"] = context.difficulty
        groups["setting_difficulty"] = f"{context.setting} {context.difficulty}"
    return groups


def _official_difficulty(ids: Sequence[str], setting: str) -> dict[str, str]:
    """Hard and normal rows of the official S-S and S-M files, known by their complete set of ids."""
    size, hard = OFFICIAL_HARD.get(setting, (0, 0))
    if not size or set(ids) != {f"{setting}_{number}" for number in range(size)}:
        return {}
    return {f"{setting}_{number}": "hard" if number < hard else "normal" for number in range(size)}


def samples_by_dialogue(samples: Iterable[MtuSample]) -> dict[str, list[MtuSample]]:
    """The samples by rebuilt dialogue, each in order of turns."""
    dialogues = group_items(samples, lambda sample: f"{sample.groups['setting']}/{sample.groups['dialogue']}")
    return {name: sorted(turns, key=lambda turn: turn.gold["turn"]) for name, turns in dialogues.items()}
