"""An endpoint's answer to a probe, as stored on disk.

{"probe": "chat/integers", "digest": "1f0c...", "error": null,
 "exchanges": [{"request": {...}, "status": 200, "body": "{...}", "seconds": 0.4}]}
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from toolyard.certify.conversation import opening_items, pair_of_counts
from toolyard.certify.probe import Probe
from toolyard.certify.surfaces import request_body
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.lines import read_records

ANSWERS = "answers.jsonl"


@dataclass(frozen=True, slots=True)
class ProbeExchange:
    """One request and what came back, as text."""

    request: dict[str, JsonValue]
    status: int
    body: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """All exchanges of a probe; `error` says why there is no answer, and the probe is asked again next time."""

    probe: str
    digest: str
    exchanges: tuple[ProbeExchange, ...]
    error: str | None = None


def probe_digest(probe: Probe) -> str:
    """A short name of what a probe asks; another wording is another probe."""
    tasks = pair_of_counts(probe.task) if probe.task.kind == "count" else (probe.task,)
    bodies = [request_body("", Probe(probe.surface, task), opening_items(task)) for task in tasks]
    return hashlib.sha256(orjson.dumps(bodies)).hexdigest()[:12]


def read_answers(folder: Path) -> dict[str, ProbeAnswer]:
    """The answers kept in a folder, the last one of each probe."""
    return {answer.probe: answer for answer in read_records(folder / ANSWERS, _read_answer)}


def _read_answer(line: object) -> ProbeAnswer:
    if not isinstance(line, Mapping) or not isinstance(line.get("exchanges"), list):
        raise DataError("no answer to a probe: wanted probe, digest and exchanges")
    try:
        exchanges = tuple(
            ProbeExchange(
                dict(item["request"]), int(item["status"]), str(item["body"]), float(item["seconds"])
            )
            for item in line["exchanges"]
        )
        return ProbeAnswer(str(line["probe"]), str(line["digest"]), exchanges, line.get("error"))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"no answer to a probe ({error!r})") from None
