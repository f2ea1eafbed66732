"""What a run will do, decided before anything is sent."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.reading import read_text
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import UsageError
from toolyard.core.types import Decoding, Options, Sample
from toolyard.models.base import TIMEOUT
from toolyard.models.spec import ModelSpec
from toolyard.run.config import (
    RunConfig,
    checked_options,
    checked_style,
    run_folder,
    sha256_of,
)
from toolyard.run.data import data_path, load_samples, prepared
from toolyard.run.episodes import Unit, units_of
from toolyard.run.library import documents_sha256
from toolyard.run.selection import select


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for, word by word; every field has the command line's default."""

    benchmark: str
    model: str
    data: str = "starter"
    style: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    templates: Path | None = None
    limit: int | None = None
    ids: tuple[str, ...] = ()
    trials: int = 1
    seed: int = 0
    max_tokens: int | None = None
    temperature: float | None = None
    judge: str = ""
    judge_trials: int = 1
    judge_temperature: float | None = None
    embedder: str = "minilm"
    rewriter: str = ""
    name: str | None = None
    runs: Path = Path("runs")
    concurrency: int = 16
    max_cost: float | None = None
    timeout: float = TIMEOUT
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The run as it will be: settings, samples, episodes, and where the files go."""

    wish: Wish
    config: RunConfig
    setup: RunSetup
    samples: tuple[Sample, ...]
    units: tuple[Unit, ...]
    folder: Path

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark, which no run changes."""
        return self.setup.benchmark

    @property
    def options(self) -> Options:
        """What prompts and episodes may depend on."""
        return self.setup.options


def plan_run(wish: Wish, benchmark: Benchmark | None = None) -> Plan:
    """The plan that a wish leads to; raises the user's mistakes before any request is sent.

    A benchmark that is not installed can be given as a record instead of a name.
    """
    refuse_unknown_embedder(wish.embedder)
    refuse_keys_in_options(wish.options)
    if wish.trials < 1:
        raise UsageError(f"--trials {wish.trials} leaves nothing to do; give a number from 1 up")
    refuse_idle_trials(wish.judge_trials, wish.judge)
    benchmark = benchmark or load_benchmark(wish.benchmark)
    config = config_of(wish, benchmark)
    refuse_idle_rewriter(wish, benchmark, config)
    options = config.prompt_options()
    everything = load_samples(benchmark, wish.data, options)
    chosen = select(everything, limit=wish.limit, ids=wish.ids, main_group=benchmark.scoring.main_group)
    if benchmark.task.scene is not None:
        config = replace(config, documents_sha256=documents_sha256(chosen))
    samples = prepared(benchmark, wish.data, chosen, wish.embedder, wish.seed)
    setup = setup_of(benchmark, config)
    units = tuple(units_of(setup, samples, wish.trials))
    return Plan(wish, config, setup, samples, units, run_folder(wish.runs, config, wish.name))


def setup_of(benchmark: Benchmark, config: RunConfig) -> RunSetup:
    """What the settings choose of the benchmark."""
    return RunSetup(benchmark, config.prompt_options(), config.decoding, config.judge, config.judge_decoding)


def config_of(wish: Wish, benchmark: Benchmark) -> RunConfig:
    """The settings that results depend on."""
    texts = user_templates(benchmark, wish.templates)
    shown = {**benchmark.task.templates, **texts}
    return RunConfig(
        benchmark=benchmark.name,
        version=benchmark.version,
        model=ModelSpec.parse(wish.model).identity,
        data=wish.data,
        data_sha256=sha256_of(data_path(benchmark, wish.data)),
        style=checked_style(benchmark, wish.style),
        options=checked_options(benchmark, wish.options),
        templates_sha256=hashlib.sha256(repr(sorted(shown.items())).encode()).hexdigest(),
        decoding=decoding_of(wish, benchmark.task.decoding),
        judge=ModelSpec.parse(wish.judge).shown,
        judge_decoding=judge_decoding(benchmark.judge_decoding, wish.judge_temperature),
        judge_trials=wish.judge_trials,
        embedder=wish.embedder,
        rewriter=ModelSpec.parse(wish.rewriter).shown,
        seed=wish.seed,
        trials=wish.trials,
        limit=wish.limit,
        ids=wish.ids,
        texts=texts,
    )


def refuse_unknown_embedder(name: str) -> None:
    """An embedder of no known form would only be noticed when it is first needed."""
    from toolyard.models.embed import embedder_spec

    if name != "none":
        embedder_spec(name)


def refuse_keys_in_options(options: Mapping[str, str]) -> None:
    """An option that names a model (`--user`) is written down as it is, so its address must not hold a key."""
    for name, value in options.items():
        if ModelSpec.parse(value).holds_key:
            raise UsageError(
                f"--{name}: a key in the path of base_url would be written down; use key_env=VAR instead"
            )


def refuse_idle_trials(trials: int, judge: str) -> None:
    """Judge trials without a judge, or less than one, are the user's mistake."""
    if trials < 1:
        raise UsageError(f"--judge-trials {trials} leaves nothing to do; give a number from 1 up")
    if trials > 1 and not judge:
        raise UsageError(f"--judge-trials {trials} asks a judge; name one with --judge MODEL")


def refuse_idle_rewriter(wish: Wish, benchmark: Benchmark, config: RunConfig) -> None:
    """A rewriter that would have nothing to do is the user's mistake."""
    rewriting = benchmark.task.rewriting
    if wish.rewriter and (rewriting is None or not rewriting.applies(config.prompt_options())):
        raise UsageError(
            f"--rewriter has nothing to rewrite for {benchmark.name} with these options; "
            "it serves e.g. nestools --variant no-conjunctions"
        )


def decoding_of(wish: Wish, decoding: Decoding) -> Decoding:
    """The paper's decoding, or the user's where given."""
    if wish.max_tokens is not None:
        decoding = replace(decoding, max_tokens=wish.max_tokens)
    if wish.temperature is not None:
        decoding = replace(decoding, temperature=wish.temperature)
    return decoding


def judge_decoding(decoding: Decoding, temperature: float | None) -> Decoding:
    """The judge's decoding with the user's temperature, where given."""
    return decoding if temperature is None else replace(decoding, temperature=temperature)


def user_templates(benchmark: Benchmark, folder: Path | None) -> dict[str, str]:
    """The texts of the user's template folder; a name that the benchmark does not use is refused."""
    if folder is None:
        return {}
    if not folder.is_dir():
        raise UsageError(f"--templates {folder} is not a folder; it should hold {_files(benchmark)}")
    texts = {path.stem: read_text(path, "wanted a template") for path in sorted(folder.glob("*.txt"))}
    unknown = sorted(set(texts) - set(benchmark.task.templates))
    if unknown or not texts:
        found = ", ".join(f"{name}.txt" for name in unknown) or "no .txt file"
        raise UsageError(f"--templates {folder} holds {found}; {benchmark.name} uses {_files(benchmark)}")
    return texts


def _files(benchmark: Benchmark) -> str:
    return ", ".join(f"{name}.txt" for name in sorted(benchmark.task.templates))
