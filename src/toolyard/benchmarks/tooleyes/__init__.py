"""ToolEyes: five capabilities of tool learning over seven scenarios (Ye et al., COLING 2025, 2401.00741)."""

from pathlib import Path

from toolyard.benchmarks.tooleyes.data.audit import audit
from toolyard.benchmarks.tooleyes.data.rows import load
from toolyard.benchmarks.tooleyes.data.statistics import statistics
from toolyard.benchmarks.tooleyes.papers.analysis import SIZES, analysis, derived_metrics
from toolyard.benchmarks.tooleyes.papers.exhibits import exhibits
from toolyard.benchmarks.tooleyes.papers.published import PUBLISHED
from toolyard.benchmarks.tooleyes.scoring.baselines import BASELINES, SCRIPTED_JUDGES, gold_search, oracle
from toolyard.benchmarks.tooleyes.scoring.errors import ERROR_LABELS
from toolyard.benchmarks.tooleyes.scoring.gold_programs import gold_program
from toolyard.benchmarks.tooleyes.scoring.judge_questions import ask
from toolyard.benchmarks.tooleyes.scoring.judge_replies import read_evidence
from toolyard.benchmarks.tooleyes.scoring.metrics import GROUPINGS, METRICS
from toolyard.benchmarks.tooleyes.scoring.mutations import mutants
from toolyard.benchmarks.tooleyes.scoring.official import substitutes
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.benchmarks.tooleyes.scoring.predictions import predicted_samples, read_predictions
from toolyard.benchmarks.tooleyes.scoring.score import score, score_metrics_only
from toolyard.benchmarks.tooleyes.task.episode import CONTEXT_TOKENS, episode
from toolyard.benchmarks.tooleyes.task.prompt import EXECUTED, STYLES, TEMPLATES, WAYS, ZERO_SHOT, prompt
from toolyard.benchmarks.tooleyes.task.scene import scene
from toolyard.benchmarks.tooleyes.task.variations import VARIATIONS, fill_catalogue
from toolyard.core import benchmark
from toolyard.core.programs import CODE
from toolyard.core.reference import read_deviations, sources_at
from toolyard.core.tool_search import SEARCH
from toolyard.core.types import Decoding

__all__ = ["BENCHMARK"]

_REPOSITORY = "https://raw.githubusercontent.com/Junjie-Ye/ToolEyes/c818fcebe017951570a25e552a7984e40093fd52"
_FILES = (
    ("Test_Data/scenario_data_zero_processed.json", 2059796,
     "a86e878200d14e58be468a266f068f03955512bd61ff4fd481d26897a403f3e8"),
    ("Test_Data/scenario_data_five_processed.json", 2614458,
     "67bdfb645a0a412d20739b868056e3e5c4fe92edcf9fec28da4759795a3323ad"),
    ("Test_Data/scenario_data_raw.json", 78892, "83e2e8da138f5f040595315d30e863273cc3793ba93c5e219dac63d93975b4da"),
)  # fmt: skip

BENCHMARK = benchmark.Benchmark(
    about=benchmark.About(
        name="tooleyes",
        version="1.12.0",
        title="ToolEyes: capabilities and scenarios",
        paper=benchmark.Paper(
            title="ToolEyes: Fine-Grained Evaluation for Tool Learning Capabilities of Large Language Models "
            "in Real-world Scenarios",
            venue="COLING 2025",
            url="https://arxiv.org/abs/2401.00741",
        ),
    ),
    data=benchmark.Data(
        load=load,
        starter=Path(__file__).parent / "starter",
        sources=sources_at(_REPOSITORY, _FILES, "Apache-2.0"),
        statistics=statistics,
        audit=audit,
    ),
    task=benchmark.Task(
        prompt=prompt,
        episode=episode,
        decoding=Decoding(temperature=0.3, top_p=0.5, max_tokens=1024),
        styles=STYLES,
        choices=(
            benchmark.Choice("user", "who answers ask_to_user: scripted, person, or a MODEL", "scripted"),
            benchmark.Choice(
                "recover",
                "make the first complete call of a round that goes on after it, and stop at the loop's keywords",
                "yes",
                ("yes", "no"),
                paper="no",
            ),
            benchmark.Choice(
                "context", "tokens beyond which the oldest observations are left out", str(CONTEXT_TOKENS)
            ),
        ),
        templates={**TEMPLATES, **benchmark.way_templates(WAYS)},
        variations=VARIATIONS,
        scene=benchmark.SeededScene(scene),
        preparation=benchmark.Preparation(catalogue=fill_catalogue, results=benchmark.SeenResults(EXECUTED)),
    ),
    scoring=benchmark.Scoring(
        parse=parse,
        score=score,
        metrics=METRICS,
        headline="overall",
        breakdowns=(*GROUPINGS, *SIZES),
        errors=ERROR_LABELS,
        analysis=analysis,
        saved=benchmark.SavedResults(read_predictions, predicted_samples, read_evidence),
    ),
    judging=benchmark.Judging(
        ask=ask, decoding=Decoding(temperature=0.0, top_p=0.5, max_tokens=1024), scripted=SCRIPTED_JUDGES
    ),
    reference=benchmark.Reference(
        published=PUBLISHED,
        deviations=read_deviations(Path(__file__).parent / "papers" / "deviations.toml", groups=substitutes),
        setup=benchmark.PaperSetup(
            judge="gpt-4-1106-preview",
            simulated_tools=True,
            prompts=benchmark.PaperPrompts(ZERO_SHOT, ("verbatim", "verbatim-five-shot")),
        ),
        printed=benchmark.Printed(derived_metrics, exhibits, score_metrics_only),
    ),
    checks=benchmark.Checks(
        oracle=benchmark.Oracle(oracle, ways={CODE: gold_program, SEARCH: gold_search}),
        baselines=BASELINES,
        mutations=benchmark.Mutations(mutants, "outcome"),
    ),
)
