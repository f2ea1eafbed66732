"""The evidence step that executes calls and programs: what is the same, what is stored, what hostile ones reach."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from graded_answers import drive
from json_files import write_lines
from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.declared_world import VERSION
from toolyard.core.programs import MOST_CALLS, TOO_MANY_CALLS, CallAnswer, ProgramLog, program_in, run_program
from toolyard.core.types import Options, Transcript
from toolyard.run.grade import executed_calls as executing
from toolyard.run.grade.evidence import collect_questions, executed_book
from toolyard.run.grade.executed_calls import EXECUTOR, executed_calls, executed_plan
from toolyard.run.grade.forked_work import is_fork_possible
from toolyard.run.grade.grading import grade_all
from toolyard.run.grade.scoring import score_settings
from toolyard.run.play.program_sandbox import LONGEST_ERROR, OUTPUT_BYTES, perform_program
from toolyard.run.settings import ScoreSettings

SETUP = RunSetup.default(load_benchmark("nestools"))
TEXT = {"type": "str", "description": ""}
TOOLS = cases(__file__, "tools")


def call(tool: str, label: str, **parameters: Any) -> dict[str, Any]:
    return {"api_name": tool, "parameters": parameters, "responses": [label]}


NESTED = [
    call("leagues", "API_call_0", name="Premier League", country="England"),
    call("fixtures", "API_call_1", league="API_call_0", season=2023),
]
DATED = [call("add_date", "API_call_0", date="2024-06-03", days=10)]
HOLIDAYS = [call("public_holidays", "API_call_0", year=2024, countryCode="GB")]
ROWS = {
    1: ("Which games are there in the English Premier League in 2023?", NESTED),
    2: ("10 days after 3 June 2024?", DATED),
    3: ("British holidays in 2024?", HOLIDAYS),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {
            "test_id": number,
            "task": task,
            "call": calls,
            "api": [
                {
                    "api_name": name,
                    "api_description": "",
                    "parameters": TOOLS[name][1],
                    "required": [],
                    "responses": dict.fromkeys(TOOLS[name][2], TEXT),
                }
                for name in dict.fromkeys(each["api_name"] for each in calls)
            ],
        }
        for number, (task, calls) in ROWS.items()
    ]
    executed = [
        {
            "id": str(number),
            "seed": 0,
            "calls": [
                {"tool": TOOLS[each["api_name"]][0], "arguments": each["parameters"]} for each in calls
            ],
        }
        for number, (_, calls) in ROWS.items()
    ]
    for file, lines in (("test_data.jsonl", rows), ("execution.jsonl", executed)):
        write_lines(tmp_path / file, lines)
    (tmp_path / "synth.json").write_text(json.dumps({"world": VERSION}))
    return tmp_path


def outcome(folder: Path, number: int, calls: list[dict[str, Any]]) -> float | None:
    samples = SETUP.benchmark.data.load(folder, Options())
    transcript = Transcript.answered(str(number), json.dumps(calls))
    book = executed_book(SETUP, samples, [transcript])
    (graded,) = grade_all(SETUP, samples, [transcript], book, "paper")
    return graded.score.values["outcome"]


def nested(**changed: Any) -> list[dict[str, Any]]:
    first = {key: value for key, value in {**NESTED[0]["parameters"], **changed}.items() if value is not None}
    return [{**NESTED[0], "parameters": first}, NESTED[1]]


@each_case("number, calls, right")
def test_same_results_are_right(folder: Path, number: int, calls: list[dict[str, Any]], right: float) -> None:
    assert outcome(folder, number, calls) == right


def test_rows_of_another_world_and_rows_made_by_hand_keep_the_value_rules(folder: Path) -> None:
    moment = [call("add_date", "API_call_0", date="2024-06-03T00:00:00", days=10)]
    (folder / "synth.json").write_text(json.dumps({"world": "0"}))
    assert outcome(folder, 2, moment) == 0.0
    (folder / "execution.jsonl").unlink()
    assert outcome(folder, 2, moment) == 0.0


def test_saved_predictions_are_executed_too_whole_and_in_pieces(folder: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    said = {1: nested(name=None, search="Premier League"), 2: DATED}
    write_lines(answers, ({"test_id": key, "response": json.dumps(calls)} for key, calls in said.items()))
    for workers in (0, 1):
        settings = ScoreSettings("nestools", data=str(folder), predictions=answers, workers=workers)
        assert score_settings(settings).summary.figures["outcome"].value == 1.0


def mail(content: str) -> dict[str, Any]:
    arguments = {"to_email": "ana@example.com", "subject": "Hello", "content": content}
    return {"tool": "Mail/Mail/send", "place": 0, "arguments": arguments}


def test_a_further_side_effect_is_another_state() -> None:
    executing.KEPT.clear()
    first, again = (executed_calls(0, [], [mail("Hi")])[-1] for _ in range(2))
    twice = executed_calls(0, [], [mail("Hi"), mail("Hi")])
    other = executed_calls(0, [], [mail("Bye")])[-1]
    assert first.changes and first == again
    assert len({first.state, twice[-1].state, other.state}) == 3
    # What is kept after a change is kept apart from what is kept without it.
    assert executed_calls(0, [], [mail("Hi"), mail("Hi")]) == twice


def test_observations_are_kept_and_name_their_world(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = SETUP.benchmark.data.load(folder, Options())
    transcript = Transcript.answered("1", json.dumps(nested(name=None, search="Premier League")))
    ((key, found),) = executed_book(SETUP, samples, [transcript]).items()
    assert found.model == EXECUTOR and found.key == key[2] and found.error is None
    seeds = json.loads(found.reply)["seeds"]
    assert list(seeds) == ["0", "1", "2"] and "Premier League" in seeds["0"]["calls"][0]["shown"]
    # Everything is kept by now: the world is not asked again.
    monkeypatch.setattr(executing.Episode, "_observed", None)
    (again,) = executed_book(SETUP, samples, [transcript]).values()
    assert again == found


@pytest.mark.parametrize(
    "calls",
    [
        NESTED * 500,
        nested(name="x" * 1_000_000),
        nested(name="Premier League " * 50_000),
        nested(search=[["deep"] * 2] * 2),
        nested(search={"a": {"b": ["API_call_0"] * 1000}}),
        [
            {**NESTED[0], "parameters": {"name": "API_call_1"}},
            {**NESTED[1], "parameters": {"league": "API_call_1"}},
        ],
        [{**NESTED[0], "responses": ["API_call_0"] * 2000}, NESTED[1]],
    ],
)
def test_hostile_answers_are_wrong_and_cost_little(folder: Path, calls: list[dict[str, Any]]) -> None:
    samples = SETUP.benchmark.data.load(folder, Options())
    transcript = Transcript.answered("1", json.dumps(calls))
    for item in collect_questions(SETUP, samples, [transcript]):
        assert len(item.question.text) <= 20_000
    assert outcome(folder, 1, calls) in (0.0, 1.0)
    assert sum(len(key[2]) for key in executing.KEPT) < executing.MOST_KEPT * executing.LONGEST_KEPT


def test_a_label_of_a_later_call_stands_for_nothing() -> None:
    plan = cases(__file__, "a_label_of_a_later_call")
    found = json.loads(executed_plan(json.dumps(plan)))["seeds"]
    assert list(found) == ["0"] and found["0"]["calls"][0]["error"] == "empty_reference"


def test_without_the_packages_of_the_world_the_outcome_is_unknown(folder: Path) -> None:
    """A fresh process in which a package of the extra cannot be imported."""
    code = f"""
