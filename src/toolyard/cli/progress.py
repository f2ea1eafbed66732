"""Progress of a run: its estimated cost, a live bar, the table, the path of the report."""

from __future__ import annotations

import shlex
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from toolyard.benchmarks import CASES
from toolyard.cli.missing_requirements import refuse_lacking
from toolyard.cli.output import print_json, print_tables
from toolyard.cli.output_cache import Showing, Shown, finished_run
from toolyard.cli.progress_bars import SECONDS_BETWEEN_LINES, live_bar
from toolyard.core.errors import RunBusy
from toolyard.core.options import options_in
from toolyard.core.processes.stopping import finish_or_cancel
from toolyard.models.environment_settings import read_prices
from toolyard.models.loading import model_price
from toolyard.run.cost.estimate import estimate_run, per_benchmark
from toolyard.run.cost.run_budget import planned_cost
from toolyard.run.grade.evidence import unreadable_reply
from toolyard.run.plan.fresh_sets import is_fresh
from toolyard.run.plan.run_config import shown_name
from toolyard.run.play.progress_counts import Tally
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.stats.summary import JUDGE
from toolyard.text.counted_nouns import how_many
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from toolyard.report.content import Report

UNSCORED_ABOVE_LIMIT, BELOW_LIMIT = 2, 3
MOST_NAMED = 5
SECONDS_BETWEEN_LOOKS = 1.0


def fresh_settings(settings: Settings, seed: int, *, beside: bool) -> list[Settings]:
    """The settings of runs on fresh sets of that seed; `beside` puts those on the settings' own data before each."""
    from toolyard.benchmarks import load_benchmark
    from toolyard.cli.synthesising import synth_progress
    from toolyard.run.plan.fresh_sets import make_fresh
    from toolyard.synth.command import WORLD, benchmark_pipelines

    wanted = list(per_benchmark(settings))
    if settings.benchmark == "all":
        wanted = [each for each in wanted if WORLD in benchmark_pipelines(each.benchmark)]
    chosen: list[Settings] = []
    for each in wanted:
        with synth_progress(f"fresh {each.benchmark}") as show:
            data = make_fresh(load_benchmark(each.benchmark), seed, show, limit=each.limit)
        chosen += [each] if beside else []
        chosen.append(replace(each, data=data))
    return chosen


def watch_runs(wanted: list[Settings], showing: Showing) -> int:
    """Executes the runs in order; returns the exit code of the command."""
    if len(wanted) == 1:
        shown = watch_one(wanted[0], showing)
        print_shown([shown], showing)
        return shown.code
    reports = play_runs(wanted, showing)
    every = [tables_to_show(report, showing) for report in reports]
    print_shown(every, showing)
    if not showing.json:
        for line in compare_commands([report.run for report in reports]):
            typer.echo(line)
    return max(shown.code for shown in every)


def compare_commands(runs: Sequence[Run]) -> list[str]:
    """The command that compares the runs of each benchmark that was run more than once."""
    folders: dict[str, list[str]] = {}
    for run in runs:
        folders.setdefault(run.benchmark.name, []).append(shlex.quote(str(run.folder)))
    return [f"compare them: toolyard compare {' '.join(some)}" for some in folders.values() if len(some) > 1]


def watch_one(settings: Settings, showing: Showing) -> Shown:
    """What is shown of one run; what was shown of it before where it is finished and nothing has changed."""
    before = finished_run(settings, showing)
    shown = None if before is None else before.cached_output()
    if shown is not None:
        say_on_stderr(shown.said)
        return shown
    (report,) = play_runs([settings], showing)
    shown = tables_to_show(report, showing)
    now = finished_run(settings, showing, report.run) if report.run.is_answered() else None
    if now is not None:
        now.keep(shown)
    return shown


def play_runs(wanted: list[Settings], showing: Showing, *, together: bool = False) -> list[Report]:
    """Finishes all runs, in order; `together` they keep one cost limit."""
    from toolyard.run.api import refuse_unready_models

    several = len({each.benchmark for each in wanted}) > 1
    if not several:
        refuse_lacking(wanted[0])
    runs = [Run.plan(each) for each in wanted]
    for run in runs:
        # Before anything is promised.
        refuse_unready_models(run)
    announce_cost(runs)

    def play(run: Run) -> Report:
        title = progress_title(run, runs)
        if together and run.settings.max_cost is not None:
            run = replace(run, spent_beside=sum(planned_cost(each) for each in runs if each is not run))
        return run_and_report(run, title, reports=showing.reports, do_without=several)

    return play_in_turn(runs, play)


