"""ToolBeHonest: does a model notice that its tools cannot do the task? (Zhang et al., EMNLP 2024)"""

from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.audit import audit
from toolyard.benchmarks.toolbehonest.data.rows import load
from toolyard.benchmarks.toolbehonest.data.statistics import statistics
from toolyard.benchmarks.toolbehonest.papers.analysis import analysis, derived_metrics
from toolyard.benchmarks.toolbehonest.papers.exhibits import exhibits
from toolyard.benchmarks.toolbehonest.papers.published import PUBLISHED
from toolyard.benchmarks.toolbehonest.scoring.attacks import ATTACKS
from toolyard.benchmarks.toolbehonest.scoring.baselines import BASELINES, oracle
from toolyard.benchmarks.toolbehonest.scoring.errors import ERROR_LABELS
from toolyard.benchmarks.toolbehonest.scoring.metrics import GROUPINGS, METRICS
from toolyard.benchmarks.toolbehonest.scoring.mutations import MUTATIONS
from toolyard.benchmarks.toolbehonest.scoring.parse import parse
from toolyard.benchmarks.toolbehonest.scoring.predictions import read_predictions
from toolyard.benchmarks.toolbehonest.scoring.score import ask_similarities, score
from toolyard.benchmarks.toolbehonest.task.native import gold_program, gold_step
from toolyard.benchmarks.toolbehonest.task.official_prompt import PROMPTS, official_texts
from toolyard.benchmarks.toolbehonest.task.prompt import (
    CHOICES,
    STYLES,
    TEMPLATES,
    VERBATIM,
    WAYS,
    ZERO_SHOT,
    episode,
    prompt,
)
from toolyard.benchmarks.toolbehonest.task.variations import VARIATIONS
from toolyard.core import benchmark
from toolyard.core.metrics import OWN_HEADLINE, SIMILAR, tag_metrics
from toolyard.core.programs import CODE
from toolyard.core.reference import read_deviations, sources_at
from toolyard.core.types import Decoding

_HUB = "https://huggingface.co/datasets/Joelzhang/ToolBeHonest/resolve"
_REVISION = "524ef5422f63899e7c1a97c791197c37ace0e051"
_FILES = (("test_en.json", 1078934, "51495dc14e5403ccc56d7430253cf41a1e5aa30ce7e35ae9b207fce667ea7a2a"),)

BENCHMARK = benchmark.Benchmark(
    about=benchmark.About(
        name="toolbehonest",
        version="1.12.0",
        title="ToolBeHonest: hallucination under missing tools",
        paper=benchmark.Paper(
            title="ToolBeHonest: A Multi-level Hallucination Diagnostic Benchmark for Tool-Augmented Large Language Models",
            venue="EMNLP 2024",
            url="https://arxiv.org/abs/2406.20015",
        ),
    ),
    data=benchmark.Data(
        load=load,
        starter=Path(__file__).parent / "starter",
        sources=sources_at(f"{_HUB}/{_REVISION}", _FILES, "MIT"),
        statistics=statistics,
        audit=audit,
    ),
    task=benchmark.Task(
        prompt=prompt,
        episode=episode,
        decoding=Decoding(temperature=0.0, max_tokens=1024),
        styles=STYLES,
        choices=CHOICES,
        templates={**TEMPLATES, **benchmark.way_templates(WAYS)},
        variations=VARIATIONS,
    ),
    scoring=benchmark.Scoring(
        parse=parse,
        score=score,
        metrics=tag_metrics(
            METRICS, {SIMILAR: ("overall", "l3_ms", "overall_soft"), OWN_HEADLINE: ("outcome",)}
        ),
        headline="overall",
        breakdowns=GROUPINGS,
        errors=ERROR_LABELS,
        analysis=analysis,
        saved=benchmark.SavedResults(read_predictions),
    ),
    judging=benchmark.Judging(ask_similarities),
    reference=benchmark.Reference(
        published=PUBLISHED,
        deviations=read_deviations(Path(__file__).parent / "papers" / "deviations.toml"),
        setup=benchmark.PaperSetup(
            embedder="MiniLM", prompts=benchmark.PaperPrompts(ZERO_SHOT, (VERBATIM,), PROMPTS, official_texts)
        ),
        printed=benchmark.Printed(derived_metrics, exhibits),
    ),
    checks=benchmark.Checks(
        oracle=benchmark.Oracle(oracle, gold_step, {CODE: gold_program}),
        baselines=BASELINES,
        trivial=benchmark.Trivial(
            why="overall counts unsolvable tasks alone, so a model that always answers 'unsolvable' gets full marks at "
            "level 1; outcome, the headline on our own data, and the solvable metrics count both kinds"
        ),
        attacks=ATTACKS,
        mutations=MUTATIONS,
    ),
)