import sys
sys.modules["holidays"] = None
sys.path[:0] = [{str(Path(__file__).parent)!r}, {str(Path(__file__).parents[1])!r}]
import test_executing as tests
from pathlib import Path
from toolyard.core.types import Options, Transcript
import json
samples = tests.SETUP.benchmark.data.load(Path({str(folder)!r}), Options())
other = [tests.call("public_holidays", "API_call_0", year=2024, countryCode="UK")]
transcript = Transcript.answered("3", json.dumps(other))
book = tests.executed_book(tests.SETUP, samples, [transcript])
(graded,) = tests.grade_all(tests.SETUP, samples, [transcript], book, "paper")
print(json.dumps([graded.score.values["outcome"], graded.score.missing.get("outcome", "")]))
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    value, reason = json.loads(done.stdout.splitlines()[-1])
    assert value is None and "pip install 'toolyard[world]'" in reason


NAMES = ("find_berth", "finish")


def played(source: str) -> tuple[str, list[tuple[str, dict[str, object]]], ProgramLog]:
    """The error of a program, its calls and its log."""
    calls: list[tuple[str, dict[str, object]]] = []
    log = ProgramLog()

    def answer(name, arguments):  # type: ignore[no-untyped-def]
        calls.append((name, dict(arguments)))
        if arguments.get("ship") == "none":
            return CallAnswer(refusal="there is no such ship")
        return CallAnswer({"berth": len(calls)}, ends=name == "finish")
        yield

    return drive(run_program(source, NAMES, answer, log), perform_program), calls, log


