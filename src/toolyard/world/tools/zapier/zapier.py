"""Zapier/Zapier: actions of connected apps, run from an instruction in plain words."""

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, TypedDict

from toolyard.core.types import Record
from toolyard.world.index import Index, words
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.tables import find, table_words
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

Mails = list[Record]
# Words that ask for mails and do not say which.
ASKING = frozenset(table_words("mail_selection.asking"))
_TOPIC = re.compile(
    r"\b(?:about|regarding|concerning|on the subject of|mention(?:s|ing)?|contain(?:s|ing)?|with the subject)\s+(.+)",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|by|sender)\s+(?:the )?['\"]?(\w[\w.-]*)", re.IGNORECASE)
_LATEST = frozenset("latest last newest recent".split())
_SINCE = {"today": 0, "yesterday": 1, "week": 7, "month": 31}
_NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "ten": "10"}
_COUNT = re.compile(rf"\b(latest|last|newest|recent) (\d{{1,2}}|{'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_NO_SENDER = frozenset(("example", "org", "com", "noreply"))


def select_mails(inbox: Sequence[Record], text: str, today: date) -> Mails:
    """The mails that an instruction asks for; a fault where it does not say which."""
    said = re.findall(r"[a-z]+", text.lower())
    days = next((_SINCE[word] for word in said if word in _SINCE), None)
    first = (today - timedelta(days=days)).isoformat() if days is not None else ""
    last = first if "yesterday" in said else "9999"
    count = _COUNT.search(text)
    told = text.replace(count[0], count[1]) if count else text
    found = _select_mails([mail for mail in inbox if first <= mail["date"][:10] <= last], told, set(said))
    if _LATEST & set(said) and days is None:
        found.sort(key=lambda mail: str(mail["date"]), reverse=True)
        if count:
            return found[: int(_NUMBERS.get(count[2].lower(), count[2]))]
        return found if {"emails", "mails", "messages"} & set(said) else found[:1]
    return found


def _select_mails(mails: Mails, text: str, said: set[str]) -> Mails:
    asked = [word for word in words(" ".join(quoted_texts(text)) or text) if word not in ASKING]
    address = re.search(r"[\w.+-]{1,60}@[\w.-]{1,60}\w", text)
    senders = _sender_words(mails, text)
    if not asked and not senders and not address:
        if not (_LATEST | _SINCE.keys() | {"all", "every", "inbox"}) & said:
            raise missing_detail_fault("a sender or words of the mail, e.g. from Kaggle, or about 'Invoice'")
        return mails
    if address:
        named = set(words(address[0].replace("@", " ")))
        return _mails_about(
            [mail for mail in mails if mail["from"].lower() == address[0].lower()], text, asked, named
        )
    if senders:
        sent = [mail for mail in mails if senders <= _address_words(mail)]
        sent = sent or [mail for mail in mails if senders & _address_words(mail)]
        return _mails_about(sent, text, asked, senders)
    stranger = _FROM.search(text)
    if stranger and not set(words(stranger[1])) <= ASKING and not quoted_texts(text):
        return []
    return [*Index(mails, ["from", "subject", "content"]).search(" ".join(asked), bound=0.5)]


def _address_words(mail: Record) -> set[str]:
    """The words of a sender's address."""
    return set(words(mail["from"].replace("@", " ")))


def _sender_words(mails: Mails, text: str) -> set[str]:
    """The words of a text that name senders; those behind "from" alone where there are any."""
    known = {word for mail in mails for word in _address_words(mail)} - ASKING - _NO_SENDER
    behind = re.search(r"\bfrom\b(.*)", text, re.IGNORECASE)
    return (set(words(behind[1])) & known if behind else set()) or set(words(text)) & known


def _mails_about(mails: Mails, text: str, asked: Sequence[str], senders: set[str]) -> Mails:
    """Those of a sender's mails that are about what is asked; all where nothing more is said or only loosely."""
    topic = _TOPIC.search(text)
    wanted = words(topic[1]) if topic else asked
    left = [word for word in wanted if word not in ASKING and word not in senders and word not in _NO_SENDER]
    if not left:
        return mails
    found = [*Index(mails, ["subject", "content"]).search(" ".join(left), bound=0.5)] if mails else []
    return found or ([] if topic else mails)


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
