"""Cases of the user's own in one YAML file: requests, tools, what must and what must not be called."""

from pathlib import Path

from toolyard.core import benchmark
from toolyard.core.metrics import mean
from toolyard.core.types import Decoding
from toolyard.owntools.cases.case_episode import STYLES, TEMPLATES, episode, prompt
from toolyard.owntools.cases.case_file import NONE, OWN, REWRITTEN, load
from toolyard.owntools.cases.case_oracle import native_oracle, no_call, oracle
from toolyard.owntools.cases.case_scoring import ERRORS, FIGURES, parse, score
from toolyard.owntools.cases.case_tools import scene

__all__ = ["BENCHMARK", "EXAMPLE"]

EXAMPLE = Path(__file__).parent / "example"

BENCHMARK = benchmark.Benchmark(
    about=benchmark.About(name="cases", version="1.0.0", title="Your own cases"),
    data=benchmark.Data(load=load, starter=EXAMPLE / "cases.yaml"),
    task=benchmark.Task(
        prompt=prompt,
        episode=episode,
        decoding=Decoding(temperature=0.0, max_tokens=1024),
        styles=STYLES,
        choices=(
            benchmark.Choice(
                "live", "yes: calls go to the real tools instead of their mirror", "no", ("no", "yes")
            ),
            benchmark.Choice(
                "trust", "yes: run the edited code of a mirror that the file names", "no", ("no", "yes")
            ),
            benchmark.Choice("documents", "which tool documents the model sees", OWN, (OWN, NONE, REWRITTEN)),
        ),
        templates=TEMPLATES,
        scene=scene,
    ),
    scoring=benchmark.Scoring(
        parse=parse,
        score=score,
        metrics=tuple(map(mean, FIGURES)),
        headline="success",
        breakdowns=(benchmark.Grouping("tag"),),
        errors=ERRORS,
    ),
    checks=benchmark.Checks(
        oracle=benchmark.Oracle(oracle, native_oracle),
        baselines={"no-call": no_call},
        trivial=benchmark.Trivial({"safe": 1.0}),
    ),
)
