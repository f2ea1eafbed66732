"""What a training by reward did: the learning curve, what the reward was earned with, and held-out tasks, paired.

    python recipes/reward_report.py FOLDER --pool answers.pool                             # prints the tables
    python recipes/reward_report.py FOLDER --pool answers.pool --page docs/training.md     # and writes them into the page

FOLDER holds `log.jsonl` and `completions.jsonl` of `reward_training.py`, and answers of `rejection_sampling.py measure` in
`answers.jsonl` (models in the order base, SFT, GRPO); each may end in .xz. No model is asked.
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
from toolyard.env.rewards import FAMILIES
from toolyard.env.single_answers import Answers
from toolyard.env.task_pool import TaskPool

Line = dict[str, Any]
# Steps of a line of the curve, and of what is looked at in the beginning and in the end.
PIECE = 25
DRAWS = 5_000
PLACE = re.compile(r"(<!-- reward:start -->\n).*?(<!-- reward:end -->)", re.DOTALL)
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


def curve(log: Sequence[Line], completions: Sequence[Line]) -> list[str]:
    """Rewards, parts, lengths and seconds over the steps; of a step that was made twice, the last time counts."""
    steps = list({line["step"]: line for line in log if "reward" in line}.values())
    # A completion is written while its step is still being made.
    made = pieces(completions, shift=1)
    benchmarks = sorted({line["benchmark"] for line in completions})
    parts = (*FAMILIES, "completions/mean_length", "completions/clipped_ratio", "entropy")
    rows = []
    for first, inside in sorted(pieces(steps).items()):
        own = made[first]
        rewards = [mean([line["reward"] for line in own if line["benchmark"] == each]) for each in benchmarks]
        figures = [mean([line[part] for line in inside]) for part in parts]
        everything = shown(np.array([line["reward"] for line in own]))
        last = max(line["step"] for line in inside)
        seconds = mean([line["step_time"] for line in inside])
        rows.append([f"{first}-{last}", str(len(own)), everything, *figures, *rewards, seconds])
    told = [(part.partition("/")[2] or part).replace("_", " ") for part in parts]
    return table("Learning curve", ["steps", "n", "reward", *told, *benchmarks, "seconds a step"], rows)


class Reader:
    """Reads answers as the benchmark does."""

    def __init__(self, benchmark: str, pool: TaskPool) -> None:
        self.benchmark, self.answers = load_benchmark(benchmark), Answers(benchmark, "train", pool=pool)

    def calls(self, seed: int, text: str) -> int:
        """How many calls an answer makes."""
        sample = self.answers.sample(seed)
        read = self.benchmark.scoring.parse(sample, Transcript.answered(sample.id, text), "paper")
        found = getattr(read, "calls", read)
        return len(found) if isinstance(found, Sequence) else 0

    def form(self, line: Line) -> str:
        """How many calls a completion makes beside the right answer."""
        made, wanted = (
            self.calls(line["seed"], text) for text in (line["text"], self.answers.right(line["seed"]))
        )
        return FORMS[0] if not made else FORMS[2 + int(np.sign(made - wanted))]

    def trivial(self, name: str, seed: int) -> float:
        """What a trivial answer earns."""
        answer = self.benchmark.checks.baselines[name](self.answers.sample(seed), (), random.Random(seed))
        return self.answers.rewards(seed, scripted_reply(answer).text).total


def forms(completions: Sequence[Line], pool: TaskPool) -> list[str]:
    """With what form the reward is earned in the first and the last steps, beside what trivial answers earn there."""
    rows = []
    for benchmark in sorted({line["benchmark"] for line in completions}):
        reader = Reader(benchmark, pool)
        own = [line for line in completions if line["benchmark"] == benchmark]
        last = max(line["step"] for line in own)
        parts = {
            "first": [line for line in own if line["step"] < PIECE],
            "last": [line for line in own if line["step"] > last - PIECE],
        }
        rows += [
            [f"{benchmark}, {name} {PIECE} steps", *_form_cells(reader, part)] for name, part in parts.items()
        ]
    names = ["completions", "n", "reward", *FORMS, "different texts", *(f"only {name}" for name in TRIVIAL)]
    return table("What the reward is earned with: share of completions and their mean reward", names, rows)


def _form_cells(reader: Reader, lines: Sequence[Line]) -> list[str]:
    by_form = [(reader.form(line), line["reward"]) for line in lines]
    cells = [str(len(lines)), shown(np.array([line["reward"] for line in lines]))]
    for form in FORMS:
        earned = [reward for each, reward in by_form if each == form]
        cells.append(f"{100 * len(earned) / len(lines):.0f} % {mean(earned)}")
    seeds = sorted({line["seed"] for line in lines})
    different = len({line["text"] for line in lines}) / len(lines)
    floors = [mean([reader.trivial(each, seed) for seed in seeds]) for each in TRIVIAL]
    return [*cells, f"{100 * different:.0f} %", *floors]


def shown(values: np.ndarray[Any, Any]) -> str:
    """A mean with its interval over tasks."""
    rng = np.random.default_rng(0)
    means = values[rng.integers(0, len(values), (DRAWS, len(values)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return f"{values.mean():.3f} [{low:.3f}, {high:.3f}]"


def held_out(answers: Sequence[Line]) -> list[str]:
    """Each model on tasks that it was not trained on, and what each training changed, paired by task."""
    models = list(dict.fromkeys(line["model"] for line in answers))
    rows = []
    for benchmark in sorted({line["benchmark"] for line in answers}):
        asked = [line for line in answers if line["benchmark"] == benchmark]
        own = {
            model: {line["seed"]: line["reward"] for line in asked if line["model"] == model}
            for model in models
        }
        seeds = sorted(set.intersection(*map(set, own.values())))
        values = [np.array([own[model][seed] for seed in seeds]) for model in models]
        changes = [shown(later - earlier) for earlier, later in pairwise(values)]
        rows.append([benchmark, str(len(seeds)), *map(shown, values), *changes])
    names = [
        "held-out tasks",
        "n",
        *models,
        *(f"{later} minus {earlier}" for earlier, later in pairwise(models)),
    ]
    return table("Held-out tasks and short items", names, rows)


def main() -> None:
    """Prints the tables, and writes them into the page that is given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pool", type=Path, help="the file of drawn tasks; without it they are drawn again")
    parser.add_argument("--page", type=Path)
    given = parser.parse_args()
    completions = read(given.folder, "completions.jsonl")
    lines = curve(read(given.folder, "log.jsonl"), completions)
    lines += forms(completions, TaskPool(given.pool))
    lines += held_out(read(given.folder, "answers.jsonl"))
    tables = "\n".join(lines)
    print(tables)
    if given.page:
        text = given.page.read_text("utf-8")
        given.page.write_text(PLACE.sub(lambda place: f"{place[1]}{tables}{place[2]}", text), "utf-8")


if __name__ == "__main__":
    main()
