"""Which rows stay, and their ids: the setting and a number over all sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import Document
from toolyard.benchmarks.mtu.synth.instruct.settings import shown_name
from toolyard.synth.stages import Context, Rejected, Row, Rows


def documents_of(rows: Rows) -> dict[tuple[str, str], Document]:
    """The document of every tool that a dialogue wants or calls, by source and name, as the first shows it."""
    found: dict[tuple[str, str], Document] = {}
    for row in rows:
        if not row["made_hard"]:
            for document in row["documents"]:
                found.setdefault((row["source"], document["name"]), document)
    return found


def numbered(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many rows as were asked for, every setting with the same number where it has so many; all of them for 0.

    Of the other tools that a row lists those stay that some row documents.
    """
    documents = documents_of(rows)
    chosen = _chosen(rows, context.rows) if context.rows else None
    numbers: Counter[str] = Counter()
    for row in rows:
        if chosen is not None and row["id"] not in chosen:
            yield Rejected("surplus", row=row["id"])
            continue
        name = shown_name(row["setting"], row["split"])
        others = [other for other in row["others"] if (row["source"], other) in documents]
        yield {**row, "id": f"{name}_{numbers[name]}", "others": others}
        numbers[name] += 1


def _chosen(rows: Rows, wanted: int) -> set[str]:
    """The first of every setting in turn; sources take turns within a setting."""
    seen: Counter[tuple[str, ...]] = Counter()
    ranked = []
    for row in rows:
        key = (row["setting"], row["split"], row["source"])
        ranked.append((seen[key], key, row["id"]))
        seen[key] += 1
    ranked.sort()
    queues: dict[str, list[str]] = {}
    for _, key, name in ranked:
        queues.setdefault(key[0], []).append(name)
    order = sorted(
        (rank, setting, name) for setting, queue in queues.items() for rank, name in enumerate(queue)
    )
    return {name for _, _, name in order[:wanted]}
