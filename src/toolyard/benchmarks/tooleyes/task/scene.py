"""The world of an episode: the tools of the query's subcategory, and a user who knows the query's slots."""

from collections.abc import Callable, Sequence

from toolyard.benchmarks.tooleyes.data.references import fill_references
from toolyard.benchmarks.tooleyes.data.sample import ASK, QueryGold, ToolEyesSample
from toolyard.core.scene import PlannedCall, Scene
from toolyard.core.types import Failure, JsonValue, Options

BUDGET_TOKENS = 1024


def scene(sample: ToolEyesSample, options: Options) -> Scene:
    """All tools of one subcategory (Section 2.3), or those that the row offers, in the world of `--world-seed`.

    Official documents type every parameter as text and ask for credentials, so that calls may follow them.
    """
    return Scene(
        part=tuple(sample.input.get("offers", ())) or (str(sample.input["path"]),),
        seed=options.world_seed,
        compatibility="official_id" in sample.input,
        slots=sample.input.get("slots", {}),
        goal=str(sample.input["query"]),
        budget_tokens=BUDGET_TOKENS,
        plan=_planned_calls(sample.gold) if isinstance(sample.gold, QueryGold) else None,
    )


def _planned_calls(gold: QueryGold) -> Callable[[Sequence[JsonValue]], PlannedCall | None]:
    """The plan's next call; none where it has ended or an earlier call did not return what it needs."""

    def next_call(observations: Sequence[JsonValue]) -> PlannedCall | None:
        if len(observations) >= len(gold.plan):
            return None
        step = gold.plan[len(observations)]
        arguments = fill_references(dict(step.arguments), observations)
        if isinstance(arguments, Failure):
            return None
        return PlannedCall(None if step.tool == ASK else step.tool, arguments)

    return next_call
