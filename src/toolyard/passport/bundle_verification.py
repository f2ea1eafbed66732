"""A bundle scored again by the installed scorer: what is confirmed, what has changed, what nobody can check here."""

import math
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError, MissingAsset, ToolyardError
from toolyard.core.types import Record, Score
from toolyard.lines import read_lines
from toolyard.passport.bundle_file import PARTS, Bundle
from toolyard.run.play.execute import RunResult
from toolyard.run.store.packs import planned_answers, unpack_run
from toolyard.run.store.records import read_score
from toolyard.run.store.run_directory import SCORES
from toolyard.stats.summary import figure_intervals, figure_values

CONFIRMED, CHANGED, UNCHECKED = "confirmed", "changed", "unchecked"
# Data that anybody can have under the same name; any other place is named by the user, never by a bundle.
NAMED_DATA = ("starter", "hard", "official")
OWN_EMBEDDERS = ("", "none", "minilm", "hash")
# Scores are the same on every machine up to the rounding of its arithmetic.
TOLERANCE = 1e-9
# What scoring raises over evidence or notes that no run of ours has written.
NOT_SCORABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)
SCORED, GRADED = ("counts", "errors", "unscored"), ("graded", "missing")
Scores = Mapping[tuple[str, int], Mapping[str, Score]]


@dataclass(slots=True)
class Verification:
    """Findings in three lists of sentences, and the metrics as they come out today."""

    confirmed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    compared: int = 0
    # scores that are stated and cannot be compared
    open: int = 0
    figures: Mapping[str, float | None] = field(default_factory=dict)
    intervals: Mapping[str, list[float | None] | None] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """Changed where anything has; confirmed where every score that is stated came out the same."""
        if self.changed:
            return CHANGED
        return CONFIRMED if self.compared and not self.open else UNCHECKED


def verify_bundle(bundle: Bundle, data: str | None = None) -> Verification:
    """The findings on a bundle; `data` is where its data are, unless everybody has them under their name."""
    found = Verification(confirmed=[f"sha256 of {len(PARTS)} members"])
    manifest, identity = bundle.pack.manifest, bundle.pack.manifest["identity"]
    found.unchecked.append(
        f"that {identity['model']} gave these answers, at the dates and cost that the manifest states: not signed"
    )
    if manifest["judge"]:
        found.unchecked.append(f"the judge's replies: {manifest['judge']} is not asked again")
    try:
        _compare_digests(
            "benchmark version", identity["version"], load_benchmark(bundle.pack.benchmark).version, found
        )
        _refuse_strangers_choice(bundle, data)
        with tempfile.TemporaryDirectory(prefix="toolyard-verify-") as scratch:
            result = unpack_run(bundle.pack, Path(scratch) / "bundle", data)
            _compare_digests("data sha256", identity["data_sha256"], result.run.config.data_sha256, found)
            _compare_scores(bundle, result, found)
            if identity["data_sha256"] == result.run.config.data_sha256:
                _compare_plan(bundle, planned_answers(bundle.pack, Path(scratch) / "planned", data), found)
            figures = result.summaries["paper"].figures
            found.figures, found.intervals = figure_values(figures), figure_intervals(figures)
    except ToolyardError as error:
        found.unchecked.append(f"scores: {error}")
    except NOT_SCORABLE as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise DataError(f"the bundle's answers cannot be scored ({why}); ask for the file again") from error
    return found


def _refuse_strangers_choice(bundle: Bundle, data: str | None) -> None:
    """A bundle may name neither a place on this machine nor an address that gets texts."""
    named = str(bundle.pack.manifest["data"])
    if data is None and named not in NAMED_DATA:
        raise MissingAsset(
            f"the run's data ({named[:80]!r}) are not part of the package; give them with --data PATH"
        )
    embedder = str(bundle.pack.manifest["identity"].get("embedder", ""))
    if (
        embedder not in OWN_EMBEDDERS
        and load_benchmark(bundle.pack.benchmark).task.preparation.embedded is not None
    ):
        raise MissingAsset(
            f"prompts were made with the embedder {embedder[:80]!r}, which no bundle may choose"
        )


