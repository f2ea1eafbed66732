"""Social/chan: boards, threads in order of the last reply, posts, and an archive of closed threads."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated, NamedTuple, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import EPOCH, World
from toolyard.world.kernel.tables import find, read_table, table_rows, values_of
from toolyard.world.kernel.types import Page, Range, Semantic, UnixTime, Within

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


PAGES = 10
PER_PAGE = 4
_NOW = int(EPOCH.timestamp())
# A board holds so many posts in its open threads, which tells how long one stays open.
_POSTS_OF_A_BOARD = 1650
# Threads of long ago that people ask for by number: board -> subject -> (number, when it was opened).
_NAMED: Mapping[str, Mapping[str, tuple[int, int]]] = values_of("chan_threads.named")


class _Talk(NamedTuple):
    board: str
    subject: str
    opener: str
    replies: tuple[str, ...]


@functools.cache
def _talks_by_board() -> Mapping[str, tuple[_Talk, ...]]:
    """The threads as they are written, by board."""
    rows: dict[str, list[_Talk]] = {}
    for row in read_table("chan_written.tsv"):
        talk = _Talk(row["board"], row["subject"], row["opener"], tuple(row["replies"].split("|")))
        rows.setdefault(talk.board, []).append(talk)
    return {board: tuple(own) for board, own in rows.items()}


def old_thread_numbers(code: str) -> frozenset[int]:
    """Numbers of a board's threads of another age, which can be read and stand in no list of the last closed ones."""
    return frozenset(number for number, _ in _NAMED.get(code, {}).values())


class _Draft:
    """A thread whose posts have times and no numbers yet."""

    def __init__(
        self, talk: _Talk, words: tuple[str, ...], opened: int, changed: int, chance: Random
    ) -> None:
        self.talk, self.words = talk, words
        waits = [0.05 + chance.random() ** 2 for _ in words]
        self.times, passed = [opened], 0.0
        for wait in waits:
            passed += wait
            self.times.append(opened + round((changed - opened) * passed / sum(waits)))

    def thread(self, numbers: list[int], *, archived: bool) -> Thread:
        """The thread, its posts under these numbers."""
        first = numbers[0]
        posts: list[PostRow] = [
            {"no": number, "resto": first if place else 0, "time": time, "name": "Anonymous", "com": com}
            for place, (number, time, com) in enumerate(
                zip(numbers, self.times, (self.talk.opener, *self.words), strict=True)
            )
        ]
        return Thread(
            self.talk.board, first, self.talk.subject, self.talk.opener, self.times[0], self.times[-1],
            len(self.words), closed=archived, posts=tuple(posts),
        )  # fmt: skip


def _draft(talk: _Talk, changed: int, span: float, chance: Random) -> _Draft:
    """A thread of these days: some of its replies, in the order in which they are written."""
    places = sorted(chance.sample(range(len(talk.replies)), chance.randint(4, len(talk.replies))))
    lasted = round(span * (0.1 + 0.5 * chance.random())) + 60
    return _Draft(talk, tuple(talk.replies[at] for at in places), changed - lasted, changed, chance)


def _post_numbers(drafts: list[_Draft], top: int, a_day: int) -> dict[tuple[int, int], int]:
    """The number of each post of each thread: the later the higher, and as many a day as the board has."""
    order = sorted(
        ((time, -at, -place) for at, one in enumerate(drafts) for place, time in enumerate(one.times)),
        reverse=True,
    )
    found: dict[tuple[int, int], int] = {}
    last = top
    for time, at, place in order:
        last = min(last - 1, top - round((_NOW - time) * a_day / 86400))
        found[-at, -place] = last
    return found


