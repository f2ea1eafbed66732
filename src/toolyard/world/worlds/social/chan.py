"""Social/chan: boards, threads in order of the last reply, posts, and an archive of closed threads."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Annotated

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.shared.geography import read_table
from toolyard.world.state import EPOCH, World
from toolyard.world.tables import find, page
from toolyard.world.types import Page, Range, Within
from toolyard.world.worlds.social.chan_shapes import (
    Archive,
    Board,
    BoardCode,
    Catalog,
    CatalogRow,
    PostRow,
    PreviewRow,
    Previews,
    Thread,
    ThreadNumber,
    ThreadPage,
    ThreadPosts,
)
from toolyard.world.worlds.social.chan_talk import knows, reply, subject_and_opener, thing_of

GROUP = "Social/chan"
PER_PAGE = 15
ARCHIVED = 60
PageOne = Annotated[int, Range(1, 1000)]
# Threads that people ask for by number.
_NAMED: dict[str, tuple[int, ...]] = {"vg": (123456, 456789), "tg": (789123,), "d": (789123,), "b": (789123,)}
# Boards on which a thread falls behind after more or fewer replies than usual.
_BUMP_LIMITS = {"a": 500, "b": 300, "v": 500, "vg": 750}
_OPENERS = (
    "What got you into {topic}?", "General thread for {topic}. Read the first post before you ask.",
    "Unpopular opinions about {topic}, I will start.", "I am new here. Where do I begin with {topic}?",
    "Post your favourites, best of {topic} this year.", "Why does nobody talk about {topic} any more?",
    "Something odd happened to me yesterday and it has to do with {topic}.", "Recommendations needed for {topic}.",
)  # fmt: skip
_REPLIES = (
    "This.", "Source?", "Read the sticky first.", "I tried that last year and it worked.", "Bump.", "Not sure about that.",
    "Anyone else remember the old thread?", "That is a good point, thanks.", "Post more.", "You are overthinking it.",
    "Same here, took me about a month.", "Depends on your budget.", "Checked.", "Here is a better example.",
)  # fmt: skip


@functools.cache
def _rows() -> tuple[dict[str, str], ...]:
    return tuple(read_table("chan_boards.tsv"))


@functools.cache
def _boards() -> tuple[Board, ...]:
    return tuple(
        Board(board=row["board"], title=row["title"], meta_description=f"/{row['board']}/ is a board about {row['topic']}.",
              ws_board=row["worksafe"] == "1", pages=int(row["pages"]), per_page=PER_PAGE,
              max_filesize_bytes=2097152 if row["board"] == "b" else 4194304,
              bump_limit=_BUMP_LIMITS.get(row["board"], 310), is_archived=True)
        for row in _rows()
    )  # fmt: skip


def _board(code: str) -> dict[str, str]:
    return find(_rows(), code.strip().strip("/"), "board", "board")


def _in_order(threads: Sequence[Thread]) -> tuple[Thread, ...]:
    """The threads of falling numbers, opened in the order of their numbers; those that are asked for by number aside."""
    found: list[Thread] = []
    last: int | None = None
    for thread in threads:
        if thread.number not in _NAMED.get(thread.board, ()):
            gap = 30 + thread.number % 241 if knows(thread.board) else 60
            opened = thread.time if last is None else min(thread.time, last - gap)
            last, thread = opened, dataclasses.replace(thread, time=opened)
        found.append(thread)
    return tuple(found)


def _thread(seed: int, board: dict[str, str], number: int, place: int, *, archived: bool) -> Thread:
    chance = seeds.stream(seed, "thread", board["board"], number)
    # The further down, the longer ago: two minutes per place, more on the later pages.
    age = place * place * 4 + place * 120 + chance.randrange(5, 60)
    modified = int(EPOCH.timestamp()) - age - (5 * 86400 if archived else 0)
    opener = chance.choice(_OPENERS).format(topic=board["topic"])
    replies = 0 if place % 11 == 7 else chance.randrange(1, 46)
    images = chance.randrange(0, replies // 2 + 1)
    pinned = place == 0 and not archived
    subject, thing = f"{board['title']} thread {number % 997}", thing_of(board["board"], chance)
    if pinned and knows(board["board"]):
        subject, thing = f"{board['title']}: the pinned thread", None
    if thing is not None:
        subject, opener = subject_and_opener(board["board"], thing, chance)
    return Thread(
        board["board"], thing or board["topic"], number, subject, opener,
        modified - replies * 400 - 60, modified, replies, images,
        sticky=pinned, closed=archived or (pinned and board["board"] != "b"),
    )  # fmt: skip


@seeds.remembered(256)
def _threads(seed: int, code: str) -> tuple[tuple[Thread, ...], tuple[Thread, ...]]:
    """Open threads of a board, the latest reply first, and archived ones."""
    board = _board(code)
    base = 1_000_000 + seeds.number("board", code) % 80_000_000
    chance = seeds.stream(seed, "numbers", code)
    count = int(board["pages"]) * PER_PAGE
    numbers = sorted(chance.sample(range(base, base + 90_000), count + ARCHIVED), reverse=True)
    current, old = numbers[:count], numbers[count:]
    for place, named in enumerate(_NAMED.get(code, ())):
        current[5 + 9 * place] = named
    every = _in_order(
        [
            *(_thread(seed, board, number, place, archived=False) for place, number in enumerate(current)),
            *(_thread(seed, board, number, place, archived=True) for place, number in enumerate(old)),
        ]
    )
    return every[:count], every[count:]


def _posts(seed: int, thread: Thread, last: int | None = None) -> list[PostRow]:
    """The opening post and the replies to it; only the last ones where a number is given."""
    first = thread.number
    rows: list[PostRow] = [
        {
            "no": first,
            "resto": 0,
            "time": thread.time,
            "name": "Anonymous",
            "com": thread.text,
            "filename": "op.jpg",
        }
    ]
    start = 1 if last is None else max(1, thread.replies - last + 1)
    if knows(thread.board):
        return [*rows, *_talk(seed, thread)[start - 1 :]]
    for n in range(start, thread.replies + 1):
        chance = seeds.stream(seed, "post", thread.board, first, n)
        quoted = f">>{first + 3 * chance.randrange(0, n)} " if chance.random() < 0.5 else ""
        rows.append(
            {
                "no": first + 3 * n,
                "resto": first,
                "time": thread.modified - (thread.replies - n) * 400,
                "name": "Anonymous",
                "com": quoted + chance.choice(_REPLIES),
                "filename": f"{seeds.token(6, first, n)}.png" if n <= thread.images else None,
            }
        )
    return rows


@seeds.remembered(1024)
def _talk(seed: int, thread: Thread) -> list[PostRow]:
    """All replies to a thread, at times and under numbers as they come."""
    chance = seeds.stream(seed, "talk", thread.board, thread.number)
    count = thread.replies
    waits = [0.05 + chance.random() ** 3 for _ in range(count)]
    whole, passed = sum(waits), 0.0
    rows: list[PostRow] = []
    numbers = [thread.number]
    for n, wait in enumerate(waits, start=1):
        passed += wait
        quoted = f">>{chance.choice(numbers)} " if chance.random() < 0.5 else ""
        numbers.append(numbers[-1] + chance.randrange(1, 7))
        rows.append(
            {
                "no": numbers[-1],
                "resto": thread.number,
                "time": thread.time + round((thread.modified - thread.time) * passed / whole),
                "name": "Anonymous",
                "com": quoted + reply(thread.board, thread.topic, chance),
                "filename": f"{seeds.token(6, thread.number, n)}.png" if n <= thread.images else None,
            }
        )
    return rows


def _on_page(world: World, code: str, number: int) -> tuple[str, list[Thread]]:
    board = _board(code)
    if number > int(board["pages"]):
        raise not_found(f"page of /{board['board']}/", number, known=range(1, int(board["pages"]) + 1))
    first = (number - 1) * PER_PAGE
    return board["board"], list(_threads(world.seed, board["board"])[0][first : first + PER_PAGE])


@tool(
    GROUP,
    examples=[{}, {"page": 2, "page_size": 7}],
    phrase=(
        "list the 4chan boards with their titles[, showing page {page}][, with {page_size} boards per page]"
    ),
    noun="the list of boards",
)
def get_boards(
    *, page_: Annotated[int, Range(0, 1000)] = 0, page_size: Annotated[int, Range(1, 50)] = 5
) -> Page[Board]:
    """Boards with title, description and limits, page by page, and how many there are in all.

    page: Number of the page, counted from 0.
    page_size: Boards on a page.
    """
    return page(_boards(), page_size, page_ * page_size)


@tool(
    GROUP,
    examples=[{"board": "b", "page": 3}, {"board": "pol"}],
    phrase=(
        "list just the thread numbers with their last change on the 4chan board whose code is {board}[, "
        "showing page {page}]"
    ),
    noun="the list of thread numbers",
)
def get_threads(world: World, *, board: BoardCode, page_: PageOne = 1) -> ThreadPage:
    """Numbers of the threads on one page of a board, with the time of the last change and the count of replies.

    board: Code of the board, e.g. g.
    page: Number of the page, counted from 1.
    """
    code, found = _on_page(world, board, page_)
    return {
        "board": code,
        "page": page_,
        "number_of_threads": len(found),
        "threads": [
            {"no": one.number, "last_modified": one.modified, "replies": one.replies} for one in found
        ],
    }


def _catalog(seed: int, thread: Thread) -> CatalogRow:
    last = _posts(seed, thread, 2)[1:]
    return {
        "no": thread.number,
        "sub": thread.subject,
        "com": thread.text,
        "time": thread.time,
        "last_modified": thread.modified,
        "replies": thread.replies,
        "images": thread.images,
        "unique_ips": 1 + thread.replies * 2 // 3,
        "sticky": thread.sticky,
        "last_replies": [{"no": post["no"], "time": post["time"], "com": post["com"]} for post in last],
    }


@tool(
    GROUP,
    examples=[{"board": "mu", "limit": 5, "offset": 2}, {"board": "g", "page": 2}],
    phrase=(
        "get the catalog of threads with subjects and reply counts of the 4chan board whose code is "
        "{board}[, showing page {page}][, with a limit of {limit}][, skipping the first {offset}]"
    ),
    noun="the board catalog",
)
def get_catalog(
    world: World,
    *,
    board: BoardCode,
    page_: PageOne = 1,
    limit: Annotated[int, Range(1, PER_PAGE)] = 3,
    offset: Annotated[int, Range(0)] = 0,
) -> Catalog:
    """Threads of one page of a board with subject, opening post, counts and the last two replies.

    board: Code of the board, e.g. g.
    page: Number of the page, counted from 1.
    limit: How many threads to return.
    offset: How many threads of the page to skip.
    """
    code, found = _on_page(world, board, page_)
    rows = [_catalog(world.seed, thread) for thread in found[offset : offset + limit]]
    return {"board": code, "page": page_, "total": len(found), "offset": offset, "threads": rows}


@tool(
    GROUP,
    examples=[{"board": "b"}, {"board": "lit"}],
    phrase="list the archived thread numbers of the 4chan board whose code is {board}",
    noun="the list of archived threads",
)
def get_archive(world: World, *, board: BoardCode) -> Archive:
    """Numbers of the closed threads of a board that can be read but not answered any more.

    board: Code of the board, e.g. lit.
    """
    code = _board(board)["board"]
    found = _threads(world.seed, code)[1]
    return {"board": code, "number_of_threads": len(found), "threads": [thread.number for thread in found]}


@tool(
    GROUP,
    examples=[{"board": "b", "page": 3, "limit": 4, "offset": 1}, {"board": "vg"}],
    phrase=(
        "preview the threads with opening post and last five replies of the 4chan board whose code is "
        "{board}[, showing page {page}][, with a limit of {limit}][, skipping the first {offset}]"
    ),
    noun="the thread previews",
)
def get_threads_with_preview(
    world: World,
    *,
    board: BoardCode,
    page_: PageOne = 1,
    limit: Annotated[int, Range(1, PER_PAGE)] = 3,
    offset: Annotated[int, Range(0)] = 0,
) -> Previews:
    """Threads of one page of a board as lists of posts: the opening post and the last five replies.

    board: Code of the board, e.g. vg.
    page: Number of the page, counted from 1.
    limit: How many threads to return.
    offset: How many threads of the page to skip.
    """
    code, found = _on_page(world, board, page_)
    rows: list[PreviewRow] = [
        {
            "no": thread.number,
            "omitted_posts": max(0, thread.replies - 5),
            "posts": _posts(world.seed, thread, 5),
        }
        for thread in found[offset : offset + limit]
    ]
    return {"board": code, "page": page_, "total": len(found), "offset": offset, "threads": rows}


@tool(
    GROUP,
    examples=[{"board": "tg", "thread_no": 789123}, {"board": "vg", "thread_no": 456789}],
    phrase=(
        "read all posts of the thread whose number is {thread_no} on the 4chan board whose code is {board}"
    ),
    noun="the posts of the thread",
)
def get_posts(
    world: World, *, board: BoardCode, thread_no: Annotated[ThreadNumber, Within("board")]
) -> ThreadPosts:
    """All posts of one thread, open or archived, oldest first.

    board: Code of the board, e.g. tg.
    thread_no: Number of the thread, which is that of its opening post.
    """
    code = _board(board)["board"]
    current, old = _threads(world.seed, code)
    thread = next((one for one in (*current, *old) if one.number == thread_no), None)
    if thread is None:
        raise not_found(f"thread on /{code}/", thread_no, known=[one.number for one in current])
    return {
        "board": code,
        "no": thread.number,
        "sub": thread.subject,
        "closed": thread.closed,
        "archived": thread in old,
        "posts": _posts(world.seed, thread),
    }