def progress_title(run: Run, runs: Sequence[Run]) -> str:
    """The benchmark, and each setting of the run that not all runs of that benchmark have."""
    alike = [each.config for each in runs if each.benchmark.name == run.benchmark.name]
    differing = [
        item.name
        for item in options_in(Settings)
        if item.identity and len({str(getattr(config, item.name)) for config in alike}) > 1
    ]
    values = {name: getattr(run.config, name) or "none" for name in differing}
    if "model" in values:
        values["model"] = shown_name(run.config)
    return ", ".join([run.benchmark.about.title, *(f"{name} {value}" for name, value in values.items())])


def play_in_turn(runs: Sequence[Run], play: Callable[[Run], Report]) -> list[Report]:
    """The reports of all runs, in their order; of several, those that another process is writing are played last."""
    reports: dict[int, Report] = {}
    waiting, busy = deque(enumerate(runs)), 0
    while waiting:
        place, run = waiting.popleft()
        try:
            # Only what is free now is worth the preparations of a run.
            with run.store.locked() if busy else nullcontext():
                pass
            reports[place], busy = play(run), 0
        except RunBusy as error:
            if len(runs) == 1:
                raise
            waiting.append((place, run))
            busy += 1
            if busy == len(waiting):
                say_on_stderr(f"waits: {error}")
            if busy >= len(waiting):
                time.sleep(SECONDS_BETWEEN_LOOKS)
    return [reports[place] for place in range(len(runs))]


def tables_to_show(report: Report, showing: Showing) -> Shown:
    """The tables of one run, and where the rest is."""
    from toolyard.report.tables.contamination_tables import contamination_tables
    from toolyard.report.tables.run_tables import report_tables

    below = figures_below_limit(report, showing.fail_under)
    code = UNSCORED_ABOVE_LIMIT if report.summaries["paper"].withheld else BELOW_LIMIT if below else 0
    said = nothing_to_send(report.run)
    if showing.json:
        return Shown(said, (), (), report.to_json(), code)
    tables = report_tables(report, published=showing.published, full=showing.full)
    lines = ["to see official minus fresh, run the same with --data official --fresh"]
    if not is_fresh(report.run.config.data) or report.contamination is not None:
        lines = []
    lines += [*failed_cases(report), *below]
    where = f"report: {report.folder / 'report.html'}" if showing.reports else f"run: {report.folder}"
    lines.append(f"{where} (with charts: toolyard report {report.folder}; all metrics: add --full)")
    return Shown(said, (*tables, *contamination_tables(report)), tuple(lines), None, code)


def figures_below_limit(report: Report, limit: float | None) -> list[str]:
    """One line where the headline metric is below the limit of `--fail-under`."""
    name = report.setup.headline
    value = report.summaries["paper"].figures[name].value
    if limit is None or (value is not None and value >= limit):
        return []
    return [f"failed: {name.replace('_', ' ')} is below --fail-under {limit:g}"]


def failed_cases(report: Report) -> list[str]:
    """One line that counts and names the user's own cases that failed in any trial."""
    if report.benchmark.name != CASES:
        return []
    graded = report.graded["paper"]
    failed = list(dict.fromkeys(each.sample.id for each in graded if each.score.values.get("success") == 0.0))
    if not failed:
        return []
    more = f" and {len(failed) - MOST_NAMED} more" if len(failed) > MOST_NAMED else ""
    count = how_many(len({each.sample.id for each in graded}), "case")
    return [printable_line(f"{len(failed)} of {count} failed: {', '.join(failed[:MOST_NAMED])}{more}")]


def print_shown(every: Sequence[Shown], showing: Showing) -> None:
    """Prints what is shown of each run."""
    if showing.json:
        print_json([shown.json for shown in every] if len(every) > 1 else every[0].json)
        return
    for shown in every:
        print_tables(shown.tables)
        for line in shown.lines:
            typer.echo(line)


def nothing_to_send(run: Run) -> str:
    """The message for a run that is already finished."""
    return f"{run.benchmark.name}: {how_many(len(run.wanted), 'sample')}, all done, nothing to send -> {run.folder}"


