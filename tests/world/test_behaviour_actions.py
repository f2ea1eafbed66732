"""What tools write: instructions are understood or refused, and what was written can be read, changed and cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call, library
from toolyard.world.kernel.checks.lint import problems
from toolyard.world.kernel.registry import extras, select

RUN = "Zapier/Zapier/run_zapier_NLA_action"


def act(world: World, action: str, text: str) -> Any:
    observation = call(world, RUN, {"action_id": action, "instructions": text})
    return observation.value["error"] if observation.error else observation.value["result"]


def ask(world: World, tool: str, arguments: Any) -> Any:
    observation = call(world, tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize(
    ("text", "title", "day", "clock"),
    [
        ("Lunch with Bob tomorrow at 3 pm", "Lunch with Bob", "2024-05-16", "15:00"),
        ("Schedule a meeting with Ann next Friday at 3 pm", "meeting with Ann", "2024-05-17", "15:00"),
        (
            "Create an event called Board review on May 30, 2024 at 14:00",
            "Board review",
            "2024-05-30",
            "14:00",
        ),
        ("Remind me to call mum tomorrow at noon", "call mum", "2024-05-16", "12:00"),
        ("Add 'Year 2025 at 10:15' on 20 May", "Year 2025 at 10:15", "2024-05-20", "all day"),
    ],
)
def test_an_event_is_at_the_day_and_time_that_the_words_say(
    text: str, title: str, day: str, clock: str
) -> None:
    event = act(World.fresh(), "calendar_create_event", text)
    assert (event["title"], event["date"], event["time"]) == (title, day, clock)


@pytest.mark.parametrize(
    ("action", "text", "wanted"),
    [
        ("calendar_create_event", "do something nice", "the day"),
        ("calendar_create_event", "tomorrow at 3 pm", "the title"),
        ("calendar_create_event", "Add 'X' on 31 February", "no possible day or time"),
        ("calendar_create_event", "Add 'X' tomorrow at 25:00", "no possible day or time"),
        ("calendar_create_event", "Add 'X' tomorrow at 3", "3 am or 3 pm"),
        ("gmail_send_email", "Write to ann@example.org", "what the mail says"),
        ("gmail_send_email", "Say hello to my boss", "the mail address"),
        ("sheets_add_row", "Add 'Dentist' on 2024-05-20 at 10:30", "name: value"),
        ("slack_send_message", "say hi", "a channel"),
        ("slack_send_message", "Post 'hi' to #marketing", "no channel '#marketing'"),
    ],
)
def test_what_cannot_be_understood_is_an_error_and_changes_nothing(
    action: str, text: str, wanted: str
) -> None:
    world = World.fresh()
    assert wanted in act(world, action, text)["message"]
    assert world.diff() == {}


@pytest.mark.parametrize(
    ("text", "subject", "content"),
    [
        ("Send 'Hi' with the text 'See you at ten' to ann@example.org", "Hi", "See you at ten"),
        ("Email ann@example.org the text 'It's done.'", "It's done.", "It's done."),
        (
            "Mail ann@example.org with subject 'Delay' saying that I'm late",
            "Delay",
            "Hello,\n\nI'm late\n\nAlex Morgan",
        ),
    ],
)
def test_instructions_are_not_the_body_of_a_mail(text: str, subject: str, content: str) -> None:
    mail = act(World.fresh(), "gmail_send_email", text)
    assert (mail["subject"], mail["content"]) == (subject, content)


def test_a_row_has_the_cells_that_are_named() -> None:
    for text in ("'Expenses': item Taxi, amount 18.", "'Expenses' item: Taxi, amount: 18"):
        row = act(World.fresh(), "sheets_add_row", f"Add to the sheet {text}")
        assert (row["sheet"], row["cells"]) == ("Expenses", {"item": "Taxi", "amount": "18"})


@pytest.mark.parametrize(
    "address", ["o'brien@example.ie", "ann+list@mail.example.co.uk", "ann@bücher.example"]
)
def test_mail_goes_to_every_sensible_address(address: str) -> None:
    mail = {"to_email": address, "subject": "Hi", "content": "Hello"}
    assert ask(World.fresh(), "Mail/Mail/send", mail)["to"] == address


@pytest.mark.parametrize(
    "address", ["ann@example", "ann@@example.org", "ann@x..org", ".a@x.org", "a b@x.org", "a@-x.org"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    mail = {"to_email": address, "subject": "Hi", "content": "Hello"}
    assert call(World.fresh(), "Mail/Mail/send", mail).error == "invalid_value"


def test_events_can_be_read_changed_and_cancelled() -> None:
    world = World.fresh()
    key = act(world, "calendar_create_event", "Add 'Dentist' on 2024-05-20 at 10:30")["id"]
    name = "Zapier/Zapier/change_calendar_event"
    assert ask(world, name, {"event_id": key, "date": "21 May 2024", "time": "3 pm"})["time"] == "15:00"
    (event,) = ask(world, "Zapier/Zapier/list_calendar_events", {"date": "2024-05-21"})
    assert event == {"id": key, "title": "Dentist", "date": "2024-05-21", "time": "15:00"}
    assert ask(world, "Zapier/Zapier/cancel_calendar_event", {"event_id": key}) == {
        "id": key,
        "cancelled": True,
    }
    assert world.diff() == {}
    assert call(world, "Zapier/Zapier/cancel_calendar_event", {"event_id": key}).error == "not_found"
    assert call(world, name, {"event_id": key}).error == "not_found"


def test_rows_messages_and_posts_can_be_read_changed_and_deleted() -> None:
    world = World.fresh()
    row = act(world, "sheets_add_row", "Add to the sheet 'Expenses' item: Taxi, amount: 18")["id"]
    message = act(world, "slack_send_message", "Post 'hi' to #general")["id"]
    post = act(world, "instagram_post_photo", "Post /workspace/photo.jpg with the caption 'Light'")["id"]
    group = "Zapier/Zapier"
    ask(world, f"{group}/change_sheet_row", {"row_id": row, "cells": {"amount": "20"}})
    ask(world, f"{group}/change_message", {"message_id": message, "text": "hello"})
    ask(world, f"{group}/change_post", {"post_id": post, "caption": "Dusk"})
    assert ask(world, f"{group}/list_sheet_rows", {})[0]["cells"] == {"item": "Taxi", "amount": "20"}
    assert ask(world, f"{group}/list_messages", {"channel": "#general"})[0]["text"] == "hello"
    assert ask(world, f"{group}/list_posts", {})[0]["caption"] == "Dusk"
    for tool, parameter, key in (
        ("delete_sheet_row", "row_id", row),
        ("delete_message", "message_id", message),
        ("delete_post", "post_id", post),
    ):
        ask(world, f"{group}/{tool}", {parameter: key})
    assert world.diff() == {}


def test_sent_mails_are_listed_and_short_links_expanded() -> None:
    world = World.fresh()
    sent = ask(world, "Mail/Mail/send", {"to_email": "ann@example.org", "subject": "Hi", "content": "x"})[
        "id"
    ]
    assert [mail["id"] for mail in ask(world, "Mail/Mail/list_sent", {})] == [sent]
    ask(world, "Mail/Mail/delete_mail", {"mail_id": sent})
    short = ask(world, "URL/URL/shorten_url", {"long_url": "https://www.example.org/page"})["short_url"]
    assert (
        ask(world, "URL/URL/expand_url", {"short_url": short})["long_url"] == "https://www.example.org/page"
    )
    ask(world, "URL/URL/remove_short_url", {"short_url": short})
    assert world.diff() == {}


def test_extra_tools_are_apart_and_follow_the_conventions() -> None:
    assert len(extras()) == 17
    assert not set(extras()) & set(library())
    assert {tool.id for tool in select("Mail+extra")} - {tool.id for tool in select("Mail")} == {
        "Mail/Mail/delete_mail",
        "Mail/Mail/list_sent",
    }
    assert {tool.id: problems(tool) for tool in extras().values()} == dict.fromkeys(extras(), ())


def test_edges_and_phrases_leave_extra_tools_out() -> None:
    from toolyard.world.kernel.graph import edges
    from toolyard.world.kernel.phrase import phrases

    ends = {end for edge in edges() for end in (edge.producer, edge.consumer)}
    assert not ends & set(extras())
    assert not set(phrases()) & set(extras())


def test_python_starts_where_the_other_file_tools_do() -> None:
    world = World.fresh()
    ask(world, "File/file_operation/write_file", {"text": "one", "file_path": "a.txt"})
    run = "Execute/Execute/execute_pycode"
    assert ask(world, run, {"code": "print(open('a.txt').read())"})["output"] == "one\n"
    ask(world, run, {"code": "open('b.txt', 'w').write('two')"})
    assert "b.txt" in ask(world, "Execute/Execute/execute_bash_code", {"commands": "ls"})["stdout"]


def test_a_session_goes_on_after_it_changed_the_disk() -> None:
    world, name = World.fresh(), "Execute/Execute/exectue_pycode_REPL"
    ask(world, name, {"code": "import os\nos.mkdir('sub')\nos.chdir('sub')\nx = 5"})
    found = ask(world, name, {"code": "import os\nprint(os.getcwd(), x)"})
    assert (found["printed"], found["error"]) == ("/workspace/sub 5\n", None)
