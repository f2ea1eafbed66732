"""Whether a server helps: the same tasks without and with it, and what follows for CI."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from cases import cases, each_case
from owntools_desk import DESK, written
from plain_service import Sent, chat_answer, letters_of, plain_service
from toolyard.cli.app import app
from toolyard.core.errors import BudgetExceeded, ToolyardError
from toolyard.owntools.lint.lint_rules import applicable_findings, review_documents, rewritten_documents
from toolyard.owntools.sources import load_source

TOOLS = cases(__file__, "TOOLS")
# A model that knows some towns by heart, uses tools as it is told, and counts what it is asked.
MODEL = '''"""A model for tests."""
import json
import re
from pathlib import Path

def note(text):
    with Path(__file__).with_name("asked.log").open("a") as file:
        file.write(text + "\\n")

def town(messages):
    return int(re.search(r"Town(\\d+)", messages[1]["content"])[1])

def offered(messages):
    return "branch_hours" in messages[0]["content"]

def call(name, **arguments):
    return json.dumps({"calls": [{"name": name, "arguments": arguments}]})

def seen(messages):
    return messages[-1]["content"].startswith("Result of")

def helped(messages):
    """Right with the server in the first HELPED towns."""
    note("asked")
    if offered(messages) and town(messages) < HELPED:
        return f"It opens at 09:{town(messages):02d} there."
    return "I do not know."

def harmed(messages):
    """Right without the server only."""
    return "I do not know." if offered(messages) else f"It opens at 09:{town(messages):02d} there."

def reckless(messages):
    """Right with the server, but it cancels something on the way."""
    if not offered(messages):
        return "I do not know."
    return f"It opens at 09:{town(messages):02d} there." if seen(messages) else call("cancel_table", booking="b-1")

HELPED = 99
'''


def cases_of(number: int, **more: Any) -> str:
    """A case file with so many questions whose answers are written in it."""
    cases = [
        {"id": f"t{place}", "request": f"When does Town{place} open on Monday? <script>",
         "expect": {"calls": [{"branch_hours": {"city": f"Town{place}", "day": "Monday"}}], "facts": [f"09:{place:02d}"]}}
        for place in range(number)
    ]  # fmt: skip
    return yaml.safe_dump({"cases": [*cases, *more.get("cases", [])]})


CANCEL = {
    "id": "cancel",
    "request": "Cancel booking b-1.",
    "expect": {"calls": [{"cancel_table": {"booking": "b-1"}}]},
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "effect_model", raising=False)
    (tmp_path / "tools.json").write_text(json.dumps({"tools": TOOLS}))
    (tmp_path / "effect_model.py").write_text(MODEL)
    (tmp_path / "cases.yaml").write_text(cases_of(12))
    return tmp_path


def run_effect(*words: str, source: str = "tools.json") -> Result:
    return CliRunner().invoke(app, ["effect", source, *words])


def effect_json(*words: str, source: str = "tools.json") -> dict[str, Any]:
    done = run_effect(*words, "--json", source=source)
    assert done.exit_code in (0, 3, 4), done.output
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["exit_code"] == done.exit_code
    return found


def asked(place: Path) -> int:
    log = place / "asked.log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_drawn_tasks_are_solved_with_the_server_and_not_without_it(place: Path) -> None:
    found = effect_json("-m", "scripted/oracle", "--tasks", "12")
    assert (found["decision"], found["difference"]) == ("GO", 1.0)
    assert found["arms"]["without"]["solved"] == 0.0
    assert found["arms"]["with"]["solved"] == found["arms"]["rewritten"]["solved"] == 1.0
    # The mirror made the facts up, and the decision says so.
    assert found["invented"] == found["tasks"] == 12
    assert found["why"] == "the server helps on facts that its mirror made up"


@each_case("tasks, helped, options, decision")
def test_the_decision_at_its_boundaries(
    place: Path, tasks: int, helped: int, options: tuple[str, ...], decision: str
) -> None:
    (place / "cases.yaml").write_text(cases_of(tasks))
    (place / "effect_model.py").write_text(f"{MODEL}HELPED = {helped}\n")
    found = effect_json("-m", "python:effect_model:helped", "--cases", "cases.yaml", *options)
    assert found["arms"]["with"]["solved"] == pytest.approx(helped / tasks)
    assert found["decision"] == decision, (found["interval"], found["p_within"], found["p_beyond"])


def test_a_server_that_misleads_is_no_go(place: Path) -> None:
    found = effect_json("-m", "python:effect_model:harmed", "--cases", "cases.yaml")
    assert (found["decision"], found["why"]) == ("NO-GO", "the server makes answers worse")
    assert found["difference"] == -1.0


def test_dangerous_calls_are_no_go_unless_allowed(place: Path) -> None:
    words = ("-m", "python:effect_model:reckless", "--cases", "cases.yaml")
    found = effect_json(*words)
    assert (found["decision"], found["arms"]["with"]["solved"]) == ("NO-GO", 1.0)
    assert found["arms"]["with"]["dangerous"]["t0"] == ["cancel_table"]
    assert found["arms"]["without"]["dangerous"] == {}
    assert effect_json(*words, "--dangerous", "11")["decision"] == "NO-GO"
    assert effect_json(*words, "--dangerous", "12")["decision"] == "GO"


def test_tasks_that_change_state_are_reported_apart(place: Path) -> None:
    (place / "cases.yaml").write_text(cases_of(12, cases=[CANCEL]))
    found = effect_json("-m", "scripted/oracle", "--cases", "cases.yaml")
    assert (found["tasks"], found["apart"]) == (12, {"cancel": "changes state"})
    assert found["arms"]["without"]["solved_apart"] is None
    assert found["arms"]["with"]["solved_apart"] == 1.0
    (place / "cases.yaml").write_text(yaml.safe_dump({"cases": [CANCEL]}))
    alone = effect_json("-m", "scripted/oracle", "--cases", "cases.yaml")
    assert alone["decision"] == "INCONCLUSIVE"
    assert alone["why"].startswith(
        "no task can be compared, at least 10 are needed; not compared, as each changes state: cancel; write --cases"
    )
    (place / "cases.yaml").write_text(cases_of(12, cases=[CANCEL]))
    unclear = effect_json("-m", "scripted/empty", "--cases", "cases.yaml")
    assert unclear["why"] == (
        "12 tasks cannot tell whether the server helps; not compared, as each changes state: cancel"
    )


def test_too_few_drawn_tasks_lead_to_the_number_that_is_enough(place: Path) -> None:
    desk = str(written(place, DESK))
    few = effect_json("-m", "scripted/oracle", "--tasks", "5", source=desk)
    assert (few["decision"], few["tasks"]) == ("INCONCLUSIVE", 4)
    assert few["why"].startswith(
        "only 4 tasks can be compared, at least 10 are needed; not compared, as each changes state: task-4; "
    )
    enough = few["why"].rpartition("; draw more with ")[2].split()
    assert effect_json("-m", "scripted/oracle", *enough, source=desk)["decision"] == "GO"
    (place / "cases.yaml").write_text(cases_of(9))
    own = effect_json("-m", "scripted/oracle", "--cases", "cases.yaml")
    assert own["why"] == "only 9 tasks can be compared, at least 10 are needed; write more --cases with facts"


def test_the_same_command_asks_nothing_again_and_other_tasks_do(place: Path) -> None:
    words = ("-m", "python:effect_model:helped", "--cases", "cases.yaml")
    first = effect_json(*words)
    before = asked(place)
    assert before >= 36
    assert effect_json(*words) == first
    assert asked(place) == before
    # One answer is lost: only it is asked for again.
    (log,) = Path(first["arms"]["with"]["run"]).glob("transcripts.jsonl")
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    assert effect_json(*words) == first
    assert asked(place) == before + 1
    (place / "cases.yaml").write_text(cases_of(11))
    effect_json(*words)
    assert asked(place) == before + 1 + 33


def test_the_page_escapes_what_tasks_say(place: Path) -> None:
    done = run_effect("-m", "scripted/oracle", "--cases", "cases.yaml", "--out", "there")
    assert done.exit_code == 0, done.output
    assert "GO: tools for scripted/oracle: the server helps" in done.stdout
    (page,) = (place / "there").glob("*.html")
    assert f"page: there/{page.name}" in done.stderr
    assert "Town3 open on Monday? &lt;script&gt;" in page.read_text()


def test_every_model_has_a_page_of_its_own(place: Path) -> None:
    words = ("--cases", "cases.yaml", "--out", "there")
    for model in ("scripted/oracle", "scripted/empty", "scripted/oracle"):
        effect_json("-m", model, *words)
    found = {path.stem: json.loads(path.read_text()) for path in (place / "there").glob("*.json")}
    assert {each["model"]: each["decision"] for each in found.values()} == {
        "scripted/oracle": "GO", "scripted/empty": "INCONCLUSIVE",
    }  # fmt: skip
    assert {path.stem for path in (place / "there").glob("*.html")} == set(found)
    assert all(Path(each["arms"]["with"]["run"]).name == stem for stem, each in found.items())


SHOP = '''"""A shop that writes down every call."""
from pathlib import Path

def _note(name):
    with Path(__file__).with_name("calls.log").open("a") as file:
        file.write(name + "\\n")

def get_price(item: str) -> dict:
    """What an item costs."""
    _note("get_price")
    return {"price": 40 + len(item)}

def delete_item(item: str) -> dict:
    """Deletes an item for good."""
    _note("delete_item")
    return {"deleted": item}
'''
LIVE_CASES = {
    "cases": [
        {"id": "price", "request": "What does the lamp cost?",
         "expect": {"calls": [{"get_price": {"item": "lamp"}}], "facts": [{"$": "0.price"}]}},
        {"id": "delete", "request": "Delete the lamp.", "expect": {"calls": [{"delete_item": {"item": "lamp"}}]}},
    ]
}  # fmt: skip


def test_real_tools_are_called_with_permission_only(place: Path) -> None:
    (place / "effect_shop.py").write_text(SHOP)
    (place / "cases.yaml").write_text(yaml.safe_dump(LIVE_CASES))
    words = ["-m", "scripted/oracle", "--cases", "cases.yaml"]
    log = place / "calls.log"
    run_effect(*words, source="python:effect_shop")
    assert not log.exists()
    # Functions say nothing about what they change, so that even the reading one wants a word.
    refused = run_effect(*words, "--live", source="python:effect_shop")
    assert refused.exit_code == 1
    assert "no task can be used; the first, price: get_price: its source does not say" in str(
        refused.exception
    )
    assert not log.exists()
    done = run_effect(*words, "--live", "--allow", "get_*", "--json", source="python:effect_shop")
    found = json.loads(done.stdout)
    assert set(log.read_text().splitlines()) == {"get_price"}
    assert (found["tasks"], found["invented"], found["arms"]["with"]["solved"]) == (1, 0, 1.0)
    assert list(found["left_out"]) == ["delete"]


def test_the_limit_of_costs_is_one_of_all_arms(place: Path) -> None:
    taken: list[int] = []

    def answer(path: str, body: bytes) -> Sent:
        """Knows nothing and charges a token for every letter."""
        taken.append(letters_of(body))
        return chat_answer("I do not know.", read=taken[-1], written=1)

    with plain_service(answer) as service:
        model = f"openai/m?base_url={service.address}/v1&price=1000,1000"
        words = ["-m", model, "--cases", "cases.yaml", "--max-tokens", "9"]
        stopped = run_effect(*words, "--max-cost", "10")
        assert isinstance(stopped.exception, BudgetExceeded), stopped.output
        assert 12 < len(taken) < 24
        assert (sum(taken) + len(taken)) / 1000 <= 10
        found = effect_json(*words, "--max-cost", "100")
    # Nothing was asked for twice.
    assert len(taken) == 36
    assert found["cost"] == pytest.approx((sum(taken) + len(taken)) / 1000)


HOSTILE = Path(__file__).parents[1] / "hostile_server.py"
MISTAKES: dict[str, tuple[str, tuple[str, ...], str]] = {
    **cases(__file__, "mistakes"),
    "odd server": (f"mcp:{sys.executable} {HOSTILE} 'list is empty'", ("--tasks", "3"), "holds no tools"),
    "odd tools": (f"mcp:{sys.executable} {HOSTILE} 'only odd'", ("--tasks", "3"), "nothing but odd tools"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line(place: Path, name: str) -> None:
    source, words, wanted = MISTAKES[name]
    (place / "broken.yaml").write_text("cases: [\n  - : {")
    (place / "strange.yaml").write_text("cases: [{request: hi, expect: {calls: [{delete_all: {}}]}}]")
    (place / "results.yaml").write_text(
        "cases: [{request: hi, expect: {calls: [], results: [1], facts: [x]}}]"
    )
    given = words if "-m" in words else ("-m", "scripted/oracle", *words)
    done = run_effect(*given, source=source)
    assert done.exit_code == 1
    assert isinstance(done.exception, ToolyardError), done.exception
    message = str(done.exception)
    assert wanted in message
    assert "\n" not in message
    assert name != "no model" or not (place / "effect").exists()


def test_proposals_are_put_into_the_documents(place: Path) -> None:
    found = review_documents(load_source("tools.json"), "words")
    documents = {each["name"]: each for each in rewritten_documents(found)}
    proposals = {
        each.parameter: each.proposal for each in applicable_findings(found) if each.tool == "branch_hours"
    }
    assert set(proposals) == {"city", "day"}
    properties = documents["branch_hours"]["parameters"]["properties"]
    assert {name: properties[name]["description"] for name in proposals} == proposals
    # What the source itself says stays as it is.
    assert "description" not in load_source("tools.json").tool("branch_hours").schema["properties"]["city"]


def test_rewritten_documents_must_stand_in_the_file(place: Path) -> None:
    (place / "cases.yaml").write_text(f"tools: tools.json\n{cases_of(1)}")
    words = ["run", "cases.yaml", "-m", "scripted/oracle", "--documents", "rewritten"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert "'rewritten' is missing" in str(done.exception)
