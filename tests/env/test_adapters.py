"""The environment in other libraries' forms, checked by those libraries themselves where they are installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from toolyard.core.errors import MissingExtra, UsageError
from toolyard.env import adapters
from toolyard.env.folder import write_folder


@pytest.mark.filterwarnings("ignore")
def test_gymnasium_accepts_the_environment() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    made = gymnasium.make("toolyard.env.adapters.gymnasium:toolyard/tooleyes-v0", split="eval")
    check_env(made.unwrapped, skip_render_check=True)
    observation, info = made.reset(seed=3)
    assert set(json.loads(observation)) == {"messages", "tools"}
    assert info["task"] == "tooleyes/eval/3"


def test_a_library_that_is_not_there_names_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = adapters.Library("no_such_library_here", "no-such-library==1")
    monkeypatch.setattr(adapters, "LIBRARIES", {"gymnasium": absent})
    with pytest.raises(MissingExtra, match="pip install 'no-such-library==1'"):
        adapters.adapter("gymnasium")
    with pytest.raises(UsageError, match="choose gymnasium"):
        adapters.adapter("chess")


@pytest.mark.parametrize("name", sorted(adapters.LIBRARIES))
def test_a_written_folder_has_a_card_and_a_module_that_compiles(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    files = {path.name for path in write_folder("nestools", name, folder)}
    assert {"README.md", "environment.py", "requirements.txt"} <= files
    card = (folder / "README.md").read_text("utf-8")
    assert "disjoint by construction" in card
    assert "{{" not in card
    compile((folder / "environment.py").read_text("utf-8"), "environment.py", "exec")
    with pytest.raises(UsageError, match="not empty"):
        write_folder("nestools", name, folder)


def test_the_core_imports_no_library() -> None:
    code = "import sys, toolyard.env; print([n for n in ('gymnasium', 'trl', 'torch', 'verifiers') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