@seeds.cache_by_seed(64)
def board_threads(seed: int, code: str) -> tuple[tuple[Thread, ...], tuple[Thread, ...]]:
    """Open threads of a board, the latest reply first, and archived ones, the highest number first."""
    board = next(row for row in table_rows("chan_boards.tsv") if row["board"] == code)
    chance = seeds.stream(seed, "threads", code)
    a_day = int(board["a_day"])
    span = 86400 * _POSTS_OF_A_BOARD / a_day
    subjects = [talk for talk in _talks_by_board()[code] if talk.subject not in _NAMED.get(code, {})]
    chance.shuffle(subjects)
    count = len(subjects) - max(1, len(subjects) // 4)
    ages = [span * 0.004 * chance.random() + 3]  # somebody has just written on the board
    ages += sorted(span * (0.005 + chance.random() ** 2) for _ in range(count - 1))
    ages += [span * (1.2 + chance.random()) for _ in subjects[count:]]
    drafts = [_draft(talk, _NOW - round(age), span, chance) for talk, age in zip(subjects, ages, strict=True)]
    numbers = _post_numbers(drafts, int(board["posts"]), a_day)
    made = [
        one.thread([numbers[at, place] for place in range(len(one.times))], archived=at >= count)
        for at, one in enumerate(drafts)
    ]
    old = sorted(made[count:], key=lambda thread: -thread.number)
    return tuple(made[:count]), (*old, *_threads_of_long_ago(code, chance))


def _threads_of_long_ago(code: str, chance: Random) -> tuple[Thread, ...]:
    found: list[Thread] = []
    for talk in _talks_by_board()[code]:
        if talk.subject in (named := _NAMED.get(code, {})):
            number, opened = named[talk.subject]
            one = _Draft(talk, talk.replies, opened, opened + 14400, chance)
            steps = [chance.randrange(1, 9) for _ in talk.replies]
            numbers = [number + sum(steps[:at]) for at in range(len(one.times))]
            found.append(one.thread(numbers, archived=True))
    return tuple(sorted(found, key=lambda thread: -thread.number))


GROUP = Group("Social/chan")
PageOne = Annotated[int, Range(1, 1000)]
# Boards on which a thread falls behind after more or fewer replies than usual.
_BUMP_LIMITS = {"a": 500, "b": 300, "v": 500, "vg": 750}


@functools.cache
def _board_facts() -> tuple[BoardFacts, ...]:
    return tuple(
        BoardFacts(
            board=row["board"],
            title=row["title"],
            meta_description=f"/{row['board']}/ is a board about {row['topic']}.",
            bump_limit=_BUMP_LIMITS.get(row["board"], 310),
        )
        for row in table_rows("chan_boards.tsv")
    )


def _find_board(code: str) -> Mapping[str, str]:
    return find(table_rows("chan_boards.tsv"), code.strip().strip("/"), "board", "board")


def _last_posts(thread: Thread, count: int) -> list[PostRow]:
    """The opening post and the last replies."""
    return [thread.posts[0], *thread.posts[1:][-count:]]


def _threads_on_page(world: World, code: str, number: int) -> tuple[str, list[Thread]]:
    board = _find_board(code)
    if number > PAGES:
        raise not_found(f"page of /{board['board']}/", number, known=range(1, PAGES + 1))
    first = (number - 1) * PER_PAGE
    return board["board"], list(board_threads(world.seed, board["board"])[0][first : first + PER_PAGE])


@GROUP.tool(
    examples=[{}, {"page": 2, "page_size": 7}],
    phrase=(
        "list the 4chan boards with their titles[, showing page {page}][, with {page_size} boards per page]"
    ),
    noun="the list of boards",
)
def get_boards(
    world: World,
    *,
    page_: Annotated[int, Range(0, 1000)] = 0,
    page_size: Annotated[int, Range(1, 50)] = 5,
) -> Page[Board]:
    """The chief boards with title, subject and bump limit, page by page, and how many there are.

    page: Number of the page, counted from 0.
    page_size: Boards on a page.
    """
    first = page_ * page_size
    items: list[Board] = [
        {**row, "latest_post_time": board_threads(world.seed, row["board"])[0][0].modified}
        for row in _board_facts()[first : first + page_size]
    ]
    return {"total": len(_board_facts()), "offset": first, "items": items}


@GROUP.tool(
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
    page: Number of the page, from 1 to 10.
    """
    code, found = _threads_on_page(world, board, page_)
    return {
        "board": code,
        "page": page_,
        "number_of_threads": len(found),
        "threads": [
            {"no": one.number, "last_modified": one.modified, "replies": one.replies} for one in found
        ],
    }


def _catalog_row(thread: Thread) -> CatalogRow:
    last = _last_posts(thread, 2)[1:]
    return {
        "no": thread.number,
        "sub": thread.subject,
        "com": thread.text,
        "time": thread.time,
        "last_modified": thread.modified,
        "replies": thread.replies,
        "last_replies": [{"no": post["no"], "time": post["time"], "com": post["com"]} for post in last],
    }


@GROUP.tool(
    examples=[{"board": "mu", "limit": 5, "offset": 2}, {"board": "g", "page": 2}],
    phrase=(
        "get the catalog of threads with subjects and reply counts of the 4chan board whose code is "
        "{board}[, showing page {page}][, with a limit of {limit}][, skipping the first {offset}]"
    ),
    noun="the board catalog",
    promises={"OPs": "threads[].no"},
)
def get_catalog(
    world: World,
    *,
    board: BoardCode,
    page_: PageOne = 1,
    limit: Annotated[int, Range(1, 15)] = 3,
    offset: Annotated[int, Range(0)] = 0,
) -> Catalog:
    """Threads of one page of a board with subject, opening post, count of replies and the last two of them.

    board: Code of the board, e.g. g.
    page: Number of the page, from 1 to 10.
    limit: How many threads to return.
    offset: How many threads of the page to skip.
    """
    code, found = _threads_on_page(world, board, page_)
    rows = [_catalog_row(thread) for thread in found[offset : offset + limit]]
    return {"board": code, "page": page_, "total": len(found), "offset": offset, "threads": rows}


@GROUP.tool(
    examples=[{"board": "b"}, {"board": "lit"}],
    phrase="list the archived thread numbers of the 4chan board whose code is {board}",
    noun="the list of archived threads",
)
def get_archive(world: World, *, board: BoardCode) -> Archive:
    """Numbers of the closed threads of a board that can be read but not answered any more.

    board: Code of the board, e.g. lit.
    """
    code = _find_board(board)["board"]
    old = old_thread_numbers(code)
    found = [thread for thread in board_threads(world.seed, code)[1] if thread.number not in old]
    return {"board": code, "number_of_threads": len(found), "threads": [thread.number for thread in found]}


@GROUP.tool(
    examples=[{"board": "b", "page": 3, "limit": 4, "offset": 1}, {"board": "vg"}],
    phrase=(
        "preview the threads with opening post and last replies of the 4chan board whose code is "
        "{board}[, showing page {page}][, with a limit of {limit}][, skipping the first {offset}]"
    ),
    noun="the thread previews",
)
def get_threads_with_preview(
    world: World,
    *,
    board: BoardCode,
    page_: PageOne = 1,
    limit: Annotated[int, Range(1, 15)] = 3,
    offset: Annotated[int, Range(0)] = 0,
) -> Previews:
    """Threads of one page of a board as lists of posts: the opening post and the last three replies.

    board: Code of the board, e.g. vg.
    page: Number of the page, from 1 to 10.
    limit: How many threads to return.
    offset: How many threads of the page to skip.
    """
    code, found = _threads_on_page(world, board, page_)
    rows: list[PreviewRow] = [
        {
            "no": thread.number,
            "omitted_posts": max(0, thread.replies - 3),
            "posts": _last_posts(thread, 3),
        }
        for thread in found[offset : offset + limit]
    ]
    return {"board": code, "page": page_, "total": len(found), "offset": offset, "threads": rows}


@GROUP.tool(
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
    code = _find_board(board)["board"]
    current, old = board_threads(world.seed, code)
    thread = next((one for one in (*current, *old) if one.number == thread_no), None)
    if thread is None:
        raise not_found(f"thread on /{code}/", thread_no, known=[one.number for one in current])
    return {
        "board": code,
        "no": thread.number,
        "sub": thread.subject,
        "closed": thread.closed,
        "archived": thread in old,
        "posts": list(thread.posts),
    }
