"""Zapier/Zapier, beyond the documents: what the actions wrote can be listed, changed and cancelled."""

from typing import Annotated, Any, TypedDict

from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.types import IsoDate, Prose, Range, Semantic
from toolyard.world.reference.days import find_clock
from toolyard.world.tools.zapier.zapier import CHANNELS, EVENTS, GROUP, MESSAGES, POSTS, SHEETS

EventId = Annotated[str, Semantic("zapier_event_id")]
RowId = Annotated[str, Semantic("sheet_row_id")]
MessageId = Annotated[str, Semantic("slack_message_id")]
PostId = Annotated[str, Semantic("instagram_post_id")]
Text = Annotated[Prose, Range(1, 2_000)]


class Event(TypedDict):
    id: EventId
    title: str
    date: IsoDate
    time: str


class SheetRow(TypedDict):
    id: RowId
    sheet: str
    cells: dict[str, str]


class Message(TypedDict):
    id: MessageId
    channel: str
    text: str


class Post(TypedDict):
    id: PostId
    photo: str
    caption: str


class Cancelled(TypedDict):
    id: str
    cancelled: bool


def _find_entry(world: World, store: Store, key: str, what: str, lister: str) -> dict[str, Any]:
    view = world.store(store)
    if key.strip() not in view:
        raise not_found(what, key[:40], known=list(view), listed_by=f"{GROUP}/{lister}")
    return dict(view[key.strip()])


def _cancel_entry(world: World, store: Store, key: str, what: str, lister: str) -> Cancelled:
    _find_entry(world, store, key, what, lister)
    del world.store(store)[key.strip()]
    return {"id": key.strip(), "cancelled": True}


def _changed_fields(given: dict[str, object]) -> dict[str, Any]:
    """What is to be changed; a fault where nothing is."""
    wanted = {name: value for name, value in given.items() if value is not None}
    if not wanted:
        raise ToolFault("missing_parameter", f"nothing to change; give one of {', '.join(given)}")
    return wanted


def _clock_text(text: str | None) -> str | None:
    if text is None or text.strip().lower() == "all day":
        return text and "all day"
    try:
        found = find_clock(text.strip())
    except ValueError as error:
        raise ToolFault("invalid_value", f"time={text[:40]!r}: {error}", parameter="time") from None
    if found is None:
        raise ToolFault("invalid_value", f"time={text[:40]!r}: want 15:00, 3 pm or all day", parameter="time")
    return f"{found.clock:%H:%M}"


@GROUP.tool(extra=True, examples=[{}, {"date": "2024-05-20"}])
def list_calendar_events(world: World, *, date: IsoDate | None = None) -> list[Event]:
    """The events of the calendar in order of day and time.

    date: Only events of this day.
    """
    found = [
        Event(id=key, title=event["title"], date=event["date"], time=event["time"])
        for key, event in world.store(EVENTS).items()
        if date in (None, event["date"])
    ]
    return sorted(found, key=lambda event: (event["date"], event["time"], event["id"]))


@GROUP.tool(extra=True, examples=[{"event_id": "e1", "date": "2024-05-21", "time": "3 pm"}])
def change_calendar_event(
    world: World,
    *,
    event_id: EventId,
    title: Annotated[str, Range(1, 200)] | None = None,
    date: IsoDate | None = None,
    time: str | None = None,
) -> Event:
    """The event after its title, day or time was changed.

    event_id: Id of the event.
    title: New title.
    date: New day.
    time: New time such as 15:00 or 3 pm, or all day.
    """
    event = _find_entry(world, EVENTS, event_id, "event", "list_calendar_events")
    event |= _changed_fields({"title": title, "date": date, "time": _clock_text(time)})
    world.store(EVENTS)[event_id.strip()] = event
    return Event(id=event_id.strip(), title=event["title"], date=event["date"], time=event["time"])


@GROUP.tool(extra=True, examples=[{"event_id": "e1"}])
def cancel_calendar_event(world: World, *, event_id: EventId) -> Cancelled:
    """Takes an event out of the calendar.

    event_id: Id of the event.
    """
    return _cancel_entry(world, EVENTS, event_id, "event", "list_calendar_events")