def announce_cost(runs: list[Run]) -> None:
    """Requests, tokens and price, before anything is sent."""
    for run in runs:
        if run.benchmark.name == CASES:
            from toolyard.owntools.cases.case_scoring import case_warnings

            for line in case_warnings(run.setup, run.samples):
                say_on_stderr(line)
        for line in announcement_lines(run):
            say_on_stderr(line)


def announcement_lines(run: Run) -> list[str]:
    """Requests, tokens and price of one run; on stderr, so that --json stays JSON."""
    from toolyard.report.tables.formats import money_text

    if not run.settings.judge and run.is_answered():
        return [nothing_to_send(run)]
    estimate = estimate_run(run, model_price(run.settings.model))
    price = estimate.batch_cost if run.settings.batch else estimate.cost
    by_batch = " by batch" if run.settings.batch else ""
    about = "" if estimate.exact else "about "
    judged = f", {how_many(estimate.judge_requests, 'judge request')}" if estimate.judge_requests else ""
    parts = f" (judge {money_text(estimate.judge_cost)})" if estimate.judge_requests else ""
    minutes = run.settings.minutes
    in_time = "" if minutes is None else f"as many as start within {minutes:g} min of "
    if run.settings.prices is not None:
        parts += f" (prices of {read_prices(run.settings.prices).date})"
    summary = (
        f"{estimate.benchmark}: {in_time}{how_many(estimate.samples, 'sample')} ({estimate.kept} done), "
        f"{about}{how_many(estimate.requests, 'request')}{judged}, {estimate.prompt_tokens:,} tokens in, "
        f"{estimate.completion_tokens:,} out, price{by_batch} {money_text(price)}{parts} -> {run.folder}"
    )
    alike = "note: at temperature 0 the trials may all be alike; --temperature draws them apart"
    several = run.config.trials > 1 and run.config.decoding.temperature == 0
    return [summary, alike] if several else [summary]


def run_and_report(run: Run, title: str, *, reports: bool, do_without: bool = False) -> Report:
    """One run brought to its end, and its reports; where it may `do_without`, similarities wait for their embedder."""
    from toolyard.run.api import answer_and_score
    from toolyard.run.grade.baselines import prepare_baselines

    # Of which samples they are wanted is known at the end of the time only.
    wait_for_baselines = prepare_baselines(run) if run.settings.minutes is None else lambda: None
    with show_progress(title) as show:
        result = finish_or_cancel(answer_and_score(run, show=show, do_without=do_without))
    if any(reason.startswith(JUDGE) for reason in result.summaries["paper"].unscored_reasons):
        line = unreadable_reply(run.setup, run.samples, run.store, run.instruments())
        if line:
            say_on_stderr(line)
    wait_for_baselines()
    if not reports:
        from toolyard.report.content import make_report

        return make_report(result.run)
    from toolyard.report.report_files import write_report

    return write_report(result.run, charts=False)


@contextmanager
def show_progress(title: str) -> Iterator[Callable[[Tally], None]]:
    """A live bar on a terminal, a line now and then elsewhere."""
    with live_bar() as bar:
        if bar is None:
            yield PlainProgress(title)
            return
        task = bar.add_task(title, facts="")
        started = time.monotonic()

        def show(tally: Tally) -> None:
            facts = f"samples, {progress_facts(tally, time.monotonic() - started)}"
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
        if tally.seconds is not None:
            left = min(left, max(0.0, tally.seconds - elapsed))
        done = f"{tally.done}/{how_many(tally.total, 'sample')}"
        say_on_stderr(f"{self.title}: {done}, {left:.0f} s left, {progress_facts(tally, elapsed)}")


def progress_facts(tally: Tally, elapsed: float) -> str:
    """Rate, tokens, cost and failures so far."""
    rate = (tally.done - tally.kept) / elapsed if elapsed > 0 else 0.0
    tokens = tally.usage.prompt_tokens + tally.usage.completion_tokens
    parts = [f"{rate:.1f}/s", f"{tokens:,} tokens"]
    if tally.cost is not None:
        parts.append(f"${tally.cost:.4f}")
    if tally.failed:
        parts.append(f"{tally.failed} failed")
    if tally.seconds is not None:
        parts.append(f"{min(elapsed, tally.seconds):.0f} of {tally.seconds:.0f} s")
    if tally.note:
        parts.append(tally.note)
    return ", ".join(parts)


def say_on_stderr(line: str) -> None:
    """A line for people, on stderr."""
    typer.echo(printable_line(line), err=True)
