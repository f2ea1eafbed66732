"""What surrounds a model in an episode that calls tools: a world with some of its tools, and a user."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from toolyard.core.sample_types import GoldOf, InputOf
from toolyard.core.types import JsonValue, Options, Sample

# What the user says to a question that no slot fits.
DECLINED = "I have no preference there and nothing to add; please go on with what you know."


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call of the plan; `tool` is None where the user is asked, with the question as only argument."""

    tool: str | None
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class DocumentedTool:
    """A tool of the world under a name of its own: what its document says that it does, and names what it returns."""

    description: str
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """Which tools exist in which world, and what the user knows.

    `part` names the tools (a Category/Subcategory of the library, or ids); in `compatibility` mode calls may
    follow the official documents, which type everything as text and ask for credentials. `slots` are the
    user's answers by key words; a question that no slot fits is declined politely. `plan` gives the perfect
    agent's next call after what its calls returned so far; it is played in a world of its own beside the episode,
    so that checks know what the world says. `rehearsal` names the tools that stand in for `part` where no model is asked
    (estimates, baselines, checks): a call of a real service must not happen there. `documented` are tools by the names of
    documents that were made from the world's; their results are the values that these name. `before` are calls that were
    made before the episode.
    """

    part: tuple[str, ...]
    seed: int = 0
    compatibility: bool = False
    slots: Mapping[str, str] = field(default_factory=dict)
    goal: str = ""
    budget_tokens: int = 1024
    plan: Callable[[Sequence[JsonValue]], PlannedCall | None] | None = None
    rehearsal: tuple[str, ...] = ()
    documented: Mapping[str, DocumentedTool] = field(default_factory=dict)
    before: tuple[PlannedCall, ...] = ()


@dataclass(frozen=True, slots=True)
class SeededScene(Generic[InputOf, GoldOf]):
    """The scenes of a benchmark whose world is that of `--world-seed`."""

    scene: Callable[[Sample[InputOf, GoldOf], Options], Scene]

    def __call__(self, sample: Sample[InputOf, GoldOf], options: Options) -> Scene:
        """The scene of a sample."""
        return self.scene(sample, options)


@dataclass(frozen=True, slots=True)
class StyledScene(Generic[InputOf, GoldOf]):
    """The scenes of a benchmark that calls tools in these styles only."""

    scene: Callable[[Sample[InputOf, GoldOf], Options], Scene]
    styles: tuple[str, ...]

    def __call__(self, sample: Sample[InputOf, GoldOf], options: Options) -> Scene:
        """The scene of a sample."""
        return self.scene(sample, options)
