"""Zapier/Zapier: actions of connected apps, run from an instruction in plain words."""

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Annotated, TypedDict

from toolyard.core.types import Record
from toolyard.world.index import Index, words
from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.tables import find, table_words
from toolyard.world.kernel.types import JsonValue, Prose, Range, Semantic
from toolyard.world.reference.days import ClockMention, DayMention, find_clock, find_day
from toolyard.world.tools.file import files
from toolyard.world.tools.mail import mailbox

OWN_NAME = "Alex Morgan"
_QUOTED = re.compile(r"\"([^\"]{1,2000})\"|“([^”]{1,2000})”|(?<!\w)'((?:[^']|(?<=\w)'(?=\w)){1,2000})'(?!\w)")
_VERB = re.compile(
    r"^(?:please |can you |could you |i want to |i'd like to )*(?:add|create|schedule|book|set up|put|"
    r"make|plan|enter|insert|note|remind)\b"
    r"(?: me)?(?: (?:an?|the|my|new|calendar))*(?: (?:event|entry|appointment|reminder)\b)?(?: (?:for|"
    r"called|named|titled|about|to|of)\b)?",
    re.I,
)
_TRAILING = re.compile(
    r"\b(?:on|at|for|from|to|by|in my calendar|into my calendar|to my calendar|in the calendar|my calendar)\s*$",
    re.I,
)
# The end of an event, of which only the beginning is kept: from 2pm to 3pm.
_UNTIL = re.compile(
    r"\s(?:to|until|till|-|–)\s?(?:\d{1,2}(?::\d{2})? ?(?:am|pm)|\d{1,2}:\d{2}|noon|midnight)(?!\w)", re.I
)
# How long an event lasts, which is not kept either.
_LASTING = re.compile(
    r"\s(?:for|lasting) (?:an?|one|two|three|four|half an?|\d{1,3}(?:\.5)?)(?: and a half)? ?"
    r"(?:hours?|hrs?|h|minutes?|mins?)\b",
    re.I,
)
_PAIR = re.compile(r"([A-Za-z]\w{0,39})\s{0,3}[:=]\s{0,3}(\"[^\"]{1,100}\"|'[^']{1,100}'|[^,;\n'\"]{1,100})")
_LOOSE = re.compile(r"([A-Za-z]\w{0,39})\s+(?:is |of |= ?)?(\S[^,;\n]{0,99})")
_SUBJECT = re.compile(r"\bsubject(?: line)?(?: is|:|=)?\s*(?P<text>[^,.;\n\"']{1,120})", re.I)
_SUBJECT_QUOTE = re.compile(r"\b(?:subject(?: line)?|titled?)(?: is| of| set to|:|=)?\s*[\"'“]", re.I)
_SAYING = re.compile(
    r"\b(?:saying\b|telling (?:him|her|them)\b|to (?:say|tell (?:him|her|them))\b|(?:that|which) says\b|"
    r"asking (?:him|her|them)\b|"
    r"with the (?:text|body|message|content)\b|(?:body|text|message|content)(?: is\b|:|=)|"
    r"and (?:say|tell (?:him|her|them)|ask (?:him|her|them))\b):?\s*(?:that |to )?(?P<text>.+)",
    re.I | re.S,
)
_SHEET = re.compile(r"\b(?:sheet|spreadsheet|table|list)\s+(?P<name>[A-Z]\w{0,40})\b")


@dataclass(frozen=True, slots=True)
class Event:
    """An event to be written into a calendar; without a time it lasts all day."""

    title: str
    day: date
    clock: time | None

    def as_json(self) -> dict[str, str]:
        """As the calendar keeps it."""
        return {
            "title": self.title,
            "date": self.day.isoformat(),
            "time": f"{self.clock:%H:%M}" if self.clock else "all day",
        }


def missing_detail_fault(what: str) -> ToolFault:
    """The fault for instructions that leave something out."""
    return ToolFault("invalid_value", f"the instructions must name {what}", parameter="instructions")


def quoted_texts(text: str) -> list[str]:
    """The texts in quotes; an apostrophe within a word is none."""
    return ["".join(parts) for parts in _QUOTED.findall(text)]


def text_outside_quotes(text: str) -> str:
    """The text around the quotes."""
    return _QUOTED.sub(" ", text)


