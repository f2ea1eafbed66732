"""Social/chan: boards, threads and posts, as the tools return them."""

from dataclasses import dataclass
from typing import Annotated, TypedDict

from toolyard.world.kernel.types import Semantic, UnixTime

BoardCode = Annotated[str, Semantic("chan_board")]
ThreadNumber = Annotated[int, Semantic("chan_thread")]


class BoardFacts(TypedDict):
    board: BoardCode
    title: str
    meta_description: str
    bump_limit: int


class Board(BoardFacts):
    """A board, with the time of its latest post."""

    latest_post_time: int


class PostRow(TypedDict):
    no: int
    resto: int
    time: int  # of any year, unlike those of today that a forecast takes
    name: str
    com: str


@dataclass(frozen=True, slots=True, eq=False)
class Thread:
    """A thread with all its posts."""

    board: str
    number: int
    subject: str
    text: str
    time: int
    modified: int
    replies: int
    closed: bool
    posts: tuple[PostRow, ...]


class Reply(TypedDict):
    no: int
    time: UnixTime
    com: str


class ThreadRow(TypedDict):
    no: ThreadNumber
    last_modified: UnixTime
    replies: int


class ThreadPage(TypedDict):
    board: BoardCode
    page: int
    number_of_threads: int
    threads: list[ThreadRow]


class CatalogRow(TypedDict):
    no: ThreadNumber
    sub: str
    com: str
    time: UnixTime
    last_modified: UnixTime
    replies: int
    last_replies: list[Reply]


class Catalog(TypedDict):
    board: BoardCode
    page: int
    total: int
    offset: int
    threads: list[CatalogRow]


class PreviewRow(TypedDict):
    no: ThreadNumber
    omitted_posts: int
    posts: list[PostRow]


class Previews(TypedDict):
    board: BoardCode
    page: int
    total: int
    offset: int
    threads: list[PreviewRow]


class Archive(TypedDict):
    board: BoardCode
    number_of_threads: int
    threads: list[ThreadNumber]


class ThreadPosts(TypedDict):
    board: BoardCode
    no: ThreadNumber
    sub: str
    closed: bool
    archived: bool
    posts: list[PostRow]
