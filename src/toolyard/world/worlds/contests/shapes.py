"""Competition/Codeforces: its numbers and what its tools return."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from toolyard.world.types import CityName, CountryName, Prose, Range, Semantic, UnixTime
from toolyard.world.worlds.contests import core
from toolyard.world.worlds.contests.blogs import Comment, Entry

GROUP = "Competition/Codeforces"
Handle = Annotated[str, Semantic("codeforces_handle")]
ContestId = Annotated[int, Semantic("codeforces_contest_id")]
EntryId = Annotated[int, Semantic("codeforces_blog_entry_id")]
ProblemTag = Annotated[str, Semantic("codeforces_tag")]
Room = Annotated[str, Semantic("codeforces_room")]
Count = Annotated[int, Range(1, 1000)]
SHOWN = 30


class CommentRow(TypedDict):
    id: int
    author: Handle
    time: UnixTime
    text: str
    rating: int
    parent: int | None


class EntryRow(TypedDict):
    id: EntryId
    author: Handle
    title: str
    time: UnixTime
    rating: int


class EntryDetails(TypedDict):
    id: EntryId
    author: Handle
    title: str
    content: Prose
    creation_time: UnixTime
    tags: list[str]
    rating: int
    number_of_comments: int


class HackRow(TypedDict):
    id: int
    contest_id: ContestId
    time: UnixTime
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
    start_time: UnixTime


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


class ProblemRow(TypedDict):
    contest_id: ContestId | None
    index: str
    name: str
    rating: int
    tags: list[ProblemTag]


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
    time: UnixTime
    language: str
    verdict: str
    passed_tests: int
    milliseconds: int


class Action(TypedDict):
    time: UnixTime
    blog_entry: EntryRow
    comment: NotRequired[CommentRow]


class UserRow(TypedDict):
    handle: Handle
    name: str
    country: CountryName
    city: CityName | None
    organization: str
    rank: str
    rating: int
    max_rank: str
    max_rating: int
    contribution: int
    friend_of: int
    registration_time: UnixTime
    last_online: UnixTime


class RatedRow(TypedDict):
    handle: Handle
    rank: str
    rating: int
    max_rating: int
    contests: int


def comment_row(comment: Comment) -> CommentRow:
    return {
        "id": comment.id,
        "author": comment.user.handle,
        "time": comment.time,
        "text": comment.text,
        "rating": comment.rating,
        "parent": comment.parent,
    }


def entry_row(entry: Entry) -> EntryRow:
    return {
        "id": entry.id,
        "author": entry.user.handle,
        "title": entry.title,
        "time": entry.time,
        "rating": entry.rating,
    }


def hack_row(contest: core.Contest, hack: core.Hack) -> HackRow:
    return {
        "id": hack.id,
        "contest_id": contest.id,
        "time": contest.start + 60 * hack.minute,
        "hacker": hack.hacker.handle,
        "defender": hack.target.user.handle,
        "problem": f"{hack.target.problem.index}. {hack.target.problem.name}",
        "verdict": hack.verdict,
    }


def contest_row(contest: core.Contest, now: int) -> ContestRow:
    over = contest.start + contest.duration <= now
    return {
        "id": contest.id,
        "name": contest.name,
        "type": contest.kind,
        "phase": "FINISHED" if over else "CODING" if contest.start <= now else "BEFORE",
        "duration_seconds": contest.duration,
        "start_time": contest.start,
    }


def change_row(change: core.RatingChange) -> ChangeRow:
    return {
        "contest_id": change.contest.id,
        "contest": change.contest.name,
        "handle": change.user.handle,
        "rank": change.rank,
        "old_rating": change.old,
        "new_rating": change.new,
    }


def submission_row(one: core.Submission) -> SubmissionRow:
    return {
        "id": one.id,
        "contest_id": one.contest.id,
        "problem": f"{one.problem.index}. {one.problem.name}",
        "author": one.user.handle,
        "time": one.contest.start + 60 * one.minute,
        "language": one.language,
        "verdict": one.verdict,
        "passed_tests": one.passed,
        "milliseconds": one.milliseconds,
    }
