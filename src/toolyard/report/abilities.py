"""Which figures stand for abilities."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING

from toolyard.core.benchmark import RunSetup
from toolyard.core.metrics import BESIDE, CAPABILITY
from toolyard.stats.bootstrap import Estimate

if TYPE_CHECKING:
    from toolyard.report.content import Report


def main_figures(report: Report) -> list[str]:
    """The run's figures that stand for abilities."""
    return ability_figures(report.setup, report.summaries["paper"].figures)


def ability_figures(setup: RunSetup, figures: Mapping[str, Estimate]) -> list[str]:
    """The figures that stand for abilities: no totals, no precision or recall beside an F1, no variants."""
    scoring = setup.benchmark.scoring
    known = [name for name, figure in figures.items() if figure.value is not None]
    capabilities = scoring.metrics_tagged(CAPABILITY)
    if capabilities:
        stated = (*capabilities, *scoring.metrics_tagged(BESIDE))
        return [name for name in stated if name in known and name != setup.headline]
    return [name for name in known if not _is_secondary(name, setup.headline, figures)]


def _is_secondary(name: str, headline: str, figures: Container[str]) -> bool:
    part = re.fullmatch(r"(.+)_(?:precision|recall)", name)
    return (
        name == headline
        or name in ("average", "overall")
        or name.endswith(("_soft", "_overall", "_printed"))
        or (part is not None and f"{part.group(1)}_f1" in figures)
    )
