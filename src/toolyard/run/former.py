"""Manifests of earlier versions in today's words, where today's version asks and scores the same.

    {"identity": {"benchmark": "toolbehonest", "version": "1.5.0", "style": "default", ...}}
    {"identity": {"benchmark": "toolbehonest", "version": "1.6.0", "style": "zero-shot", ...}}

`benchmark_version` and the digest of a manifest stay what they were.
"""

from __future__ import annotations

from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import UsageError
from toolyard.core.types import Record
from toolyard.run.config import templates_digest


def in_todays_words(manifest: Record) -> dict[str, Any]:
    """The manifest with the style's name of today, and today's version where its runs are asked and scored alike."""
    identity = manifest["identity"]
    try:
        benchmark = load_benchmark(identity["benchmark"])
    except UsageError:
        # Of a benchmark that is not installed nobody knows other names.
        return dict(manifest)
    style = style_today(benchmark, identity.get("style") or "")
    told = {**identity, **({"style": style} if style else {})}
    if style not in benchmark.about.alike.get(str(identity["version"]), ()):
        return {**manifest, "identity": told}
    told["version"] = benchmark.version
    if "templates_sha256" in told:
        told["templates_sha256"] = templates_digest(benchmark, manifest["templates"])
    return {**manifest, "identity": told}


def style_today(benchmark: Benchmark, style: str) -> str:
    """The name that a recorded style has now."""
    return benchmark.task.former_styles.get(style, style)
