"""NesTools: nested tool calls in one answer (Han et al., 2410.11805)."""

from pathlib import Path

from toolyard.benchmarks.errata import CHOICE as ERRATA
from toolyard.benchmarks.nestools.analysis import SIZES, analysis
from toolyard.benchmarks.nestools.attacks import ATTACKS
from toolyard.benchmarks.nestools.audit import audit
from toolyard.benchmarks.nestools.baselines import BASELINES, oracle
from toolyard.benchmarks.nestools.conjunctions import REWRITING
from toolyard.benchmarks.nestools.data import load
from toolyard.benchmarks.nestools.deviations import DEVIATIONS
from toolyard.benchmarks.nestools.distractors import prepare
from toolyard.benchmarks.nestools.errors import ERROR_LABELS
from toolyard.benchmarks.nestools.executed import executions
from toolyard.benchmarks.nestools.exhibits import exhibits
from toolyard.benchmarks.nestools.figures import GROUPINGS, METRICS
from toolyard.benchmarks.nestools.mutations import MUTATIONS
from toolyard.benchmarks.nestools.native import episode, gold_step
from toolyard.benchmarks.nestools.official_prompt import PROMPTS, official_texts
from toolyard.benchmarks.nestools.parse import parse
from toolyard.benchmarks.nestools.pieces import divide
from toolyard.benchmarks.nestools.predictions import read_predictions
from toolyard.benchmarks.nestools.prompt import STYLES, TEMPLATES, VARIANT, VERBATIM, prompt
from toolyard.benchmarks.nestools.published import PUBLISHED
from toolyard.benchmarks.nestools.score import printed, score
from toolyard.benchmarks.nestools.statistics import statistics
from toolyard.benchmarks.nestools.variations import VARIATIONS
from toolyard.core.benchmark import (
    About,
    Benchmark,
    Checks,
    Data,
    Paper,
    PaperSetup,
    Reference,
    Scoring,
    Source,
    Task,
)
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


BENCHMARK = Benchmark(
    about=About(
        name="nestools",
        version="1.8.0",
        title="NesTools: nested tool calls",
        paper=Paper(
            title="NesTools: A Dataset for Evaluating Nested Tool Learning Abilities of Large Language Models",
            venue="COLING 2025",
            url="https://arxiv.org/abs/2410.11805",
        ),
    ),
    data=Data(
        load=load,
        starter=Path(__file__).parent / "starter",
        hard=Path(__file__).parent / "hard",
        sources=SOURCES,
        prompts=PROMPTS,
        statistics=statistics,
        audit=audit,
        divide=divide,
    ),
    task=Task(
        prompt=prompt,
        episode=episode,
        decoding=Decoding(temperature=0.0, max_tokens=768),
        hard_tokens=2048,
        styles=STYLES,
        choices=(VARIANT, ERRATA),
        templates=TEMPLATES,
        variations=VARIATIONS,
        prepare=prepare,
        rewriting=REWRITING,
        verbatim=(VERBATIM,),
        official_texts=official_texts,
    ),
    scoring=Scoring(
        parse=parse,
        score=score,
        metrics=METRICS,
        headline="average",
        groupings=GROUPINGS,
        main_group="depth",
        sizes=SIZES,
        errors=ERROR_LABELS,
        read_predictions=read_predictions,
        analysis=analysis,
        printed=printed,
        executions=executions,
    ),
    reference=Reference(
        published=PUBLISHED,
        deviations=DEVIATIONS,
        setup=PaperSetup(
            distractor_pool="the paper offered five of about 29,600 tools beside each gold tool; the release "
            "holds only the 3,034 gold ones",
            distractor_embedder="gte-large-en-v1.5",
        ),
        exhibits=exhibits,
    ),
    checks=Checks(
        oracle=oracle,
        native_oracle=gold_step,
        baselines=BASELINES,
        attacks=ATTACKS,
        mutations=MUTATIONS,
    ),
)
