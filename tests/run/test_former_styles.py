"""What earlier runs called a style, and versions whose runs are still asked and scored the same."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

import toolyard
from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.errors import RunMismatch
from toolyard.report.compare.verdict import setting_differences
from toolyard.run.plan.run_config import require_style
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.run.store.packs import pack_folder, read_pack, unpack_run


def rewritten(folder: Path, **identity: str) -> dict[str, Any]:
    """The folder's manifest with another identity, as another version wrote it."""
    path = folder / "manifest.json"
    manifest: dict[str, Any] = orjson.loads(path.read_bytes())
    manifest["identity"] |= identity
    manifest["benchmark_version"] = identity.get("version", manifest["benchmark_version"])
    path.write_bytes(orjson.dumps(manifest))
    return manifest


def earlier_run(runs: Path, name: str = "earlier") -> Path:
    """A run as toolbehonest 1.5.0 made it in its default style."""
    found = toolyard.evaluate(
        "toolbehonest", "scripted/oracle", style="zero-shot", limit=2, runs=runs, name=name
    )
    rewritten(found.folder, style="default", version="1.5.0")
    return found.folder


def test_default_is_the_first_style_of_every_benchmark() -> None:
    firsts = {name: require_style(load_benchmark(name), "default") for name in benchmark_names()}
    assert firsts == {name: load_benchmark(name).task.styles[0] for name in firsts}
    assert firsts["toolbehonest"] == firsts["tooleyes"] == "example"
    assert firsts["mtu"] == firsts["nestools"] == "default"


def test_packed_answers_of_any_version_are_unpacked_as_what_they_were(tmp_path: Path) -> None:
    pack = tmp_path / "answers.jsonl.xz"
    pack.write_bytes(pack_folder(earlier_run(tmp_path), "starter"))
    read = read_pack(pack)
    old = replace(
        read, manifest={**read.manifest, "identity": {**read.manifest["identity"], "version": "1.1.0"}}
    )
    assert old.manifest["identity"]["style"] == "zero-shot"
    again = unpack_run(old, tmp_path / "again")
    assert Run.open(again.folder).config.style == "zero-shot"


@pytest.mark.parametrize(("version", "style"), [("1.5.1", "example"), ("1.3.0", "zero-shot")])
def test_no_tooleyes_run_of_an_earlier_prompt_is_alike(version: str, style: str, tmp_path: Path) -> None:
    folder = toolyard.evaluate("tooleyes", "scripted/oracle", style=style, limit=1, runs=tmp_path).folder
    rewritten(folder, version=version)
    with pytest.raises(RunMismatch, match=f"was made with tooleyes {re.escape(version)}"):
        Run.open(folder)


@pytest.mark.parametrize("name", ["toolbehonest", "tooleyes"])
def test_the_papers_style_is_that_without_an_example_whatever_the_default(name: str, tmp_path: Path) -> None:
    benchmark = load_benchmark(name)
    run = Run.plan(Settings(name, "scripted/empty", limit=1, options={}, runs=tmp_path))
    by_style = {
        style: [
            item.how
            for item in setting_differences(benchmark, replace(run.config, style=style))
            if item.what == "other style"
        ]
        for style in ("zero-shot", "example")
    }
    assert by_style == {"zero-shot": [], "example": ["style example; the paper's is zero-shot"]}
