"""What `make run` shows: real models scored in seconds, the bundled model live, one table, one page.

    python recipes/first_look.py [--runs DIR] [--model MODEL] [--minutes M] [--stored FILE] [--jobs N]

1. Stored answers of real models to the whole starter sets (records/answers/first_look.toml) are scored now.
2. The bundled model answers MTU-Bench for a minute, as `toolyard run mtu -m local-tuned --minutes 1` does, and is compared
   with the stored models on the same items; of the other benchmarks it answers one short sample, which is only shown.
3. Everything is compared in one page, and printed in ten lines.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from results_runs import score_pack

from toolyard.benchmarks import load_benchmark
from toolyard.cli.output import print_tables, write_page
from toolyard.cli.progress import say_on_stderr, show_progress
from toolyard.core.errors import DataError
from toolyard.core.processes.stopping import finish_or_cancel
from toolyard.core.table import Table
from toolyard.core.types import Transcript
from toolyard.report.compare.compared_runs import ComparedRun, keep_shared_samples, load_compared
from toolyard.report.compare.comparison import Comparison, compare, compare_runs
from toolyard.report.compare.model_facts import ModelFacts, read_model_facts
from toolyard.report.page.comparison_page import ShownTranscript, render_comparison
from toolyard.report.tables.formats import with_interval
from toolyard.report.tables.overview_tables import COLUMNS, overview_row
from toolyard.run.api import answer_and_score
from toolyard.run.grade.baselines import run_baselines
from toolyard.run.plan.minutes import Reached, reached_in
from toolyard.run.plan.selection import prompt_length
from toolyard.run.play.execute import RunResult
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.run.store.packs import read_pack

HERE = Path(__file__).resolve().parent
ANSWERS = HERE.parent / "records" / "answers"
LIVE = "mtu"
# Style and tokens of an answer: short ones, as they are only shown.
SAMPLES = {"nestools": ("default", 48), "toolbehonest": ("zero-shot", 48), "tooleyes": ("zero-shot", 56)}
# Of a message on the page.
MOST_CHARACTERS = 1200
NOTICE = (
    "The answers of {models} are stored and cover the starter sets; they were scored just now. "
    "{live} answered live on this machine, {asked}; that section scores all models on the same items."
)


@dataclass(frozen=True, slots=True)
class StoredSet:
    """The stored answers to one benchmark's starter set, and how many samples have changed since.

    `out_of_date` says why the answers stand for nothing any more; empty where they hold.
    """

    benchmark: str
    packs: tuple[Path, ...]
    changed: int = 0
    out_of_date: str = ""


def stored_sets(path: Path) -> tuple[StoredSet, ...]:
    """The answers that a list names; its files lie in the folder `results` beside it."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["benchmark"]
    folder = path.parent / "results"
    found = []
    for row in rows:
        packs = tuple(folder / name for name in row["packs"])
        reasons = {read_pack(path).out_of_date for path in packs}
        found.append(StoredSet(row["name"], packs, row.get("changed", 0), max(reasons)))
    return tuple(found)


def score_stored(sets: Sequence[StoredSet], work: Path, workers: Executor) -> list[Path]:
    """The run directories of all stored answers, scored by the scorer that is installed; one worker for each set."""
    say_on_stderr(
        f"step 1 of 3: scoring the stored answers of {len(sets[0].packs)} models to {len(sets)} benchmarks"
    )
    # The largest ones first, so that the workers end together.
    order = sorted(sets, key=lambda each: -sum(path.stat().st_size for path in each.packs))
    found: dict[str, list[Path]] = {}
    for number, (each, folders) in enumerate(
        zip(order, workers.map(partial(score_set, work=work), order), strict=True), 1
    ):
        found[each.benchmark] = folders
        say_on_stderr(f"  {number} of {len(sets)} benchmarks")
    return [folder for each in sets for folder in found[each.benchmark]]


