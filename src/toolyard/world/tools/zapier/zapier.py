"""Zapier/Zapier: actions of connected apps, run from an instruction in plain words."""

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Annotated, TypedDict

from toolyard.world.index import Index, words
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.tables import find
from toolyard.world.kernel.types import JsonValue, Prose, Range, Semantic
from toolyard.world.tools.file import files
from toolyard.world.tools.mail import mailbox
from toolyard.world.tools.zapier.instructions import (
    missing_detail_fault,
    parse_event,
    parse_mail,
    parse_row,
    quoted_texts,
    text_outside_quotes,
)
from toolyard.world.tools.zapier.mail_selection import ASKING, select_mails

GROUP = Group("Zapier/Zapier")
EVENTS = Store("events")
SHEETS = Store("sheets")
MESSAGES = Store("slack_messages")
POSTS = Store("instagram_posts")
ActionId = Annotated[str, Semantic("zapier_action_id")]
CHANNELS = ("general", "random", "sales", "support", "engineering")
_SAID = re.compile(r"(?:\bthat|\bsaying|:)\s+(?P<text>\S.{0,1999})", re.S)
_CHANNEL = re.compile(r"#(\w{1,40})")


class Action(TypedDict):
    id: ActionId
    app: str
    description: str
    needs: list[str]


class Outcome(TypedDict):
    action: ActionId
    status: str
    result: dict[str, JsonValue]


def _send_mail(world: World, text: str) -> dict[str, object]:
    to = mailbox.find_addresses(text)
    if not to:
        raise missing_detail_fault("the mail address of the receiver, e.g. ann@example.org")
    subject, content = parse_mail(text)
    key = mailbox.send_mail(world, to[0], subject, content, to[1:])
    return {"id": key, "to": to[0], "subject": subject, "content": content}


def _find_mail(world: World, text: str) -> dict[str, object]:
    found = select_mails(mailbox.inbox(world), text, world.today)
    return {
        "found": len(found),
        "mails": [{k: mail[k] for k in ("id", "from", "subject", "date", "content")} for mail in found[:10]],
    }


def _add_event(world: World, text: str) -> dict[str, object]:
    event = parse_event(text, world.today).as_json()
    key = world.new_key(EVENTS, "e")
    world.store(EVENTS)[key] = event
    return {"id": key, **event}


def _add_row(world: World, text: str) -> dict[str, object]:
    sheet, row = parse_row(text)
    key = world.new_key(SHEETS, "r")
    world.store(SHEETS)[key] = {"sheet": sheet, "cells": row}
    return {"id": key, "sheet": sheet, "cells": row}


def _list_channels(world: World, text: str) -> dict[str, object]:
    return {"channels": [f"#{name}" for name in CHANNELS]}


def _send_message(world: World, text: str) -> dict[str, object]:
    around = text_outside_quotes(text).lower()
    named = _CHANNEL.findall(around)
    channel = next((name for name in CHANNELS if f"#{name}" in around or f"{name} channel" in around), None)
    if channel is None and named:
        raise not_found("channel", f"#{named[0]}", known=[f"#{name}" for name in CHANNELS])
    said = _SAID.search(text)
    message = next(iter(quoted_texts(text)), said["text"].strip() if said else "")
    if channel is None or not message:
        raise missing_detail_fault(f"a channel (#{', #'.join(CHANNELS)}) and the message in quotes")
    key = world.new_key(MESSAGES, "s")
    world.store(MESSAGES)[key] = {"channel": channel, "text": message}
    return {"id": key, "channel": f"#{channel}", "text": message}


_FILE_NAME = re.compile(r"([\w-]+)\.([A-Za-z]{2,4}|mp[34])\b")


def _find_file(world: World, text: str) -> dict[str, object]:
    rows = [
        {"path": key, "name": posixpath.basename(key).replace("_", " ").replace(".", " ")}
        for key in files.world_files(world)
        if key.startswith(f"{files.HOME}/") and not key.endswith("/")
    ]
    asked = " ".join(quoted_texts(text)) or " ".join(
        word for word in words(text) if word not in ASKING | {"do", "something", "it"}
    )
    if not asked:
        raise missing_detail_fault("the name of the document, e.g. find 'minutes'")
    full = _FILE_NAME.search(text)
    if full:  # a name with its ending stands for that file, or for those of its kind that are called so
        rows = [row for row in rows if row["path"].lower().endswith(f".{full[2].lower()}")]
        asked = full[1].replace("_", " ")
    found = Index(rows, ["name"]).search(asked) if rows else []
    return {"found": len(found), "files": [row["path"] for row in found[:5]]}


