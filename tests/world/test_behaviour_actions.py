"""Actions change what they say and nothing else; every mistake of a call is named."""

from typing import Any

from cases import each_case
from toolyard.world import World, call, library
from toolyard.world.kernel.checks.lint import lint_tool
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import extra_tools, select
from world_answers import answer

RUN = "Zapier/Zapier/run_zapier_NLA_action"


def act(world: World, action: str, text: str) -> Any:
    observation = call(world, RUN, {"action_id": action, "instructions": text})
    return observation.value["error"] if observation.error else observation.value["result"]


@each_case("text, title, day, clock")
def test_an_event_is_at_the_day_and_time_the_words_say(text: str, title: str, day: str, clock: str) -> None:
    event = act(World.fresh(), "calendar_create_event", text)
    assert (event["title"], event["date"], event["time"]) == (title, day, clock)


@each_case("action, text, wanted")
def test_what_is_not_understood_is_an_error_and_changes_nothing(action: str, text: str, wanted: str) -> None:
    world = World.fresh()
    assert wanted in act(world, action, text)["message"]
    assert world.diff() == {}


@each_case("text, subject, content")
def test_instructions_are_not_the_body_of_a_mail(text: str, subject: str, content: str) -> None:
    mail = act(World.fresh(), "gmail_send_email", text)
    assert (mail["subject"], mail["content"]) == (subject, content)


def test_a_row_has_the_cells_that_are_named() -> None:
    for text in ("'Expenses': item Taxi, amount 18.", "'Expenses' item: Taxi, amount: 18"):
        row = act(World.fresh(), "sheets_add_row", f"Add to the sheet {text}")
        assert (row["sheet"], row["cells"]) == ("Expenses", {"item": "Taxi", "amount": "18"})


@each_case("address, error")
def test_mail_goes_to_every_sensible_address_and_no_other(address: str, error: str | None) -> None:
    mail = {"to_email": address, "subject": "Hi", "content": "Hello"}
    found = call(World.fresh(), "Mail/Mail/send", mail)
    assert (found.error, found.value.get("to")) == (error, address if error is None else None)


def test_every_other_action_can_be_read_changed_and_deleted() -> None:
    world = World.fresh()
    key = act(world, "calendar_create_event", "Add 'Dentist' on 2024-05-20 at 10:30")["id"]
    name = "Zapier/Zapier/change_calendar_event"
    assert answer(world, name, {"event_id": key, "date": "21 May 2024", "time": "3 pm"})["time"] == "15:00"
    (event,) = answer(world, "Zapier/Zapier/list_calendar_events", {"date": "2024-05-21"})
    assert event == {"id": key, "title": "Dentist", "date": "2024-05-21", "time": "15:00"}
    assert answer(world, "Zapier/Zapier/cancel_calendar_event", {"event_id": key}) == {
        "id": key,
        "cancelled": True,
    }
    assert world.diff() == {}
    assert call(world, "Zapier/Zapier/cancel_calendar_event", {"event_id": key}).error == "not_found"
    assert call(world, name, {"event_id": key}).error == "not_found"
    row = act(world, "sheets_add_row", "Add to the sheet 'Expenses' item: Taxi, amount: 18")["id"]
    message = act(world, "slack_send_message", "Post 'hi' to #general")["id"]
    post = act(world, "instagram_post_photo", "Post /workspace/photo.jpg with the caption 'Light'")["id"]
    group = "Zapier/Zapier"
    answer(world, f"{group}/change_sheet_row", {"row_id": row, "cells": {"amount": "20"}})
    answer(world, f"{group}/change_message", {"message_id": message, "text": "hello"})
    answer(world, f"{group}/change_post", {"post_id": post, "caption": "Dusk"})
    assert answer(world, f"{group}/list_sheet_rows", {})[0]["cells"] == {"item": "Taxi", "amount": "20"}
    assert answer(world, f"{group}/list_messages", {"channel": "#general"})[0]["text"] == "hello"
    assert answer(world, f"{group}/list_posts", {})[0]["caption"] == "Dusk"
    for tool, parameter, key in (
        ("delete_sheet_row", "row_id", row),
        ("delete_message", "message_id", message),
        ("delete_post", "post_id", post),
    ):
        answer(world, f"{group}/{tool}", {parameter: key})
    assert world.diff() == {}


