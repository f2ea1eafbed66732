"""What a gate asks for, from a small file of the user's (YAML or JSON); everything has a default.

profile: paper
level: 0.05                # chance of a false NO-GO, and of a false GO
allowed_drop: 0.02         # of figures that name none of their own; fractions, so 0.02 is two points
figures:                   # default: the headline
  average: 0.02
  tree: 0.05
minimal_samples: 30        # shared and scored; fewer are inconclusive
maximal_unscored: 0.02     # share of either run
may_differ: [templates]    # settings in which the run may differ from the baseline
"""

import json
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.core.errors import DataError, UsageError, did_you_mean
from toolyard.core.types import JsonValue, Profile
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.lines import LARGEST_SETTINGS, whole_text
from toolyard.run.grade.scoring import require_profile
from toolyard.stats.summary import UNSCORED_LIMIT
from toolyard.text.yaml_text import read_yaml

# What a user may want to change between baseline and run; the model always may.
SETTINGS = (
    "style", "options", "templates", "variation", "catalogue", "perturb", "decoding", "seed", "trials", "judge", "embedder",
    "documents", "rewriter",
)  # fmt: skip
DEFAULT_DROP = 0.02
KEYS = (
    "profile", "level", "allowed_drop", "figures", "minimal_samples", "maximal_unscored", "may_differ",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of a gate; `figures` maps each to its allowed drop and is empty for the headline alone."""

    profile: Profile = "paper"
    level: float = 0.05
    allowed_drop: float = DEFAULT_DROP
    figures: Mapping[str, float] = field(default_factory=dict)
    minimal_samples: int = 30
    maximal_unscored: float = UNSCORED_LIMIT
    may_differ: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """The policy as it was understood."""
        return {
            "profile": self.profile,
            "level": self.level,
            "allowed_drop": self.allowed_drop,
            "figures": dict(self.figures),
            "minimal_samples": self.minimal_samples,
            "maximal_unscored": self.maximal_unscored,
            "may_differ": list(self.may_differ),
        }


def read_policy(path: Path) -> Policy:
    """The policy in a file; an unknown key or a value that makes no sense is named with what was wanted."""
    text = whole_text(path, "give a YAML or JSON file", most=LARGEST_SETTINGS)
    try:
        content = json_safe(json.loads(text) if path.suffix == ".json" else read_yaml(text))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is not YAML or JSON ({' '.join(str(error).split())[:200]})") from None
    if not isinstance(content, dict):
        raise DataError(f"{path} holds a {type(content).__name__}, wanted an object with {', '.join(KEYS)}")
    unknown = [str(key) for key in content if key not in KEYS]
    if unknown:
        meant = did_you_mean(unknown[0], KEYS)
        raise DataError(f"{path} has {', '.join(unknown)}; {meant}a policy knows {', '.join(KEYS)}")
    return _parse_policy(path, content)


def _parse_policy(path: Path, content: Mapping[str, JsonValue]) -> Policy:
    default = Policy()
    drop = _require_fraction(path, "allowed_drop", content.get("allowed_drop", default.allowed_drop))
    samples = content.get("minimal_samples", default.minimal_samples)
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
        raise DataError(f"{path}, minimal_samples: found {samples!r}, wanted a whole number from 2 up")
    level = _require_fraction(path, "level", content.get("level", default.level))
    if not 0 < level < 0.5:
        raise DataError(f"{path}, level: found {level!r}, wanted a chance between 0 and 0.5, e.g. 0.05")
    return Policy(
        profile=_read_profile(path, str(content.get("profile", default.profile))),
        level=level,
        allowed_drop=drop,
        figures=_allowed_drops(path, content.get("figures", {}), drop),
        minimal_samples=samples,
        maximal_unscored=_require_fraction(
            path, "maximal_unscored", content.get("maximal_unscored", default.maximal_unscored)
        ),
        may_differ=_settings_that_may_differ(path, content.get("may_differ", [])),
    )


def _read_profile(path: Path, value: str) -> Profile:
    try:
        return require_profile(value)
    except UsageError as error:
        raise DataError(str(error).replace("--profile", f"{path}, profile:", 1)) from None


def _shorten_value(value: JsonValue) -> str:
    return reprlib.repr(value)


def _require_fraction(path: Path, name: str, value: JsonValue) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1:
        raise DataError(
            f"{path}, {name}: found {_shorten_value(value)}, wanted a fraction from 0 to 1 (0.02 is two points)"
        )
    return float(value)


def _allowed_drops(path: Path, value: JsonValue, drop: float) -> dict[str, float]:
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return dict.fromkeys(value, drop)
    if not isinstance(value, dict):
        raise DataError(
            f"{path}, figures: found {_shorten_value(value)}, wanted names with their allowed drops or a list of names"
        )
    return {
        str(name): _require_fraction(path, f"figures.{name}", drop if allowed is None else allowed)
        for name, allowed in value.items()
    }


def _settings_that_may_differ(path: Path, value: JsonValue) -> tuple[str, ...]:
    names: Sequence[JsonValue] = value if isinstance(value, list) else [value]
    known = tuple(name for name in names if isinstance(name, str) and name in SETTINGS)
    unknown = [str(name) for name in names if name not in known]
    if unknown:
        raise DataError(
            f"{path}, may_differ: found {', '.join(unknown)}; {did_you_mean(unknown[0], SETTINGS)}"
            f"wanted some of {', '.join(SETTINGS)}; benchmark, version and data are never allowed to differ"
        )
    return known