def _post_photo(world: World, text: str) -> dict[str, object]:
    paths = [
        word.strip("'\",")
        for word in text.split()
        if word.strip("'\",").lower().endswith((".jpg", ".jpeg", ".png"))
    ]
    if not paths:
        raise missing_detail_fault("the path of a picture, e.g. /workspace/photo.jpg")
    path = files.normal_path(paths[0], parameter="instructions")
    files.read_file(world, path, "instructions")
    captions = [quote for quote in quoted_texts(text) if quote != paths[0]]
    key = world.new_key(POSTS, "p")
    world.store(POSTS)[key] = {"photo": path, "caption": captions[0] if captions else ""}
    return {"id": key, "photo": path, "caption": captions[0] if captions else ""}


_ACTIONS: Mapping[str, tuple[str, str, list[str], Callable[[World, str], dict[str, object]]]] = {
    "gmail_send_email": ("Gmail", "Send a mail", ["address", "'subject'", "'text'"], _send_mail),
    "gmail_find_email": ("Gmail", "Find mails by sender or words", ["sender or words"], _find_mail),
    "calendar_create_event": ("Google Calendar", "Add an event", ["day", "time", "'title'"], _add_event),
    "sheets_add_row": (
        "Google Sheets",
        "Add a row of cells to a sheet",
        ["name: value pairs", "'sheet'"],
        _add_row,
    ),
    "slack_list_channels": ("Slack", "List the channels", [], _list_channels),
    "slack_send_message": ("Slack", "Post a message to a channel", ["#channel", "'message'"], _send_message),
    "drive_find_file": ("Google Drive", "Find a document by its name", ["name"], _find_file),
    "instagram_post_photo": ("Instagram", "Post a photo", ["path of a picture", "'caption'"], _post_photo),
}


@GROUP.tool(
    examples=[
        {"action_id": "gmail_find_email", "instructions": "find the latest email from Kaggle"},
        {"action_id": "calendar_create_event", "instructions": "Add 'Dentist' on 2024-05-20 at 10:30"},
    ],
    phrase=(
        "run the Zapier action whose id is {action_id}[, with {zapier_description} as a note], with "
        "instructions that say {instructions}"
    ),
    noun="the outcome of the Zapier action",
    stands_in_for=("Calendar", "File", "Mail", "Zapier"),
)
def run_zapier_NLA_action(  # noqa: N802 - an id
    world: World,
    *,
    action_id: ActionId,
    instructions: Annotated[Prose, Range(1, 5_000)],
    zapier_description: str | None = None,
    sync: bool = True,
) -> Outcome:
    """Runs an action of a connected app and tells what came of it.

    action_id: Id of the action, from the list of actions.
    instructions: What to do, in plain words; names and texts in quotes, days as YYYY-MM-DD.
    zapier_description: A note on what the action is for; it changes nothing.
    sync: Whether to wait for the result; it comes at once either way.
    """
    rows = {key: {"id": key} for key in _ACTIONS}
    key = find(rows, action_id[:80], "id", "action", f"{GROUP}/list_zapier_NLA_actions")["id"]
    return {"action": key, "status": "success", "result": _ACTIONS[key][3](world, instructions)}


@GROUP.tool(
    phrase="list the Zapier actions that may be run",
    noun="the list of Zapier actions",
    fields={"os": 9},
)
def list_zapier_NLA_actions(*, sync: bool = True) -> list[Action]:  # noqa: N802 - an id
    """The actions that may be run, with their apps and what an instruction must say.

    sync: Whether to wait for the result; it comes at once either way.
    """
    return [
        {"id": key, "app": app, "description": description, "needs": needs}
        for key, (app, description, needs, _) in _ACTIONS.items()
    ]