def _compare_digests(what: str, stated: str, now: str, found: Verification) -> None:
    if stated == now:
        found.confirmed.append(f"{what} {now[:16]}")
    else:
        found.changed.append(f"{what}: the bundle has {stated[:16]}, here it is {now[:16]}")


def _compare_scores(bundle: Bundle, result: RunResult, found: Verification) -> None:
    """Every score of the bundle beside what the installed scorer gives the same answer."""
    stated = _scores_by_answer(bundle.scores)
    now = _scores_by_answer(read_lines(result.folder / SCORES))
    answered = {(line["sample"], line["trial"]) for line in bundle.pack.transcripts}
    both = sorted(stated.keys() & now.keys() & answered)
    # Of a scrubbed answer, what was graded is cut and scrubbed in another order.
    parts = {key: SCORED if key[0] in bundle.scrubbed else (*SCORED, *GRADED) for key in both}
    different = {
        key: why for key in both if (why := _difference_of_scores(stated[key], now[key], parts[key]))
    }
    scrubbed = [key for key in different if key[0] in bundle.scrubbed]
    moved = [key for key in different if key[0] not in bundle.scrubbed]
    alone = stated.keys() - set(both)
    # Of a question that the model never answered no score is stated.
    empty = [key for key in alone if all(score.unscored for score in stated[key].values())]
    found.compared, found.open = len(both) - len(scrubbed), len(scrubbed) + len(alone) - len(empty)
    if found.compared > len(moved):
        found.confirmed.append(f"{found.compared - len(moved)} of {len(stated)} scores")
    if moved:
        (sample, trial), *_ = moved
        found.changed.append(
            f"{len(moved)} of {len(stated)} scores, first sample {sample[:80]!r}, trial {trial}: {different[moved[0]]}"
        )
    if scrubbed:
        found.unchecked.append(f"{len(scrubbed)} scores of answers that were scrubbed")
    if len(alone) > len(empty):
        found.unchecked.append(
            f"{len(alone) - len(empty)} scores without an answer in the bundle, or whose question has changed since"
        )
    if empty:
        found.unchecked.append(f"{len(empty)} answers that the run has not scored")
    if more := len((now.keys() & answered) - stated.keys()):
        found.changed.append(f"{more} answers have no score in the bundle")


def _compare_plan(bundle: Bundle, planned: Collection[tuple[str, int]], found: Verification) -> None:
    """Whether the bundle has every answer that its run was to have: a part of them may be its best part."""
    there = {(line["sample"], line["trial"]) for line in (*bundle.scores, *bundle.pack.transcripts)}
    missing, extra = sorted(set(planned) - there), sorted(there - set(planned))
    if not missing and not extra:
        found.confirmed.append(f"all {len(planned)} answers that the run was to have")
    for keys, word in ((missing, "missing"), (extra, "beyond its settings")):
        if keys:
            (sample, trial), *_ = keys
            found.changed.append(
                f"{len(keys)} answers are {word} (the run was to have {len(planned)}), first sample {sample[:80]!r}, "
                f"trial {trial}"
            )
    if bundle.pack.manifest["identity"]["ids"]:
        found.unchecked.append("why these samples: the run chose them by --ids")


def _scores_by_answer(lines: Iterable[Record]) -> Scores:
    return {
        (line["sample"], line["trial"]): {
            profile: read_score(line["sample"], line["trial"], score)
            for profile, score in line["profiles"].items()
        }
        for line in lines
    }


def _difference_of_scores(stated: Mapping[str, Score], now: Mapping[str, Score], parts: Sequence[str]) -> str:
    """The first thing in which two scores of an answer differ; empty where they are the same."""
    if stated.keys() != now.keys():
        return f"profiles {', '.join(stated)[:80]}, now {', '.join(now)}"
    for profile, before in stated.items():
        after = now[profile]
        for name in sorted(before.values.keys() | after.values.keys()):
            one, other = before.values.get(name), after.values.get(name)
            if not _is_same(one, other):
                return f"{profile} {name[:80]} {one}, now {other}"
        for name in parts:
            if getattr(before, name) != getattr(after, name):
                return f"{profile} {name} differ"
    return ""


def _is_same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
