"""Stages over the whole set: near-duplicates go, and as many rows as wanted are chosen in balance."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from toolyard.benchmarks.nestools.data.rows import row_groups
from toolyard.core.types import JsonValue
from toolyard.synth.stages import Context, Rejected, Row, Rows, Whole

MOST_SIMILAR = 0.95
BLOCK = 512


def _plain_wording(task: str) -> str:
    """The words of a task without case and punctuation."""
    letters = (character if character.isalnum() else " " for character in task.casefold())
    return " ".join("".join(letters).split())


def repeated_rows(rows: Sequence[Row], context: Context) -> dict[int, int]:
    """For every row that repeats a kept one: which. Same words, same tools, or tasks that mean the same."""
    found: dict[int, int] = {}
    first: dict[tuple[str, str], int] = {}
    for index, row in enumerate(rows):
        keys = (
            ("task", _plain_wording(row["task"])),
            ("tools", " ".join(sorted(tool["api_name"] for tool in row["api"]))),
        )
        earlier = [first[key] for key in keys if key in first]
        if earlier:
            found[index] = min(earlier)
        else:
            first.update(dict.fromkeys(keys, index))
    kept = [index for index in range(len(rows)) if index not in found]
    return found | _similar_rows([rows[index]["task"] for index in kept], kept, context)


def _similar_rows(tasks: list[str], places: list[int], context: Context) -> dict[int, int]:
    if not tasks:
        return {}
    vectors = context.embed(tasks)
    dropped: dict[int, int] = {}
    for start in range(0, len(tasks), BLOCK):
        near = vectors[start : start + BLOCK] @ vectors.T > MOST_SIMILAR
        for row, others in enumerate(near, start):
            # A row that was dropped itself drops no other.
            twin = next((int(n) for n in np.flatnonzero(others[:row]) if int(n) not in dropped), None)
            if twin is not None:
                dropped[row] = twin
    return {places[row]: places[twin] for row, twin in dropped.items()}


def drop_duplicates(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """Every row that is unlike all kept before it."""
    listed = list(rows)
    repeated = repeated_rows(listed, context)
    for index, row in enumerate(listed):
        if index in repeated:
            yield Rejected("duplicate", f"of {listed[repeated[index]]['id']}", row["id"])
        else:
            yield row


def choose_balanced(rows: Sequence[Row], wanted: int) -> set[int]:
    """The places of the rows to keep: domains take turns, and each gives its rarest shape so far."""
    groups = [row_groups(row["call"], row["field"]) for row in rows]
    shapes = [(group["depth"], group["structure"]) for group in groups]
    waiting: dict[str, list[int]] = {}
    for index, group in enumerate(groups):
        waiting.setdefault(group["domain"], []).append(index)
    chosen: set[int] = set()
    seen: Counter[tuple[str, str]] = Counter()
    while len(chosen) < wanted and waiting:
        for domain in list(waiting)[: wanted - len(chosen)]:
            best = min(waiting[domain], key=lambda index: (seen[shapes[index]], index))
            waiting[domain].remove(best)
            if not waiting[domain]:
                del waiting[domain]
            chosen.add(best)
            seen[shapes[best]] += 1
    return chosen


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many rows as wanted; the tools of the others go along as `spare`, so that they can be distractors."""
    listed = list(rows)
    chosen = choose_balanced(listed, context.rows or len(listed))
    surplus = [row for index, row in enumerate(listed) if index not in chosen]
    spare: list[list[JsonValue]] = [[] for _ in chosen]
    for number, row in enumerate(surplus):
        spare[number % len(spare)] += row["api"]
    places = iter(spare)
    for index, row in enumerate(listed):
        yield {**row, "spare": next(places)} if index in chosen else Rejected("surplus", row=row["id"])


DISTINCT = Whole("distinct", 1, ("api", "task"), (), drop_duplicates)
CHOOSE = Whole("choose", 1, ("api", "call", "field"), ("spare",), choose)
