"""One person's sitting at the page, from the words of the command until it is stopped."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from toolyard.core.errors import UsageError
from toolyard.lines import Appender
from toolyard.review.desk import Desk, RowDesk, review_of
from toolyard.review.folder import ReviewFolder, checked_name, digest_of
from toolyard.review.pair_desk import PairDesk
from toolyard.review.server import ReviewServer
from toolyard.review.session import disputes
from toolyard.review.subject import DataSubject, PairSubject, SubjectWish, subject_of

REVIEWS = Path("reviews")


@dataclass(frozen=True, slots=True)
class Sitting:
    """What is reviewed and where the decisions go."""

    subject: DataSubject | PairSubject
    folder: ReviewFolder


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits down, in which role, and where the page is served."""

    annotator: str
    adjudicate: bool = False
    host: str = "127.0.0.1"
    port: int = 0

    def __post_init__(self) -> None:
        checked_name(self.annotator)


def open_review(wish: SubjectWish, out: Path | None, *, begin: bool) -> Sitting:
    """The review that the words describe, begun where wanted or continued."""
    subject = subject_of(wish)
    kind = "_pairs" if isinstance(subject, PairSubject) else ""
    name = f"{subject.identity['benchmark']}{kind}_{digest_of(subject.identity)}"
    folder = ReviewFolder(out or REVIEWS / name)
    if not begin and not folder.path.is_dir():
        raise UsageError(f"there is no review in {folder.path} yet; begin with --annotator NAME")
    folder.open(subject.identity)
    return Sitting(subject, folder)


@contextmanager
def seated(sitting: Sitting, seat: Seat, token: str, now: Callable[[], str]) -> Iterator[ReviewServer]:
    """The server of the page, ready to serve; the person's file is held meanwhile."""
    with sitting.folder.writing(seat.annotator, adjudicate=seat.adjudicate) as appender:
        desk = desk_of(sitting, seat, appender, now)
        with ReviewServer(seat.host, seat.port, desk, token) as server:
            yield server


def desk_of(sitting: Sitting, seat: Seat, appender: Appender, now: Callable[[], str]) -> Desk:
    """The desk for this person and these items."""
    subject, folder, name = sitting.subject, sitting.folder, seat.annotator
    if isinstance(subject, PairSubject):
        if seat.adjudicate:
            raise UsageError("pairs are decided by majority, a split is a tie; leave out --adjudicate")
        return PairDesk(subject, folder, name, appender, now)
    if seat.adjudicate and not disputes(review_of(subject, folder)):
        raise UsageError(f"the annotators of {folder.path} do not differ on any row; nothing to adjudicate")
    return RowDesk(subject, folder, name, appender, now, adjudicate=seat.adjudicate)


def serve(sitting: Sitting, seat: Seat, say: Callable[[str], None]) -> None:
    """Serves the page until the process is stopped; every decision is on disk before the page shows it."""
    with seated(sitting, seat, secrets.token_urlsafe(24), utc_now) as server:
        say(f"decisions of {seat.annotator} go to {sitting.folder.path}; stop with Ctrl+C")
        say(f"open {server.address}")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("stopped; every decision is saved, the same command goes on from here")


def utc_now() -> str:
    """The time as ISO 8601, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
