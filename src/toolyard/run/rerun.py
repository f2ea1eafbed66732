"""A finished or stopped run, opened again from its directory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError, RunMismatch
from toolyard.core.types import Decoding, Json
from toolyard.models.loading import load_model
from toolyard.run.config import RunConfig
from toolyard.run.data import load_samples, prepared
from toolyard.run.episodes import units_of
from toolyard.run.evidence import Instruments
from toolyard.run.plan import Plan, Wish
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
    benchmark = replace(load_benchmark(config.benchmark), decoding=config.decoding)
    if benchmark.version != config.version:
        raise RunMismatch(
            f"{folder} was made with {config.benchmark} {config.version}, installed is {benchmark.version}: "
            "figures of different versions do not compare; run again"
        )
    options = config.prompt_options()
    chosen = select(
        load_samples(benchmark, config.data, options),
        limit=config.limit, ids=config.ids, main_group=benchmark.main_group,
    )  # fmt: skip
    samples = prepared(benchmark, config.data, chosen, config.embedder, config.seed)
    units = tuple(units_of(benchmark, samples, options, config.trials))
    wish = Wish(benchmark=config.benchmark, model=config.model, data=config.data, embedder=config.embedder)
    return with_rewrites(Plan(wish, config, benchmark, samples, units, folder), RunStore(folder))


def _config(manifest: dict[str, Json]) -> RunConfig:
    identity = manifest["identity"]
    decoding = {**identity["decoding"], "stop": tuple(identity["decoding"]["stop"])}
    return RunConfig(
        **{
            **identity,
            "ids": tuple(identity["ids"]),
            "decoding": Decoding(**decoding),
            "data": manifest["data"],
            "judge": manifest["judge"],
            "texts": manifest["templates"],
        }
    )


async def rescore(plan: Plan, *, judge: str = "", embedder: str = "") -> RunResult:
    """The run's scores again; with another judge or embedder only the questions are asked again."""
    name = judge or plan.config.judge
    model = load_model(name) if name else None
    instruments = Instruments(model, name, embedder or plan.config.embedder, plan.benchmark.judge_decoding)
    try:
        return await score_run(plan, instruments)
    finally:
        if model is not None:
            await model.close()
