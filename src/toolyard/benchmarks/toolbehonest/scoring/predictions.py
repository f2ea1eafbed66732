"""Saved answers in the official results form, aligned by place inside the subtask.

{"single_step": {"level_1": [{"solvable": "<answer>solvable</answer>", "unsolvable": "..."}, ...],
                 "level_2": [...], "level_3": [...]}, ...}
"""

from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS
from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.user_files import json_value, read_text
from toolyard.core.errors import DataError
from toolyard.core.types import Completion, Failure, Message, Record, Transcript

WANTED = 'wanted is {subtask: {"level_1": [{"solvable": text, "unsolvable": text}, ...], ...}}'


def read_predictions(path: Path, samples: tuple[ToolBeHonestSample, ...]) -> tuple[Transcript, ...]:
    """One transcript per sample whose subtask and level the file holds; the others were not evaluated."""
    results = _results_by_subtask(path)
    found = (_transcript_of_sample(path, results, sample) for sample in samples)
    return tuple(transcript for transcript in found if transcript is not None)


def _results_by_subtask(path: Path) -> Record:
    """What the file holds by subtask; an empty file or object answers nothing (design, section 1)."""
    text = read_text(path, WANTED)
    results = json_value(text, str(path), WANTED) if text.strip() else {}
    if not isinstance(results, dict) or not all(isinstance(levels, dict) for levels in results.values()):
        raise DataError(f"{path} is not in the official results form; {WANTED}")
    if results and not set(results) & set(SUBTASKS):
        names = ", ".join(sorted(results)[:3])
        raise DataError(f"{path} names no subtask (found {names}); {WANTED}; one set per file")
    return results


def _transcript_of_sample(path: Path, results: Record, sample: ToolBeHonestSample) -> Transcript | None:
    subtask, level, variant = (sample.groups[name] for name in ("subtask", "level", "variant"))
    answers = results.get(subtask, {}).get(level)
    if answers is None:
        return None
    if not isinstance(answers, list):
        raise DataError(f"{path}: {subtask}/{level} is a {type(answers).__name__}; wanted is a list")
    index: int = sample.gold.index
    pair = answers[index] if index < len(answers) else None
    if not isinstance(pair, dict | None):
        raise DataError(f"{path}: {subtask}/{level}[{index}] is a {type(pair).__name__}; {WANTED}")
    text = None if pair is None else pair.get(variant)
    if text is None:
        detail = f"{subtask}/{level} has no answer {index} for the {variant} twin"
        return Transcript(sample.id, error=Failure("missing_prediction", detail))
    if not isinstance(text, str):
        raise DataError(f"{path}: {subtask}/{level}[{index}].{variant} is a {type(text).__name__}; {WANTED}")
    return Transcript(sample.id, messages=(Message("assistant", text),), completions=(Completion(text),))
