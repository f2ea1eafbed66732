"""What a stage did, one line per row that went in, in the order in which they were finished.

{"key": "9f..", "id": "17", "rows": [{...}], "rejected": null, "repairs": [], "usage": [310, 55]}

The key stands for all that the outcome depends on: a stage that has changed, or a row that comes in changed,
has another key and is done again; everything else is read back.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record, Usage
from toolyard.lines import Appender, encode
from toolyard.synth.stages import Ask, Context, Each, Row, RowSource, Stage, Whole, applies_to, visible_row

# The last line of what a stage of the whole set made.
END: JsonValue = {"key": "", "end": True}


@dataclass(slots=True)
class StageCounts:
    """One line of the funnel."""

    stage: str
    version: int
    entered: int = 0
    kept: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    usage: Usage = Usage()

    def add(self, record: Record) -> None:
        """Counts what became of one row."""
        self.entered += 1
        self.kept += len(record["rows"])
        self.repaired.update(record["repairs"])
        self.usage += Usage(*record["usage"])
        if record["rejected"]:
            self.rejected[record["rejected"][0]] += 1


class LoggedRows:
    """Rows at known places of a stage's log; read from disk each time, so that memory stays small."""

    def __init__(self, path: Path, offsets: Iterable[int], count: int) -> None:
        self._path = path
        self._offsets = tuple(offsets)
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Row]:
        if not self._offsets:
            return
        with self._path.open("rb") as file:
            for offset in self._offsets:
                file.seek(offset)
                yield from orjson.loads(file.readline())["rows"]


class StageLog:
    """The append-only log of one stage; `index` says where each key's line begins, `usage` what all of it took."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._appender = Appender(path)
        self.index: dict[str, int] = {}
        self.usage = Usage()
        self._end = 0
        with path.open("rb") as file:
            for raw in file:
                record = self._record(raw)
                self.index[record["key"]] = self._end
                self.usage += Usage(*record["usage"])
                self._end += len(raw)

    def _record(self, raw: bytes) -> Record:
        try:
            record = orjson.loads(raw)
            return {"key": record["key"], "usage": record["usage"]}
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise DataError(f"{self.path} is damaged; delete it and run the same command again") from None

    def __enter__(self) -> "StageLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._appender.close()

    def append(self, record: Record) -> None:
        """Adds one line."""
        self.index[record["key"]] = self._end
        self._end += self._appender.append(record)

    def rows(self, keys: Iterable[str], line: StageCounts) -> LoggedRows:
        """The rows that came out for these keys, in this order; the line counts them."""
        offsets = []
        with self.path.open("rb") as file:
            for key in keys:
                offset = self.index[key]
                file.seek(offset)
                line.add(orjson.loads(file.readline()))
                offsets.append(offset)
        return LoggedRows(self.path, offsets, line.kept)


def kept_record(key: str, row_id: str, rows: Iterable[Row]) -> dict[str, object]:
    """A line for rows that were kept; the caller adds what else there is to say."""
    return {"key": key, "id": row_id, "rows": list(rows), "rejected": None, "repairs": [], "usage": [0, 0]}


def stage_digest(stage: Stage, context: Context, identity: str) -> bytes:
    """The digest of the stage itself: name, version, its options, the seed; for questions also the model."""
    parts = {
        "stage": [stage.name, stage.version],
        "options": {name: context.options.get(name) for name in stage.options},
        "seed": context.seed,
        "model": identity if isinstance(stage, Ask) else "",
    }
    if isinstance(stage, Ask):
        decoding = stage.decoding
        parts["decoding"] = [decoding.temperature, decoding.top_p, decoding.max_tokens, stage.attempts]
    if isinstance(stage, RowSource | Whole):
        parts["rows"] = context.rows
        parts["embedder"] = context.embedder
    return hashlib.blake2b(orjson.dumps(parts), digest_size=16).digest()


def row_key(stage: Each | Ask, digest: bytes, row: Row, context: Context) -> str:
    """The key of one row in one stage.

    The whole row counts, not only what the stage sees: the log holds whole rows. Of a question also its words,
    so that another template asks again.
    """
    seen = visible_row(stage, row)
    words = b""
    if isinstance(stage, Ask) and applies_to(stage, row):
        words = encode([message.content for message in stage.prompt(seen, context)])
    return hashlib.blake2b(digest + encode(row) + words, digest_size=16).hexdigest()


def whole_key(digest: bytes, parts: Iterable[bytes]) -> str:
    """The key of everything at once."""
    total = hashlib.blake2b(digest, digest_size=16)
    for part in parts:
        total.update(hashlib.blake2b(part, digest_size=16).digest())
    return total.hexdigest()
