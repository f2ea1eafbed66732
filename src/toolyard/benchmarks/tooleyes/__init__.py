"""ToolEyes: five capabilities of tool learning over seven scenarios (Ye et al., COLING 2025, 2401.00741)."""

from __future__ import annotations

from pathlib import Path

from toolyard.benchmarks.tooleyes.analysis import SIZES, analysis, derived
from toolyard.benchmarks.tooleyes.audit import audit
from toolyard.benchmarks.tooleyes.baselines import BASELINES, SCRIPTED_JUDGES, oracle
from toolyard.benchmarks.tooleyes.data import load
from toolyard.benchmarks.tooleyes.deviations import DEVIATIONS
from toolyard.benchmarks.tooleyes.episode import CONTEXT_TOKENS, episode
from toolyard.benchmarks.tooleyes.errors import ERROR_LABELS
from toolyard.benchmarks.tooleyes.exhibits import exhibits
from toolyard.benchmarks.tooleyes.figures import GROUPINGS, METRICS
from toolyard.benchmarks.tooleyes.judge_replies import read_evidence
from toolyard.benchmarks.tooleyes.mutations import mutants
from toolyard.benchmarks.tooleyes.official import substitutes
from toolyard.benchmarks.tooleyes.parse import parse
from toolyard.benchmarks.tooleyes.predictions import predicted_samples, read_predictions
from toolyard.benchmarks.tooleyes.prompt import STYLES, TEMPLATES, ZERO_SHOT, prompt
from toolyard.benchmarks.tooleyes.published import PUBLISHED
from toolyard.benchmarks.tooleyes.questions import ask
from toolyard.benchmarks.tooleyes.scene import scene
from toolyard.benchmarks.tooleyes.score import DIMENSIONS, JUDGED, printed, score
from toolyard.benchmarks.tooleyes.statistics import statistics
from toolyard.benchmarks.tooleyes.variations import VARIATIONS
from toolyard.core.benchmark import (
    About,
    Benchmark,
    Checks,
    Choice,
    Data,
    Judging,
    Mutations,
    Paper,
    PaperSetup,
    Reference,
    Scoring,
    Source,
    Task,
)
from toolyard.core.types import Decoding

__all__ = ["BENCHMARK"]

_REPOSITORY = "https://raw.githubusercontent.com/Junjie-Ye/ToolEyes/c818fcebe017951570a25e552a7984e40093fd52/"
_FILES = (
    ("zero_processed", 2059796, "a86e878200d14e58be468a266f068f03955512bd61ff4fd481d26897a403f3e8"),
    ("five_processed", 2614458, "67bdfb645a0a412d20739b868056e3e5c4fe92edcf9fec28da4759795a3323ad"),
    ("raw", 78892, "83e2e8da138f5f040595315d30e863273cc3793ba93c5e219dac63d93975b4da"),
)

BENCHMARK = Benchmark(
    about=About(
        name="tooleyes",
        version="1.8.0",
        title="ToolEyes: capabilities and scenarios",
        paper=Paper(
            title="ToolEyes: Fine-Grained Evaluation for Tool Learning Capabilities of Large Language Models "
            "in Real-world Scenarios",
            venue="COLING 2025",
            url="https://arxiv.org/abs/2401.00741",
        ),
        # Up to 1.5.1 prompts and judges were not told of the world, and it was another one: no run of them is alike.
    ),
    data=Data(
        load=load,
        starter=Path(__file__).parent / "starter",
        hard=Path(__file__).parent / "hard",
        sources=tuple(
            Source(
                url=f"{_REPOSITORY}Test_Data/scenario_data_{name}.json",
                path=f"Test_Data/scenario_data_{name}.json",
                sha256=digest,
                size=size,
                licence="Apache-2.0",
            )
            for name, size, digest in _FILES
        ),
        statistics=statistics,
        audit=audit,
    ),
    task=Task(
        prompt=prompt,
        episode=episode,
        decoding=Decoding(temperature=0.3, top_p=0.5, max_tokens=1024),
        styles=STYLES,
        choices=(
            Choice("user", "who answers ask_to_user: scripted, person, or a MODEL", "scripted"),
            Choice(
                "recover",
                "make the first complete call of a round that goes on after it, and stop at the loop's keywords",
                "yes",
                ("yes", "no"),
                paper="no",
            ),
            Choice(
                "context", "tokens beyond which the oldest observations are left out", str(CONTEXT_TOKENS)
            ),
        ),
        templates=TEMPLATES,
        variations=VARIATIONS,
        scene=scene,
        seeded_world=True,
        verbatim=("verbatim", "verbatim-five-shot"),
        paper_style=ZERO_SHOT,
    ),
    scoring=Scoring(
        parse=parse,
        score=score,
        metrics=METRICS,
        headline="overall",
        groupings=GROUPINGS,
        main_group="scenario",
        sizes=SIZES,
        errors=ERROR_LABELS,
        read_predictions=read_predictions,
        predicted_samples=predicted_samples,
        analysis=analysis,
        printed=printed,
        substitutes=substitutes,
        capabilities=DIMENSIONS,
        # figures of our own that stand beside the paper's dimensions and need no judge
        beyond=("outcome", "grounding", "parameter_correctness", "tool_reality", "answer_pass"),
        # what people compare two trajectories by (Table 8)
        dimensions=(
            "intent_comprehension",
            "behavior_validity",
            "behavior_integrity",
            "tool_match",
            "answer_quality",
        ),
    ),
    judging=Judging(
        ask=ask,
        decoding=Decoding(temperature=0.0, top_p=0.5, max_tokens=1024),
        scripted=SCRIPTED_JUDGES,
        fallback_headline="outcome",
        read=read_evidence,
        judged=JUDGED,
        templates=tuple(name for name in TEMPLATES if name.startswith("judge")),
    ),
    reference=Reference(
        published=PUBLISHED,
        deviations=DEVIATIONS,
        setup=PaperSetup(judge="gpt-4-1106-preview", simulated_tools=True),
        derived=derived,
        exhibits=exhibits,
    ),
    checks=Checks(
        oracle=oracle,
        baselines=BASELINES,
        mutations=Mutations(mutants, "outcome"),
    ),
)
