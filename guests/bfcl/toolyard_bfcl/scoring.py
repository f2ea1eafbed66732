"""The verdict on a row, equal to bfcl-eval's: its AST checker on the calls, or the state and results after every turn.

Result files of BFCL hold one row a line; a multi-turn row has a list of replies for every turn in place of one reply:

    {"id": "simple_python_0", "result": "[area(base=10)]"}                 a model that was prompted
    {"id": "simple_python_0", "result": [{"area": "{\"base\": 10}"}]}      a model with native calls
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from toolyard import Completion, DataError, Failure, Grouping, Score, Transcript, mean, within
from toolyard import average_of_defined as average
from toolyard_bfcl.calls import Call, Reply, read_result, result_of
from toolyard_bfcl.rows import CATEGORIES, GROUPS, LEFT_OUT, PREFIX, SIMPLE, WEIGHTS, RowSample, read_rows
from toolyard_bfcl.task import services_of
from toolyard_bfcl.wheel import wheel_module

# The wheel's pattern for arrays of arrays takes twice as long with each of them.
MOST_ARRAYS = 14


class Answer(NamedTuple):
    """The replies of every turn; `underscored`: the functions were offered with underscores for dots."""

    turns: tuple[tuple[Reply, ...], ...]
    underscored: bool


def parse(sample: RowSample, transcript: Transcript, profile: str) -> Answer:  # noqa: ARG001
    """The calls of every reply, of a run or of a result file."""
    notes, played = transcript.notes, iter([result_of(each) for each in transcript.completions])
    native = bool(notes.get("native", any(each.tool_calls for each in transcript.completions)))
    turns: Any = [
        list(islice(played, length)) for length in notes.get("turns", [len(transcript.completions)])
    ]
    if "result" in notes:
        # An error message in place of the turns is a row that was not played.
        result, has_turns = notes["result"], sample.input["group"] == "multi_turn"
        turns = (result if isinstance(result, list) else []) if has_turns else [[result]]
    replies = tuple(
        tuple(read_result(each, sample.input["language"], native=native) for each in turn) for turn in turns
    )
    return Answer(replies, bool(notes.get("underscored", native)))


def score(sample: RowSample, prediction: Answer, evidence: object, profile: str) -> Score:  # noqa: ARG001
    """1 for a right answer, else 0 with BFCL's label."""
    try:
        verdict = judge(sample, prediction)
    except Exception as error:  # the wheel's checker trips over values that it does not expect
        verdict = refuse("checker_error", f"{type(error).__name__}: {error}")
    graded = [
        [reply.kind if isinstance(reply, Failure) else [call.text for call in reply] for reply in turn]
        for turn in prediction.turns
    ]
    if verdict["valid"]:
        return Score(sample.id, values={"accuracy": 1.0}, graded=graded)
    reason = verdict.get("error_message") or verdict.get("error")
    errors, reasons = {"answer": {verdict["error_type"]: 1}}, (str(reason)[:500],)
    return Score(sample.id, values={"accuracy": 0.0}, errors=errors, graded=graded, reasons=reasons)


def refuse(label: str, reason: str) -> dict[str, Any]:
    """The verdict on a wrong answer, as bfcl-eval writes it."""
    return {"valid": False, "error_type": label, "error_message": reason}


def judge(sample: RowSample, answer: Answer) -> dict[str, Any]:
    """BFCL's verdict on an answer; raises where its checker does."""
    group = sample.input["group"]
    if group == "multi_turn":
        return _judge_turns(sample, answer)
    reply = answer.turns[0][-1] if answer.turns and answer.turns[0] else Failure("no_reply")
    if group in ("irrelevance", "relevance"):
        called = isinstance(reply, tuple) and bool(reply)
        label = f"{group}_error:decoder_{'failed' if group == 'relevance' else 'success'}"
        said = f"a function was {'called' if called else 'not called'}"
        return {**refuse(label, said), "valid": called == (group == "relevance")}
    if isinstance(reply, Failure):
        return refuse("ast_decoder:decoder_failed", f"{reply.kind} {reply.detail}".strip())
    return _judge_calls(sample, reply, "native" if answer.underscored else "text")


