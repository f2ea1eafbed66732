"""BFCL v4, the Berkeley Function-Calling Leaderboard, without memory and web search."""

from toolyard import About, Benchmark, Checks, Data, Decoding, Paper, SavedResults, Scoring, Task, Trivial
from toolyard_bfcl.answers import first_function, oracle
from toolyard_bfcl.rows import CHOICE, audit, floor_of, load
from toolyard_bfcl.scoring import GROUPINGS, METRICS, parse, read_predictions, score
from toolyard_bfcl.task import STYLES, episode, prompt
from toolyard_bfcl.wheel import VERSION, package_folder

BENCHMARK = Benchmark(
    about=About(
        name="bfcl",
        version=f"{VERSION}.1",
        title="BFCL v4 without memory and web search",
        paper=Paper("Berkeley Function Calling Leaderboard", "ICML 2025", "https://gorilla.cs.berkeley.edu"),
    ),
    data=Data(load=load, starter=package_folder() / "data", audit=audit),
    task=Task(prompt, episode, Decoding(max_tokens=4096), styles=STYLES, choices=(CHOICE,)),
    scoring=Scoring(
        parse=parse,
        score=score,
        metrics=METRICS,
        headline="offline",
        breakdowns=GROUPINGS,
        saved=SavedResults(read_predictions),
    ),
    checks=Checks(
        oracle=oracle,
        baselines={"first-tool": first_function},
        trivial=Trivial(
            floor_of, "a model that never calls is right on every irrelevance row", by=("scripted/empty",)
        ),
    ),
)
