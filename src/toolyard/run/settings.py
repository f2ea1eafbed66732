"""What a user can ask of `run`, `estimate` and `score`: each option stated once, with all that follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from toolyard.benchmarks import benchmark_and_data
from toolyard.core.errors import UsageError, refuse_unknown
from toolyard.core.options import option, options_in
from toolyard.core.types import PROFILES
from toolyard.models.settings import EMBEDDERS, Requests, refuse_keys_in_options, refuse_unknown_embedder

MODEL_FORMS = (
    "local | local-tuned | gguf/PATH | hf/NAME | vllm/NAME | sglang/NAME | scripted/NAME | inspect/PROVIDER/NAME | "
    "openai/NAME or responses/NAME[?base_url=URL&key_env=VAR&price=IN,OUT] | python:MODULE:FUNCTION | "
    "inspect-agent:MODULE:FUNCTION | agent:COMMAND"
)
DATA_FORMS = "starter, hard, official (see: toolyard fetch), or a path."
JUDGE = "Model that answers judged questions; without it they are left out."
JUDGE_TEMPERATURE = "Default: the benchmark's; at 0 judge trials may all be alike."
ENGINES = ("local", "ray")
# What the files of a run can hold as a number.
LARGEST_NUMBER = 2**63 - 1
MOST_TRIALS = 10_000
# Bytes of a folder's name, with room for the endings of files beside it.
PIECE_ENGINE = "Where pieces are worked on: local, or ray (Ray Data, on a folder all nodes share)."
RAY_ADDRESS = "Ray cluster to use; default: RAY_ADDRESS, or one started here."
# One episode in so many has its prompt ready while the others hold the places at the endpoint.
EPISODES_PER_READY_ONE = 8
LONGEST_NAME = 200
STYLES = "Prompt style; toolyard list names each benchmark's, the first is the default; official: the paper's own text."
PROFILE = "paper (as printed) or official (as released)."
PUBLISHED = "paper: show the published rows beside the run."


@dataclass(frozen=True, slots=True)
class Settings(Requests):
    """What a run is asked to be, word by word."""

    benchmark: str = option(
        ...,
        help="A benchmark or a case file (cases.yaml); run and estimate take several (nestools,mtu), or all.",
        identity=True,
    )
    model: str = option(
        ..., "-m", "--model", help=f"{MODEL_FORMS}; NAME=MODEL gives it a label.", identity=True, several=True
    )
    label: str = option("", "--label", help="What tables and the run directory call the model.", repeats=True)
    data: str = option("starter", "--data", help=DATA_FORMS, repeats=True)
    style: str | None = option(None, "--style", help=STYLES, identity=True)
    variation: str = option(
        "",
        "--variation",
        help="Only this change of wording, order, names or offer of the same samples, without the base; "
        "run --sensitivity runs the base and several.",
        identity=True,
    )
    catalogue: str = option(
        "",
        "--catalogue",
        help="So many tools for every sample, the needed ones among them: 64, or 64:far for tools of other subjects.",
        identity=True,
    )
    perturb: str = option(
        "",
        "--perturb",
        help="Results of calls as real tools return them, NAME=LEVEL: noise, paging, faults or drift, from 0 (none) to 3.",
        identity=True,
    )
    # the benchmark's own options, which it states itself
    options: Mapping[str, str] = field(default_factory=dict)
    templates: Path | None = option(
        None, "--templates", help="Folder with your own prompt templates.", repeats=True
    )
    system: Path | None = option(
        None, "--system", help="File with a system prompt that goes before the benchmark's own.", repeats=True
    )
    limit: int | None = option(
        None,
        "--limit",
        help="This many items (tasks or dialogues, each with all its questions), of every kind in turn.",
        identity=True,
    )
    shortest: bool = option(
        False,
        "--shortest",
        help="With --limit: the items of every kind with the shortest prompts, not the first ones.",
        identity=True,
    )
    budget: int | None = option(
        None,
        "--budget",
        help="This many items, drawn from every kind and weighted, so that metrics estimate all of the data.",
        identity=True,
    )
    pilot: Path | None = option(
        None, "--pilot", help="An earlier run: --budget then takes more of the kinds that vary more."
    )
    minutes: float | None = option(
        None,
        "--minutes",
        help="Start no item after this many minutes: items come in a random order that the seed fixes, and the same "
        "command again goes on with it.",
        repeats=True,
    )
    ids: tuple[str, ...] = option(
        (), "--ids", help="Only these samples, separated by commas.", identity=True, commas=True
    )
    trials: int = option(1, "--trials", help="Answers per sample.", identity=True)
    seed: int = option(0, "--seed", help="Seed of everything that is drawn.", identity=True)
    world_seed: int = option(
        0,
        "--world-seed",
        help="ToolEyes: seed of the world that tools are called in; rows of other benchmarks keep their own.",
        identity=True,
    )
    max_tokens: int | None = option(
        None, "--max-tokens", help="Token limit of an answer; default: the paper's.", repeats=True, minimum=1
    )
    temperature: float | None = option(
        None, "--temperature", help="Default: the paper's.", repeats=True, minimum=0
    )
    judge: str = option("", "--judge", help=JUDGE, repeats=True)
    judge_trials: int = option(
        1,
        "--judge-trials",
        help="How often each judged question is asked; the first reply scores, all give the spread.",
        repeats=True,
    )
    judge_temperature: float | None = option(
        None, "--judge-temperature", help=JUDGE_TEMPERATURE, repeats=True
    )
    embedder: str = option("minilm", "--embedder", help=EMBEDDERS, identity=True)
    rewriter: str = option(
        "",
        "--rewriter",
        help="Model that rewrites queries where --robustness asks for it; default: by rule.",
        identity=True,
    )
    batch: bool = option(
        False,
        "--batch",
        help="Send requests as the provider's batch files, at half the price; resumes open batches.",
    )
    engine: str = option(
        "local",
        "--engine",
        help="Where episodes are played: local, or ray (a cluster, needs the extra).",
        choices=ENGINES,
    )
    ray_address: str = option("", "--ray-address", help=RAY_ADDRESS)
    workers: int | None = option(
        None, "--workers", help="With --engine ray: number of workers; default: one per core, or per --gpus."
    )
    gpus: float = option(0.0, "--gpus", help="With --engine ray: GPUs that each worker takes.", minimum=0)
    runs: Path = option(Path("runs"), "--runs", help="Where run directories go.")
    name: str | None = option(None, "--name", help="Name of the run directory; joins it if it exists.")

    def __post_init__(self) -> None:
        benchmark, data = benchmark_and_data(self.benchmark, self.data)
        object.__setattr__(self, "benchmark", benchmark)
        object.__setattr__(self, "data", data)
        label, model = split_label(self.model)
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "label", self.label or label)

    @property
    def episodes_at_once(self) -> int:
        """As many as requests, which the model holds to `--concurrency`, and a few whose prompts wait for a place.

        So a place at the endpoint is taken again while an answer is still being read and stored. Under a limit of
        costs none waits: every episode sets money aside.
        """
        ready = 0 if self.max_cost is not None else self.concurrency // EPISODES_PER_READY_ONE
        return self.concurrency + ready


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """What is to be scored: saved predictions, or a run again."""

    what: str = option(..., help="Name of a benchmark (with --predictions), or a run directory.")
    data: str | None = option(
        None, "--data", help="With --predictions: starter (the default), hard, official, or a path."
    )
    predictions: Path | None = option(None, "--predictions", help="Answers in the official results form.")
    evidence: Path | None = option(None, "--evidence", help="Judge replies that you already have.")
    profile: str = option("paper", "--profile", help=PROFILE, choices=PROFILES)
    judge: str = option("", "--judge", help="Model that answers judged questions; repeats only the judging.")
    judge_trials: int | None = option(
        None, "--judge-trials", help="How often each judged question is asked; the first reply scores."
    )
    judge_temperature: float | None = option(None, "--judge-temperature", help=JUDGE_TEMPERATURE)
    embedder: str = option("", "--embedder", help="Embedder for similarity questions.")
    report: bool = option(
        False, "--report", help="With --predictions: also write a run directory with its reports."
    )
    runs: Path = option(Path("runs"), "--runs", help="With --report: where run directories go.")
    name: str | None = option(None, "--name", help="With --report: what to call the answers' model.")
    workers: int = option(
        0,
        "--workers",
        help="With --predictions: number of processes, piece by piece in flat memory; for very large files.",
    )
    printed_only: bool = option(
        False,
        "--printed-only",
        help="With --predictions: only the paper's own metrics, without outcome and error labels; several times faster.",
    )
    engine: str = option("local", "--engine", help=PIECE_ENGINE, choices=ENGINES)
    ray_address: str = option("", "--ray-address", help=RAY_ADDRESS)
    options: Mapping[str, str] = field(default_factory=dict)


def split_label(model: str) -> tuple[str, str]:
    """The label and the model of `NAME=MODEL`; settings of a model have their own = behind the first / or ?."""
    name, equals, rest = model.partition("=")
    if not equals or set(name) & set("/?:") or not rest:
        return "", model
    return name.strip(), rest


def refuse_unusable(settings: Settings) -> None:
    """Settings that cannot lead to a run are the user's mistake, told before anything is loaded."""
    refuse_endless_numbers(settings)
    refuse_unknown_embedder(settings.embedder)
    refuse_keys_in_options(settings.options)
    if settings.trials < 1:
        raise UsageError(f"--trials {settings.trials} leaves nothing to do; give a number from 1 up")
    if settings.trials > MOST_TRIALS:
        raise UsageError(
            f"--trials {settings.trials} are more than a run takes; give at most {MOST_TRIALS:,}"
        )
    if settings.concurrency < 1:
        raise UsageError(f"--concurrency {settings.concurrency} sends nothing; give a number from 1 up")
    refuse_idle_trials(settings.judge_trials, settings.judge)
    refuse_unknown_engine(settings)
    refuse_unusable_budget(settings)
    refuse_unusable_minutes(settings)
    for flag, seed in (("--seed", settings.seed), ("--world-seed", settings.world_seed)):
        if seed < 0:
            raise UsageError(f"{flag} {seed} is below 0; give a whole number from 0 up")
    if settings.name is not None:
        refuse_odd_name(settings.name)
    if settings.label:
        refuse_odd_name(settings.label, "--label")


