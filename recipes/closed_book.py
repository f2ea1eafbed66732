"""How many facts of ToolEyes' own questions are right in answers that were given without any tool.

    python recipes/closed_book.py [ANSWERS]     # lines {"id": ..., "answer": ...}

The default file holds a strong reader's answers to 90 questions, drawn from those whose gold points into the result of a
simulated tool. `outcome` is 0 without a call by rule, so only what is said counts here.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.baselines import oracle
from toolyard.benchmarks.tooleyes.checks.fact_verdicts import fact_verdict
from toolyard.benchmarks.tooleyes.checks.passages import passages
from toolyard.benchmarks.tooleyes.outcome import Statements, statements
from toolyard.benchmarks.tooleyes.parse import parse
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.lines import read_lines
from toolyard.run.data import load_samples
from toolyard.run.offline import play_offline

ANSWERS = Path(__file__).parent / "labels" / "tooleyes_closed_book.jsonl"


def stated_in(seed: int, names: Collection[str]) -> dict[str, Statements]:
    """What gold states about those questions in the world of a seed."""
    options = Options(BENCHMARK.task.styles[0], world_seed=seed)
    samples = [item for item in load_samples(BENCHMARK, "starter", options) if item.id in names]
    by_id = {sample.id: sample for sample in samples}
    found = {}
    for played in play_offline(RunSetup.default(BENCHMARK, options), samples, oracle):
        sample = by_id[played.sample]
        stated = statements(sample.gold, parse(sample, played, "paper"))
        assert isinstance(stated, Statements), sample.id
        found[sample.id] = stated
    return found


def judged(answers: dict[str, str]) -> Iterator[tuple[str, list[bool], list[bool]]]:
    """Each question with the verdicts on facts that are drawn from the seed, and on the others."""
    here, elsewhere = stated_in(0, answers), stated_in(1, answers)
    for name, stated in here.items():
        said = passages(answers[name])
        drawn: list[bool] = []
        others: list[bool] = []
        for fact, other in zip(stated.facts, elsewhere[name].facts, strict=True):
            verdict = fact_verdict(fact, stated.facts, said).holds is True
            (others if fact.same(other) else drawn).append(verdict)
        yield name, drawn, others


def main() -> None:
    """Prints the counts, and which drawn facts were right."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS
    found = list(judged({line["id"]: line["answer"] for line in read_lines(path)}))
    for what, place in (("drawn from the seed", 1), ("the same under two seeds", 2)):
        verdicts = [verdict for each in found for verdict in each[place]]
        print(f"facts {what}: {sum(verdicts)} of {len(verdicts)} right")
    print("right and drawn:", ", ".join(name for name, drawn, _ in found if any(drawn)) or "none")
    whole = sum(1 for _, drawn, others in found if drawn + others and all(drawn + others))
    print(f"questions with all facts right: {whole} of {len(found)}")


if __name__ == "__main__":
    main()
