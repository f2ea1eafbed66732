"""NesTools: nested tool calls in one answer (Han et al., 2410.11805)."""

from pathlib import Path

from toolyard.benchmarks.nestools.analysis import SIZES, analysis
from toolyard.benchmarks.nestools.audit import audit
from toolyard.benchmarks.nestools.baselines import BASELINES, oracle
from toolyard.benchmarks.nestools.conjunctions import REWRITING
from toolyard.benchmarks.nestools.data import load
from toolyard.benchmarks.nestools.deviations import DEVIATIONS
from toolyard.benchmarks.nestools.distractors import prepare
from toolyard.benchmarks.nestools.errors import ERROR_LABELS
from toolyard.benchmarks.nestools.parse import parse
from toolyard.benchmarks.nestools.predictions import read_predictions
from toolyard.benchmarks.nestools.prompt import TEMPLATES, VARIANT, prompt
from toolyard.benchmarks.nestools.published import PUBLISHED
from toolyard.benchmarks.nestools.score import ASPECTS, score
from toolyard.benchmarks.nestools.statistics import statistics
from toolyard.core.benchmark import Benchmark, Grouping, Paper, Source
from toolyard.core.episodes import one_shot
from toolyard.core.metrics import Metric, average, f1, mean, precision, recall
from toolyard.core.nesting import STRUCTURES
from toolyard.core.types import Decoding

__all__ = ["BENCHMARK"]

REPOSITORY = "https://raw.githubusercontent.com/hhan1018/NesTools/fb617f396d61ead9f857a48f9ea7cf12fa522450"
SOURCES = (
    Source(
        url=f"{REPOSITORY}/data/test_data.jsonl",
        path="test_data.jsonl",
        sha256="71a77b416bdfc97ddc81baa139ea1f0adf1c884e0c2f86bd439dc503c739e643",
        size=2683323,
        licence="Apache-2.0",
    ),
    Source(
        url=f"{REPOSITORY}/inference/build_test_prompt/test_api_ids.jsonl",
        path="test_api_ids.jsonl",
        sha256="4314d43d794dfc8c03e81e63fe1594022f99dae06bb5c05fe2f2f2477f63469b",
        size=50004,
        licence="Apache-2.0",
    ),
)


def _metrics() -> tuple[Metric, ...]:
    """Format, Tree, the average of the four F1, then P, R and F1 of each aspect, then our own outcome."""
    parts = [figure(aspect) for aspect in ASPECTS for figure in (precision, recall, f1)]
    return (
        mean("format"),
        mean("tree"),
        average("average", [f1(aspect) for aspect in ASPECTS]),
        *parts,
        mean("outcome"),
    )


BENCHMARK = Benchmark(
    name="nestools",
    version="1.1.0",
    title="NesTools: nested tool calls",
    paper=Paper(
        title="NesTools: A Dataset for Evaluating Nested Tool Learning Abilities of Large Language Models",
        venue="COLING 2025",
        url="https://arxiv.org/abs/2410.11805",
    ),
    sources=SOURCES,
    starter=Path(__file__).parent / "starter",
    load=load,
    prompt=prompt,
    episode=one_shot,
    decoding=Decoding(temperature=0.0, max_tokens=768),
    parse=parse,
    score=score,
    metrics=_metrics(),
    headline="average",
    floor={},
    oracle=oracle,
    baselines=BASELINES,
    read_predictions=read_predictions,
    groupings=(Grouping("depth", ("1", "2", "3+")), Grouping("structure", tuple(STRUCTURES))),
    sizes=SIZES,
    error_labels=ERROR_LABELS,
    main_group="depth",
    choices=(VARIANT,),
    prepare=prepare,
    rewriting=REWRITING,
    templates=TEMPLATES,
    statistics=statistics,
    audit=audit,
    published=PUBLISHED,
    deviations=DEVIATIONS,
    analysis=analysis,
)
