"""A manifest with a field of any other kind is called damaged in one line, whichever field it is."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compared_runs import make_runs
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.errors import DataError
from toolyard.report.compare.contamination import contamination_of
from toolyard.run.plan.manifest_shape import BESIDE, DECODING, IN_IDENTITY, KNOWN, NEEDED, manifest_problem
from toolyard.run.run import Run

KINDS = {
    (): {**NEEDED, **KNOWN},
    ("identity",): {**IN_IDENTITY, **BESIDE},
    ("identity", "decoding"): DECODING,
}
VALUES: tuple[Any, ...] = (None, True, 1, 1.5, "x", [], {}, [{}], {"a": []})


def spoilt(manifest: Any) -> Iterator[tuple[str, Any]]:
    """The manifest with each of its fields replaced by what it cannot be."""
    for path, kinds in KINDS.items():
        for key, kind in kinds.items():
            for value in VALUES:
                changed = copy.deepcopy(manifest)
                part = changed
                for step in path:
                    part = part[step]
                if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                    part[key] = value
                    yield key, changed


def test_a_field_of_another_kind_is_damage(tmp_path: Path) -> None:
    (folder,) = make_runs(tmp_path, "scripted/oracle")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest_problem(manifest) == ""
    for key, changed in spoilt(manifest):
        assert key in manifest_problem(changed), (key, changed)
    for key, value in (("ids", [1]), ("options", {"a": []})):
        assert f"identity.{key}" in manifest_problem(
            {**manifest, "identity": {**manifest["identity"], key: value}}
        )
    assert "usage" in manifest_problem({**manifest, "usage": {"prompt_tokens": "9"}})
    (folder / "manifest.json").write_text(
        json.dumps({**manifest, "identity": {**manifest["identity"], "limit": {}}})
    )
    with pytest.raises(DataError, match=r"identity\.limit: not of the right kind"):
        Run.open(folder)


def test_a_damaged_neighbour_does_not_matter(tmp_path: Path) -> None:
    run, other = make_runs(tmp_path, "scripted/oracle", "scripted/random")
    manifest = json.loads((run / "manifest.json").read_text())
    for content in ("", "[1]", "{}", '{"finished": "x"}'):
        (other / "manifest.json").write_text(content)
        assert contamination_of(run, BENCHMARK, manifest, "paper") is None
