"""NesTools: nested tool calls in one answer (Han et al., 2410.11805)."""

from pathlib import Path

from toolyard.benchmarks.errata import CHOICE as ERRATA
from toolyard.benchmarks.nestools.data.audit import audit
from toolyard.benchmarks.nestools.data.distractors import prepare_distractors
from toolyard.benchmarks.nestools.data.pieces import divide_records
from toolyard.benchmarks.nestools.data.rows import load
from toolyard.benchmarks.nestools.data.statistics import statistics
from toolyard.benchmarks.nestools.papers.analysis import SIZES, analysis
from toolyard.benchmarks.nestools.papers.exhibits import exhibits
from toolyard.benchmarks.nestools.papers.published import PUBLISHED
from toolyard.benchmarks.nestools.scoring.attacks import ATTACKS
from toolyard.benchmarks.nestools.scoring.baselines import BASELINES, oracle
from toolyard.benchmarks.nestools.scoring.errors import ERROR_LABELS
from toolyard.benchmarks.nestools.scoring.execution_evidence import execution_questions
from toolyard.benchmarks.nestools.scoring.metrics import GROUPINGS, METRICS
from toolyard.benchmarks.nestools.scoring.mutations import MUTATIONS
from toolyard.benchmarks.nestools.scoring.parse import parse
from toolyard.benchmarks.nestools.scoring.predictions import read_predictions
from toolyard.benchmarks.nestools.scoring.score import score, score_metrics_only
from toolyard.benchmarks.nestools.task.conjunctions import REWRITING
from toolyard.benchmarks.nestools.task.native import episode, gold_program, gold_search, gold_step
from toolyard.benchmarks.nestools.task.official_prompt import PROMPTS, official_texts
from toolyard.benchmarks.nestools.task.prompt import (
    RESULTS,
    STYLES,
    TEMPLATES,
    VARIANT,
    VERBATIM,
    WAYS,
    prompt,
)
from toolyard.benchmarks.nestools.task.variations import VARIATIONS, fill_catalogue
from toolyard.core import benchmark
from toolyard.core.programs import CODE
from toolyard.core.reference import read_deviations, sources_at
from toolyard.core.tool_search import SEARCH
from toolyard.core.types import Decoding

__all__ = ["BENCHMARK"]

REPOSITORY = "https://raw.githubusercontent.com/hhan1018/NesTools/fb617f396d61ead9f857a48f9ea7cf12fa522450"
DATA = (("test_data.jsonl", 2683323, "71a77b416bdfc97ddc81baa139ea1f0adf1c884e0c2f86bd439dc503c739e643"),)
IDS = (("test_api_ids.jsonl", 50004, "4314d43d794dfc8c03e81e63fe1594022f99dae06bb5c05fe2f2f2477f63469b"),)
SOURCES = (
    *sources_at(f"{REPOSITORY}/data", DATA, "Apache-2.0"),
    *sources_at(f"{REPOSITORY}/inference/build_test_prompt", IDS, "Apache-2.0"),
)


BENCHMARK = benchmark.Benchmark(
    about=benchmark.About(
        name="nestools",
        version="1.12.0",
        title="NesTools: nested tool calls",
        paper=benchmark.Paper(
            title="NesTools: A Dataset for Evaluating Nested Tool Learning Abilities of Large Language Models",
            venue="COLING 2025",
            url="https://arxiv.org/abs/2410.11805",
        ),
    ),
    data=benchmark.Data(
        load=load,
        starter=Path(__file__).parent / "starter",
        sources=SOURCES,
        statistics=statistics,
        audit=audit,
        divide=divide_records,
    ),
    task=benchmark.Task(
        prompt=prompt,
        episode=episode,
        decoding={
            "": Decoding(temperature=0.0, max_tokens=768),
            "hard": Decoding(temperature=0.0, max_tokens=2048),
        },
        styles=STYLES,
        choices=(VARIANT, ERRATA),
        templates={**TEMPLATES, **benchmark.way_templates(WAYS)},
        variations=VARIATIONS,
        preparation=benchmark.Preparation(prepare_distractors, REWRITING, fill_catalogue, RESULTS),
    ),
    scoring=benchmark.Scoring(
        parse=parse,
        score=score,
        metrics=METRICS,
        headline="average",
        breakdowns=(*GROUPINGS, *SIZES),
        errors=ERROR_LABELS,
        analysis=analysis,
        executions=execution_questions,
        saved=benchmark.SavedResults(read_predictions),
    ),
    reference=benchmark.Reference(
        published=PUBLISHED,
        deviations=read_deviations(Path(__file__).parent / "papers" / "deviations.toml"),
        setup=benchmark.PaperSetup(
            distractor_pool="the paper offered five of about 29,600 tools beside each gold tool; the release "
            "holds only the 3,034 gold ones",
            distractor_embedder="gte-large-en-v1.5",
            prompts=benchmark.PaperPrompts(verbatim=(VERBATIM,), sources=PROMPTS, texts=official_texts),
        ),
        printed=benchmark.Printed(exhibits=exhibits, score=score_metrics_only),
    ),
    checks=benchmark.Checks(
        oracle=benchmark.Oracle(oracle, gold_step, {CODE: gold_program, SEARCH: gold_search}),
        baselines=BASELINES,
        attacks=ATTACKS,
        mutations=MUTATIONS,
    ),
)
