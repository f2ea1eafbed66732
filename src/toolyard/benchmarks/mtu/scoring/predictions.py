"""Saved answers in the official results form.

responses/M-S_gpt4_response.jsonl or M-S.jsonl:
{"row": 17, "id": "M-S_12_1", "model": "gpt4", "response": "Thought: ... \\nAction: FindBus ..."}
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path

from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.user_files import json_lines
from toolyard.core.errors import DataError
from toolyard.core.types import Completion, Failure, Message, Record, Transcript


def read_predictions(path: Path, samples: tuple[MtuSample, ...]) -> tuple[Transcript, ...]:
    """The answers of every setting that has a file; a row without one there is a missing prediction."""
    present = {sample.input["setting"] for sample in samples}
    files = [(setting, file) for setting, file in prediction_files(path) if setting in present]
    if not files:
        raise DataError(
            f"{path} answers no setting of the data given; wanted one of {', '.join(sorted(present))}"
        )
    transcripts: list[Transcript] = []
    for setting, file in files:
        wanted = [sample for sample in samples if sample.input["setting"] == setting]
        transcripts += _align_answers(_read_answer_rows(file), wanted, file)
    return tuple(transcripts)


def prediction_files(path: Path) -> list[tuple[str, Path]]:
    """The files of a folder, or the one given, with the settings they are named after."""
    if path.is_file():
        setting = next((name for name in SETTINGS if path.name.startswith(name)), None)
        if setting is None:
            raise DataError(f"{path} is not named after a setting; wanted e.g. M-S.jsonl")
        return [(setting, path)]
    found = []
    for setting in SETTINGS:
        named = [path / f"{setting}.jsonl", *sorted(path.glob(f"{setting}_*_response.jsonl"))]
        present = [file for file in named if file.is_file()]
        if len(present) > 1:
            names = ", ".join(file.name for file in present)
            raise DataError(f"{path} holds several files for {setting} ({names}); keep one model's files")
        found += [(setting, file) for file in present]
    if not found:
        raise DataError(
            f"{path} holds no predictions; wanted S-S.jsonl or S-S_<model>_response.jsonl and so on, "
            "with the answer in `response`"
        )
    return found


def _read_answer_rows(file: Path) -> list[Record]:
    """The rows of a file; an empty file answers nothing and is no mistake (design, section 1)."""
    rows: list[Record] = []
    for where, row in json_lines(file, "wanted id and response"):
        if not isinstance(row, dict) or not isinstance(row.get("response"), str):
            raise DataError(f"{where} has no text in `response`; wanted id (or row) and response")
        if not isinstance(row.get("row"), int) and not isinstance(row.get("id"), str):
            raise DataError(f"{where} has neither `row` nor `id`; wanted one of them")
        rows.append(row)
    return rows


def _align_answers(rows: Sequence[Record], samples: Sequence[MtuSample], file: Path) -> list[Transcript]:
    by_row = {row["row"]: row for row in rows if isinstance(row.get("row"), int)}
    by_id: dict[str, deque[Record]] = defaultdict(deque)
    for row in rows:
        if not isinstance(row.get("row"), int):
            by_id[row["id"]].append(row)
    answers = []
    for sample in samples:
        official_id = sample.id.split("#")[0]
        answer = by_row.get(sample.gold["row"])
        if answer is None and by_id[official_id]:
            answer = by_id[official_id].popleft()
        answers.append((sample, answer))
    if rows and not any(row for _, row in answers):
        raise DataError(f"{file} answers none of the {len(samples)} rows; wanted the ids of the data given")
    left = {name: len(queue) for name, queue in by_id.items() if queue}
    return [_transcript_of_row(sample, row, left.get(sample.id.split("#")[0], 0)) for sample, row in answers]


def _transcript_of_row(sample: MtuSample, row: Record | None, surplus: int) -> Transcript:
    if row is None:
        return Transcript(sample.id, error=Failure("missing_prediction", f"no answer to {sample.id}"))
    notes = {"surplus_answers_with_this_id": surplus} if surplus else {}
    completion = Completion(row["response"], model=str(row.get("model", "")))
    message = Message("assistant", row["response"])
    return Transcript(sample.id, messages=(message,), completions=(completion,), notes=notes)
