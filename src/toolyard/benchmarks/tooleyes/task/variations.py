"""ToolEyes under changes: another wording and order. Names stay: calls run under them."""

from dataclasses import replace
from pathlib import Path
from typing import cast

from toolyard.benchmarks.tooleyes.data.sample import QueryGold, ToolEyesInput, ToolEyesSample
from toolyard.benchmarks.tooleyes.task.prompt import EXAMPLE, NATIVE, ZERO_SHOT
from toolyard.core.benchmark import Catalogue
from toolyard.core.variations import REASONING, Variation, change_each_sample, other_wordings, shuffle_items
from toolyard.text.distractors_by_words import ordered_distractors

FOLDER = Path(__file__).parents[1] / "templates"
OWN_WORDS = (EXAMPLE, ZERO_SHOT, "five-shot")


def _shuffle_tools(sample: ToolEyesSample, seed: int) -> ToolEyesSample:
    documents = list(sample.input.get("documents", ()))
    return sample.with_input({"documents": shuffle_items(documents, seed, sample.cluster)})


VARIATIONS = {
    **other_wordings(FOLDER, OWN_WORDS),
    "shuffled-tools": Variation(
        "the tools in another order", change_each_sample(_shuffle_tools), styles=(*OWN_WORDS, NATIVE)
    ),
    **REASONING,
}


def fill_catalogue(sample: ToolEyesSample, wanted: Catalogue) -> ToolEyesSample:
    """The sample with as many tools of the world; its own come first where near ones are wanted.

    No other tool has the name of a needed one: calls run under names.
    """
    ids = wanted.ids(sample)
    planned = [step.tool for step in sample.gold.plan] if isinstance(sample.gold, QueryGold) else []
    needed = list(dict.fromkeys(ids[name] for name in planned if name in ids))
    names = {key.rpartition("/")[2] for key in needed}
    pool = {key: text for key, text in wanted.library.items() if key.rpartition("/")[2] not in names}
    order = ordered_distractors(
        [wanted.library.get(key, key) for key in needed],
        pool,
        far=wanted.far,
        seed=wanted.seed,
        cluster=sample.cluster,
    )
    own = [] if wanted.far else [key for key in ids.values() if key in pool]
    more = list(dict.fromkeys([*own, *order]))[: max(0, wanted.size - len(needed))]
    offers = shuffle_items([*needed, *more], wanted.seed, f"catalogue/{sample.cluster}")
    shown = {name: value for name, value in sample.input.items() if name != "documents"}
    return replace(sample, input=cast(ToolEyesInput, {**shown, "offers": offers}))
