"""Which samples of a data set a run takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, zip_longest

from toolyard.core.errors import UsageError
from toolyard.core.types import Sample


def select(
    samples: Sequence[Sample], *, limit: int | None, ids: Sequence[str], main_group: str
) -> tuple[Sample, ...]:
    """The samples asked for, in the order of the data."""
    if ids:
        return _by_id(samples, ids)
    if limit is None:
        return tuple(samples)
    if limit < 1:
        raise UsageError(f"--limit {limit} leaves nothing to do; give a number from 1 up")
    wanted = set(_round_robin(samples, main_group)[:limit])
    return tuple(sample for sample in samples if sample.cluster in wanted)


def _by_id(samples: Sequence[Sample], ids: Sequence[str]) -> tuple[Sample, ...]:
    known = {sample.id for sample in samples}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise UsageError(f"no sample has the id {', '.join(unknown)}; ids look like {samples[0].id!r}")
    wanted = set(ids)
    return tuple(sample for sample in samples if sample.id in wanted)


def _round_robin(samples: Sequence[Sample], main_group: str) -> list[str]:
    """Clusters, one of each main group in turn, so that a small limit still sees every kind."""
    groups: dict[str, dict[str, None]] = defaultdict(dict)
    for sample in samples:
        groups[sample.groups.get(main_group, "")].setdefault(sample.cluster)
    turns = zip_longest(*groups.values())
    ordered = (cluster for cluster in chain.from_iterable(turns) if cluster is not None)
    return list(dict.fromkeys(ordered))
