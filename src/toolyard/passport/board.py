"""A leaderboard of a folder of bundles: each is scored again here, and versions, data or questions are never mixed."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError
from toolyard.core.table import Table
from toolyard.core.types import JsonValue
from toolyard.lines import encode
from toolyard.passport.bundle_file import Bundle, read_bundle
from toolyard.passport.bundle_verification import CONFIRMED, Verification, verify_bundle
from toolyard.report.page.tables_page import render_tables
from toolyard.report.tables.formats import with_interval
from toolyard.run.plan.run_config import display_name
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.summary import UNSCORED_LIMIT
from toolyard.text.printable import printable_line

MOST_BUNDLES = 200
COLUMNS = ("model", "percent [95 %]", "answers", "style", "trials", "judge", "file", "sha256")
NOTE = "Computed again from the answers. That the models gave them is not checked: bundles are not signed."


@dataclass(frozen=True, slots=True)
class BoardRow:
    """What the board says of a bundle whose scores were all confirmed."""

    model: str
    score: Estimate
    answers: int
    style: str
    trials: int
    judge: str
    file: str
    sha256: str

    def to_json(self) -> dict[str, JsonValue]:
        """The row as an object."""
        rest = {name: value for name, value in asdict(self).items() if name != "score"}
        return {**rest, "value": self.score.value, "interval": self.score.interval}

    def cells(self) -> tuple[str | int, ...]:
        """The row of a table."""
        score, short = with_interval(self.score), self.sha256[:12]
        return (self.model, score, self.answers, self.style, self.trials, self.judge or "–", self.file, short)


@dataclass(frozen=True, slots=True)
class Board:
    """The rows of each benchmark, the best first, by `nestools 1.10.0: average`; and why other files have none."""

    rows: Mapping[str, Sequence[BoardRow]]
    left_out: Mapping[str, str]

    def to_json(self) -> dict[str, JsonValue]:
        """The board as one object."""
        boards: dict[str, JsonValue] = {
            title: [row.to_json() for row in rows] for title, rows in self.rows.items()
        }
        return {"boards": boards, "left_out": dict(self.left_out)}

    def tables(self) -> list[Table]:
        """One table for each benchmark, and the files that are left out."""
        tables = [
            Table(title, COLUMNS, tuple(row.cells() for row in rows), note=NOTE)
            for title, rows in self.rows.items()
        ]
        left = Table("Left out", ("file", "reason"), tuple(self.left_out.items()))
        return [*tables, left] if left.rows else tables

    def page(self) -> str:
        """The board as one self-contained page."""
        number = sum(map(len, self.rows.values()))
        return render_tables("Board", f"{number} bundles, scored again", self.tables())


def read_board(folder: Path) -> Board:
    """The board of the bundles in a folder; DataError where two of one benchmark are not of one version."""
    files = sorted(folder.glob("*.zip")) if folder.is_dir() else []
    if not 0 < len(files) <= MOST_BUNDLES:
        what = f"holds {len(files) or 'no'} bundles"
        if not folder.is_dir():
            what = "is a file" if folder.exists() else "does not exist"
        raise DataError(
            f"{folder} {what}, wanted a folder of bundles (*.zip), {MOST_BUNDLES} at most; "
            "make one of a run with: toolyard bundle RUN"
        )
    rows: dict[str, list[BoardRow]] = {}
    left_out, hashes = dict[str, str](), dict[str, str]()
    first: dict[str, tuple[str, Mapping[str, str]]] = {}
    for file in files:
        name = _shorten_text(file.name)
        # One at a time: a bundle may take much memory.
        try:
            bundle = read_bundle(file)
            headline = load_benchmark(bundle.pack.benchmark).scoring.headline
            twin = hashes.setdefault(bundle.sha256, name)
            if twin != name:
                left_out[name] = f"the same file as {twin}"
                continue
        except DataError as error:
            left_out[name] = printable_line(str(error))
            continue
        _refuse_mixture(bundle, name, first)
        why, found = _verify_for_board(bundle)
        if why:
            left_out[name] = printable_line(why)
            continue
        identity = bundle.pack.manifest["identity"]
        title = f"{bundle.pack.benchmark} {identity['version']}: {headline}"
        rows.setdefault(title, []).append(_board_row(bundle, name, found, headline))
    return Board({title: sorted(each, key=_rank_key) for title, each in sorted(rows.items())}, left_out)


def _verify_for_board(bundle: Bundle) -> tuple[str, Verification]:
    """Why a bundle has no place on the board, empty where it has one, and what was found."""
    try:
        found = verify_bundle(bundle)
    except DataError as error:
        return str(error), Verification()
    if found.verdict == CONFIRMED:
        keys = {(line["sample"], line["trial"]) for line in (*bundle.scores, *bundle.pack.transcripts)}
        lost = len(keys) - len(bundle.pack.transcripts)
        # As in a run of one's own: the rest may be its best part.
        return f"{lost} of {len(keys)} answers are missing" if lost > UNSCORED_LIMIT * len(
            keys
        ) else "", found
    return f"{found.verdict}: {found.changed[0] if found.changed else found.unchecked[-1]}", found


def _refuse_mixture(bundle: Bundle, name: str, first: dict[str, tuple[str, Mapping[str, str]]]) -> None:
    """Stops where two bundles of a benchmark answer other questions, or were scored by other rules."""
    mine = _comparable_facts(bundle)
    other, known = first.setdefault(bundle.pack.benchmark, (name, mine))
    for what, value in mine.items():
        if value != known[what]:
            raise DataError(
                f"{other} and {name} differ in {bundle.pack.benchmark}'s {what} ({_shorten_text(known[what])} and "
                f"{_shorten_text(value)}), so their scores do not compare; give each a folder of its own"
            )


def _comparable_facts(bundle: Bundle) -> Mapping[str, str]:
    """What must be the same for two bundles of a benchmark to stand in one table."""
    identity, samples = bundle.pack.manifest["identity"], encode(dict(sorted(bundle.pack.samples.items())))
    return {
        "benchmark version": str(identity["version"]),
        "data": str(identity["data_sha256"])[:16],
        "world": str(identity.get("world", "")),
        "options": encode(dict(sorted(identity["options"].items()))).decode().strip(),
        **{name: str(identity.get(name, "")) for name in ("variation", "catalogue", "perturb")},
        "questions": f"{len(bundle.pack.samples):,} of sha256 {hashlib.sha256(samples).hexdigest()[:8]}",
    }


def _board_row(bundle: Bundle, file: str, found: Verification, headline: str) -> BoardRow:
    manifest, interval = bundle.pack.manifest, found.intervals.get(headline)
    identity = manifest["identity"]
    low, high = interval or (None, None)
    return BoardRow(
        model=_shorten_text(display_name(str(identity["model"]))),
        score=Estimate(found.figures.get(headline), low, high),
        answers=len(bundle.pack.transcripts),
        style=_shorten_text(identity["style"]),
        trials=int(identity["trials"]),
        judge=_shorten_text(manifest["judge"]),
        file=file,
        sha256=bundle.sha256,
    )


def _rank_key(row: BoardRow) -> tuple[float, str, str]:
    return (float("inf") if row.score.value is None else -row.score.value, row.model, row.file)


def _shorten_text(text: object) -> str:
    return printable_line(str(text))[:80]