def refuse_odd_name(name: str, flag: str = "--name") -> None:
    """A name that is a path, says something to a terminal, or does not fit a folder is the user's mistake."""
    if name.strip() in ("", ".", "..") or set(name) & set("/\\\0"):
        raise UsageError(f"{flag} {name!r} is not the name of one folder; --runs DIR says where it goes")
    if not name.isprintable():
        raise UsageError(f"{flag} {name!r} holds characters that cannot be printed; leave them out")
    if len(name.encode("utf-8", "replace")) > LONGEST_NAME:
        raise UsageError(f"{flag} has {len(name)} characters; a folder takes {LONGEST_NAME} bytes")


def refuse_endless_numbers(settings: Settings) -> None:
    """Numbers that no file of a run can hold are the user's mistake."""
    for item in options_in(type(settings)):
        value = getattr(settings, item.name)
        if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise UsageError(
                f"{item.flags[-1]} has {len(str(abs(value)))} digits; give at most {LARGEST_NUMBER:,}"
            )
        if isinstance(value, float) and not isfinite(value):
            raise UsageError(f"{item.flags[-1]} {value} is not a finite number; give one, e.g. 0.5")


def refuse_unknown_engine(settings: Settings) -> None:
    """Another engine, and options of a cluster without one, are the user's mistake."""
    refuse_unknown("--engine", settings.engine, ENGINES)
    if settings.workers is not None and settings.workers < 1:
        raise UsageError(f"--workers {settings.workers} leaves nobody to work; give a number from 1 up")
    given = {"--ray-address": settings.ray_address, "--workers": settings.workers, "--gpus": settings.gpus}
    flags = [flag for flag, value in given.items() if value]
    if flags and settings.engine != "ray":
        raise UsageError(f"{', '.join(flags)} is for a cluster; add --engine ray")


