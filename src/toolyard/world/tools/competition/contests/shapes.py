"""Competition/Codeforces: its numbers and what its tools return."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, NotRequired, TypedDict

from toolyard.world.kernel.faults import ToolFault, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import CountryName, Page, Prose, Range, Semantic, Unit
from toolyard.world.kernel.views import View
from toolyard.world.simulated.contests import core

GROUP = Group("Competition/Codeforces")
Handle = Annotated[str, Semantic("codeforces_handle")]
ContestId = Annotated[int, Semantic("codeforces_contest_id")]
EntryId = Annotated[int, Semantic("codeforces_blog_entry_id")]
ProblemTag = Annotated[str, Semantic("codeforces_tag")]
Room = Annotated[str, Semantic("codeforces_room")]
# Most of these lie years back, where services for the present accept no time.
Seconds = Annotated[int, Semantic("past_unix_time"), Unit("s")]
Count = Annotated[int, Range(1, 1000)]
SHOWN = 30


class CommentRow(TypedDict):
    id: int
    author: Handle
    time: Seconds
    text: str
    rating: int
    parent: int | None


class EntryRow(TypedDict):
    id: EntryId
    author: Handle
    title: str
    time: Seconds
    rating: int


class EntryDetails(TypedDict):
    id: EntryId
    author: Handle
    title: str
    content: Prose
    creation_time: Seconds
    tags: list[str]
    rating: int
    number_of_comments: int


class HackRow(TypedDict):
    id: int
    contest_id: ContestId
    time: Seconds
    hacker: Handle
    defender: Handle
    problem: str
    verdict: str


class ContestRow(TypedDict):
    id: ContestId
    name: str
    type: str
    phase: str
    duration_seconds: int
    start_time: Seconds


class ChangeRow(TypedDict):
    contest_id: ContestId
    contest: str
    handle: Handle
    rank: int
    old_rating: int
    new_rating: int


class SolvedRow(TypedDict):
    index: str
    points: int
    rejected_attempts: int


class StandingRow(TypedDict):
    rank: int
    handle: Handle
    participant_type: str
    room: Room
    points: int
    penalty: int
    solved: list[SolvedRow]


class ProblemFacts(TypedDict):
    contest_id: ContestId | None
    index: str
    name: str
    rating: int
    tags: list[ProblemTag]


class ProblemRow(ProblemFacts):
    solved_count: int


class Standings(TypedDict):
    contest: ContestRow
    problems: list[str]
    total: int
    rows: list[StandingRow]


class SubmissionRow(TypedDict):
    id: int
    contest_id: ContestId
    problem: str
    author: Handle
    time: Seconds
    language: str
    verdict: str
    passed_tests: int
    milliseconds: int


class Action(TypedDict):
    time: Seconds
    blog_entry: EntryRow
    comment: NotRequired[CommentRow]


class UserRow(TypedDict):
    handle: Handle
    name: str
    country: CountryName
    rank: str
    rating: int
    max_rank: str
    max_rating: int
    last_online: Seconds


class RatedRow(TypedDict):
    handle: Handle
    rank: str
    rating: int
    max_rating: int
    country: CountryName


COMMENTS = View.of(CommentRow, author="user.handle")
ENTRIES = View.of(EntryRow, author="user.handle")
ENTRY = View.of(
    EntryDetails,
    author="user.handle",
    creation_time="time",
    tags=lambda entry: list(entry.tags),
    number_of_comments=lambda entry: len(entry.comments),
)
HACKS = View.of(
    HackRow,
    contest_id="target.contest.id",
    hacker="hacker.handle",
    defender="target.user.handle",
    problem="target.problem.title",
)
CHANGES = View.of(
    ChangeRow,
    contest_id="contest.id",
    contest="contest.name",
    handle="user.handle",
    old_rating="old",
    new_rating="new",
)
PROBLEMS = View.of(ProblemFacts, contest_id=lambda one: one.contest or None, tags=lambda one: list(one.tags))
SUBMISSIONS = View.of(
    SubmissionRow,
    contest_id="contest.id",
    problem="problem.title",
    author="user.handle",
    passed_tests="passed",
)


def contest_row(contest: core.Contest, now: int) -> ContestRow:
    """A contest with its phase."""
    over = contest.start + contest.duration <= now
    return {
        "id": contest.id,
        "name": contest.name,
        "type": contest.kind,
        "phase": "FINISHED" if over else "CODING" if contest.start <= now else "BEFORE",
        "duration_seconds": contest.duration,
        "start_time": contest.start,
    }


def standing_row(seed: int, contest: core.Contest, row: core.Row) -> StandingRow:
    """A line of the standings as the service shows it."""
    return {
        "rank": row.rank,
        "handle": row.user.handle,
        "participant_type": "CONTESTANT" if row.official else "OUT_OF_COMPETITION",
        "room": core.room_number(seed, contest, row.user),
        "points": row.points,
        "penalty": row.penalty,
        "solved": [
            {"index": index, "points": points, "rejected_attempts": wrong}
            for index, points, wrong in row.solved
        ],
    }


def find_started_contest(world: World, number: int) -> core.Contest:
    """The contest of a number; a fault for one that has not begun."""
    contest = core.find_contest(number)
    if contest.start > unix_now(world):
        begin = datetime.fromtimestamp(contest.start, UTC)
        raise ToolFault(
            "out_of_range", f"{contest.name} has not begun: it starts on {begin:%Y-%m-%d at %H:%M} UTC"
        )
    return contest


def unix_now(world: World) -> int:
    """The present in seconds since 1970."""
    return int(world.now.timestamp())


def split_list(text: str) -> list[str]:
    """The parts of a list joined by semicolons."""
    return [part for part in (one.strip() for one in text.split(";")) if part][:50]


def submission_page(
    found: Sequence[core.Submission], first: int, count: int, name: str = "from_id"
) -> Page[SubmissionRow]:
    """Some solutions from the first one wanted, and how many there are; `name` is the parameter that tells the first."""
    if first > max(1, len(found)):
        raise out_of_range(name, first, f"there are {len(found)} solutions")
    shown = found[first - 1 : first - 1 + min(count, SHOWN)]
    return {"total": len(found), "offset": first - 1, "items": SUBMISSIONS.rows(shown)}
