"""What the default install takes: packages and megabytes in an environment of its own, and the largest of them.

    python bench/install_size.py [--extra NAME ...] [--write]

Needs a place to install from, as pip is configured. Nothing is estimated: the environment is made in a temporary
folder, filled by pip under constraints.txt, and its files are counted. `pip` itself and compiled modules are left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results" / "install_size.json"
SHOWN = 12
# What an environment holds before anything is installed.
OWN = {"pip", "setuptools", "wheel", "distutils-precedence.pth", "_distutils_hack", "pkg_resources"}
MEASURE = """
import json
from importlib.metadata import distributions
print(json.dumps(sorted({item.metadata["Name"] for item in distributions()})))
"""


def installed(folder: Path, extras: list[str]) -> Path:
    """The interpreter of a new environment with the package in it."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    wanted = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    command = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
        "-c",
        ROOT / "constraints.txt",
        wanted,
    ]
    subprocess.run([str(part) for part in command], check=True)
    return python


def sizes(folder: Path) -> Counter[str]:
    """Megabytes by top-level name under site-packages."""
    [packages] = folder.glob("lib/python*/site-packages")
    found: Counter[str] = Counter()
    for path in packages.rglob("*"):
        name = path.relative_to(packages).parts[0]
        if path.is_file() and not path.is_symlink() and path.suffix != ".pyc" and not name.startswith("pip"):
            found[name] += path.stat().st_size
    return Counter({name: size for name, size in found.items() if name not in OWN})


def main() -> None:
    """Prints the result; writes it where asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--extra", action="append", default=[])
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "environment"
        python = installed(folder, chosen.extra)
        listed = subprocess.run([str(python), "-c", MEASURE], check=True, capture_output=True, text=True)
        names = [item for item in json.loads(listed.stdout) if item.lower() not in OWN]
        found = sizes(folder)
    result = {
        "python": sys.version.split()[0],
        "extras": chosen.extra,
        "packages": len(names),
        "megabytes": round(found.total() / 1e6),
        "largest": {name: round(size / 1e6, 1) for name, size in found.most_common(SHOWN)},
        "names": names,
    }
    print(json.dumps(result, indent=2))
    if chosen.write:
        RESULTS.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
