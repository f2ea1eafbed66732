"""The world of an episode: the tools of the query's subcategory, and a user who knows the query's slots."""

from __future__ import annotations

from toolyard.core.scene import Scene
from toolyard.core.types import Options, Sample

BUDGET_TOKENS = 1024


def scene(sample: Sample, options: Options) -> Scene:  # noqa: ARG001 - the signature of every scene
    """All tools of one subcategory (Section 2.3); facts hold in the world of seed 0 whatever the run's seed.

    Official documents type every parameter as text and ask for credentials, so that calls may follow them.
    """
    return Scene(
        part=(str(sample.input["path"]),),
        compatibility="official_id" in sample.input,
        slots=sample.input.get("slots", {}),
        goal=str(sample.input["query"]),
        budget_tokens=BUDGET_TOKENS,
    )
