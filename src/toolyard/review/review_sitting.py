"""One person's sitting at the page, from the words of the command until it is stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from toolyard.core.errors import DataError, UsageError
from toolyard.lines import Appender
from toolyard.review.pair_desk import PairDesk
from toolyard.review.review_decisions import disputed_items
from toolyard.review.review_folder import IDENTITY, ReviewFolder, check_annotator_name, identity_digest
from toolyard.review.review_requests import Desk, RowDesk, read_review
from toolyard.review.review_subject import DataSubject, PairSubject, ReviewTarget, review_subject
from toolyard.review.web.addresses import LOOPBACK, open_sockets

if TYPE_CHECKING:
    from toolyard.review.web.server import PageServer

REVIEWS = Path("reviews")
# What a review draws from its rows or runs, and so need not be said again.
DRAWN = ("sample", "seed", "by")


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
    host: str = LOOPBACK
    port: int = 0

    def __post_init__(self) -> None:
        check_annotator_name(self.annotator)


def open_review(target: ReviewTarget, out: Path | None, *, begin: bool) -> Sitting:
    """The review that the arguments describe, started if requested or continued.

    Whoever continues need not say again what was drawn: sample, seed and dimensions stand in the folder.
    """
    subject = review_subject(target)
    path = out or REVIEWS / folder_name(subject)
    if target.sample is None and (not begin or out):
        path = path if begin or out or path.is_dir() else find_begun_review(subject, bool(target.dimensions))
        begun = target_as_begun(target, ReviewFolder(path))
        subject = subject if begun == target else review_subject(begun)
    folder = ReviewFolder(path)
    if not begin and not folder.path.is_dir():
        raise no_review_error(folder.path)
    folder.open(subject.identity)
    return Sitting(subject, folder)


def folder_name(subject: DataSubject | PairSubject) -> str:
    """The default name of a review's folder."""
    kind = "_pairs" if isinstance(subject, PairSubject) else ""
    return f"{subject.identity['benchmark']}{kind}_{identity_digest(subject.identity)}"


def no_review_error(path: Path) -> UsageError:
    """The error for continuing a review that was never started."""
    return UsageError(f"there is no review in {path} yet; begin with --annotator NAME")


def find_begun_review(subject: DataSubject | PairSubject, with_dimensions: bool) -> Path:
    """The only review of these rows or runs, whatever sample of them it draws."""
    drawn = DRAWN if with_dimensions else (*DRAWN, "dimensions")
    wanted = {key: value for key, value in subject.identity.items() if key not in drawn}
    begun = {
        path.parent: ReviewFolder(path.parent).identity() for path in sorted(REVIEWS.glob(f"*/{IDENTITY}"))
    }
    found = [path for path, known in begun.items() if all(known.get(key) == wanted[key] for key in wanted)]
    if len(found) > 1:
        names = ", ".join(f"{path} (sample {begun[path].get('sample') or 'all'})" for path in found)
        raise UsageError(f"there are several reviews of this: {names}; choose one with --out")
    if not found:
        raise no_review_error(REVIEWS / folder_name(subject))
    return found[0]


def target_as_begun(target: ReviewTarget, folder: ReviewFolder) -> ReviewTarget:
    """The words with what the folder says was drawn."""
    known = folder.identity()
    named = known.get("dimensions")
    dimensions = target.dimensions or tuple(map(str, named if isinstance(named, list | tuple) else ()))
    sample, seed = known.get("sample"), known.get("seed")
    if not isinstance(sample, int | None) or not isinstance(seed, int | None):
        raise DataError(f"{folder.path / IDENTITY} names no sample that can be drawn; put it back as it was")
    by = target.by or str(known.get("by") or "")
    return replace(
        target, sample=sample, seed=target.seed if seed is None else seed, dimensions=dimensions, by=by
    )


@contextmanager
def sitting_server(
    sitting: Sitting, seat: Seat, now: Callable[[], str], token: str = ""
) -> Iterator[PageServer]:
    """The server of the page, ready to serve; the person's file is held meanwhile."""
    from toolyard.review.web.labelling import Labelling
    from toolyard.review.web.server import PageServer

    with sitting.folder.writing(seat.annotator, adjudicate=seat.adjudicate) as appender:
        desk = make_desk(sitting, seat, appender, now)
        with PageServer(Labelling(desk).site(), open_sockets(seat.host, seat.port), token) as server:
            yield server


def make_desk(sitting: Sitting, seat: Seat, appender: Appender, now: Callable[[], str]) -> Desk:
    """The desk for this person and these items."""
    subject, folder, name = sitting.subject, sitting.folder, seat.annotator
    if isinstance(subject, PairSubject):
        if seat.adjudicate:
            raise UsageError("pairs are decided by majority, a split is a tie; leave out --adjudicate")
        return PairDesk(subject, folder, name, appender, now)
    if seat.adjudicate and not disputed_items(read_review(subject, folder)):
        raise UsageError(f"the annotators of {folder.path} do not differ on any row; nothing to adjudicate")
    return RowDesk(subject, folder, name, appender, now, adjudicate=seat.adjudicate)


def serve_review(sitting: Sitting, seat: Seat, say: Callable[[str], None]) -> int:
    """Serves the page until the process is stopped; every decision is on disk before the page shows it."""
    with sitting_server(sitting, seat, utc_now) as server:
        say(f"decisions of {seat.annotator} go to {sitting.folder.path}; stop with Ctrl+C")
        code = server.serve(lambda: say(f"open {server.url}"))
    say("stopped; every decision is saved, the same command goes on from here")
    return code


def utc_now() -> str:
    """The time as ISO 8601, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
