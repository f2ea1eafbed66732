"""ToolEyes under changes: another wording and order, and tools that fail. Names stay: calls run under them."""

from __future__ import annotations

from pathlib import Path

from toolyard.benchmarks.tooleyes.prompt import EXAMPLE, NATIVE, ZERO_SHOT
from toolyard.benchmarks.tooleyes.sample import ToolEyesSample
from toolyard.core.variations import REASONING, Variation, each, shuffled, templates_in

FOLDER = Path(__file__).parent / "templates"
# Of all calls, so many fail for a moment and would succeed when made again.
FAULT_RATE = 0.2
FAULTS = "fault_rate"
OWN_WORDS = (EXAMPLE, ZERO_SHOT, "five-shot")


def _shuffled(sample: ToolEyesSample, seed: int) -> ToolEyesSample:
    documents = list(sample.input.get("documents", ()))
    return sample.with_input({"documents": shuffled(documents, seed, sample.cluster)})


def _faulty(sample: ToolEyesSample, seed: int) -> ToolEyesSample:  # noqa: ARG001 - faults are drawn from the scene's own seed
    return sample.with_input({FAULTS: FAULT_RATE})


VARIATIONS = {
    "paraphrase": Variation(
        "the instructions in other words",
        templates=templates_in(FOLDER / "paraphrase"),
        styles=OWN_WORDS,
    ),
    "german": Variation(
        "the instructions in German",
        templates=templates_in(FOLDER / "german"),
        styles=OWN_WORDS,
    ),
    "shuffled-tools": Variation("the tools in another order", each(_shuffled), styles=(*OWN_WORDS, NATIVE)),
    "faults": Variation(f"one call in {round(1 / FAULT_RATE)} fails for a moment", each(_faulty)),
    **REASONING,
}
