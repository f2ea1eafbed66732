"""A finished or stopped run, opened again from its directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError, RunMismatch
from toolyard.core.types import Decoding, Json
from toolyard.models.loading import load_judge
from toolyard.models.spec import ModelSpec
from toolyard.run.config import RunConfig
from toolyard.run.data import load_samples, prepared
from toolyard.run.episodes import units_of
from toolyard.run.evidence import Instruments
from toolyard.run.plan import Plan, Wish, judge_decoding, refuse_idle_trials, setup_of
from toolyard.run.rewriting import with_rewrites
from toolyard.run.runner import RunResult, score_run
from toolyard.run.selection import select
from toolyard.run.store import RunStore


def reopen(folder: Path) -> Plan:
    """The plan that the directory's manifest describes; changed data or another version is refused."""
    manifest = RunStore(folder).manifest()
    if manifest is None:
        raise DataError(f"{folder} holds no manifest.json; give a directory that `toolyard run` made")
    config = _config(manifest)
    benchmark = load_benchmark(config.benchmark)
    if benchmark.version != config.version:
        raise RunMismatch(
            f"{folder} was made with {config.benchmark} {config.version}, installed is {benchmark.version}: "
            "figures of different versions do not compare; run again"
        )
    options = config.prompt_options()
    chosen = select(
        load_samples(benchmark, config.data, options),
        limit=config.limit, ids=config.ids, main_group=benchmark.scoring.main_group,
    )  # fmt: skip
    samples = prepared(benchmark, config.data, chosen, config.embedder, config.seed)
    setup = setup_of(benchmark, config)
    units = tuple(units_of(setup, samples, config.trials))
    wish = Wish(benchmark=config.benchmark, model=config.model, data=config.data, embedder=config.embedder)
    return with_rewrites(Plan(wish, config, setup, samples, units, folder), RunStore(folder))


def _config(manifest: dict[str, Json]) -> RunConfig:
    identity = manifest["identity"]
    return RunConfig(
        **{
            **identity,
            "ids": tuple(identity["ids"]),
            "decoding": _decoding(identity["decoding"]),
            "data": manifest["data"],
            "judge": manifest["judge"],
            "judge_decoding": _decoding(manifest["judge_decoding"]),
            "judge_trials": manifest.get("judge_trials", 1),
            "texts": manifest["templates"],
        }
    )


def _decoding(settings: Mapping[str, Json]) -> Decoding:
    return Decoding(**{**settings, "stop": tuple(settings["stop"])})


async def rescore(
    plan: Plan,
    *,
    judge: str = "",
    embedder: str = "",
    judge_trials: int | None = None,
    judge_temperature: float | None = None,
) -> RunResult:
    """The run's scores again; with another judge or embedder only the questions are asked again.

    A judge that is named starts from the benchmark's temperature and one trial; without a name the run's own
    judge goes on as it was asked last.
    """
    name, config = judge or plan.config.judge, plan.config
    asked_before = 1 if judge else config.judge_trials
    trials = asked_before if judge_trials is None else judge_trials
    refuse_idle_trials(trials, name)
    decoding = judge_decoding(
        plan.benchmark.judge_decoding if judge else config.judge_decoding, judge_temperature
    )
    model = load_judge(name, plan.benchmark, samples=plan.samples, seed=plan.config.seed) if name else None
    shown = ModelSpec.parse(name).shown
    instruments = Instruments(model, shown, embedder or config.embedder, decoding, judge_trials=trials)
    try:
        return await score_run(plan, instruments)
    finally:
        if model is not None:
            await model.close()
