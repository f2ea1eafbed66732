"""ToolBeHonest: does a model notice that its tools cannot do the task? (Zhang et al., EMNLP 2024)"""

from __future__ import annotations

from pathlib import Path

from toolyard.benchmarks.toolbehonest.analysis import analysis, derived
from toolyard.benchmarks.toolbehonest.attacks import ATTACKS
from toolyard.benchmarks.toolbehonest.audit import audit
from toolyard.benchmarks.toolbehonest.baselines import BASELINES, oracle
from toolyard.benchmarks.toolbehonest.data import load
from toolyard.benchmarks.toolbehonest.deviations import DEVIATIONS
from toolyard.benchmarks.toolbehonest.errors import ERROR_LABELS
from toolyard.benchmarks.toolbehonest.exhibits import exhibits
from toolyard.benchmarks.toolbehonest.figures import GROUPINGS, METRICS
from toolyard.benchmarks.toolbehonest.mutations import MUTATIONS
from toolyard.benchmarks.toolbehonest.native import gold_step
from toolyard.benchmarks.toolbehonest.official_prompt import PROMPTS, official_texts
from toolyard.benchmarks.toolbehonest.parse import parse
from toolyard.benchmarks.toolbehonest.predictions import read_predictions
from toolyard.benchmarks.toolbehonest.prompt import (
    CHOICES,
    FORMER_STYLES,
    STYLES,
    TEMPLATES,
    VERBATIM,
    ZERO_SHOT,
    episode,
    prompt,
)
from toolyard.benchmarks.toolbehonest.published import PUBLISHED
from toolyard.benchmarks.toolbehonest.score import ask, score
from toolyard.benchmarks.toolbehonest.statistics import statistics
from toolyard.benchmarks.toolbehonest.variations import VARIATIONS
from toolyard.core.benchmark import (
    About,
    Benchmark,
    Checks,
    Data,
    Judging,
    Paper,
    PaperSetup,
    Reference,
    Scoring,
    Source,
    Task,
)
from toolyard.core.types import Decoding

_HUB = "https://huggingface.co/datasets/Joelzhang/ToolBeHonest/resolve"
_REVISION = "524ef5422f63899e7c1a97c791197c37ace0e051"

BENCHMARK = Benchmark(
    about=About(
        name="toolbehonest",
        version="1.8.0",
        title="ToolBeHonest: hallucination under missing tools",
        paper=Paper(
            title="ToolBeHonest: A Multi-level Hallucination Diagnostic Benchmark for Tool-Augmented Large Language Models",
            venue="EMNLP 2024",
            url="https://arxiv.org/abs/2406.20015",
        ),
    ),
    data=Data(
        load=load,
        starter=Path(__file__).parent / "starter",
        hard=Path(__file__).parent / "hard",
        sources=(
            Source(
                url=f"{_HUB}/{_REVISION}/test_en.json",
                path="test_en.json",
                sha256="51495dc14e5403ccc56d7430253cf41a1e5aa30ce7e35ae9b207fce667ea7a2a",
                size=1078934,
                licence="MIT",
            ),
        ),
        statistics=statistics,
        audit=audit,
        prompts=PROMPTS,
    ),
    task=Task(
        prompt=prompt,
        episode=episode,
        decoding=Decoding(temperature=0.0, max_tokens=1024),
        styles=STYLES,
        choices=CHOICES,
        templates=TEMPLATES,
        variations=VARIATIONS,
        verbatim=(VERBATIM,),
        paper_style=ZERO_SHOT,
        former_styles=FORMER_STYLES,
        official_texts=official_texts,
    ),
    scoring=Scoring(
        parse=parse,
        score=score,
        metrics=METRICS,
        headline="overall",
        own_headline="outcome",
        groupings=GROUPINGS,
        main_group="subtask",
        errors=ERROR_LABELS,
        read_predictions=read_predictions,
        analysis=analysis,
        trivial_share=(
            "overall counts unsolvable tasks alone, so a model that always answers 'unsolvable' gets full marks at "
            "level 1; outcome, the headline on our own data, and the solvable metrics count both kinds"
        ),
    ),
    judging=Judging(
        ask=ask,
        similar=("overall", "l3_ms", "overall_soft"),
    ),
    reference=Reference(
        published=PUBLISHED,
        deviations=DEVIATIONS,
        setup=PaperSetup(embedder="MiniLM"),
        derived=derived,
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
