"""ToolBeHonest with a model: rounds of synthesis, the most varied rows, and their unsolvable twins (Section 3.4)."""

from toolyard.benchmarks.toolbehonest.synth import synthesis_rounds
from toolyard.benchmarks.toolbehonest.synth import unsolvable_twins as twins
from toolyard.benchmarks.toolbehonest.synth.card_tables import tables
from toolyard.benchmarks.toolbehonest.synth.data_files import PAIR_FIELDS, SOLVABLE_FIELDS, write
from toolyard.core.benchmark import Choice
from toolyard.synth.stages import Context, Pipeline, Provenance, RowSource, Whole

CHOICES = (
    Choice("per-subtask", "Pairs of each subtask in the end; --rows, if given, spreads over them.", "50"),
    Choice("target", "Rows of each subtask to accept before choosing; 0: six times as many as wanted.", "0"),
    Choice("shortlist", "Rows of each subtask that get a twin; 0: twice as many as wanted.", "0"),
    Choice(
        "rounds",
        "Rounds of synthesis; accepted rows are references of the next.",
        "3",
        tuple(str(count) for count in range(1, synthesis_rounds.MOST_ROUNDS + 1)),
    ),
    Choice(
        "similarity", "Too similar: task and tools both above 0.8, or either.", "both", ("both", "either")
    ),
    Choice("other-tools", "Ask whether another tool does a removed tool's step.", "yes", ("yes", "no")),
)


def provenance(_context: Context) -> Provenance:
    """Seeds and prompts are ours; what a model writes is under its own terms."""
    return Provenance(
        "Seeds are pairs of made-up tools by hand. Tasks, tools and twins were written by the model named here and kept "
        "where they passed every check; nobody read them.",
        {"seeds and prompts": "Apache-2.0", "generated text": "as the terms of the model allow"},
    )


MODEL = Pipeline(
    name="model",
    benchmark="toolbehonest",
    stages=(
        RowSource(
            "seeds", 1, synthesis_rounds.FIELDS, synthesis_rounds.seeds, files=synthesis_rounds.seed_files
        ),
        *(
            stage
            for number in range(1, synthesis_rounds.MOST_ROUNDS + 1)
            for stage in synthesis_rounds.stages_of_round(number)
        ),
        Whole(
            "pool", 1, synthesis_rounds.FIELDS, SOLVABLE_FIELDS, synthesis_rounds.pool, synthesis_rounds.SIZES
        ),
        Whole("shortlist", 1, SOLVABLE_FIELDS, (), synthesis_rounds.most_varied_rows, synthesis_rounds.SIZES),
        *twins.STAGES,
        Whole("choose", 1, PAIR_FIELDS, (), synthesis_rounds.choose, synthesis_rounds.SIZES),
    ),
    write=write,
    provenance=provenance,
    tables=tables,
    choices=CHOICES,
)