def score_set(stored: StoredSet, work: Path) -> list[Path]:
    """The run directories of one benchmark's stored answers; the first one gets the trivial baselines, too."""
    folders = []
    for path in stored.packs:
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        then = with_baselines if path == stored.packs[0] else None
        scored = score_pack(path, sha256, work, work, quiet=True, then=then)
        if isinstance(scored, str):
            raise DataError(scored)
        folders.append(scored.folder)
    return folders


def with_baselines(result: RunResult) -> None:
    """Puts the trivial baselines on a run's samples into its directory."""
    run_baselines(result.run, result.instruments)


def answer_live(model: str, minutes: float, runs: Path) -> Run:
    """The run of the model on as many items as it starts in time."""
    say_on_stderr(f"step 2 of 3: {model} answers live: toolyard run {LIVE} -m {model} --minutes {minutes:g}")
    # one request at a time: all cores work on it, and what prompts share is read once
    settings = Settings(LIVE, model, minutes=minutes, concurrency=1, runs=runs, name=f"{LIVE}-live")
    with show_progress("MTU-Bench, live") as show:
        return finish_or_cancel(answer_and_score(Run.plan(settings), show=show)).run


def answer_samples(model: str, runs: Path) -> list[ShownTranscript]:
    """The shortest sample of each other benchmark with the model's answer."""
    found = []
    say_on_stderr(
        f"  and one short sample of each other benchmark, which the page shows: {', '.join(SAMPLES)}"
    )
    for name, (style, tokens) in SAMPLES.items():
        settings = Settings(
            name,
            model,
            style=style,
            max_tokens=tokens,
            embedder="none",
            concurrency=1,
            runs=runs,
            name=f"{name}-live",
        )
        settings = replace(settings, ids=(shortest_sample(Run.plan(settings)),))
        run = finish_or_cancel(answer_and_score(Run.plan(settings))).run
        found.append(shown_transcript(run, run.transcripts()[0]))
    return found


def shortest_sample(run: Run) -> str:
    """The sample with the shortest prompt, of those in which the user asks once."""
    once = [sample for sample in run.samples if not sample.input.get("change")]
    return min(once, key=prompt_length(run.benchmark, run.options)).id


def shown_transcript(run: Run, transcript: Transcript) -> ShownTranscript:
    """Request, replies and tool results of one sample, without what is said before the request."""
    sample = next(each for each in run.samples if each.id == transcript.sample)
    request = str(sample.input.get("query") or sample.input.get("task") or "")
    first = next(
        (place for place, message in enumerate(transcript.messages) if message.role == "assistant"), 0
    )
    said = [
        ("model" if message.role == "assistant" else "tool or user", message.content)
        for message in transcript.messages[first:]
    ]
    turns = (("request", request), *said)
    cut = tuple((who, text[:MOST_CHARACTERS] + "…" * (len(text) > MOST_CHARACTERS)) for who, text in turns)
    return ShownTranscript(run.benchmark.about.title, transcript.sample, cut)


def live_facts(model: str, known: Mapping[str, ModelFacts]) -> dict[str, ModelFacts]:
    """The known names, with one for the model that answers here."""
    name = "SmolLM2-135M, tuned" if model == "local-tuned" else model
    return {f"{model}*": ModelFacts("tool-oriented", 0.135, f"{name} (live)"), **known}


def titled(comparison: Comparison, title: str) -> Comparison:
    """The comparison under another title."""
    about = replace(comparison.benchmark.about, title=title)
    return replace(
        comparison, setup=replace(comparison.setup, benchmark=replace(comparison.benchmark, about=about))
    )


def compare_all(
    stored: Sequence[Path], live: Run, known: Mapping[str, ModelFacts]
) -> tuple[dict[str, Comparison], ComparedRun]:
    """The stored runs of each benchmark, then the live one beside the stored on its items; and the live one."""
    found = compare_runs(stored, known=known)
    runs = (load_compared(live.folder, found[LIVE].profile, known), *found[LIVE].runs)
    beside = compare(keep_shared_samples(runs, found[LIVE].profile), found[LIVE].profile)
    title = f"{beside.benchmark.about.title.partition(':')[0]}, live"
    return {**found, f"{LIVE}-live": titled(beside, title)}, beside.runs[0]


