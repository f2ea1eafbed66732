"""Public data minus fresh data: what a model scores better on questions that it may have met before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.benchmark import Benchmark
from toolyard.core.types import JsonValue, Profile, Record
from toolyard.lines import read_json_object
from toolyard.report.compare.compared_runs import ComparedRun, load_compared
from toolyard.run.plan.former_manifests import upgrade_manifest
from toolyard.run.plan.fresh_sets import is_fresh
from toolyard.run.plan.manifest_shape import manifest_problem
from toolyard.run.store.run_directory import MANIFEST, SCORES
from toolyard.stats.bootstrap import Estimate, independent_difference
from toolyard.stats.summary import figure_intervals, figure_values, rows_of

# Settings that must be equal for two runs of one model to say something about the data.
SAME = (
    "benchmark", "version", "model", "style", "options", "templates_sha256", "decoding", "judge", "embedder",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contamination:
    """The figures of one model on public and on fresh data, and the difference of each."""

    public: ComparedRun
    fresh: ComparedRun
    differences: Mapping[str, Estimate]

    @property
    def data(self) -> str:
        """What the public data are called: `starter`, `official`, or the last part of a path."""
        return Path(self.public.manifest["data"]).name

    def to_json(self) -> dict[str, JsonValue]:
        """What report.json holds."""
        return {
            "public": {"run": self.public.folder.name, "data": self.data},
            "fresh": {"run": self.fresh.folder.name, "data": self.fresh.manifest["data"]},
            "difference": figure_values(self.differences),
            "intervals": figure_intervals(self.differences),
        }


def find_contamination(
    folder: Path, benchmark: Benchmark, manifest: Record, profile: Profile
) -> Contamination | None:
    """The run and its counterpart among the neighbouring runs; None where there is none.

    A run on fresh data is compared with one on official data if there is one, else with any other.
    """
    mine_is_fresh = is_fresh(manifest["data"])
    others = [
        (other, data) for other, data in _sibling_runs(folder, manifest) if is_fresh(data) != mine_is_fresh
    ]
    if not others:
        return None
    counterpart = min(others, key=lambda item: (item[1] != "official", item[0].name))[0]
    pair = (counterpart, folder) if mine_is_fresh else (folder, counterpart)
    public, fresh = (load_compared(each, profile, {}) for each in pair)
    differences = {
        metric.name: independent_difference(metric, rows_of(public.graded), rows_of(fresh.graded))
        for metric in benchmark.scoring.metrics
    }
    return Contamination(public, fresh, differences)


def _sibling_runs(folder: Path, manifest: Record) -> Iterator[tuple[Path, str]]:
    """Finished runs of the same model with the same settings, and what data each had."""
    mine = _compared_settings(manifest)
    for path in sorted(folder.parent.glob(f"*/{MANIFEST}")):
        if path.parent == folder or not (path.parent / SCORES).exists():
            continue
        other = read_json_object(path) or {}
        if manifest_problem(other) or not other["finished"]:
            continue
        if _compared_settings(upgrade_manifest(other)) == mine:
            yield path.parent, str(other["data"])


def _compared_settings(manifest: Record) -> list[JsonValue]:
    identity = manifest.get("identity", {})
    return [*(identity.get(name) for name in SAME), manifest.get("judge")]
