"""Drafts of all parts in a shuffled order, and the rows of a draft."""

import random
from collections.abc import Iterator

from toolyard.core.types import Failure, derived_seed
from toolyard.synth.mixture.leak_guard import known_texts, leaked_line
from toolyard.synth.mixture.mixture_parts import rows_per_part, training_parts
from toolyard.synth.mixture.mixture_settings import mixture_settings
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows

DEV = "dev"
TRAIN = "train"
# One origin of so many is kept for development.
ONE_OF = 60


def mixed_drafts(rows: Rows, context: Context) -> Iterator[Row]:
    """The drafts of every part, mixed."""
    mixture_settings(context)
    drafts = [
        {"id": f"{part}/{draft['id']}", "part": part, "draft": draft}
        for part, count in rows_per_part(context.options["share"], context.rows).items()
        for draft in training_parts()[part].drafts(rows, count, context)
    ]
    random.Random(derived_seed(context.seed, "mixture", 0)).shuffle(drafts)
    yield from drafts


def drafts_of_one_part(context: Context) -> Iterator[Row]:
    """The drafts where there are no corpora."""
    yield from mixed_drafts((), context)


def write_out_draft(row: Row, context: Context) -> Outcome:
    """The rows of a draft that no evaluation set shows."""
    known = known_texts(context)
    kept: list[Kept] = []
    failed: Rejected | None = None
    for made in training_parts()[row["part"]].rows(row["draft"], mixture_settings(context)):
        if isinstance(made, Failure):
            failed = Rejected(made.kind, made.detail)
        elif line := leaked_line(made, known):
            failed = Rejected("leaks_from_evaluation", line)
        else:
            kept.append(
                Kept({**made.to_json(), "draft": None, "split": split_of_origin(str(row["draft"]["origin"]))})
            )
    return kept or failed or Rejected("no_row")


def split_of_origin(origin: str) -> str:
    """Whether rows of that dialogue or goal are trained on, whatever the part."""
    return DEV if derived_seed(0, origin, 0) % ONE_OF == 0 else TRAIN
