"""Which samples of a data set a run takes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest

from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import UsageError
from toolyard.core.types import Generate, Options, Sample
from toolyard.lines import encode


def select_samples(
    samples: Sequence[Sample],
    *,
    limit: int | None,
    ids: Sequence[str],
    main_group: str,
    length: Callable[[Sample], int] | None = None,
) -> tuple[Sample, ...]:
    """The samples asked for, in the order of the data; with `length`, a limit takes the shortest of each group."""
    if ids:
        return _select_by_id(samples, ids)
    if limit is None:
        return tuple(samples)
    if limit < 1:
        raise UsageError(f"--limit {limit} leaves nothing to do; give a number from 1 up")
    wanted = set(_round_robin(samples, main_group, length)[:limit])
    return tuple(sample for sample in samples if sample.cluster in wanted)


def prompt_length(benchmark: Benchmark, options: Options) -> Callable[[Sample], int]:
    """The characters that a sample's first request has a model read, under these options: messages and functions."""
    setup = RunSetup.default(benchmark, options)

    def length(sample: Sample) -> int:
        first = next(benchmark.task.episode((sample,), setup))
        tools = first.request.tools if isinstance(first, Generate) else ()
        messages = benchmark.task.prompt(sample, options)
        return sum(len(message.content) for message in messages) + sum(len(encode(tool)) for tool in tools)

    return length


def _select_by_id(samples: Sequence[Sample], ids: Sequence[str]) -> tuple[Sample, ...]:
    known = {sample.id for sample in samples}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise UsageError(f"no sample has the id {', '.join(unknown)}; ids look like {samples[0].id!r}")
    wanted = set(ids)
    return tuple(sample for sample in samples if sample.id in wanted)


def _round_robin(
    samples: Sequence[Sample], main_group: str, length: Callable[[Sample], int] | None
) -> list[str]:
    """Clusters, one of each main group in turn, so that a small limit still sees every kind."""
    groups: dict[str, dict[str, None]] = defaultdict(dict)
    lengths: Counter[str] = Counter()
    for sample in samples:
        groups[sample.groups.get(main_group, "")].setdefault(sample.cluster)
        lengths[sample.cluster] += length(sample) if length is not None else 0
    # sorting keeps the order of the data where lengths are equal
    kinds = [sorted(clusters, key=lengths.__getitem__) for clusters in groups.values()]
    # a limit below the number of kinds takes those whose shortest items are the shortest
    kinds.sort(key=lambda clusters: lengths[clusters[0]])
    ordered = (cluster for cluster in chain.from_iterable(zip_longest(*kinds)) if cluster is not None)
    return list(dict.fromkeys(ordered))
