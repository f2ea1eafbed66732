"""A tool without a phrase: it is called and listed like any other, and data are made as if it were not there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from toolyard.synth.command import synthesise
from toolyard.synth.settings import SynthSettings

# A process of its own: the library of this one is complete and stays so.
WITH_A_SILENT_TOOL = """
import json, sys, warnings
from pathlib import Path
from toolyard.synth.command import synthesise
from toolyard.synth.settings import SynthSettings
from toolyard.world import World, call, library
from toolyard.world.kernel.registry import tool
from toolyard.world.kernel.types import CityName

@tool("Weather/window", examples=[{"city": "Oslo"}])
def look_out(*, city: CityName) -> list[CityName]:
    '''Cities that can be seen from a window.

    city: City in which the window is.
    '''
    return [city, "Lima"]

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for name in sys.argv[2:]:
        synthesise(SynthSettings(name, "world", rows=2, seed=7, out=Path(sys.argv[1]) / name, workers=1))
answer = call(World.fresh(), "look_out", {"city": "Oslo"})
print(json.dumps({
    "listed": "Weather/window/look_out" in library(),
    "answer": answer.value,
    "warnings": [str(each.message) for each in caught if issubclass(each.category, UserWarning)],
}))
"""
BENCHMARKS = ("nestools", "mtu", "toolbehonest")


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], Path]:
    """What the process says, and the folder with the data that it made."""
    folder = tmp_path_factory.mktemp("silent")
    done = subprocess.run(
        [sys.executable, "-c", WITH_A_SILENT_TOOL, str(folder), *BENCHMARKS], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return said, folder


def test_it_can_be_called_and_one_warning_names_it(silent: tuple[dict[str, object], Path]) -> None:
    said, _ = silent
    assert said["listed"] is True
    assert said["answer"] == ["Oslo", "Lima"]
    assert said["warnings"] == [
        "no data are made with Weather/window/look_out (no phrase); give each a phrase and a noun in its @tool(...)"
    ]


@pytest.mark.parametrize("name", ["nestools", "mtu"])
def test_the_data_are_those_of_a_library_without_it(
    name: str, silent: tuple[dict[str, object], Path], tmp_path: Path
) -> None:
    made = synthesise(SynthSettings(name, "world", rows=2, seed=7, out=tmp_path / name, workers=1))
    written = {path.name: path.read_bytes() for path in made.folder.iterdir()}
    assert written
    assert {path.name: path.read_bytes() for path in (silent[1] / name).iterdir()} == written