def test_calls_are_made_in_order_and_a_refusal_is_an_exception_with_its_text() -> None:
    error, calls, log = played(
        "b = find_berth(ship='Ida', **{'from': 1})\nprint(b['berth'])\n"
        "finish(answer=str(b['berth']))\nfind_berth(ship='after')"
    )
    assert (error, log.printed) == ("", "1\n")
    assert calls == [("find_berth", {"ship": "Ida", "from": 1}), ("finish", {"answer": "1"})]
    source = "try:\n    find_berth(ship='none')\nexcept Exception as error:\n    finish(answer=str(error))"
    assert played(source)[1][-1] == ("finish", {"answer": "there is no such ship"})
    assert played("find_berth(ship='none')")[0] == "RuntimeError: there is no such ship"


HOSTILE = {
    **cases(__file__, "hostile_programs"),
    "[" * 5000: "",
    "x = 1\n" * 20000 + "\x00": "",
    f"for i in range({100 * MOST_CALLS}): find_berth(ship=str(i))": TOO_MANY_CALLS,
}


@pytest.mark.parametrize(("source", "error"), HOSTILE.items(), ids=range(len(HOSTILE)))
def test_a_hostile_program_ends_with_one_error_inside_its_limits(source: str, error: str) -> None:
    found, calls, log = played(source)
    assert found.startswith(error)
    assert found
    assert log.errors == [found]
    assert "\n" not in found
    assert len(found) <= LONGEST_ERROR
    assert len(log.printed) <= OUTPUT_BYTES
    assert len(calls) <= MOST_CALLS
    # The next program is not affected.
    assert played("finish(answer='x')")[0] == ""


# Which limit ends a program first depends on the machine.
LIMITS = ("TimeoutError: the program ran", "MemoryError: the program used")


@each_case("source, error, made")
def test_a_program_of_every_hostile_kind_reaches_nothing_but_functions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, error: str, made: int
) -> None:
    monkeypatch.chdir(tmp_path)
    found, calls, log = played(source)
    assert found.startswith(LIMITS if error == "limit" else error)
    assert bool(found) == bool(error)
    assert "\n" not in found and len(found) <= LONGEST_ERROR
    assert (len(calls), {name for name, _ in calls} <= set(NAMES)) == (made, True)
    # What is called must fit the files of a run.
    assert json.dumps([arguments for _, arguments in calls], allow_nan=False)
    assert len(log.printed) <= OUTPUT_BYTES
    assert not any(tmp_path.iterdir())


PIECES = (
    "while True:", "  pass", "def f(x):", "find_berth(ship=", ")", "finish(answer=", "'a' * 10 ** 9", "lambda:", "class A:",
    "import os", "os.", "__class__", "f'{", "}'", "\n", "    ", "yield", "await ", "async ", "try:", "except:", "\x00",
    "é", "(" * 40,
)  # fmt: skip


def test_programs_made_of_scraps_never_raise() -> None:
    rng = random.Random(7)
    for _ in range(60):
        source = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 12)))
        error, calls, _ = played(source)
        assert isinstance(error, str)
        assert len(calls) <= MOST_CALLS


@each_case("reply, program")
def test_the_program_of_a_reply(reply: str, program: str) -> None:
    assert program_in(reply) == program


def test_no_copy_of_the_process_is_made_beside_the_engine() -> None:
    # A copy would inherit the engine without its threads, and wait for ever at its end.
    played("finish(answer='x')")
    assert not is_fork_possible()