def test_sent_mails_are_listed_and_short_links_expanded() -> None:
    world = World.fresh()
    sent = answer(world, "Mail/Mail/send", {"to_email": "ann@example.org", "subject": "Hi", "content": "x"})[
        "id"
    ]
    assert [mail["id"] for mail in answer(world, "Mail/Mail/list_sent", {})] == [sent]
    answer(world, "Mail/Mail/delete_mail", {"mail_id": sent})
    short = answer(world, "URL/URL/shorten_url", {"long_url": "https://www.example.org/page"})["short_url"]
    assert (
        answer(world, "URL/URL/expand_url", {"short_url": short})["long_url"]
        == "https://www.example.org/page"
    )
    answer(world, "URL/URL/remove_short_url", {"short_url": short})
    assert world.diff() == {}


def test_extra_tools_are_apart_and_follow_the_conventions() -> None:
    assert len(extra_tools()) == 17
    assert not set(extra_tools()) & set(library())
    assert {tool.id for tool in select("Mail+extra")} - {tool.id for tool in select("Mail")} == {
        "Mail/Mail/delete_mail",
        "Mail/Mail/list_sent",
    }
    assert {tool.id: lint_tool(tool) for tool in extra_tools().values()} == dict.fromkeys(extra_tools(), ())
    from toolyard.world.kernel.graph import edges
    from toolyard.world.kernel.phrase import phrases

    ends = {end for edge in edges() for end in (edge.producer, edge.consumer)}
    assert not ends & set(extra_tools())
    assert not set(phrases()) & set(extra_tools())


def test_python_starts_where_the_other_file_tools_do() -> None:
    world = World.fresh()
    answer(world, "File/file_operation/write_file", {"text": "one", "file_path": "a.txt"})
    run = "Execute/Execute/execute_pycode"
    assert answer(world, run, {"code": "print(open('a.txt').read())"})["output"] == "one\n"
    answer(world, run, {"code": "open('b.txt', 'w').write('two')"})
    assert "b.txt" in answer(world, "Execute/Execute/execute_bash_code", {"commands": "ls"})["stdout"]


def test_a_session_goes_on_after_it_changed_the_disk() -> None:
    world, name = World.fresh(), "Execute/Execute/exectue_pycode_REPL"
    answer(world, name, {"code": "import os\nos.mkdir('sub')\nos.chdir('sub')\nx = 5"})
    found = answer(world, name, {"code": "import os\nprint(os.getcwd(), x)"})
    assert (found["printed"], found["error"]) == ("/workspace/sub 5\n", None)


def test_a_call_names_all_its_mistakes_at_once() -> None:
    observation = call(World.fresh(), "Weather/weatherapi/forecast", {"q": "Paris", "days": "x", "city": "P"})
    error = observation.value["error"]
    assert observation.error == "wrong_type"
    assert error["message"].startswith(
        "3 mistakes: days: wanted an integer, got 'x' (e.g. 7); unknown parameter 'city'"
    )
    assert "aqi is required" in error["message"]
    assert error["parameters"] == ["days", "city", "aqi"]
    observation = call(World.fresh(), "Weather/weatherapi/forecast", {"q": "Paris", "days": 1})
    assert observation.value["error"]["message"].startswith("aqi is required")
    assert "parameters" not in observation.value["error"]


def test_what_is_not_found_comes_with_near_names_and_the_tool_that_lists_them() -> None:
    name = "Zapier/Zapier/run_zapier_NLA_action"
    observation = call(World.fresh(), name, {"action_id": "gmail_send_mail", "instructions": "x"})
    message = observation.value["error"]["message"]
    assert "did you mean gmail_send_email" in message
    assert message.endswith("list_zapier_NLA_actions lists them")


@each_case("name, arguments")
def test_no_other_tool_is_named_for_what_a_tool_lists_itself(name: str, arguments: dict[str, object]) -> None:
    message = call(World.fresh(), name, arguments).value["error"]["message"]
    assert "in all)" in message
    assert "lists them" not in message


@each_case("what, wanted, more, message")
def test_near_ones_or_a_count_help(what: str, wanted: Any, more: dict[str, Any], message: str) -> None:
    assert not_found(what, wanted, **more).message == message


@each_case("name, arguments, ending")
def test_a_refusal_says_how_many_there_are_and_who_lists_them(name: str, arguments: Any, ending: str) -> None:
    error = call(World.fresh(), name, arguments).value["error"]
    assert error["message"].endswith(ending)
    assert error["parameter"] == next(iter(arguments))


def test_a_name_that_is_like_none_is_not_given_a_far_one() -> None:
    message = call(World.fresh(), "nope", {}).text
    assert "did you mean" not in message
    assert "no name is like it (568 in all); see: toolyard tools search WORDS" in message
