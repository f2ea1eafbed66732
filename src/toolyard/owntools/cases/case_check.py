"""What a user should know before a case file runs: cases that nobody can pass, and calls that reach real tools."""

from __future__ import annotations

from collections.abc import Iterator

from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Sample
from toolyard.run.play.offline import gold_answers, play_with

MOST_CHECKED = 200


def case_warnings(setup: RunSetup, samples: tuple[Sample, ...]) -> Iterator[str]:
    """One line for real tools, and one where the expected calls themselves do not pass on the mirror."""
    if any(sample.input["live"] for sample in samples):
        yield "calls of the model go to the real tools (--live)"
        return
    part = samples[:MOST_CHECKED]
    by_id = {sample.id: sample for sample in part}
    failed = []
    for transcript in play_with(setup, part, gold_answers(setup, part)):
        sample = by_id[transcript.sample]
        scoring = setup.benchmark.scoring
        found = scoring.score(sample, scoring.parse(sample, transcript, "paper"), {}, "paper")
        if found.values["success"] != 1.0:
            failed.append((sample.id, found.reasons[0] if found.reasons else ""))
    if failed:
        name, why = failed[0]
        yield (
            f"warning: {len(failed)} of {len(part)} cases cannot be passed on the mirror, the first is {name} ({why}); "
            "record real results with: toolyard mirror SOURCE --out twin --record 1 --allow TOOL --given NAME=VALUE, "
            "then write `tools: twin`, or call the real tools with --live"
        )
