"""A run as it is watched: what it will cost, a live bar, the table, the path of the report."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from toolyard.cli.bars import SECONDS_BETWEEN_LINES, live_bar
from toolyard.cli.output import print_json, print_tables
from toolyard.models.loading import price_of
from toolyard.run.estimate import estimate_plan, load_for, wishes_of
from toolyard.run.plan import Plan, Wish, plan_run
from toolyard.run.tally import Tally
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from toolyard.report.content import Report

UNSCORED_ABOVE_LIMIT = 2


def watch(wish: Wish, *, published: bool, full: bool, json: bool) -> int:
    """Runs every benchmark that the wish names; the exit code of the command."""
    return watch_all(list(wishes_of(wish)), published=published, full=full, json=json)


def watch_fresh(wish: Wish, *, seed: int, beside: bool, published: bool, full: bool, json: bool) -> int:
    """Runs the fresh set of that seed; `beside` runs the wish's own data first, to be compared with it."""
    from toolyard.benchmarks import load_benchmark
    from toolyard.cli.synthesising import synth_progress
    from toolyard.run.fresh import make_fresh
    from toolyard.synth.command import WORLD, pipelines_of

    wishes = list(wishes_of(wish))
    if wish.benchmark == "all":
        wishes = [each for each in wishes if WORLD in pipelines_of(each.benchmark)]
    chosen: list[Wish] = []
    for each in wishes:
        with synth_progress(f"fresh {each.benchmark}") as show:
            data = make_fresh(load_benchmark(each.benchmark), seed, show)
        chosen += [each] if beside else []
        chosen.append(replace(each, data=data))
    return watch_all(chosen, published=published, full=full, json=json)


def watch_all(wishes: list[Wish], *, published: bool, full: bool, json: bool) -> int:
    """Runs the wishes one after the other; the exit code of the command."""
    from toolyard.report.tables.contamination_tables import contamination_tables
    from toolyard.report.tables.run_tables import report_tables
    from toolyard.run.fresh import is_fresh

    plans = [plan_run(each) for each in wishes]
    for plan in plans:
        # A wrong name, price or key is found here, before anything is promised.
        load_for(plan)
    announce(plans)
    reports = [run_and_report(plan) for plan in plans]
    for report in reports:
        if not json:
            print_tables(report_tables(report, published=published, full=full))
            print_tables(contamination_tables(report))
            if is_fresh(report.plan.config.data) and report.contamination is None:
                typer.echo("to see official minus fresh, run the same with --data official --fresh")
            typer.echo(
                f"report: {report.folder / 'report.html'} (all figures: toolyard report {report.folder} --full)"
            )
    if json:
        content = [report.to_json() for report in reports]
        print_json(content if len(content) > 1 else content[0])
    withheld = any(report.summaries["paper"].withheld for report in reports)
    return UNSCORED_ABOVE_LIMIT if withheld else 0


def announce(plans: list[Plan]) -> None:
    """Requests, tokens and price, before anything is sent; on stderr, so that --json stays JSON."""
    from toolyard.report.tables.estimate_tables import money

    for plan in plans:
        estimate = estimate_plan(plan, price_of(plan.wish.model))
        about = "" if estimate.exact else "about "
        judged = f", {estimate.judge_requests} judge requests" if estimate.judge_requests else ""
        parts = f" (judge {money(estimate.judge_cost)})" if estimate.judge_requests else ""
        say(
            f"{estimate.benchmark}: {estimate.samples} samples ({estimate.kept} done), "
            f"{about}{estimate.requests} requests{judged}, {estimate.prompt_tokens:,} tokens in, "
            f"{estimate.completion_tokens:,} out, price {money(estimate.cost)}{parts} -> {plan.folder}"
        )
        if plan.config.trials > 1 and plan.benchmark.task.decoding.temperature == 0:
            say("note: at temperature 0 the trials may all be alike; --temperature draws them apart")


def run_and_report(plan: Plan) -> Report:
    """Runs one plan to its end and writes its reports."""
    from toolyard.report.build import write_report
    from toolyard.run.api import execute

    with progress(plan.benchmark.about.title) as show:
        asyncio.run(execute(plan, show=show))
    return write_report(plan.folder)


@contextmanager
def progress(title: str) -> Iterator[Callable[[Tally], None]]:
    """A live bar on a terminal, a line now and then elsewhere."""
    with live_bar() as bar:
        if bar is None:
            yield PlainProgress(title)
            return
        task = bar.add_task(title, facts="")
        started = time.monotonic()

        def show(tally: Tally) -> None:
            facts = facts_of(tally, time.monotonic() - started)
            bar.update(task, total=tally.total, completed=tally.done, facts=facts)

        yield show


class PlainProgress:
    """One line every few seconds, for logs."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.started = self.last = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        if tally.done < tally.total and now - self.last < SECONDS_BETWEEN_LINES:
            return
        self.last = now
        elapsed = now - self.started
        fresh = tally.done - tally.kept
        left = elapsed / fresh * (tally.total - tally.done) if fresh > 0 else 0.0
        say(f"{self.title}: {tally.done}/{tally.total}, {left:.0f} s left, {facts_of(tally, elapsed)}")


def facts_of(tally: Tally, elapsed: float) -> str:
    """Rate, tokens, cost and failures so far."""
    rate = (tally.done - tally.kept) / elapsed if elapsed > 0 else 0.0
    tokens = tally.usage.prompt_tokens + tally.usage.completion_tokens
    parts = [f"{rate:.1f}/s", f"{tokens:,} tokens"]
    if tally.cost is not None:
        parts.append(f"${tally.cost:.4f}")
    if tally.failed:
        parts.append(f"{tally.failed} failed")
    return ", ".join(parts)


def say(line: str) -> None:
    """A line for people, on stderr."""
    typer.echo(printable_line(line), err=True)
