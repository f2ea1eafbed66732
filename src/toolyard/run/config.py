"""What a run is: its settings, their digest, and the directory that follows from them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

from toolyard.core.benchmark import Benchmark, Choice
from toolyard.core.errors import RunMismatch, UsageError
from toolyard.core.types import Decoding, Json, Options
from toolyard.models.spec import ModelSpec


@dataclass(frozen=True, slots=True)
class RunConfig:
    """All that results depend on; two runs with equal configs are the same run."""

    benchmark: str
    version: str
    model: str
    data: str
    data_sha256: str
    style: str
    options: Mapping[str, str]
    templates_sha256: str
    decoding: Decoding
    # of the tool documents that prompts show, which may be the library's rather than the data's
    documents_sha256: str = ""
    judge: str = ""
    judge_decoding: Decoding = Decoding()
    judge_trials: int = 1
    embedder: str = "minilm"
    rewriter: str = ""
    seed: int = 0
    trials: int = 1
    limit: int | None = None
    ids: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    def identity(self) -> dict[str, Json]:
        """The settings that the digest covers. The judge is not among them: judging can be repeated."""
        settings = asdict(self)
        for name in ("judge", "judge_decoding", "judge_trials", "texts", "data"):
            settings.pop(name)
        if not self.documents_sha256:
            settings.pop("documents_sha256")
        return settings

    def digest(self) -> str:
        """A short name for the settings."""
        data = orjson.dumps(self.identity(), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(data).hexdigest()

    def prompt_options(self) -> Options:
        """What prompts and episodes may depend on."""
        return Options(self.style, self.seed, self.options, self.texts)


def display_name(model: str) -> str:
    """What people call the model: the MODEL argument without its settings."""
    return ModelSpec.parse(model).display


def run_folder(runs: Path, config: RunConfig, name: str | None) -> Path:
    """Where the run lives: the name the user gave, or benchmark, model and digest."""
    if name:
        return runs / name
    model = re.sub(r"[^A-Za-z0-9.-]+", "-", display_name(config.model)).strip("-")[:60]
    return runs / f"{config.benchmark}_{model}_{config.digest()[:8]}"


def refuse_mismatch(folder: Path, manifest: Mapping[str, Json], config: RunConfig) -> None:
    """Stops when the folder holds a run with other settings, naming those that differ."""
    if manifest["digest"] == config.digest():
        return
    before, now = manifest["identity"], config.identity()
    now = orjson.loads(orjson.dumps(now))
    changed = sorted(key for key in {*before, *now} if before.get(key) != now.get(key))
    raise RunMismatch(
        f"{folder} was started with other settings ({', '.join(changed)} differ); "
        "finish it with the old ones or choose another --name"
    )


def sha256_of(path: Path) -> str:
    """The hash of a file, or of all files of a folder with their names."""
    digest = hashlib.sha256()
    if path.is_file():
        digest.update(path.read_bytes())
        return digest.hexdigest()
    for file in sorted(path.rglob("*")):
        if file.is_file():
            digest.update(str(file.relative_to(path)).encode() + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def checked_options(benchmark: Benchmark, given: Mapping[str, str]) -> dict[str, str]:
    """The benchmark's own options with defaults filled in; an unknown one or a wrong value is refused."""
    return options_of(benchmark.name, benchmark.task.choices, given)


def options_of(owner: str, choices: Sequence[Choice], given: Mapping[str, str]) -> dict[str, str]:
    """The options that `owner` offers, with defaults filled in."""
    known = {choice.name: choice for choice in choices}
    for name, value in given.items():
        if name not in known:
            offered = ", ".join(f"--{key}" for key in known) or "none of its own"
            raise UsageError(f"{owner} has no option --{name}; it takes {offered}")
        allowed = known[name].choices
        if allowed and value not in allowed:
            raise UsageError(f"--{name} {value!r} is not one of {', '.join(allowed)}")
    return {name: given.get(name, choice.default) for name, choice in known.items()}


def checked_style(benchmark: Benchmark, style: str | None) -> str:
    """The style asked for, or the benchmark's first."""
    if not style:
        return benchmark.task.styles[0]
    if style not in benchmark.task.styles:
        raise UsageError(
            f"{benchmark.name} has no style {style!r}; it has {', '.join(benchmark.task.styles)}"
        )
    return style
