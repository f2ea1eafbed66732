"""Benchmarks are found, never listed: every folder here, and every `toolyard.benchmarks` entry point.

`toolyard.file_benchmarks` are those whose data is always a file of the user's, such as cases.yaml: they are run by
naming the file and belong to no list.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from toolyard.core.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from toolyard.core.benchmark import Benchmark

GROUP = "toolyard.benchmarks"
FILE_GROUP = "toolyard.file_benchmarks"
CASES = "cases"
CASE_FILES = (".yaml", ".yml")
LOG = logging.getLogger("toolyard")


@dataclass(frozen=True, slots=True)
class FoundBenchmark:
    """The module of each benchmark that works, and why others do not."""

    modules: Mapping[str, str]
    broken: Mapping[str, str]


@cache
def _find_benchmarks() -> FoundBenchmark:
    """All benchmarks; those of other packages are tried."""
    own = {
        module.name: f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__) if module.ispkg
    }
    others = {point.name: point for point in entry_points(group=GROUP) if point.name not in own}
    reasons = {name: _why_broken(point) for name, point in others.items()}
    sound = {name: point.value for name, point in others.items() if not reasons[name]}
    return FoundBenchmark(
        dict(sorted({**sound, **own}.items())), {name: why for name, why in reasons.items() if why}
    )


@cache
def _say_broken() -> None:
    """One line on stderr for each plug-in that is broken, once in a process."""
    for name, why in _find_benchmarks().broken.items():
        LOG.warning("the benchmark plug-in %s is left out: %s", name, why)


def _why_broken(point: EntryPoint) -> str:
    from toolyard.core.benchmark import Benchmark

    package = point.dist.name if point.dist is not None else point.value
    try:
        found = importlib.import_module(point.value.removesuffix(":BENCHMARK")).BENCHMARK
    except (Exception, SystemExit) as error:  # importing a stranger's package may raise anything
        return f"{package}: {type(error).__name__}: {' '.join(str(error).split())}"[:300]
    if not isinstance(found, Benchmark):
        return f"{package}: its BENCHMARK is {type(found).__name__}, wanted toolyard.Benchmark"
    return ""


def benchmark_modules() -> Mapping[str, str]:
    """The module that exports each benchmark, by name."""
    _say_broken()
    return _find_benchmarks().modules


def benchmark_names() -> tuple[str, ...]:
    """All benchmarks that are installed and work, sorted."""
    return tuple(benchmark_modules())


def benchmark_and_data(name: str, data: str) -> tuple[str, str]:
    """The benchmark and its data; a case file in place of a name is the data of `cases`."""
    if "," in name or not name.lower().endswith(CASE_FILES):
        return name, data
    if data not in ("starter", name):
        raise UsageError(f"{name} is a case file, which holds its own data; leave out --data {data}")
    return CASES, name


@cache
def _file_modules() -> Mapping[str, str]:
    return {point.name: point.value for point in entry_points(group=FILE_GROUP)}


@cache
def load_benchmark(name: str) -> Benchmark:
    """The benchmark of that name; an unknown name suggests the nearest."""
    if name in _find_benchmarks().broken:
        raise UsageError(
            f"the plug-in {name} is broken ({_find_benchmarks().broken[name]}); mend or remove its package"
        )
    modules = benchmark_modules()
    if name in _file_modules():
        modules = _file_modules()
    if name not in modules:
        raise UsageError(_why_unknown(name, tuple(modules)))
    benchmark: Benchmark = importlib.import_module(modules[name].removesuffix(":BENCHMARK")).BENCHMARK
    return benchmark


def _why_unknown(name: str, names: Sequence[str]) -> str:
    """What a word is that names no benchmark, and what to give instead."""
    wanted, cases = ", ".join(names), f"your own cases: toolyard run {CASES}.yaml"
    if name == "all" or set(name.split(",")) <= set(names):
        return f"unknown benchmark {name!r}; this command takes one of them; installed are {wanted}"
    kind = kind_of_path_word(name)
    if kind == "is a run":
        return (
            f"{name} is a run, wanted the name of a benchmark ({wanted}); look at a run with: "
            f"toolyard report {name}, or score it again with: toolyard score {name}"
        )
    if kind == "does not exist" and name == Path(name).name:
        meant = did_you_mean(name, names, cutoff=0.4)
        return f"unknown benchmark {name!r}; {meant}installed are {wanted}; {cases}"
    rows = "" if kind == "does not exist" else f"your own rows: toolyard run BENCHMARK --data {name}, "
    return f"{name} {kind}, wanted a benchmark ({wanted}); {rows}{cases}"


def kind_of_path_word(name: str) -> str:
    """What a word is as a path."""
    path = Path(name)
    try:
        if (path / "manifest.json").is_file():
            return "is a run"
        return "is a folder" if path.is_dir() else "is a file" if path.exists() else "does not exist"
    except OSError:  # longer than a path may be
        return "does not exist"
