"""The folder of a review: what is reviewed, and one append-only file of decisions per person.

reviews/nestools_1a2b3c4d/
  review.json               what is reviewed; opening it for something else is refused
  decisions/ada.jsonl       one line per decision, the last of an item wins
  adjudication/grace.jsonl  the final word on disputes
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import UnionType

import orjson

from toolyard.core.errors import DataError, RunMismatch, UsageError
from toolyard.core.types import JsonValue, Record
from toolyard.lines import Appender, encode, encode_readable, locked_file, read_lines, write_whole

IDENTITY = "review.json"
DECISIONS = "decisions"
ADJUDICATION = "adjudication"
# What a line of decisions may hold.
KINDS: Mapping[str, type | UnionType] = {
    "verdict": str | None, "row": dict | None, "note": str, "at": str, "dimension": str, "winner": str | None
}  # fmt: skip
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def identity_digest(identity: Mapping[str, JsonValue]) -> str:
    """A short name for what is reviewed."""
    return hashlib.sha256(encode(dict(identity), orjson.OPT_SORT_KEYS)).hexdigest()[:8]


def check_annotator_name(name: str) -> str:
    """The annotator's name, which becomes a file name."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"--annotator {name!r} is not a plain name; use letters, digits, dots and hyphens, e.g. --annotator ada"
        )
    return name


def _decision_lines(file: Path) -> Iterator[Record]:
    for number, line in enumerate(read_lines(file), 1):
        if not _is_decision(line):
            raise DataError(f"{file}, line {number} is not a decision; remove that line and run again")
        yield line


def _is_decision(line: JsonValue) -> bool:
    """Whether it says of an item what a person thinks of it, or which of two answers is better."""
    if not isinstance(line, dict) or not isinstance(line.get("item"), str):
        return False
    typed = all(isinstance(line[key], kinds) for key, kinds in KINDS.items() if key in line)
    complete = line.get("verdict") != "edit" or line.get("row") is not None
    return typed and complete and ("verdict" in line or {"dimension", "winner"} <= line.keys())


class ReviewFolder:
    """The files of one review."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def identity(self) -> dict[str, JsonValue]:
        """The subject of the review, as it was started; empty where it was not started."""
        file = self.path / IDENTITY
        if not file.is_file():
            return {}
        try:
            found = orjson.loads(file.read_bytes())
        except orjson.JSONDecodeError:
            found = None
        if not isinstance(found, dict) or not found:
            # Every decision stands in a file of its own, so that nothing is lost with this one.
            raise DataError(f"{file} is damaged; remove it to go on with the same rows and decisions")
        return found

    def open(self, identity: Mapping[str, JsonValue]) -> None:
        """Starts the review, or continues it if it is about the same rows."""
        file, before = self.path / IDENTITY, self.identity()
        if not before:
            self.path.mkdir(parents=True, exist_ok=True)
            write_whole(file, encode_readable(dict(identity)))
            return
        now: dict[str, JsonValue] = orjson.loads(encode(dict(identity)))
        changed = sorted(key for key in {*before, *now} if before.get(key) != now.get(key))
        if changed:
            raise RunMismatch(
                f"{self.path} reviews something else ({', '.join(changed)} differ); choose another --out"
            )

    def decisions(self) -> dict[str, list[Record]]:
        """The lines of every annotator who has decided something, by name."""
        return self._lines(DECISIONS)

    def adjudication(self) -> dict[str, list[Record]]:
        """The lines of the adjudicator, by name; empty before there is one."""
        return self._lines(ADJUDICATION)

    def _lines(self, part: str) -> dict[str, list[Record]]:
        files = sorted((self.path / part).glob("*.jsonl"))
        found = {file.stem: list(_decision_lines(file)) for file in files}
        return {name: lines for name, lines in found.items() if lines}

    @contextmanager
    def writing(self, name: str, *, adjudicate: bool) -> Iterator[Appender]:
        """The open file of one person, held against a second page of the same name."""
        part = ADJUDICATION if adjudicate else DECISIONS
        self._refuse_two_roles(name, adjudicate)
        (self.path / part).mkdir(parents=True, exist_ok=True)
        busy = f"{name} is already reviewing in {self.path}; use that page or stop it first"
        with (
            locked_file(self.path / part / f".{name}.lock", busy),
            Appender(self.path / part / f"{name}.jsonl") as appender,
        ):
            yield appender

    def _refuse_two_roles(self, name: str, adjudicate: bool) -> None:
        if name in (self.decisions() if adjudicate else self.adjudication()):
            role = "an annotator" if adjudicate else "the adjudicator"
            raise UsageError(f"{name} is {role} of {self.path}; nobody may be both, use another --annotator")
        others = [other for other in self.adjudication() if other != name]
        if adjudicate and others:
            raise UsageError(
                f"{others[0]} is the adjudicator of {self.path}, and there is one; use --annotator {others[0]}"
            )
