"""Saved trajectories in the official form, one JSON object a line (or one JSON list).

    {"id": "Turn 1: Draw a number below 10.", "path": "ToolEyes/Tool_Library/Random/Random", "scenario": "TG",
     "conversations": [{"from": "system", "value": "... following tools:\\n[...]"},
                       {"from": "user", "value": "Draw a number below 10."},
                       {"from": "assistant", "value": "Thought: ...\\nAction: ...\\nAction Input: {...}"},
                       {"from": "function", "value": "{...}"}, ...]}

A trajectory whose id and path are those of a loaded query belongs to it; any other one is a sample of its own, with
the query and the documents that it carries. A query without a trajectory was not evaluated.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.benchmarks.tooleyes.data.documents import documents_in_prompt
from toolyard.benchmarks.tooleyes.data.rows import row_query, scenario_of_group, subcategory_of_path
from toolyard.benchmarks.tooleyes.data.sample import ToolEyesSample
from toolyard.benchmarks.user_files import json_lines, lines_of, read_json
from toolyard.core.errors import DataError
from toolyard.core.types import Completion, Failure, JsonValue, Message, Record, Role, Sample, Transcript

WANTED = 'wanted is {"id", "conversations": [{"from", "value"}, ...], "path", "scenario"} a line'
_ROLES: Mapping[str, Role] = {
    "system": "system",
    "user": "user",
    "assistant": "assistant",
    "function": "tool",
}


@dataclass(frozen=True, slots=True)
class Saved:
    """One trajectory, and the sample it belongs to."""

    sample: ToolEyesSample
    conversation: list[Record]


def _read_list(path: Path) -> Sequence[JsonValue]:
    found = read_json(path, WANTED)
    return found if isinstance(found, list) else ()


def json_objects(path: Path) -> Iterator[tuple[str, Record]]:
    """The objects of a jsonl file, or of a JSON list, with where each stands."""
    first = next((line.lstrip()[:1] for _, line in lines_of(path, WANTED)), b"")
    rows: Iterable[tuple[str, JsonValue]] = json_lines(path, WANTED)
    if first == b"[":
        rows = ((f"{path} entry {number}", row) for number, row in enumerate(_read_list(path)))
    for where, row in rows:
        if not isinstance(row, dict):
            raise DataError(f"{where}: no object; {WANTED}")
        yield where, row


def samples_by_id(samples: tuple[ToolEyesSample, ...]) -> Mapping[str, list[ToolEyesSample]]:
    """Samples by their own id and by the official one, which two may share."""
    found: dict[str, list[ToolEyesSample]] = {}
    for sample in samples:
        for name in dict.fromkeys((sample.id, str(sample.input.get("official_id", sample.id)))):
            found.setdefault(name, []).append(sample)
    return found


def predicted_samples(path: Path, samples: tuple[ToolEyesSample, ...]) -> tuple[ToolEyesSample, ...]:
    """The loaded samples, with the documents of their trajectories, and samples that only the file has."""
    saved = {item.sample.id: item.sample for item in _saved_trajectories(path, samples)}
    own = [sample for name, sample in saved.items() if name not in {each.id for each in samples}]
    return (*(saved.get(sample.id, sample) for sample in samples), *own)


def read_predictions(path: Path, samples: tuple[ToolEyesSample, ...]) -> tuple[Transcript, ...]:
    """One transcript per trajectory of the file."""
    return tuple(_saved_transcript(item) for item in _saved_trajectories(path, samples))


def _saved_trajectories(path: Path, samples: tuple[ToolEyesSample, ...]) -> Iterator[Saved]:
    known = samples_by_id(samples)
    used: Counter[str] = Counter()
    for where, row in json_objects(path):
        conversation = row.get("conversations")
        if not isinstance(conversation, list) or not all(isinstance(turn, dict) for turn in conversation):
            raise DataError(f"{where}: no conversations; {WANTED}")
        sample = _sample_of_row(row, conversation, known, where)
        used[sample.id] += 1
        if used[sample.id] > 1:
            sample = replace(sample, id=f"{sample.id}#{used[sample.id]}", cluster="")
        yield Saved(sample, conversation)


def _sample_of_row(
    row: Record, conversation: list[Record], known: Mapping[str, list[ToolEyesSample]], where: str
) -> ToolEyesSample:
    name, group = str(row.get("id", "")), subcategory_of_path(row.get("path"), where)
    same = (sample for sample in known.get(name, ()) if sample.input["path"] == group)
    system = next((str(turn.get("value", "")) for turn in conversation if turn.get("from") == "system"), "")
    documents = documents_in_prompt(system) if system else Failure("empty")
    sample = next(same, None)
    if sample is not None:
        return sample if isinstance(documents, Failure) else sample.with_input({"documents": documents})
    if isinstance(documents, Failure):
        raise DataError(
            f"{where}: {name!r} is not a loaded query and its system prompt has no tool documents; {WANTED}"
        )
    return Sample(
        id=name,
        input={"query": row_query(row), "path": group, "documents": documents, "official_id": name},
        gold=None,
        groups={"scenario": str(row.get("scenario") or scenario_of_group(group)), "subcategory": group},
    )


def _saved_transcript(item: Saved) -> Transcript:
    """The trajectory after its query; what the released code stored is no raw text, and `saved` says so."""
    turns = item.conversation
    first = next((place for place, turn in enumerate(turns) if turn.get("from") == "user"), -1)
    after = [
        {"from": str(turn.get("from", "")), "value": str(turn.get("value", "")), **_extra_fields(turn)}
        for turn in turns[first + 1 :]
    ]
    texts = [str(turn["value"]) for turn in after if turn["from"] == "assistant"]
    return Transcript(
        sample=item.sample.id,
        messages=tuple(
            Message(_ROLES.get(str(turn.get("from")), "user"), str(turn.get("value", ""))) for turn in turns
        ),
        completions=tuple(Completion(text) for text in texts),
        notes={"conversation": after, "saved": True},
    )


def _extra_fields(turn: Record) -> dict[str, JsonValue]:
    return {key: turn[key] for key in ("kind", "error") if key in turn}
