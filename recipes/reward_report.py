"""What a training by reward did: the learning curve, what the reward was earned with, and held-out tasks, paired.

    python recipes/reward_report.py [FOLDER]                              # prints the tables
    python recipes/reward_report.py [FOLDER] --page docs/training.md      # and writes them into the page

FOLDER (default records/answers/learn) holds `log.jsonl` and `completions.jsonl` of `reward_training.py`, and answers of
`rejection_sampling.py measure` in `answers.jsonl` (models in the order base, SFT, GRPO); each may end in .xz. What the tasks
want, and how many calls each completion makes, is kept in `tasks.jsonl`; without it the tasks are read from `--pool`, or
drawn again, and the file is written. No model is asked.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from toolyard.benchmarks import load_benchmark
from toolyard.core.checks import scripted_reply
from toolyard.core.types import Transcript
from toolyard.env.gym_task import Split
from toolyard.env.rewards import FAMILIES
from toolyard.env.single_answers import Answers
from toolyard.env.task_pool import TaskPool

Line = dict[str, Any]
Values = np.ndarray[Any, Any]
RECORDS = Path(__file__).resolve().parents[1] / "records" / "answers" / "learn"
# Steps of a line of the curve, and of what is looked at in the beginning and in the end.
PIECE = 25
DRAWS = 5_000
PLACE = re.compile(r"(<!-- reward:start -->\n).*?(<!-- reward:end -->)", re.DOTALL)
CALLS = ("0 calls", "1 call", "2 calls", "3 or more calls")
FORMS = ("no call", "fewer calls", "as many calls", "more calls")
TRIVIAL = ("no-call", "first-tool", "word-overlap")


def read(folder: Path, name: str) -> list[Line]:
    """The lines of a file, packed or not."""
    packed = folder / f"{name}.xz"
    data = lzma.decompress(packed.read_bytes()) if packed.is_file() else (folder / name).read_bytes()
    return [json.loads(line) for line in data.splitlines()]


def table(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table of markdown under a title."""
    marks = ["---", *["---:"] * (len(names) - 1)]
    lines = [names, marks, *rows]
    return [f"#### {title}", "", *(f"| {' | '.join(cells)} |" for cells in lines), ""]


def mean(values: Sequence[float]) -> str:
    """A mean with three digits."""
    return f"{np.mean(values):.3f}" if values else "-"


