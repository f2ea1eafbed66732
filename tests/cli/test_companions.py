"""Commands of other packages, found by their entry point."""

import subprocess
import sys
from pathlib import Path


def install_companion(folder: Path, body: str) -> None:
    (folder / "harbour_commands.py").write_text(body, encoding="utf-8")
    metadata = folder / "harbour-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n", encoding="utf-8"
    )
    (metadata / "entry_points.txt").write_text(
        "[toolyard.commands]\nharbour = harbour_commands:register\n", encoding="utf-8"
    )


def toolyard(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); from toolyard.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_a_package_of_another_adds_a_command(tmp_path: Path) -> None:
    install_companion(
        tmp_path,
        "def berth() -> None:\n    '''Name a berth.'''\n    print('berth 7')\n\n\n"
        "def register(app) -> None:\n    app.command('berth')(berth)\n",
    )
    assert toolyard(tmp_path, "berth").stdout == "berth 7\n"
    assert "berth" in toolyard(tmp_path, "--help").stdout


def test_a_broken_package_is_left_out_and_named(tmp_path: Path) -> None:
    install_companion(tmp_path, "raise ValueError('no pier')\n")
    ran = toolyard(tmp_path, "--version")
    assert ran.returncode == 0
    assert "no pier" in ran.stderr
    assert "Traceback" not in ran.stderr
