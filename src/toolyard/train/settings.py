"""What a user can ask of `train`: each option stated once, on the command line or in a YAML file."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from toolyard.core.errors import UsageError, refuse_unknown
from toolyard.core.options import option, options_in
from toolyard.core.types import Record
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.lines import LARGEST_SETTINGS, read_json_object, whole_text

# The name of the model that comes with the package.
BUNDLED = "smollm2"
METHODS = ("lora", "full")
DTYPES = ("auto", "float32", "bfloat16")
ATTENTIONS = ("auto", "varlen", "grouped")
# Full tuning of a small model, and an adapter that wants ten times as much.
LEARNING_RATES = {"lora": 2e-3, "full": 3e-4}
# How a whole model may be kept as GGUF; `base` is as the base file is, as far as that can be written.
GGUF_KINDS = ("f16", "q8_0", "q4_1", "base")
CONFIGS = (".yaml", ".yml")


def _learning_rates() -> str:
    return ", ".join(f"{rate:g} {method}" for method, rate in LEARNING_RATES.items())


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """What a training is asked to be, word by word."""

    data: Path = option(
        ..., help="Rows (JSONL, also .xz or .gz), a folder of them, or a YAML file of settings."
    )
    base: str = option(
        "",
        "--base",
        help="smollm2 (the bundled one), a GGUF file, or a folder; it must be named.",
        identity=True,
    )
    out: Path = option(
        Path(),
        "--out",
        help="Where checkpoints, log and the result go; needed unless --dry-run.",
        shown="none",
    )
    method: str = option("lora", "--method", help="lora | full.", identity=True, choices=METHODS)
    adapter: Path | None = option(
        None, "--adapter", help="A peft folder to continue from, with its rank and alpha, on the same base."
    )
    rank: int = option(16, "--rank", help="Rank of the adapter.", identity=True, minimum=1)
    alpha: float = option(
        0.0, "--alpha", help="Weight of the adapter.", identity=True, shown="twice its rank"
    )
    dropout: float = option(0.0, "--dropout", help="Dropout in the adapter.", identity=True)
    lr: float = option(0.0, "--lr", help="Highest learning rate.", identity=True, shown=_learning_rates())
    warmup: float = option(
        0.05, "--warmup", help="Share of the steps with a rising rate; from 1 up: steps.", identity=True
    )
    weight_decay: float = option(0.0, "--weight-decay", help="Of AdamW.", identity=True)
    clip: float = option(1.0, "--clip", help="Largest norm of a gradient.", identity=True)
    batch_tokens: int = option(16384, "--batch-tokens", help="Tokens of a step.", identity=True, minimum=1)
    micro_tokens: int = option(
        0, "--micro-tokens", help="Tokens at a time.", identity=True, shown="32768 on a GPU, 4096 elsewhere"
    )
    epochs: float = option(1.0, "--epochs", help="How often the data are seen.", identity=True)
    max_steps: int = option(
        0, "--max-steps", help="Maximum number of steps.", identity=True, shown="no limit"
    )
    max_length: int = option(4096, "--max-length", help="Longer rows are left out.", identity=True)
    train: str = option(
        "last",
        "--train",
        help="Loss on the last | all assistant messages.",
        identity=True,
        choices=("last", "all"),
    )
    packing: str = option(
        "yes",
        "--packing",
        help="yes: rows side by side | no: padded.",
        identity=True,
        choices=("yes", "no"),
    )
    attention: str = option(
        "auto", "--attention", help="Of packed rows: auto | varlen (GPU) | grouped.", choices=ATTENTIONS
    )
    dtype: str = option("auto", "--dtype", help="auto | float32 | bfloat16.", identity=True, choices=DTYPES)
    compile: bool = option(False, "--compile", help="Compile the layers (GPU).")
    seed: int = option(0, "--seed", help="Seed of everything that is drawn.", identity=True, minimum=0)
    limit: int = option(0, "--limit", help="Only the first N rows.", identity=True, shown="all")
    eval: Path | None = option(None, "--eval", help="Rows for the evaluation loss.")
    eval_share: float = option(
        0.0, "--eval-share", help="Share of the rows kept for the evaluation loss.", identity=True
    )
    eval_every: int = option(0, "--eval-every", help="Steps between evaluations.", shown="ten in all")
    eval_benchmarks: tuple[str, ...] = option(
        (),
        "--eval-benchmarks",
        help="Benchmarks with their first items, e.g. mtu:50,nestools:20, asked at evaluations; the best step is "
        "then the one with the highest mean score.",
        identity=True,
        commas=True,
    )
    benchmarks_every: int = option(
        0, "--benchmarks-every", help="Steps between the benchmarks of evaluations.", shown="at the end"
    )
    save_every: int = option(0, "--save-every", help="Steps between checkpoints.", shown="as evaluations")
    merge: bool = option(False, "--merge", help="Also write base and adapter as one model, merged/.")
    gguf: tuple[str, ...] = option(
        (),
        "--gguf",
        help="Also the whole model as GGUF: f16, q8_0, q4_1, or base (as the base file is kept); several with "
        "commas. What rounding costs is measured on the rows held out.",
        commas=True,
    )
    dry_run: bool = option(False, "--dry-run", help="Count, time a few steps, estimate, and stop.")
    price_per_hour: float = option(
        0.0, "--price-per-hour", help="Price of this machine, for the estimate.", shown="none"
    )

    @property
    def learning_rate(self) -> float:
        """The highest learning rate."""
        return self.lr or LEARNING_RATES[self.method]

    @property
    def scale(self) -> float:
        """The adapter's alpha."""
        return self.alpha or 2.0 * self.rank

    def identity(self) -> Record:
        """Every setting that the weights depend on, besides data and base, which go by their content."""
        known = [item.name for item in options_in(type(self)) if item.identity and item.name != "base"]
        values = {name: getattr(self, name) for name in known}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def slices(self) -> list[tuple[str, int]]:
        """The benchmarks to be asked, each with how many items."""
        found = []
        for word in self.eval_benchmarks:
            name, _, count = word.partition(":")
            if not name or not count.isdecimal() or not int(count):
                raise UsageError(f"--eval-benchmarks {word!r}: wanted NAME:ITEMS, e.g. mtu:50")
            found.append((name, int(count)))
        return found


