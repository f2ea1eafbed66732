"""run and estimate: the verbs that need a model, and what they would cost."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import typer

from toolyard.cli.output import benchmark_options, print_json, print_tables, wants_paper
from toolyard.models.base import TIMEOUT

MODEL = typer.Option(
    ...,
    "-m",
    "--model",
    help="local | scripted/NAME | openai/NAME[?base_url=URL&key_env=VAR&price=IN,OUT] | inspect/PROVIDER/NAME",
)
BENCHMARK = typer.Argument(help="Name of a benchmark, or all.")
DATA = typer.Option("starter", "--data", help="starter, official (see: toolyard fetch), or a path.")
STYLE = typer.Option(None, "--style", help="Prompt style; see: toolyard list.")
TEMPLATES = typer.Option(None, "--templates", help="Folder with your own prompt templates.")
LIMIT = typer.Option(
    None,
    "--limit",
    help="This many items (tasks or dialogues, each with all its questions), of every kind in turn.",
)
IDS = typer.Option("", "--ids", help="Only these samples, separated by commas.")
TRIALS = typer.Option(1, "--trials", help="Answers per sample.")
SEED = typer.Option(0, "--seed", help="Seed of everything that is drawn.")
MAX_TOKENS = typer.Option(None, "--max-tokens", help="Token limit of an answer; default: the paper's.")
TEMPERATURE = typer.Option(None, "--temperature", help="Default: the paper's.")
EMBEDDER = typer.Option(
    "minilm", "--embedder", help="minilm | sentence-transformers/NAME | openai/NAME?base_url=URL"
)
JUDGE = typer.Option("", "--judge", help="Model that answers judged questions; without it they are left out.")

JUDGE_TRIALS = typer.Option(
    1,
    "--judge-trials",
    help="Askings of every judged question; scores are the first's, all give the spread.",
)
JUDGE_TEMPERATURE = typer.Option(
    None, "--judge-temperature", help="Default: the benchmark's; at 0 judge trials may all be alike."
)


def run(
    context: typer.Context,
    benchmark: str = BENCHMARK,
    model: str = MODEL,
    data: str = DATA,
    style: str | None = STYLE,
    templates: Path | None = TEMPLATES,
    limit: int | None = LIMIT,
    ids: str = IDS,
    trials: int = TRIALS,
    seed: int = SEED,
    max_tokens: int | None = MAX_TOKENS,
    temperature: float | None = TEMPERATURE,
    judge: str = JUDGE,
    judge_trials: int = JUDGE_TRIALS,
    judge_temperature: float | None = JUDGE_TEMPERATURE,
    embedder: str = EMBEDDER,
    rewriter: str = typer.Option(
        "", "--rewriter", help="Model that rewrites queries where a variant asks for it; default: by rule."
    ),
    concurrency: int = typer.Option(16, "--concurrency", help="Requests in flight."),
    max_cost: float | None = typer.Option(
        None, "--max-cost", help="Stop before model and judge together cost more."
    ),
    timeout: float = typer.Option(TIMEOUT, "--timeout", help="Seconds for one request."),
    cache: Path | None = typer.Option(None, "--cache", help="Folder that keeps completions across runs."),
    runs: Path = typer.Option(Path("runs"), "--runs", help="Where run directories go."),
    name: str | None = typer.Option(None, "--name", help="Name of the run directory; joins it if it exists."),
    compare: str | None = typer.Option(
        None, "--compare", help="paper: show the published rows beside the run."
    ),
    fresh: bool = typer.Option(
        False, "--fresh", help="Run a set made from the world; with --data also that, and the difference."
    ),
    fresh_seed: int | None = typer.Option(
        None, "--fresh-seed", min=0, help="Seed of the fresh set; default: one per month, e.g. 202611."
    ),
    full: bool = typer.Option(
        False, "--full", help="Print every figure, every breakdown and all error counts."
    ),
    json: bool = typer.Option(False, "--json", help="Print the figures as JSON."),
) -> None:
    """Run a benchmark on a model, or go on with a run that was stopped: the same command again.

    Options of the benchmark itself, e.g. --history own for mtu, are given in the same way.

    Examples: toolyard run nestools -m local --limit 3;
    toolyard run all -m "openai/my-model?base_url=http://localhost:8000/v1"
    """
    from toolyard.cli.progress import watch, watch_fresh
    from toolyard.run.plan import Wish

    wish = Wish(
        benchmark=benchmark, model=model, data=data, style=style, options=benchmark_options(context),
        templates=templates, limit=limit, ids=split_ids(ids), trials=trials, seed=seed, max_tokens=max_tokens,
        temperature=temperature, judge=judge, judge_trials=judge_trials,
        judge_temperature=judge_temperature, embedder=embedder, rewriter=rewriter, name=name, runs=runs,
        concurrency=concurrency, max_cost=max_cost, timeout=timeout, cache=cache,
    )  # fmt: skip
    if not fresh and fresh_seed is None:
        raise typer.Exit(watch(wish, published=wants_paper(compare), full=full, json=json))
    source = context.get_parameter_source("data")
    beside = source is not None and source.name == "COMMANDLINE"
    number = int(f"{date.today():%Y%m}") if fresh_seed is None else fresh_seed
    published = wants_paper(compare)
    raise typer.Exit(watch_fresh(wish, seed=number, beside=beside, published=published, full=full, json=json))


def estimate(
    context: typer.Context,
    benchmark: str = BENCHMARK,
    model: str = MODEL,
    data: str = DATA,
    style: str | None = STYLE,
    templates: Path | None = TEMPLATES,
    limit: int | None = LIMIT,
    ids: str = IDS,
    trials: int = TRIALS,
    max_tokens: int | None = MAX_TOKENS,
    judge: str = JUDGE,
    judge_trials: int = JUDGE_TRIALS,
    json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Requests, tokens and price of a run, counted by the same planner; sends nothing.

    Example: toolyard estimate nestools -m "openai/gpt-4o-mini?price=0.15,0.60" --data official
    """
    from toolyard.report.tables.estimate_tables import estimate_table
    from toolyard.run.estimate import estimate_wishes
    from toolyard.run.plan import Wish

    wish = Wish(
        benchmark=benchmark, model=model, data=data, style=style, options=benchmark_options(context),
        templates=templates, limit=limit, ids=split_ids(ids), trials=trials, max_tokens=max_tokens, judge=judge,
        judge_trials=judge_trials,
    )  # fmt: skip
    estimates = estimate_wishes(wish)
    if json:
        print_json([item.to_json() for item in estimates])
    else:
        print_tables([estimate_table(estimates)])


def split_ids(ids: str) -> tuple[str, ...]:
    """The ids of a comma-separated list."""
    return tuple(part.strip() for part in ids.split(",") if part.strip())