def _judge_calls(sample: RowSample, calls: tuple[Call, ...], names: str) -> dict[str, Any]:
    language, output = sample.input["language"], [{call.name: call.arguments} for call in calls]
    if language == "javascript" and str(output).count("[") > MOST_ARRAYS:
        raise ValueError("too many arrays in the arguments")
    checker = wheel_module("eval_checker.ast_eval.ast_checker")
    kind = wheel_module("constants.enums").Language(language)
    functions, answers = sample.gold["functions"], sample.gold["answers"]
    return dict(checker.ast_checker(functions, output, answers, kind, sample.input["category"], names))


def _judge_turns(sample: RowSample, answer: Answer) -> dict[str, Any]:
    gold = sample.gold["answers"]
    if len(answer.turns) != len(gold):
        said = f"{len(answer.turns)} of {len(gold)} turns were played"
        return refuse("multi_turn:force_terminated", said)
    checker = wheel_module("eval_checker.multi_turn_eval.multi_turn_checker")
    played, wanted = services_of(sample), services_of(sample)
    results: list[str] = []
    found: dict[str, Any] = {"valid": True}
    for number, (turn, gold_calls) in enumerate(zip(answer.turns, gold, strict=True)):
        calls = [call for reply in turn if isinstance(reply, tuple) for call in reply]
        results += [played.call(call) for call in calls]
        expected = [wanted.call(call) for call in gold_calls]
        if not gold_calls:
            continue
        if not calls:
            return refuse("multi_turn:empty_turn_model_response", f"no call in turn {number}")
        found = checker.state_checker(played.instances, wanted.instances)
        found = checker.response_checker(results, expected, number) if found["valid"] else found
        if not found["valid"]:
            break
    return found


def read_predictions(path: Path, samples: Sequence[RowSample]) -> tuple[Transcript, ...]:
    """BFCL's own result files: one file, or a folder of them such as result/MODEL; rows of other categories are left out."""
    files = sorted(path.rglob(f"{PREFIX}*_result.json")) if path.is_dir() else [path]
    if not files:
        raise DataError(f"{path} has no {PREFIX}*_result.json; wanted BFCL's result files")
    known = {sample.id for sample in samples}
    others = (*LEFT_OUT, *(set(CATEGORIES) - {sample.input["category"] for sample in samples}))
    rows = [row for file in files for row in read_rows(file)]
    strange = next(
        (row["id"] for row in rows if row["id"] not in known and not row["id"].startswith(others)), ""
    )
    if strange:
        raise DataError(
            f"{path} has a row {strange[:80]!r}, which BFCL v4 has not; wanted ids such as simple_python_0"
        )
    rows = [row for row in rows if row["id"] in known]
    names = [name for row in rows for name in _called_names(row.get("result"))]
    notes = {"native": bool(names), "underscored": bool(names) and not any("." in name for name in names)}
    results = {row["id"]: row.get("result") for row in rows}
    return tuple(
        Transcript(name, completions=(Completion(json.dumps(each)),), notes={**notes, "result": each})
        for name, each in results.items()
    )


def _called_names(result: Any) -> Iterator[str]:
    """The functions that a result calls natively."""
    if isinstance(result, dict):
        yield from result
    for each in result if isinstance(result, list) else ():
        yield from _called_names(each)


ACCURACY = mean("accuracy")
BY_CATEGORY = {name: within(ACCURACY, "category", name).named(name) for name in CATEGORIES}
# As on the leaderboard: the three languages of simple rows count as one, live rows count one by one.
BY_CATEGORY["simple"] = average("simple", [BY_CATEGORY[name] for name in SIMPLE])
PARTS = {**GROUPS, "non_live": ("simple", *GROUPS["non_live"][len(SIMPLE) :])}
AVERAGES = [average(name, [BY_CATEGORY[part] for part in PARTS[name]]) for name in WEIGHTS]
AVERAGES[list(WEIGHTS).index("live")] = within(ACCURACY, "group", "live").named("live")
METRICS = (
    average("offline", AVERAGES, list(WEIGHTS.values())),
    *AVERAGES,
    BY_CATEGORY["live_relevance"].named("relevance"),
    ACCURACY,
)
GROUPINGS = (Grouping("category", CATEGORIES, ("accuracy",)),)