def complete_settings(settings: TrainSettings) -> TrainSettings:
    """The settings with those of a YAML file filled in where the command line says nothing; checked."""
    if settings.data.suffix in CONFIGS:
        settings = _apply_config(settings)
    refuse_unusable(settings)
    return settings if settings.adapter is None else _like_adapter(settings, settings.adapter)


def _like_adapter(settings: TrainSettings, folder: Path) -> TrainSettings:
    """The settings with rank and alpha of the adapter that the training goes on from."""
    if settings.method != "lora":
        raise UsageError(f"--adapter goes on with an adapter; --method {settings.method} trains none")
    found = read_json_object(folder / "adapter_config.json")
    if found is None or not (folder / "adapter_model.safetensors").is_file():
        raise UsageError(
            f"--adapter {folder}: wanted a folder with adapter_config.json and adapter_model.safetensors"
        )
    rank, alpha = found.get("r"), found.get("lora_alpha")
    if not isinstance(rank, int) or not isinstance(alpha, int | float):
        raise UsageError(f"--adapter {folder}: its adapter_config.json names no rank (r) and lora_alpha")
    plain = {item.name: item.default for item in options_in(TrainSettings)}
    for name, own in (("rank", rank), ("alpha", float(alpha))):
        if getattr(settings, name) not in (plain[name], own):
            raise UsageError(
                f"--{name} {getattr(settings, name):g}: the adapter to go on from has {own:g}; leave it out"
            )
    return replace(settings, rank=rank, alpha=float(alpha))


def _apply_config(settings: TrainSettings) -> TrainSettings:
    found = _read_config(settings.data)
    offered = {item.name: item for item in options_in(TrainSettings)}
    unknown = sorted(set(found) - set(offered))
    if unknown:
        raise UsageError(f"{settings.data}: no setting {unknown[0]!r}; there are {', '.join(offered)}")
    if "data" not in found:
        raise UsageError(f"{settings.data} names no data; add a line such as data: rows.jsonl.xz")
    given = {
        name for name, item in offered.items() if name != "data" and getattr(settings, name) != item.default
    }
    return replace(
        settings, **{name: _convert_setting(name, found[name]) for name in found if name not in given}
    )


def _read_config(path: Path) -> dict[str, object]:
    from toolyard.text.yaml_text import read_yaml

    text = whole_text(path, "wanted a YAML file of settings", most=LARGEST_SETTINGS)
    try:
        found = json_safe(read_yaml(text))
    except ValueError as error:
        raise UsageError(
            f"{path}: {' '.join(str(error).split())[:200]}; wanted a YAML file of settings"
        ) from None
    if not isinstance(found, dict):
        raise UsageError(f"{path} holds no settings; wanted lines such as base: smollm2")
    return {str(key).replace("-", "_"): value for key, value in found.items()}


def _convert_setting(name: str, value: Any) -> Any:
    """A value of a YAML file in the type of its setting; YAML reads 2e-3 as text."""
    kind = next(str(item.type) for item in fields(TrainSettings) if item.name == name)
    try:
        if kind.startswith("Path"):
            return Path(str(value))
        if kind == "bool":
            if not isinstance(value, bool):
                raise ValueError
            return value
        if kind.startswith("tuple"):
            return tuple(value.split(",")) if isinstance(value, str) else tuple(map(str, value))
        return {"int": int, "float": float, "str": str}[kind](value)
    except (TypeError, ValueError):
        raise UsageError(f"{name}: {value!r} is no {kind}") from None


def refuse_unusable(settings: TrainSettings) -> None:
    """Settings that cannot lead to a training are the user's mistake, told before anything is loaded."""
    if not settings.base:
        raise UsageError("no base model; name one with --base smollm2, --base FILE.gguf or --base FOLDER")
    if settings.out == Path() and not settings.dry_run:
        raise UsageError("nowhere to put the result; name a folder with --out DIR")
    _refuse_unknown_words(settings)
    _refuse_numbers(settings)
    settings.slices()
    if settings.eval is not None and settings.eval_share:
        raise UsageError("--eval FILE and --eval-share both say what to evaluate on; give one")
    if not settings.epochs and not settings.max_steps:
        raise UsageError("--epochs 0 leaves nothing to do; give a number above 0")


def _refuse_unknown_words(settings: TrainSettings) -> None:
    for item in options_in(TrainSettings):
        value = getattr(settings, item.name)
        if item.choices:
            refuse_unknown(item.flag, value, item.choices)
    is_gguf = settings.base.endswith(".gguf") or settings.base == BUNDLED
    for kind in settings.gguf:
        if kind not in GGUF_KINDS or not is_gguf:
            raise UsageError(f"--gguf {kind}: wanted {', '.join(GGUF_KINDS)}, and a base that is a GGUF file")


def _refuse_numbers(settings: TrainSettings) -> None:
    for item in options_in(TrainSettings):
        value = getattr(settings, item.name)
        if isinstance(value, float | int) and not (math.isfinite(value) and value >= 0):
            raise UsageError(f"{item.flag} {value}: wanted a number from 0 up")
    if not 0 <= settings.eval_share < 1 or not 0 <= settings.dropout < 1:
        raise UsageError("--eval-share and --dropout are shares from 0 to below 1")
