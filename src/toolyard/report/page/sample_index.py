"""The sample browser's data: an index of all samples, and their details in compressed chunks.

index: {"figure": "average", "groups": {"depth": {"keys": ["1", "2"], "of": [0, 1, ...]}},
        "labels": [["parameter", "type"], ...], "ids": [...], "scores": [0.75, null, ...], "starts": [0, 41, ...]}
detail: {"messages": [{"role": "user", "pieces": [0, 7]}], "completions": [...], "gold": ..., "paper": {...},
         "official": {...} or null where equal, "figures": {"format": [1.0, 1.0]}, "evidence": [...]}
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from toolyard.core.benchmark import Benchmark
from toolyard.core.types import Completion, Evidence, JsonValue, Message, Profile, Sample, Score
from toolyard.report.content import Report
from toolyard.report.page.text_pool import TextPool, pack_json
from toolyard.report.tables.statistics_tables import figures_per_sample, sample_scores
from toolyard.run.store.records import drop_defaults, score_line
from toolyard.stats.summary import Graded

CHUNK = 50
POOLED = 160
TITLE_LENGTH = 180
LONGEST_TASK = 2000
# Of more samples than this the index, which is read before anything is shown, has shorter lines.
MANY, SHORT_TITLE = 20_000, 60
TASK_NAMES = ("query", "task", "user", "question", "instruction")


@dataclass(frozen=True, slots=True)
class PackedSamples:
    """What the page embeds: base64 texts, to be inflated on demand."""

    index: str
    details: tuple[str, ...]
    texts: tuple[str, ...]


def pack_samples(report: Report) -> PackedSamples:
    """All graded samples of a report, texts stored once."""
    pool = TextPool()
    figures = {profile: sample_figures(report, profile) for profile in report.graded}
    details = tuple(pack_json(chunk) for chunk in _cut_into_chunks(_sample_details(report, pool, figures)))
    blocks = pool.blocks()
    starts = np.cumsum([0, *(len(block) for block in blocks)]).tolist()
    index = {**sample_index(report), "chunk": CHUNK, "starts": starts}
    return PackedSamples(
        index=pack_json(index), details=details, texts=tuple(pack_json(block) for block in blocks)
    )


def _cut_into_chunks(details: Iterator[dict[str, JsonValue]]) -> Iterator[list[dict[str, JsonValue]]]:
    while chunk := list(islice(details, CHUNK)):
        yield chunk


def sample_figures(report: Report, profile: Profile) -> dict[str, list[float | None]]:
    """Each figure of the benchmark on every sample alone, None where it is undefined there."""
    found = figures_per_sample(report.benchmark.scoring.metrics, report.graded[profile])
    return {name: round_scores(values) for name, values in found.items()}


def round_scores(values: Sequence[float | None]) -> list[float | None]:
    """Four decimals: a hundredth of a percent, and a third of the bytes."""
    return [None if value is None else round(value, 4) for value in values]


def sample_index(report: Report) -> dict[str, JsonValue]:
    """What the list shows, searches and filters by, in columns."""
    items = report.graded["paper"]
    length = TITLE_LENGTH if len(items) <= MANY else SHORT_TITLE
    labels = error_labels(report.benchmark, items)
    numbers = {label: number for number, label in enumerate(labels)}
    scores = {
        profile: round_scores(sample_scores(report.setup, report.graded[profile]))
        for profile in report.graded
    }
    return {
        "figure": report.setup.headline,
        "trials": report.run.config.trials,
        "ids": [item.sample.id for item in items],
        "trial": [item.transcript.trial for item in items],
        "titles": [sample_title(item.sample)[:length] for item in items],
        "answers": [item.transcript.text[:length] for item in items],
        "scores": scores["paper"],
        "official": scores.get("official"),
        "unscored": [item.score.unscored for item in items],
        "reasons": [len(item.score.reasons) for item in items],
        "groups": {name: group_column(report, name, items) for name in group_names(report.benchmark, items)},
        "labels": labels,
        "errors": [[numbers[label] for label in score_labels(item.score)] for item in items],
    }


def sample_title(sample: Sample) -> str:
    """What the sample asks, in one line."""
    return " ".join(task_text(sample)[: 2 * TITLE_LENGTH].split())[:TITLE_LENGTH]


def task_text(sample: Sample) -> str:
    """What the sample asks: its query or task, or the first text of its input."""
    texts = {name: value for name, value in sample.input.items() if isinstance(value, str) and value.strip()}
    name = next((name for name in TASK_NAMES if name in texts), next(iter(texts), ""))
    return texts.get(name, "")


def group_names(benchmark: Benchmark, items: Sequence[Graded]) -> list[str]:
    """The breakdowns that a list can be filtered by, the benchmark's own first."""
    present = {name for item in items for name in item.sample.groups}
    declared = [grouping.name for grouping in benchmark.scoring.groupings if grouping.name in present]
    return [*declared, *sorted(present.difference(declared))]


