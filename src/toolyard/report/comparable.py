"""Whether a run compares with the published rows, and every reason why not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import ToolyardError, UsageError
from toolyard.core.types import Decoding
from toolyard.report.content import Report
from toolyard.run.config import RunConfig, sha256_of
from toolyard.run.data import data_path


@dataclass(frozen=True, slots=True)
class Verdict:
    """Comparable when nothing differs; each difference is `(what, how)`."""

    differences: tuple[tuple[str, str], ...]

    @property
    def comparable(self) -> bool:
        """Whether the run was made the way the paper's was."""
        return not self.differences

    @property
    def line(self) -> str:
        """The verdict in one line."""
        if self.comparable:
            return "comparable: the official data, the paper's prompts and settings"
        return "not comparable: " + ", ".join(what for what, _ in self.differences)


def verdict_of(report: Report) -> Verdict:
    """Data, part, prompts, settings, judge and tools of the run against those of the paper.

    A benchmark says in `extras` what cannot be read off its record: `judge` (the paper's judge model) and `tools`
    (`simulated` where the paper called live services).
    """
    config, benchmark = report.plan.config, report.benchmark
    found = (
        *data_differences(benchmark, config),
        *prompt_differences(benchmark, config),
        *setting_differences(benchmark, config),
        *judge_differences(report),
        *tool_differences(benchmark),
        *missing_differences(report),
    )
    return Verdict(found)


def data_differences(benchmark: Benchmark, config: RunConfig) -> tuple[tuple[str, str], ...]:
    """Other data than the official files, or a part of them."""
    found = []
    if not is_official(benchmark, config):
        found.append(
            ("other data", f"{config.data} (sha256 {config.data_sha256[:12]}…) is not the official release")
        )
    if config.limit is not None or config.ids:
        part = f"--limit {config.limit}" if config.limit is not None else f"{len(config.ids)} chosen ids"
        found.append(("a part of the data", f"{part}: the published rows stand on all of it"))
    return tuple(found)


def is_official(benchmark: Benchmark, config: RunConfig) -> bool:
    """Whether the data that the run read hold the benchmark's pinned files, hash for hash."""
    if not benchmark.sources:
        return config.data == "official"
    try:
        root = data_path(benchmark, config.data)
    except ToolyardError:
        return False
    if sha256_of(root) != config.data_sha256:
        return False
    if root.is_file():
        return config.data_sha256 in {source.sha256 for source in benchmark.sources}
    return all(_holds(root, source.path, source.sha256) for source in benchmark.sources)


def _holds(root: Path, path: str, sha256: str) -> bool:
    candidates = (root / path, root / Path(path).name)
    return any(file.is_file() and sha256_of(file) == sha256 for file in candidates)


def prompt_differences(benchmark: Benchmark, config: RunConfig) -> tuple[tuple[str, str], ...]:
    """Shipped templates are our own words; the user's may be the paper's, which nobody can check here."""
    if not benchmark.templates:
        return ()
    replaced = sorted(config.texts)
    if len(replaced) == len(benchmark.templates):
        return (
            (
                "your prompts",
                "every template was replaced with --templates; comparable if they are the paper's",
            ),
        )
    kept = len(benchmark.templates) - len(replaced)
    return (
        (
            "our prompts",
            f"{kept} of {len(benchmark.templates)} templates are worded by Toolyard under the paper's contract, "
            "not the paper's text; --templates DIR replaces them",
        ),
    )


def setting_differences(benchmark: Benchmark, config: RunConfig) -> tuple[tuple[str, str], ...]:
    """Style, the benchmark's own options and decoding that are not the paper's."""
    found = []
    if config.style != benchmark.styles[0]:
        found.append(("other style", f"style {config.style}; the paper's is {benchmark.styles[0]}"))
    defaults = {choice.name: choice.default for choice in benchmark.choices}
    changed = {name: value for name, value in config.options.items() if value != defaults.get(name)}
    if changed:
        listed = ", ".join(f"--{name} {value}" for name, value in changed.items())
        found.append(("other options", f"{listed} instead of the defaults"))
    decoding = paper_decoding(benchmark)
    if config.decoding != decoding:
        found.append(
            (
                "other decoding",
                f"temperature {config.decoding.temperature:g}, {config.decoding.max_tokens} tokens; the paper's: "
                f"temperature {decoding.temperature:g}, {decoding.max_tokens} tokens",
            )
        )
    return tuple(found)


def paper_decoding(benchmark: Benchmark) -> Decoding:
    """The decoding that the benchmark declares; the record of a run may carry the user's instead."""
    try:
        return load_benchmark(benchmark.name).decoding
    except UsageError:
        return benchmark.decoding


def judge_differences(report: Report) -> tuple[tuple[str, str], ...]:
    """Another judge than the paper's, or none where the paper has one."""
    wanted = report.benchmark.extras.get("judge")
    if not wanted:
        return ()
    used = report.manifest.get("judge") or ""
    if not used:
        return (("no judge", f"judged figures are left out; the paper's judge is {wanted}"),)
    if str(wanted) in used:
        return ()
    return (("other judge", f"{used} instead of {wanted}"),)


def tool_differences(benchmark: Benchmark) -> tuple[tuple[str, str], ...]:
    """Tools that are simulated where the paper's were live."""
    if benchmark.extras.get("tools") != "simulated":
        return ()
    return (("simulated tools", "calls are answered by executable worlds, not by the paper's live services"),)


def missing_differences(report: Report) -> tuple[tuple[str, str], ...]:
    """Too many samples without a score."""
    summary = report.summaries["official"]
    if not summary.withheld:
        return ()
    total = summary.samples + summary.unscored
    return (("unscored samples", f"{summary.unscored} of {total} samples have no score"),)
