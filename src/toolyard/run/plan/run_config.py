"""What a run is: its settings made definite, their digest, and the directory that follows from them."""

import hashlib
import os
import re
import shlex
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import islice
from pathlib import Path

import orjson

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.user_files import read_text
from toolyard.core.benchmark import WAYS, Benchmark, RunSetup
from toolyard.core.declared_world import VERSION
from toolyard.core.errors import DataError, RunMismatch, UsageError, did_you_mean
from toolyard.core.options import options_in, resolve_options
from toolyard.core.scene import SeededScene
from toolyard.core.types import SYSTEM, Decoding, JsonValue, Options, Record
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.lines import FileStamp, file_stamp
from toolyard.models.spec import ModelSpec
from toolyard.run.settings import Settings
from toolyard.run.store.records import TRANSCRIPTS

# Not a style of its own: the paper's text and the paper's options, where the official data hold them.
OFFICIAL = "official"
OWN_DATA = ("starter", "hard", "fresh")
# Nor is this where no style has the name: whichever style a benchmark names first.
DEFAULT = "default"
# Of a data set; what holds more is a disk rather than a data set.
MOST_FILES = 50_000
# Bytes of a user's own template or system prompt: it is a part of every request.
LONGEST_TEMPLATE = 1_000_000
# A file may change twice within one step of its clock: until that is over, its time says nothing.
CLOCK_STEP_NS = 1_000_000_000
_DIGESTS: dict[Path, tuple[FileStamp, bytes]] = {}
OMITTED = (
    "documents_sha256", "world", "shortest", "budget", "allocation", "variation", "world_seed", "catalogue",
    "perturb",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunConfig(Settings):
    """Settings with nothing left open, and what else results depend on; equal identities are the same run."""

    version: str = field(kw_only=True)
    data_sha256: str = field(kw_only=True)
    templates_sha256: str = field(kw_only=True)
    decoding: Decoding = field(kw_only=True)
    judge_decoding: Decoding = field(default=Decoding(), kw_only=True)
    # clusters of each stratum that a budget is spent on
    allocation: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    # of the tool documents that prompts show, which may be the library's rather than the data's
    documents_sha256: str = field(default="", kw_only=True)
    # the version of the world that episodes play in; empty where they play in none
    world: str = field(default="", kw_only=True)
    texts: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    def identity(self) -> dict[str, object]:
        """What the digest covers. The judge is not among it: judging can be repeated."""
        found: dict[str, JsonValue] = {
            item.name: getattr(self, item.name) for item in options_in(Settings) if item.identity
        }
        found["options"] = dict(self.options)
        found["decoding"] = asdict(self.decoding)
        for name in ("version", "data_sha256", "templates_sha256", "documents_sha256", "world"):
            found[name] = getattr(self, name)
        found["allocation"] = dict(self.allocation)
        # Runs that were made before there was such a setting keep their digest.
        return {name: value for name, value in found.items() if value or name not in OMITTED}

    def digest(self) -> str:
        """A short name for the identity."""
        data = orjson.dumps(json_safe(self.identity()), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(data).hexdigest()

    def prompt_options(self) -> Options:
        """What prompts and episodes may depend on."""
        return Options(self.style or "", self.seed, self.options, self.texts, self.world_seed)

    def setup(self, benchmark: Benchmark) -> RunSetup:
        """What the run chooses of the benchmark."""
        return RunSetup(
            benchmark,
            self.prompt_options(),
            self.decoding,
            self.judge,
            self.judge_decoding,
            is_own_data(self.data),
        )


def is_own_data(data: str) -> bool:
    """Whether data of that name are ours, where another headline than the paper's may count."""
    return data.partition(":")[0] in OWN_DATA


def setup_of_manifest(benchmark: Benchmark, manifest: Record) -> RunSetup:
    """What decides the headline of a stored run: its judge and its data."""
    default = RunSetup.default(benchmark)
    return replace(default, judge=manifest["judge"], own_data=is_own_data(manifest["data"]))


def resolve(
    settings: Settings, benchmark: Benchmark, data_sha256: str, texts: Mapping[str, str]
) -> RunConfig:
    """The settings with the benchmark's own defaults filled in."""
    refuse_other_world(settings, benchmark)
    given = {item.name: getattr(settings, item.name) for item in fields(Settings)}
    style = require_style(benchmark, settings.style)
    definite = {
        "benchmark": benchmark.name,
        "model": ModelSpec.parse(settings.model).identity,
        "judge": ModelSpec.parse(settings.judge).printable,
        "rewriter": ModelSpec.parse(settings.rewriter).printable,
        "style": style,
        "options": require_options(
            benchmark,
            {**(paper_options(benchmark) if settings.style == OFFICIAL else {}), **settings.options},
        ),
    }
    return RunConfig(
        **{**given, **definite},
        version=benchmark.version,
        data_sha256=data_sha256,
        templates_sha256=templates_digest(benchmark, texts),
        decoding=run_decoding(settings, benchmark),
        judge_decoding=judge_decoding(benchmark.judge_decoding, settings.judge_temperature),
        texts=dict(texts),
        world=VERSION if benchmark.task.scene_in(style) is not None else "",
    )


def refuse_other_world(settings: Settings, benchmark: Benchmark) -> None:
    """Another world for rows that name their own, or none, is the user's mistake."""
    if settings.world_seed and not isinstance(benchmark.task.scene, SeededScene):
        raise UsageError(
            f"--world-seed {settings.world_seed} is for tooleyes; what {benchmark.name} asks keeps the world it was "
            "made in: leave it out (--fresh-seed N makes a set in another world)"
        )


def templates_digest(benchmark: Benchmark, texts: Mapping[str, str]) -> str:
    """The hash of the benchmark's texts with these instead of some."""
    shown = {**benchmark.task.usual_templates, **texts}
    return hashlib.sha256(repr(sorted(shown.items())).encode()).hexdigest()


def run_decoding(settings: Settings, benchmark: Benchmark) -> Decoding:
    """The paper's decoding, with the room that a hard set needs, or the user's where given."""
    decoding = benchmark.task.decoding_on(settings.data)
    if settings.max_tokens is not None:
        decoding = replace(decoding, max_tokens=settings.max_tokens)
    if settings.temperature is not None:
        decoding = replace(decoding, temperature=settings.temperature)
    return decoding


def judge_decoding(decoding: Decoding, temperature: float | None) -> Decoding:
    """The judge's decoding with the user's temperature, where given."""
    return decoding if temperature is None else replace(decoding, temperature=temperature)


def command_line(config: RunConfig, benchmark: Benchmark) -> str:
    """The command that makes the same run again: every option that results depend on and that is no default."""
    words = ["toolyard", "run", config.benchmark, "-m", config.model]
    definite = {
        "style": (config.style, benchmark.task.styles[0]),
        "templates": (
            "DIR"
            if any(name in benchmark.task.templates for name in _given_texts(config, benchmark))
            else None,
            None,
        ),
        "max_tokens": (config.decoding.max_tokens, benchmark.task.decoding_on().max_tokens),
        "temperature": (config.decoding.temperature, benchmark.task.decoding_on().temperature),
        "judge_temperature": (config.judge_decoding.temperature, benchmark.judge_decoding.temperature),
    }
    for item in options_in(Settings):
        if not item.repeats or item.required:
            continue
        value, default = definite.get(item.name, (getattr(config, item.name), item.default))
        if value != default:
            words += (
                [item.flag]
                if value is True
                else [item.flag, (",".join(value) if item.commas else str(value))]
            )
    own = {choice.name: choice for choice in benchmark.task.choices}
    for name, value in config.options.items():
        if name not in own or value != own[name].default:
            words += [f"--{own[name].flag if name in own else name}", value]
    return shlex.join(words)


def _given_texts(config: RunConfig, benchmark: Benchmark) -> set[str]:
    """The texts that are neither the variation's nor the paper's own."""
    own = {**variation_templates(benchmark, config.variation), **way_template(benchmark, config.style)}
    return {name for name, text in config.texts.items() if own.get(name) != text}


def shown_name(config: Settings) -> str:
    """What people call the run's model: its label, or the MODEL argument without its settings."""
    return config.label or display_name(config.model)


def display_name(model: str) -> str:
    """What people call the model: the MODEL argument without its settings."""
    return ModelSpec.parse(model).display


def run_folder(config: RunConfig) -> Path:
    """Where the run lives: the name the user gave, or benchmark, model and digest."""
    if config.name:
        return config.runs / config.name
    model = re.sub(r"[^A-Za-z0-9.-]+", "-", shown_name(config)).strip("-")[:60]
    return config.runs / f"{config.benchmark}_{model}_{config.digest()[:8]}"


def refuse_mismatch(folder: Path, before: Record, config: RunConfig) -> None:
    """Stops where the directory's run was another: other settings, other data, another version.

    Keys that are not recorded on both sides cannot be compared.
    """
    now = orjson.loads(orjson.dumps(config.identity()))
    changed = sorted(key for key in before if key in now and before[key] != now[key])
    if "version" in changed and "benchmark" not in changed:
        replay = replace(config, model=f"scripted/replay:{folder / TRANSCRIPTS}")
        raise RunMismatch(
            f"{folder} was made with {config.benchmark} {before['version']}, installed is {config.version}: "
            "scores of different versions are not comparable; run again, or score its answers without asking a model: "
            f"{command_line(replay, load_benchmark(config.benchmark))}"
        )
    if changed == ["data_sha256"]:
        raise RunMismatch(
            f"{folder}: the data of this run ({config.data}) have changed since (data_sha256 differ); "
            "put the old ones back or start another run"
        )
    if changed:
        raise RunMismatch(
            f"{folder} was started with other settings ({', '.join(changed)} differ); "
            "finish it with the old ones or choose another --name"
        )


def path_sha256(path: Path) -> str:
    """The hash of a file, or of all files of a folder with their names; read piece by piece."""
    if path.is_file():
        return _file_digest(path).hex()
    digest = hashlib.sha256()
    found = list(islice(path.rglob("*"), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise DataError(f"{path} holds more than {MOST_FILES:,} files; give the folder of one data set")
    for file in sorted(found):
        if file.is_file():
            digest.update(os.fsencode(file.relative_to(path)) + b"\0")
            digest.update(_file_digest(file))
    return digest.hexdigest()


def _file_digest(path: Path) -> bytes:
    """The hash of a file; one that has rested since it was last read here is not read again."""
    known, stamp = _DIGESTS.get(path), file_stamp(path)
    if known is not None and known[0] == stamp:
        return known[1]
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").digest()
    if stamp is not None and time.time_ns() - stamp.changed_ns > CLOCK_STEP_NS:
        _DIGESTS[path] = stamp, digest
    return digest


def variation_templates(benchmark: Benchmark, variation: str) -> Mapping[str, str]:
    """The templates that a variation brings along."""
    found = benchmark.task.variations.get(variation)
    return {} if found is None else found.templates


def way_template(benchmark: Benchmark, style: str | None) -> dict[str, str]:
    """The text of a style that has one of its own: runs in other styles do not depend on it."""
    return benchmark.task.way_template(require_style(benchmark, style))


def require_options(benchmark: Benchmark, given: Mapping[str, str]) -> dict[str, str]:
    """The benchmark's own options with defaults filled in; an unknown one or a wrong value is refused."""
    common = [flag.removeprefix("--") for option in options_in(Settings) for flag in option.flags]
    return resolve_options(benchmark.name, benchmark.task.choices, given, common)


def require_style(benchmark: Benchmark, style: str | None) -> str:
    """The style asked for, or the benchmark's first."""
    if not style or style == DEFAULT:
        return benchmark.task.styles[0]
    if style == OFFICIAL:
        return official_style(benchmark)
    if style not in benchmark.task.styles:
        known = style_names(benchmark)
        raise UsageError(
            f"{benchmark.name} has no style {style!r}; {did_you_mean(style, known)}it has {', '.join(known)}"
        )
    return style


def style_names(benchmark: Benchmark) -> list[str]:
    """The words that --style takes, `official` among them where the paper's own text can be had."""
    return [*benchmark.task.styles, *([OFFICIAL] if benchmark.paper_prompts.verbatim else [])]


def official_style(benchmark: Benchmark) -> str:
    """The style that sends the paper's own text, which comes with the official data."""
    if not benchmark.paper_prompts.verbatim:
        raise UsageError(
            f"the official data of {benchmark.name} hold no prompts, so there is no --style official; put the "
            f"paper's texts into a folder and give it with --templates DIR ({_template_files(benchmark)})"
        )
    return benchmark.paper_prompts.verbatim[0]


def paper_options(benchmark: Benchmark) -> dict[str, str]:
    """The benchmark's own options as the published figures were made with."""
    return {choice.name: choice.paper for choice in benchmark.task.choices if choice.paper}


def user_templates(benchmark: Benchmark, folder: Path | None) -> dict[str, str]:
    """The texts of the user's template folder; a name that the benchmark does not use is refused."""
    if folder is None:
        return {}
    if not folder.is_dir():
        raise UsageError(f"--templates {folder} is not a folder; it should hold {_template_files(benchmark)}")
    texts = {
        path.stem: read_text(path, "wanted a template", LONGEST_TEMPLATE)
        for path in sorted(folder.glob("*.txt"))
    }
    unknown = sorted(set(texts) - {name.removeprefix(WAYS) for name in benchmark.task.templates})
    if unknown or not texts:
        found = ", ".join(f"{name}.txt" for name in unknown) or "no .txt file"
        raise UsageError(
            f"--templates {folder} holds {found}; {benchmark.name} uses {_template_files(benchmark)}"
        )
    return texts


def system_text(file: Path | None) -> dict[str, str]:
    """The user's own system prompt, among the texts that make a run what it is."""
    if file is None:
        return {}
    text = read_text(file, "wanted a file with a system prompt", LONGEST_TEMPLATE).strip()
    if not text:
        raise UsageError(f"--system {file} is empty; wanted a file with a system prompt")
    return {SYSTEM: text}


def _template_files(benchmark: Benchmark) -> str:
    return ", ".join(f"{name}.txt" for name in sorted(benchmark.task.usual_templates))
