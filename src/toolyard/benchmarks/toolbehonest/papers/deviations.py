"""Where the paper's definitions and the released scorer part.

Sizes are measured on the starter set: gold answers in a form that a person reads without trouble, or gold
plans with one flaw, scored under both profiles.
"""

from __future__ import annotations

from toolyard.core.benchmark import Deviation

DEVIATIONS = (
    Deviation(
        "l1_em",
        paper="the verdict counts wherever its tags stand, with or without a full stop",
        official="tags on lines of their own, or a full stop, make the verdict wrong",
        size="tags on their own lines: 1.0 against 0.0",
    ),
    Deviation(
        "l2_pr",
        paper="numbers, bullets, brackets, blanks and full stops around a name do not count",
        official="every line is a name as it stands; one blank before it makes the whole plan worth 0",
        size="numbered lines: 1.0 against 0.0",
    ),
    Deviation(
        "l3_pr, l3_ms",
        paper="brackets, bold marks and full stops around the planned tool do not count; it may stand on a new line",
        official="such a step is dropped without a word and all later steps move up",
        size="full stops: 1.0 against 0.0; brackets: 1.0 against 0.0",
    ),
    Deviation(
        "all",
        paper="of several pairs of answer tags the last counts, text inside <think> is not an answer",
        official="the first pair counts, also an example that the model quotes or a draft in its thoughts",
        size="an example quoted first: 1.0 against 0.0",
    ),
    Deviation(
        "l2_pr, l3_pr, errors",
        paper="names exist if the list that the model was shown has them",
        official="names exist if the solvable twin's list has them, so the removed tool is never non-existent",
        size="gold plans with the removed tool appended: 0.286 against 1.0",
    ),
    Deviation(
        "l3_ms",
        paper="matched means that the nearest description is the needed tool's description",
        official="matched means that the nearest description stands under the needed tool's name",
        size="0 on the starter set and on the parity sets: no name has two descriptions there",
    ),
    Deviation(
        "errors",
        paper="an answer that cannot be read is a class of its own, unreadable_answer",
        official="it is non_existent_tools at level 2 and solvability_hallucination at level 3",
        size="labels alone: such an answer earns 0 either way",
    ),
    Deviation(
        "prompts",
        paper="our level-3 prompt asks for the missing tool's description and spells UnsolvableQuery",
        official="the English level-3 prompt asks for neither; the unsolvable level-1 prompt has an extra blank line",
        size="changes what models answer, not how answers are scored",
    ),
)