@GROUP.tool(extra=True, examples=[{}, {"sheet": "Sales"}])
def list_sheet_rows(world: World, *, sheet: str | None = None) -> list[SheetRow]:
    """The rows that were added to the sheets.

    sheet: Only rows of this sheet.
    """
    rows = [
        SheetRow(id=key, sheet=row["sheet"], cells=row["cells"]) for key, row in world.store(SHEETS).items()
    ]
    return [row for row in rows if sheet is None or row["sheet"].casefold() == sheet.strip().casefold()]


@GROUP.tool(extra=True, examples=[{"row_id": "r1", "cells": {"units": "160"}}])
def change_sheet_row(world: World, *, row_id: RowId, cells: dict[str, str]) -> SheetRow:
    """A row of a sheet after some of its cells were changed.

    row_id: Id of the row.
    cells: New values by name of the cell; the others stay.
    """
    row = _find_entry(world, SHEETS, row_id, "row", "list_sheet_rows")
    row["cells"] |= {name[:40].lower(): value[:100] for name, value in list(cells.items())[:50]}
    world.store(SHEETS)[row_id.strip()] = row
    return SheetRow(id=row_id.strip(), sheet=row["sheet"], cells=row["cells"])


@GROUP.tool(extra=True, examples=[{"row_id": "r1"}])
def delete_sheet_row(world: World, *, row_id: RowId) -> Cancelled:
    """Takes a row out of its sheet.

    row_id: Id of the row.
    """
    return _cancel_entry(world, SHEETS, row_id, "row", "list_sheet_rows")


@GROUP.tool(extra=True, examples=[{}, {"channel": "#general"}])
def list_messages(world: World, *, channel: str | None = None) -> list[Message]:
    """The messages that were posted to the channels, oldest first.

    channel: Only messages of this channel.
    """
    name = channel.strip().lstrip("#").lower() if channel is not None else None
    if name is not None and name not in CHANNELS:
        raise not_found("channel", channel, known=[f"#{known}" for known in CHANNELS])
    return [
        Message(id=key, channel=f"#{message['channel']}", text=message["text"])
        for key, message in world.store(MESSAGES).items()
        if name in (None, message["channel"])
    ]


@GROUP.tool(extra=True, examples=[{"message_id": "s1", "text": "The release is out, at last."}])
def change_message(world: World, *, message_id: MessageId, text: Text) -> Message:
    """A posted message after its text was changed.

    message_id: Id of the message.
    text: New text.
    """
    message = _find_entry(world, MESSAGES, message_id, "message", "list_messages") | {"text": text}
    world.store(MESSAGES)[message_id.strip()] = message
    return Message(id=message_id.strip(), channel=f"#{message['channel']}", text=text)


@GROUP.tool(extra=True, examples=[{"message_id": "s1"}])
def delete_message(world: World, *, message_id: MessageId) -> Cancelled:
    """Takes a message out of its channel.

    message_id: Id of the message.
    """
    return _cancel_entry(world, MESSAGES, message_id, "message", "list_messages")


@GROUP.tool(extra=True)
def list_posts(world: World) -> list[Post]:
    """The photos that were posted, oldest first, with their captions."""
    return [
        Post(id=key, photo=post["photo"], caption=post["caption"]) for key, post in world.store(POSTS).items()
    ]


@GROUP.tool(extra=True, examples=[{"post_id": "p1", "caption": "Evening light"}])
def change_post(world: World, *, post_id: PostId, caption: Text) -> Post:
    """A posted photo after its caption was changed.

    post_id: Id of the post.
    caption: New caption.
    """
    post = _find_entry(world, POSTS, post_id, "post", "list_posts") | {"caption": caption}
    world.store(POSTS)[post_id.strip()] = post
    return Post(id=post_id.strip(), photo=post["photo"], caption=caption)


@GROUP.tool(extra=True, examples=[{"post_id": "p1"}])
def delete_post(world: World, *, post_id: PostId) -> Cancelled:
    """Takes a posted photo back.

    post_id: Id of the post.
    """
    return _cancel_entry(world, POSTS, post_id, "post", "list_posts")