def group_column(report: Report, name: str, items: Sequence[Graded]) -> dict[str, JsonValue]:
    """The keys of one breakdown and each sample's place among them, -1 for none."""
    present = dict.fromkeys(item.sample.groups[name] for item in items if name in item.sample.groups)
    declared = next((group.keys for group in report.benchmark.scoring.groupings if group.name == name), ())
    keys = [*(key for key in declared if key in present), *sorted(set(present).difference(declared))]
    places = {key: place for place, key in enumerate(keys)}
    return {"keys": keys, "of": [places.get(item.sample.groups.get(name, ""), -1) for item in items]}


def score_labels(score: Score) -> list[tuple[str, str]]:
    """The error labels that a score carries."""
    return [
        (kind, label) for kind, counts in score.errors.items() for label, count in counts.items() if count
    ]


def error_labels(benchmark: Benchmark, items: Sequence[Graded]) -> list[tuple[str, str]]:
    """All labels that occur, in the benchmark's order."""
    found = dict.fromkeys(label for item in items for label in score_labels(item.score))
    declared = [(kind, label) for kind, labels in benchmark.scoring.errors.items() for label in labels]
    return [*(label for label in declared if label in found), *(x for x in found if x not in set(declared))]


def _sample_details(
    report: Report, pool: TextPool, figures: Mapping[Profile, Mapping[str, list[float | None]]]
) -> Iterator[dict[str, JsonValue]]:
    evidence: dict[tuple[str, int], list[Evidence]] = {}
    for (sample, trial, _), found in report.evidence.items():
        evidence.setdefault((sample, trial), []).append(found)
    pairs = zip(report.graded["paper"], report.graded.get("official", report.graded["paper"]), strict=True)
    for place, (paper, official) in enumerate(pairs):
        transcript = paper.transcript
        columns = {name: [values[name][place] for values in figures.values()] for name in figures["paper"]}
        yield {
            "task": task_text(paper.sample)[:LONGEST_TASK],
            "messages": [_message_json(message, pool) for message in _prompt_messages(paper)],
            "completions": [_completion_json(completion) for completion in transcript.completions],
            "error": None if transcript.error is None else [transcript.error.kind, transcript.error.detail],
            "notes": dict(transcript.notes),
            "gold": paper.sample.gold,
            "paper": _score_json(paper.score),
            "official": None if official.score == paper.score else _score_json(official.score),
            "figures": {
                name: values for name, values in columns.items() if any(value is not None for value in values)
            },
            "evidence": [
                drop_defaults(item) for item in evidence.get((transcript.sample, transcript.trial), ())
            ],
        }


def _prompt_messages(item: Graded) -> tuple[Message, ...]:
    """The conversation without the last answer, which is shown by itself."""
    messages = item.transcript.messages
    if messages and messages[-1].role == "assistant" and messages[-1].content == item.transcript.text:
        return messages[:-1]
    return messages


def _message_json(message: Message, pool: TextPool) -> dict[str, JsonValue]:
    rest = {key: value for key, value in drop_defaults(message).items() if key != "content"}
    if len(message.content) < POOLED:
        return {**rest, "text": message.content}
    return {**rest, "pieces": pool.add(message.content)}


def _completion_json(completion: Completion) -> dict[str, JsonValue]:
    shown = drop_defaults(completion)
    shown.pop("logprobs", None)
    return shown


def _score_json(score: Score) -> dict[str, JsonValue]:
    return {name: value for name, value in score_line(score).items() if name != "values"}