def refuse_unusable_budget(settings: Settings) -> None:
    """A choice of samples beside another, or half of one, is the user's mistake."""
    if settings.shortest and settings.limit is None:
        raise UsageError("--shortest says which items a --limit takes; give --limit N, too")
    if settings.pilot is not None and settings.budget is None:
        raise UsageError(f"--pilot {settings.pilot} says how to spend a --budget; give --budget N, too")
    if settings.budget is None:
        return
    if settings.budget < 2:
        raise UsageError(f"--budget {settings.budget} has no interval; give a number from 2 up")
    if settings.limit is not None or settings.ids:
        raise UsageError("--budget chooses the samples itself; leave out --limit and --ids")


def refuse_unusable_minutes(settings: Settings) -> None:
    """No time, another choice of samples, or answers that come all together are the user's mistake."""
    if settings.minutes is None:
        return
    if settings.minutes <= 0:
        raise UsageError(f"--minutes {settings.minutes:g} leaves no time; give a number above 0")
    given = {"--limit": settings.limit, "--budget": settings.budget, "--ids": settings.ids}
    if flags := [flag for flag, value in given.items() if value]:
        raise UsageError(f"--minutes chooses the samples itself; leave out {', '.join(flags)}")
    if settings.batch or settings.engine != "local":
        other = "--batch" if settings.batch else f"--engine {settings.engine}"
        raise UsageError(
            f"--minutes starts one item after the other, {other} all at once; leave out one of them"
        )


def refuse_idle_trials(trials: int, judge: str) -> None:
    """Judge trials without a judge, or less than one, are the user's mistake."""
    if trials < 1:
        raise UsageError(f"--judge-trials {trials} leaves nothing to do; give a number from 1 up")
    if trials > 1 and not judge:
        raise UsageError(f"--judge-trials {trials} asks a judge; name one with --judge MODEL")
