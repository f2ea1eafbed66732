"""What a review leaves behind: the reviewed set in the benchmark's own form, or the labels of pairs; a card."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from toolyard.core.draft_rows import is_draft, mark_reviewed
from toolyard.core.errors import DataError, UsageError
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Record
from toolyard.lines import encode, encode_readable, whole_folder, write_whole
from toolyard.review.pair_desk import read_pair_review
from toolyard.review.pairs import PairReview, label_lines, pair_figures, run_records
from toolyard.review.review_decisions import (
    Figures,
    Review,
    RowOutcome,
    figures_json,
    review_figures,
    row_outcomes,
)
from toolyard.review.review_folder import ReviewFolder
from toolyard.review.review_requests import read_review
from toolyard.review.review_subject import DataSubject, PairSubject
from toolyard.review.review_writing import ReviewSource, write_rows

CARD = "review.json"
PAGE = "review.md"
LABELS = "labels.jsonl"
KEPT = ("accepted", "edited")


def summary_json(subject: DataSubject | PairSubject, folder: ReviewFolder) -> dict[str, JsonValue]:
    """The figures of a review as plain JSON."""
    if isinstance(subject, PairSubject):
        review = read_pair_review(subject, folder)
        return {"kind": "pairs", **_runs_json(subject, review), **pair_figures(review)}
    rows = read_review(subject, folder)
    return {"kind": "rows", "items": len(rows.items), **figures_json(review_figures(rows))}


def _runs_json(subject: PairSubject, review: PairReview) -> dict[str, JsonValue]:
    """Which runs stand against each other: a and b, or the records of all where there are more."""
    if len(subject.runs) == 2:
        return {"a": subject.runs[0], "b": subject.runs[1]}
    records = {name: run_records(review, subject.pairs, name) for name in subject.dimensions}
    return {
        "runs": list(subject.runs),
        "records": {
            name: {run: {key: counts[key] for key in ("win", "tie", "loss")} for run, counts in found.items()}
            for name, found in records.items()
        },
    }


def export_review(subject: DataSubject | PairSubject, folder: ReviewFolder, out: Path) -> Path:
    """Writes the reviewed set, or the labels, with a card; the folder must be new or empty."""
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty; choose another folder for --export")
    if isinstance(subject, PairSubject):
        return export_labels(subject, folder, out)
    return export_rows(subject, folder, out)


def export_rows(subject: DataSubject, folder: ReviewFolder, out: Path) -> Path:
    """The accepted and the edited rows in file order; what is disputed or open stays out and is counted."""
    root = subject.path if subject.path.is_dir() else subject.path.parent
    if out.resolve().is_relative_to(root.resolve()):
        raise UsageError(f"{out} lies inside the reviewed data {root}; choose a folder outside for --export")
    review = read_review(subject, folder)
    results = {result.item: result for result in row_outcomes(review)}
    kept = [entry for entry in subject.entries if results[entry.id].status in KEPT]
    if not kept:
        raise DataError(f"{folder.path} has no accepted row yet; decide some first: toolyard review")
    corrected: dict[str, Mapping[str, JsonValue]] = {
        entry.id: mark_reviewed(entry.row) for entry in kept if is_draft(entry.row)
    }
    corrected |= {
        result.item: mark_reviewed(result.decision.row)
        for result in results.values()
        if result.decision is not None and result.decision.row is not None
    }
    with whole_folder(out) as place:
        path = write_rows(ReviewSource(subject.path, subject.everything), kept, corrected, place)
        if not subject.benchmark.data.load(path, subject.options):
            raise DataError(f"{out} would hold no samples after the review; accept at least one row")
        _write_card(place, row_card(subject, review, tuple(results.values())), _row_tables(subject, folder))
    return out / path.relative_to(place)


def row_card(subject: DataSubject, review: Review, results: Sequence[RowOutcome]) -> dict[str, JsonValue]:
    """Where the set comes from, who decided what, how far they agree, and what was left out."""
    return {
        "reviewed": dict(subject.identity),
        "adjudicator": review.adjudicator or None,
        **figures_json(review_figures(review)),
        "edited": [result.item for result in results if result.status == "edited"],
        "rejected": [result.item for result in results if result.status == "rejected"],
        "left_out_without_decision": [
            result.item for result in results if result.status in ("disputed", "open")
        ],
    }


def export_labels(subject: PairSubject, folder: ReviewFolder, out: Path) -> Path:
    """One line per vote, in the form that `toolyard agreement` reads."""
    lines = label_lines(read_pair_review(subject, folder), subject.pairs)
    if not lines:
        raise DataError(f"{folder.path} has no votes yet; judge some pairs first")
    card = {"reviewed": dict(subject.identity), **summary_json(subject, folder)}
    with whole_folder(out) as place:
        write_whole(place / LABELS, b"".join(encode(line) for line in lines))
        _write_card(place, card, review_tables(subject, folder))
    return out / LABELS


def _write_card(out: Path, card: Mapping[str, JsonValue], found: Sequence[Table]) -> None:
    from toolyard.text.markdown import markdown_tables

    write_whole(out / CARD, encode_readable(dict(card)))
    write_whole(out / PAGE, f"# Review\n\n{markdown_tables(found)}".encode("utf-8", "replace"))


def review_tables(subject: DataSubject | PairSubject, folder: ReviewFolder) -> tuple[Table, ...]:
    """The figures of a review as tables."""
    if isinstance(subject, PairSubject):
        found = summary_json(subject, folder)
        return (_pair_table(subject, found), *_record_tables(found))
    return _row_tables(subject, folder)


def _pair_table(subject: PairSubject, found: Record) -> Table:
    keys = ("items", "a", "tie", "b", "raw", "fleiss_kappa", "votes_left_out")
    columns = ("dimension", "items", "a", "tie", "b", "raw agreement", "Fleiss' kappa", "votes left out")
    rows = tuple((name, *(line[key] for key in keys)) for name, line in found["dimensions"].items())
    people = ", ".join(found["annotators"]) or "nobody yet"
    sides = (
        f"a: {subject.runs[0]}; b: {subject.runs[1]}"
        if len(subject.runs) == 2
        else "a: the first run of a pair"
    )
    note = (
        f"{sides}; majority of {people}, a split is a tie; "
        "left out: votes on items that not everybody has judged"
    )
    return Table("preferences", columns, rows, note)


def _record_tables(found: Record) -> tuple[Table, ...]:
    rows = tuple(
        (dimension, run, counts["win"], counts["tie"], counts["loss"])
        for dimension, runs in found.get("records", {}).items()
        for run, counts in runs.items()
    )
    columns = ("dimension", "run", "win", "tie", "loss")
    return (Table("pooled over all pairs of runs", columns, rows),) if rows else ()


def _row_tables(subject: DataSubject, folder: ReviewFolder) -> tuple[Table, ...]:
    found = review_figures(read_review(subject, folder))
    people = Table(
        "decisions",
        ("annotator", "accept", "reject", "edit"),
        tuple(
            (name, counts["accept"], counts["reject"], counts["edit"])
            for name, counts in found.by_annotator.items()
        ),
    )
    accuracy = found.accuracy
    rows: list[tuple[JsonValue, ...]] = [(status, count) for status, count in found.counts.items()]
    rows += [
        ("adjudicated", found.adjudicated),
        ("accuracy", accuracy.value),
        ("accuracy, low (95 %, Wilson)", accuracy.low),
        ("accuracy, high (95 %, Wilson)", accuracy.high),
        ("raw agreement", found.raw_agreement),
        *((f"Cohen's kappa {pair}", value) for pair, value in found.cohen.items()),
        ("Fleiss' kappa", found.fleiss),
    ]
    note = (
        f"agreement over the {found.common_items} rows that all annotators decided: right as it stands or not; "
        f"{found.beside_agreement} decisions on other rows are left out of it"
    )
    return (people, Table("review", ("metric", "value"), tuple(rows), note), *_perspective_tables(found))


def _perspective_tables(found: Figures) -> tuple[Table, ...]:
    """What was right from each perspective, how far the annotators agree on it, and why it was not."""
    if not found.perspectives:
        return ()
    rows = tuple(
        (
            item.name, item.right.total, item.right.value, item.right.low, item.right.high, item.raw,
            ", ".join(f"{pair} {'–' if value is None else f'{value:.2f}'}" for pair, value in item.cohen.items()),
            item.fleiss,
        )
        for item in found.perspectives
    )  # fmt: skip
    columns = (
        "perspective",
        "rows",
        "right",
        "low",
        "high",
        "raw agreement",
        "Cohen's kappa",
        "Fleiss' kappa",
    )
    note = "right: of the rows on which all annotators say the same of it, or the adjudicator decided; 95 %, Wilson"
    reasons = tuple(
        (item.name, reason, count) for item in found.perspectives for reason, count in item.reasons.items()
    )
    counted = Table("reasons", ("perspective", "reason", "times"), reasons, "over all annotators")
    return Table("perspectives", columns, rows, note), counted
