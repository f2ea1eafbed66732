"""Saved predictions in the official results form: one {"test_id": 7, "response": "[...]"} per line."""

from collections import Counter
from pathlib import Path

from toolyard.benchmarks.nestools.data.rows import DataLine, read_lines
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.core.errors import DataError
from toolyard.core.types import Completion, Failure, JsonValue, Transcript

PREDICTIONS_FILE = "predictions.jsonl"
NO_ANSWER = -1


def read_predictions(path: Path, samples: tuple[NestoolsSample, ...]) -> tuple[Transcript, ...]:
    """One transcript per line, then one for every record without a line.

    A repeated test_id is another trial, -1 a request that failed, and any other response that is no text an
    answer that cannot be read.
    """
    known = {sample.id for sample in samples}
    trials: Counter[str] = Counter()
    transcripts = []
    for line in read_lines(predictions_file(path)):
        name = _test_id(line)
        if name not in known:
            raise line.problem("test_id", f"the id of a record, found {name}")
        if "response" not in line.row:
            raise line.problem("response", "the model's answer as text")
        transcripts.append(_transcript_of_response(name, trials[name], line.row["response"]))
        trials[name] += 1
    missing = Failure("missing_prediction", f"{path.name} has no line for it")
    absent = [Transcript(sample.id, error=missing) for sample in samples if not trials[sample.id]]
    return (*transcripts, *absent)


def predictions_file(path: Path) -> Path:
    """The file with the predictions, whether it or its folder was named."""
    if not path.is_dir():
        return path
    if (path / PREDICTIONS_FILE).exists():
        return path / PREDICTIONS_FILE
    raise DataError(f"{path} is a folder without {PREDICTIONS_FILE}; name the file with the predictions")


def _test_id(line: DataLine) -> str:
    value = line.row.get("test_id")
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise line.problem("test_id", "an integer")
    return str(value)


def _transcript_of_response(name: str, trial: int, response: JsonValue) -> Transcript:
    if response == NO_ANSWER and not isinstance(response, str):
        return Transcript(name, trial, error=Failure("request_failed", "the response is -1"))
    text = response if isinstance(response, str) else ""
    return Transcript(name, trial, completions=(Completion(text),))
