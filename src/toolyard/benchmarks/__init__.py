"""Benchmarks are found, never listed: every folder here, and every `toolyard.benchmarks` entry point."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from toolyard.core.errors import UsageError

if TYPE_CHECKING:
    from toolyard.core.benchmark import Benchmark

GROUP = "toolyard.benchmarks"


@cache
def benchmark_modules() -> dict[str, str]:
    """The module that exports each benchmark, by name."""
    own = {
        module.name: f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__) if module.ispkg
    }
    others = {point.name: point.value for point in entry_points(group=GROUP)}
    return dict(sorted({**others, **own}.items()))


def benchmark_names() -> tuple[str, ...]:
    """All benchmarks that are installed, sorted."""
    return tuple(benchmark_modules())


@cache
def load_benchmark(name: str) -> Benchmark:
    """The benchmark of that name; an unknown name suggests the nearest."""
    modules = benchmark_modules()
    if name not in modules:
        close = difflib.get_close_matches(name, modules, n=1, cutoff=0.4)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise UsageError(f"unknown benchmark {name!r}, installed are {', '.join(modules)}{hint}")
    benchmark: Benchmark = importlib.import_module(modules[name].removesuffix(":BENCHMARK")).BENCHMARK
    return benchmark