def summary_of(
    found: Mapping[str, Comparison], live: ComparedRun, without: Sequence[StoredSet] = ()
) -> Table:
    """One line per benchmark with its best model, one with the live model, and dashes where no answers hold."""
    columns = ("benchmark", "n", "model", *COLUMNS[3:])
    rows: list[tuple[object, ...]] = [
        overview_row(item, item.ranked_runs[0] if name != f"{LIVE}-live" else live)
        for name, item in found.items()
    ]
    rows += [(title_of(each), *["–"] * (len(columns) - 1)) for each in without]
    notes = [f"{title_of(each)}: {each.out_of_date}" for each in without]
    if LIVE in found:
        score = with_interval(live.summary.figures[live.setup.headline])
        notes.append(
            f"stored: all {found[LIVE].runs[0].answers:,} samples; live: the first {live.answers} alone, {score}: "
            "not to be set beside a stored score; the page scores all models on these"
        )
    return Table("Tool calling, scores in percent", columns, tuple(rows), "; ".join(notes))


def title_of(stored: StoredSet) -> str:
    """The short title of a benchmark."""
    return load_benchmark(stored.benchmark).about.title.partition(":")[0]


def coverage_remarks(sets: Sequence[StoredSet]) -> list[str]:
    """What is left out for every model, by benchmark: sets whose answers do not hold any more, or some samples."""
    outdated = [f"{title_of(each)}: {each.out_of_date}" for each in sets if each.out_of_date]
    return outdated + [
        f"{title_of(each)}: {each.changed} samples are left out for every model, as their question has changed "
        "since the models answered"
        for each in sets
        if each.changed and not each.out_of_date
    ]


def in_words(reached: Reached | None) -> str:
    """How many items were asked."""
    if reached is None or reached.items == reached.of:
        return "all items"
    return f"{reached.items} of {reached.of} items in {reached.minutes:g} min"


def page_of(
    found: Mapping[str, Comparison],
    live: ComparedRun,
    asked: str,
    remarks: Sequence[str],
    samples: Future[list[ShownTranscript]],
) -> str:
    """The page: what was compared, and the live samples once they are there."""

    def transcripts() -> Iterator[ShownTranscript]:
        yield from samples.result()

    models = "; ".join(dict.fromkeys(run.label for run in found[LIVE].runs))
    title = f"Tool calling: {len(found[LIVE].runs)} models on {len(found) - 1} benchmarks"
    notices = [NOTICE.format(models=models, live=live.label, asked=asked), *remarks]
    return render_comparison(found, title=title, notices=notices, transcripts=transcripts(), statistics=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """Scores, asks, compares, prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--model", default="local-tuned")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--stored", type=Path, default=ANSWERS / "first_look.toml")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    known_sets = stored_sets(given.stored)
    sets = [each for each in known_sets if not each.out_of_date]
    without = [each for each in known_sets if each.out_of_date]
    page = given.runs / "first_look.html"
    with ProcessPoolExecutor(given.jobs) as workers:
        stored = score_stored(sets, given.runs / "stored", workers)
        live = answer_live(given.model, given.minutes, given.runs)
        # The model takes its time over these; comparison and page are made meanwhile.
        samples = workers.submit(answer_samples, given.model, given.runs)
        say_on_stderr("step 3 of 3: comparing")
        known = live_facts(given.model, read_model_facts(ANSWERS / "models.toml"))
        found, beside = compare_all(stored, live, known)
        asked = in_words(reached_in(live.store.manifest()))
        write_page(page, page_of(found, beside, asked, coverage_remarks(known_sets), samples))
    print_tables([summary_of(found, beside, without)])
    tool = Path(sys.executable).with_name("toolyard")
    shown = os.path.relpath(tool) if tool.exists() else "toolyard"
    print(f"stored answers, scored now; live: {asked}. Open {page}")
    print(f'now yours: {shown} run mtu -m "openai/MODEL?base_url=http://localhost:8000/v1" --minutes 5')


if __name__ == "__main__":
    main()
