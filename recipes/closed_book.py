"""How many facts of ToolEyes' own questions are right in answers that were given without any tool.

    python recipes/closed_book.py [ANSWERS]          # lines {"id": ..., "answer": ...}
    python recipes/closed_book.py --chances [ID ...] # write anew how likely a guess at each fact is right

The default file holds a strong reader's answers to 90 questions, drawn from those whose gold points into the result of a
simulated tool. `outcome` is 0 without a call by rule, so only what is said counts here.

A guess at a fact is right with the chance that two worlds agree in it: the share of equal pairs among 21 seeds, in
`guess_chances.json`. A fact that is drawn from the seed counts here where that chance is below 2 %. Of every question with
drawn facts a guess at all of them together is below 2 % (`toolyard check tooleyes`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.data.audit import (
    CHANCES,
    GuessChances,
    is_drawn,
    is_guessable,
    measured_chances,
)
from toolyard.benchmarks.tooleyes.scoring.baselines import oracle
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact, fact_verdict
from toolyard.benchmarks.tooleyes.scoring.checks.passages import split_passages
from toolyard.benchmarks.tooleyes.scoring.outcome import Statements, statements
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.lines import read_lines
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.play.offline import play_offline

ANSWERS = Path(__file__).resolve().parents[1] / "records" / "labels" / "tooleyes_closed_book.jsonl"
SEEDS = 21


def stated_in(
    seed: int, names: Collection[str] | None = None, data: str = "starter"
) -> dict[str, Statements]:
    """What gold states about those questions, or about all, in the world of a seed; less those without a value there."""
    options = Options(BENCHMARK.task.styles[0], world_seed=seed)
    samples = tuple(
        item for item in load_samples(BENCHMARK, data, options) if names is None or item.id in names
    )
    by_id = {sample.id: sample for sample in samples}
    found = {}
    for played in play_offline(RunSetup.default(BENCHMARK, options), samples, oracle):
        sample = by_id[played.sample]
        stated = statements(sample.gold, parse(sample, played, "paper"))
        if isinstance(stated, Statements):
            found[sample.id] = stated
    return found


def chances(stated: Sequence[Statements]) -> GuessChances:
    """The share of pairs of worlds that agree in each fact of a question, and in all of them."""
    pairs = list(combinations([each.facts for each in stated], 2))
    columns = zip(*(each.facts for each in stated), strict=False)
    facts = [sum(one.same(other) for one, other in combinations(column, 2)) for column in columns]
    alike = sum(len(one) == len(other) and all(map(Fact.same, one, other)) for one, other in pairs)
    return {
        "facts": [round(count / len(pairs), 3) for count in facts],
        "all": round(alike / len(pairs), 3),
    }


def write_chances(names: Collection[str] | None) -> None:
    """Plays plans in 21 worlds and writes the chances; with names those of other rows stay."""
    sets = ("starter", "hard") if BENCHMARK.data.hard else ("starter",)
    worlds: list[dict[str, Statements]] = []
    for seed in range(SEEDS):
        worlds.append({})
        for data in sets:
            worlds[-1] |= stated_in(seed, names, data)
    rows = dict(measured_chances()) if names else {}
    for name in worlds[0]:
        stated = [world[name] for world in worlds if name in world]
        rows[name] = chances(stated)
        if len(stated) < SEEDS:
            print(f"{name}: gold has no value in {SEEDS - len(stated)} worlds", file=sys.stderr)
    known = [
        sample.id
        for data in sets
        for sample in load_samples(BENCHMARK, data, Options(BENCHMARK.task.styles[0]))
    ]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows[name])}" for name in known if name in rows)
    CHANCES.write_text("{\n" + lines + "\n}\n", "utf-8")


def judged(answers: dict[str, str]) -> Iterator[tuple[str, list[tuple[float, bool]]]]:
    """Each question with its facts: the chance of a guess, and whether the answer states it."""
    for name, stated in stated_in(0, answers).items():
        said = split_passages(answers[name])
        verdicts = [fact_verdict(fact, stated.facts, said).holds is True for fact in stated.facts]
        yield name, list(zip(measured_chances()[name]["facts"], verdicts, strict=False))


def main() -> None:
    """Prints the counts, and which facts that nobody can guess were right."""
    if "--chances" in sys.argv:
        write_chances(sys.argv[2:] or None)
        return
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS
    found = list(judged({line["id"]: line["answer"] for line in read_lines(path)}))
    facts = [(name, *fact) for name, each in found for fact in each]
    checked = [fact for fact in facts if is_drawn(fact[1]) and not is_guessable(fact[1])]
    for what, kept in (
        ("drawn, a guess below 2 %", checked),
        ("drawn, of few values", [fact for fact in facts if is_drawn(fact[1]) and is_guessable(fact[1])]),
        ("the same in every world", [fact for fact in facts if not is_drawn(fact[1])]),
    ):
        print(f"facts {what}: {sum(right for *_, right in kept)} of {len(kept)} right")
    print("right and below 2 %:", ", ".join(name for name, _, right in checked if right) or "none")
    whole = sum(1 for _, each in found if each and all(right for _, right in each))
    print(f"questions with all facts right: {whole} of {len(found)}")


if __name__ == "__main__":
    main()
