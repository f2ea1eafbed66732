"""NesTools data written by a model, the paper's way (section 3), with every check that it names made by code.

domains -> draft -> extract -> format -> calls -> screen -> write -> coverage -> normalise -> refine -> distinct -> choose
"""

from __future__ import annotations

from toolyard.benchmarks.nestools.synth.card_tables import tables
from toolyard.benchmarks.nestools.synth.data_files import write
from toolyard.benchmarks.nestools.synth.domains import DOMAINS, DRAFTS, SOURCE
from toolyard.benchmarks.nestools.synth.drafted_calls import CALLS
from toolyard.benchmarks.nestools.synth.drafted_code import EXTRACT
from toolyard.benchmarks.nestools.synth.drafted_tools import FORMAT
from toolyard.benchmarks.nestools.synth.drafting import DRAFT
from toolyard.benchmarks.nestools.synth.query_writing import COVERAGE, NORMALISE, REFINE, WRITE
from toolyard.benchmarks.nestools.synth.row_selection import CHOOSE, DISTINCT
from toolyard.benchmarks.nestools.synth.screen_stages import SCREEN
from toolyard.core.benchmark import Choice
from toolyard.synth.stages import Context, Pipeline, Provenance

NESTED = Choice("nested", "keep only chains in which a call takes what another returns", "no", ("no", "yes"))


def provenance(context: Context) -> Provenance:
    """Who wrote the content, and under which licence it stands."""
    listed = "a list of the user's" if context.options.get(DOMAINS.name) else "Toolyard's list"
    return Provenance(
        "Tools, calls and queries were written by the model named below and checked by code, not by people; "
        f"the domains come from {listed}.",
        {
            "tools, calls and queries": "as the terms of the model allow",
            "prompts, examples and Toolyard's domains": "Apache-2.0",
        },
    )


MODEL = Pipeline(
    name="model",
    benchmark="nestools",
    stages=(
        SOURCE,
        DRAFT,
        EXTRACT,
        FORMAT,
        CALLS,
        SCREEN,
        WRITE,
        COVERAGE,
        NORMALISE,
        REFINE,
        DISTINCT,
        CHOOSE,
    ),
    write=write,
    provenance=provenance,
    tables=tables,
    choices=(DOMAINS, DRAFTS, NESTED),
    rows=100,
)
