"""What is known about the packages that are installed: versions, damage, known vulnerabilities.

    make audit            or: python bench/audit.py [--advisories COMMAND] [--require-advisories]

1. every pinned package is installed in the pinned version, and all fit together (pip check)
2. every installed file is the one that its package recorded (sha256)
3. known vulnerabilities by pip-audit, which asks the package index; where that answers nothing, this is said, and
   nothing is claimed about vulnerabilities

Exit 1 for a package that does not fit, a changed file or a known vulnerability; with --require-advisories also where
nobody could be asked.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

CONSTRAINTS = Path(__file__).resolve().parent.parent / "constraints.txt"
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)")


def pins() -> dict[str, str]:
    """The pinned versions by name."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    return {found[1]: found[2] for found in map(PIN.match, lines) if found}


def unlike_pins() -> Iterator[str]:
    """Packages that are installed in another version than the pinned one."""
    for name, wanted in pins().items():
        try:
            found = distribution(name).version
        except PackageNotFoundError:
            continue
        if found != wanted:
            yield f"{name} {found} is installed, {wanted} is pinned"


def changed_files(package: Distribution) -> Iterator[str]:
    """Files of a package that are gone or not as its wheel brought them."""
    for file in package.files or ():
        if file.hash is None or file.hash.mode != "sha256":
            continue
        path = Path(str(file.locate()))
        if not path.is_file():
            # Compiled files may be cleared away at any time.
            if path.suffix != ".pyc":
                yield f"{package.name}: {file} is gone"
            continue
        digest = hashlib.sha256(path.read_bytes()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
            yield f"{package.name}: {file} is not the file that was installed"


def advisories(command: str) -> tuple[int, list[str]] | None:
    """How many packages were looked up, and what is known against them; None where nobody answered."""
    wanted = [*shlex.split(command), "-r", str(CONSTRAINTS), "--no-deps", "--disable-pip", "-f", "json"]
    try:
        done = subprocess.run(wanted, capture_output=True, text=True, check=False, timeout=900)
        packages = json.loads(done.stdout)["dependencies"]
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired):
        return None
    looked_up = [package for package in packages if "skip_reason" not in package]
    known = [
        f"{package['name']} {package['version']}: {each['id']} (fixed in {', '.join(each['fix_versions']) or 'no release'})"
        for package in looked_up
        for each in package["vulns"]
    ]
    return (len(looked_up), known) if looked_up else None


def main() -> int:
    """Prints each finding and a line for each part."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--advisories", default="pip-audit", help="the command that looks up advisories")
    parser.add_argument("--require-advisories", action="store_true")
    wanted = parser.parse_args()
    fits = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    unlike = list(unlike_pins())
    changed = [line for package in distributions() for line in changed_files(package)]
    print(*fits.stdout.splitlines(), *unlike, *changed, sep="\n")
    print(f"versions: {len(pins())} pinned, {len(unlike)} installed otherwise")
    print(f"files: {len(changed)} not as they were installed")
    answer = advisories(wanted.advisories)
    if answer is None:
        print(
            "vulnerabilities: nobody could be asked, so nothing is known; run again where the index answers"
        )
    else:
        print(*answer[1], sep="\n")
        print(f"vulnerabilities: {answer[0]} of {len(pins())} packages looked up, {len(answer[1])} known")
    unknown = answer is None and wanted.require_advisories
    return int(bool(fits.returncode or unlike or changed or unknown or (answer and answer[1])))


if __name__ == "__main__":
    sys.exit(main())
