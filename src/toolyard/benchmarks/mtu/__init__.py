"""MTU-Bench: tool use over turns and tools, scored without a judge (Wang et al., 2410.11710)."""

from pathlib import Path

from toolyard.benchmarks.errata import CHOICE as ERRATA
from toolyard.benchmarks.mtu.data.audit import audit
from toolyard.benchmarks.mtu.data.corpus_dialogues import DEFAULT_POLICY, POLICIES
from toolyard.benchmarks.mtu.data.data_forms import load
from toolyard.benchmarks.mtu.data.pieces import divide_dialogues
from toolyard.benchmarks.mtu.data.statistics import statistics
from toolyard.benchmarks.mtu.papers.analysis import SIZES, analysis, derived_metrics
from toolyard.benchmarks.mtu.papers.exhibits import exhibits
from toolyard.benchmarks.mtu.papers.published import PUBLISHED
from toolyard.benchmarks.mtu.scoring.attacks import ATTACKS
from toolyard.benchmarks.mtu.scoring.baselines import BASELINES, oracle
from toolyard.benchmarks.mtu.scoring.errors import ERROR_LABELS
from toolyard.benchmarks.mtu.scoring.execution_evidence import execution_questions
from toolyard.benchmarks.mtu.scoring.floor import floor_figures
from toolyard.benchmarks.mtu.scoring.metrics import GROUPINGS, METRICS
from toolyard.benchmarks.mtu.scoring.mutations import MUTATIONS
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.predictions import read_predictions
from toolyard.benchmarks.mtu.scoring.score import score, score_metrics_only
from toolyard.benchmarks.mtu.task.episode import episode
from toolyard.benchmarks.mtu.task.gold_turns import gold_program, gold_search, gold_step
from toolyard.benchmarks.mtu.task.prompt import (
    EXECUTED,
    EXECUTED_CODE,
    RESULTS,
    STYLES,
    TEMPLATES,
    WAYS,
    prompt,
)
from toolyard.benchmarks.mtu.task.turn_calls import scene
from toolyard.benchmarks.mtu.task.variations import VARIATIONS
from toolyard.core import benchmark
from toolyard.core.metrics import BELOW_ONE, tag_metrics
from toolyard.core.programs import CODE
from toolyard.core.reference import read_deviations, sources_at
from toolyard.core.tool_search import SEARCH
from toolyard.core.types import Decoding

__all__ = ["BENCHMARK"]

COMMIT = "d0811f831954974c4543880e19b0247209d2e866"
REPOSITORY = f"https://raw.githubusercontent.com/MTU-Bench-Team/MTU-Bench/{COMMIT}/MTU-Eval"
FILES = (
    ("benchmark/S-S_eval.jsonl", 360901, "1c9f9274b319aa8082b851f81ba97def1bed772f1ed9bb32d0641333fefb9650"),
    ("benchmark/S-M_eval.jsonl", 1419880, "b6f09949d9b0138e04d5305e7cab1ad65eda8b121a6581f74d2f2e48a2ac50af"),
    ("benchmark/M-S_eval.jsonl", 2735023, "d797e013a06cd6259ee89cb8728b19f97fad6da5c9c6d14d9eb0bf98834d0a04"),
    ("benchmark/M-M_eval.jsonl", 2774590, "3ce84e3f4bfc00320eaed5fb39f6a21b36a1ba01daec607ba4d34279f2b17594"),
    ("benchmark/OOD_eval.jsonl", 542057, "b4858f074d4e73dcf3bf2c22d28afdd542ba0156c30718efa825dde9a1514d76"),
    ("responses/S-S_gpt4_response.jsonl", 56985, "7bfbe47f6e3010d1f912b22ad496a2ab957bdf73620779dc193829e4a6d85fd7"),
    ("responses/S-M_gpt4_response.jsonl", 95267, "b5e7c7507af79a9220a43ad3e10a75fc3a6f9776c90ea0ee997a5916a576935d"),
    ("responses/M-S_gpt4_response.jsonl", 174540, "053c6bcf5f317901300373f4e3207f19098e33098af1e7b89ed358cb2311e844"),
    ("responses/M-M_gpt4_response.jsonl", 142335, "a172dd09add4d1bb08ae351376265d13078bdc4e2b41e94c1d3f9739dd6941de"),
)  # fmt: skip

BENCHMARK = benchmark.Benchmark(
    about=benchmark.About(
        name="mtu",
        version="1.13.0",
        title="MTU-Bench: turns and tools",
        paper=benchmark.Paper(
            title="MTU-Bench: A Multi-granularity Tool-Use Benchmark for Large Language Models",
            venue="ICLR 2025",
            url="https://arxiv.org/abs/2410.11710",
        ),
    ),
    data=benchmark.Data(
        load=load,
        starter=Path(__file__).parent / "starter",
        sources=sources_at(REPOSITORY, FILES, "Apache-2.0"),
        statistics=statistics,
        audit=audit,
        divide=divide_dialogues,
    ),
    task=benchmark.Task(
        prompt=prompt,
        episode=episode,
        # The paper names no decoding; eight calls of the longest gold answer take about 600 tokens.
        decoding=Decoding(temperature=0.0, max_tokens=1024),
        styles=STYLES,
        choices=(
            benchmark.Choice(
                "history",
                "what earlier turns show: the recorded calls or the model's own",
                "gold",
                ("gold", "own"),
                joint=("own",),
            ),
            benchmark.Choice(
                "recover",
                "read an answer up to where it plays the tool or the user, and stop the model there",
                "yes",
                ("yes", "no"),
                paper="no",
            ),
            benchmark.Choice(
                "policy",
                "API-Bank and ToolTalk: how turns with several calls are taken",
                DEFAULT_POLICY,
                POLICIES,
            ),
            ERRATA,
        ),
        templates={**TEMPLATES, **benchmark.way_templates(WAYS)},
        variations=VARIATIONS,
        scene=benchmark.StyledScene(scene, EXECUTED),
        preparation=benchmark.Preparation(results=RESULTS),
    ),
    scoring=benchmark.Scoring(
        parse=parse,
        score=score,
        metrics=tag_metrics(METRICS, {BELOW_ONE: ("tool_order_printed",)}),
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
        setup=benchmark.PaperSetup(prompts=benchmark.PaperPrompts(verbatim=("verbatim",))),
        printed=benchmark.Printed(derived_metrics, exhibits, score_metrics_only),
    ),
    checks=benchmark.Checks(
        oracle=benchmark.Oracle(
            oracle,
            native=gold_step,
            ways={CODE: gold_program, EXECUTED_CODE: gold_program, SEARCH: gold_search, "native": oracle},
        ),
        baselines=BASELINES,
        trivial=benchmark.Trivial(
            floor_figures,
            why="in these data most turns need no call, so a model that never calls scores high; outcome call counts "
            "only the turns that need one",
            by=("scripted/empty", "scripted/no-call"),
        ),
        attacks=ATTACKS,
        mutations=MUTATIONS,
    ),
)