def parse_event(text: str, today: date) -> Event:
    """The event that instructions ask for: day and time outside of quotes, the title in quotes or what is left."""
    around = text_outside_quotes(text)
    day, clock = parse_when(around, today)
    if day is None:
        raise missing_detail_fault("the day, e.g. 2024-05-20, 20 May, tomorrow or next Friday")
    quotes = quoted_texts(text)
    title = quotes[0] if quotes else _leftover_title(around, day, clock)
    if not title:
        raise missing_detail_fault("the title of the event, e.g. 'Dentist' on 2024-05-20 at 10:30")
    return Event(title[:200], day.day, clock.clock if clock else None)


def parse_when(text: str, today: date) -> tuple[DayMention | None, ClockMention | None]:
    """The day and the time that a text names; a fault where there is no such day or time."""
    try:
        return find_day(text, today), find_clock(text)
    except ValueError as error:
        raise ToolFault(
            "invalid_value",
            f"the instructions name no possible day or time: {error}; say e.g. 2024-05-20 at 15:00",
            parameter="instructions",
        ) from None


def _leftover_title(text: str, day: DayMention, clock: ClockMention | None) -> str:
    spans = sorted([day.span, *([clock.span] if clock else [])], reverse=True)
    for start, end in spans:
        text = f"{_TRAILING.sub('', text[:start].rstrip())} {text[end:]}"
    text = _VERB.sub("", " ".join(_LASTING.sub(" ", _UNTIL.sub(" ", text)).split()).strip(" .!,:;"))
    before = None
    while before != text:
        before, text = text, _TRAILING.sub("", text.strip(" .!,:;"))
    return text.strip()


def parse_mail(text: str) -> tuple[str, str]:
    """Subject and body of the mail that instructions ask for: in quotes, or behind "subject" and "saying that"."""
    quotes = quoted_texts(text)
    if len(quotes) > 1:
        # The quotation behind the word subject is the subject, wherever it stands.
        marked = _SUBJECT_QUOTE.search(text)
        about = next(iter(quoted_texts(text[marked.end() - 1 :])), quotes[0]) if marked else quotes[0]
        return about, next((quote for quote in quotes if quote != about), quotes[1])
    subject = quotes[0] if quotes and _SUBJECT_QUOTE.search(text) else None
    said = quotes[0] if quotes and subject is None else _message_text(text_outside_quotes(text))
    if said is None and "thank" in text.lower():
        return subject or "Thank you", f"Hello,\n\nthank you very much for your help.\n\n{OWN_NAME}"
    if said is None:
        raise missing_detail_fault(
            "what the mail says, e.g. subject 'Minutes', text 'Here they are.', or saying that ..."
        )
    if subject is None:
        named = _SUBJECT.search(text_outside_quotes(text))
        words = said.split()
        subject = named["text"].strip() if named else " ".join(words[:8]) + ("..." if len(words) > 8 else "")
    return subject, said if quotes and said == quotes[0] else f"Hello,\n\n{said}\n\n{OWN_NAME}"


def _message_text(text: str) -> str | None:
    """What a mail shall say: what follows "saying that", "body:" and the like."""
    match = _SAYING.search(text)
    match = match or re.search(r"@\S+\s+that\s+(?P<text>\S.+)", text, re.S)
    said = match["text"].strip() if match else ""
    return said[0].upper() + said[1:] if said else None


# Where a row goes, behind its last cell: "age: 31 to the sheet".
_WHERE = re.compile(
    r"\s+(?:to|into|in|on)(?:\s+(?:the|my|our|a))?\s*(?:(?:\S+\s+)?(?:sheet|spreadsheet|table)\b.*)?$", re.I
)


def parse_row(text: str) -> tuple[str, dict[str, str]]:
    """The sheet and the cells of a row: name: value pairs, or name value, name value behind a colon."""
    pairs = {match[1].lower(): _WHERE.sub("", match[2]).strip(" .'\"") for match in _PAIR.finditer(text)}
    cells = {name: value for name, value in pairs.items() if value and name not in ("sheet", "row")}
    quotes = [quote for quote in quoted_texts(text) if quote not in cells.values()]
    named = _SHEET.search(text)
    sheet = quotes[0] if quotes else named["name"] if named else "Sales"
    if cells:
        return sheet, cells
    _, colon, listed = _QUOTED.sub("~", text).partition(":")
    parts = [_LOOSE.fullmatch(part.strip(" .")) for part in re.split(r",|;| and ", listed)] if colon else []
    cells = {part[1].lower(): part[2].strip() for part in parts if part}
    if not cells or len(cells) < len(parts):
        raise missing_detail_fault("the cells as name: value, e.g. month: 2024-05, units: 150")
    return sheet, cells


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