def pieces(lines: Sequence[Line], shift: int = 0) -> dict[int, list[Line]]:
    """The lines of so many steps each, by the first of these steps."""
    found: dict[int, list[Line]] = {}
    for line in lines:
        found.setdefault((line["step"] + shift - 1) // PIECE * PIECE + 1, []).append(line)
    return found


def by_task(lines: Sequence[Line]) -> dict[tuple[str, int], list[Line]]:
    """The completions of each task, which are no draws of their own."""
    found: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        found.setdefault((line["benchmark"], line["seed"]), []).append(line)
    return found


def earned(lines: Sequence[Line]) -> Values:
    """What the completions of each task earn in the mean."""
    return np.array([np.mean([line["reward"] for line in own]) for own in by_task(lines).values()])


def curve(log: Sequence[Line], completions: Sequence[Line]) -> list[str]:
    """Rewards, parts, lengths and seconds over the steps; of a step that was made twice, the last time counts."""
    steps = list({line["step"]: line for line in log if "loss" in line}.values())
    # A completion is written while its step is still being made.
    made = pieces(completions, shift=1)
    benchmarks = sorted({line["benchmark"] for line in completions})
    parts = (*FAMILIES, "completions/mean_length", "completions/clipped_ratio", "entropy")
    rows = []
    for first, inside in sorted(pieces(steps).items()):
        own = made[first]
        values = earned(own)
        rewards = [shown(earned([line for line in own if line["benchmark"] == each])) for each in benchmarks]
        alike = mean([len({line["reward"] for line in each}) == 1 for each in by_task(own).values()])
        # Where one generation serves several steps, only the first of them tells of it.
        figures = [mean([line[part] for line in inside if part in line]) for part in parts]
        last = max(line["step"] for line in inside)
        seconds = mean([line["step_time"] for line in inside])
        rows.append([f"{first}-{last}", str(len(values)), shown(values), *rewards, alike, *figures, seconds])
    told = [(part.partition("/")[2] or part).replace("_", " ") for part in parts]
    names = ["steps", "n", "reward", *benchmarks, "all answers alike", *told, "seconds a step"]
    return table("Learning curve: mean reward of the answers to n tasks", names, rows)


class Reader:
    """Reads answers as the benchmark does."""

    def __init__(self, benchmark: str, split: Split, pool: TaskPool) -> None:
        self.benchmark, self.answers = load_benchmark(benchmark), Answers(benchmark, split, pool=pool)

    def calls(self, seed: int, text: str) -> int:
        """How many calls an answer makes."""
        sample = self.answers.sample(seed)
        read = self.benchmark.scoring.parse(sample, Transcript.answered(sample.id, text), "paper")
        found = getattr(read, "calls", read)
        return len(found) if isinstance(found, Sequence) else 0

    def task(self, seed: int) -> Line:
        """How many calls a task wants and what trivial answers earn there."""
        sample, baselines = self.answers.sample(seed), self.benchmark.checks.baselines
        texts = {
            name: scripted_reply(baselines[name](sample, (), random.Random(seed))).text for name in TRIVIAL
        }
        return {
            "benchmark": self.benchmark.name,
            "split": self.answers.split,
            "seed": seed,
            "wanted": self.calls(seed, self.answers.right(seed)),
        } | {name: self.answers.rewards(seed, text).total for name, text in texts.items()}


def read_tasks(completions: Sequence[Line], answers: Sequence[Line], pool: TaskPool) -> list[Line]:
    """What the tasks want, and how many calls each answer to them makes."""
    lines: list[Line] = []
    for benchmark in sorted({line["benchmark"] for line in completions}):
        given: tuple[tuple[Split, Sequence[Line]], ...] = (("train", completions), ("eval", answers))
        for split, texts in given:
            reader = Reader(benchmark, split, pool)
            for (name, seed), own in by_task(texts).items():
                if name == benchmark:
                    calls = [reader.calls(seed, line["text"]) for line in own]
                    lines.append(reader.task(seed) | {"calls": calls})
    return lines


def forms(completions: Sequence[Line], tasks: Sequence[Line]) -> list[str]:
    """With what form the reward is earned in the first and the last steps, beside what trivial answers earn there."""
    known = {(task["benchmark"], task["seed"]): task for task in tasks if task["split"] == "train"}
    read_lines = [
        line | {"calls": calls}
        for place, own in by_task(completions).items()
        for line, calls in zip(own, known[place]["calls"], strict=True)
    ]
    rows = []
    for benchmark in sorted({line["benchmark"] for line in completions}):
        own = [line for line in read_lines if line["benchmark"] == benchmark]
        last = max(line["step"] for line in own)
        parts = {
            "first": [line for line in own if line["step"] < PIECE],
            "last": [line for line in own if line["step"] > last - PIECE],
        }
        rows += [
            [f"{benchmark}, {name} {PIECE} steps", *_form_cells(part, known)] for name, part in parts.items()
        ]
    names = ["completions", "n", "reward", *FORMS, "different texts", *(f"only {name}" for name in TRIVIAL)]
    return table("What the reward is earned with: share of completions and their mean reward", names, rows)


def form(made: int, wanted: int) -> str:
    """How many calls a completion makes beside the right answer."""
    return FORMS[0] if not made else FORMS[2 + int(np.sign(made - wanted))]


def _form_cells(lines: Sequence[Line], known: dict[tuple[str, int], Line]) -> list[str]:
    groups = by_task(lines)
    by_form = [
        (form(line["calls"], known[place]["wanted"]), line["reward"])
        for place, own in groups.items()
        for line in own
    ]
    cells = [str(len(lines)), shown(earned(lines))]
    for each in FORMS:
        rewards = [reward for name, reward in by_form if name == each]
        cells.append(f"{100 * len(rewards) / len(lines):.0f} % {mean(rewards)}")
    different = len({line["text"] for line in lines}) / len(lines)
    floors = [mean([known[place][name] for place in groups]) for name in TRIVIAL]
    return [*cells, f"{100 * different:.0f} %", *floors]


def shown(values: Values) -> str:
    """A mean with its interval over tasks."""
    rng = np.random.default_rng(0)
    means = values[rng.integers(0, len(values), (DRAWS, len(values)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return f"{values.mean():.3f} [{low:.3f}, {high:.3f}]"


def held_out(answers: Sequence[Line], tasks: Sequence[Line]) -> list[str]:
    """Each model on tasks that it was not trained on, and what each training changed, paired by task."""
    models = list(dict.fromkeys(line["model"] for line in answers))
    known = {(task["benchmark"], task["seed"]): task for task in tasks if task["split"] == "eval"}
    parts: dict[str, list[Line]] = {}
    for line in answers:
        benchmark, task = line["benchmark"], known.get((line["benchmark"], line["seed"]))
        parts.setdefault(benchmark, []).append(line)
        if task is not None:
            calls = CALLS[min(task["wanted"], len(CALLS) - 1)]
            parts.setdefault(f"{benchmark}, {calls}", []).append(line)
    rows = []
    for name, asked in sorted(parts.items()):
        own = [{line["seed"]: line["reward"] for line in asked if line["model"] == model} for model in models]
        seeds = sorted(set.intersection(*map(set, own)))
        values = [np.array([each[seed] for seed in seeds]) for each in own]
        changes = [shown(later - earlier) for earlier, later in pairwise(values)]
        asked_tasks = [known.get((asked[0]["benchmark"], seed)) for seed in seeds]
        few = [
            str(sum(task["calls"][place] < task["wanted"] for task in asked_tasks if task))
            for place in range(len(models))
        ]
        rows.append(
            [
                name,
                str(len(seeds)),
                *map(shown, values),
                *changes,
                ", ".join(few) if any(asked_tasks) else "-",
            ]
        )
    short = ["base", *(model.rpartition("-")[2] for model in models[1:])]
    names = [
        "held-out tasks",
        "n",
        *short,
        *(f"{later} minus {earlier}" for earlier, later in pairwise(short)),
        "too few calls",
    ]
    return table("Held-out tasks and short items", names, rows)


def tables(folder: Path) -> str:
    """All tables of the files in a folder."""
    log, completions, answers, tasks = (
        read(folder, f"{name}.jsonl") for name in ("log", "completions", "answers", "tasks")
    )
    return "\n".join([*curve(log, completions), *forms(completions, tasks), *held_out(answers, tasks)])


def main() -> None:
    """Prints the tables, and writes them into the page that is given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=RECORDS)
    parser.add_argument("--pool", type=Path, help="the file of drawn tasks; without it they are drawn again")
    parser.add_argument("--page", type=Path)
    given = parser.parse_args()
    if not any(given.folder.glob("tasks.jsonl*")):
        completions, answers = (read(given.folder, f"{name}.jsonl") for name in ("completions", "answers"))
        lines = map(json.dumps, read_tasks(completions, answers, TaskPool(given.pool)))
        (given.folder / "tasks.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    made = tables(given.folder)
    print(made)
    if given.page:
        text = given.page.read_text("utf-8")
        given.page.write_text(PLACE.sub(lambda place: f"{place[1]}{made}{place[2]}", text), "utf-8")


if __name__ == "__main__":
    main()
