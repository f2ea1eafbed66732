"""agreement: do figures and people prefer the same run?"""

from dataclasses import dataclass
from pathlib import Path

from toolyard.cli.output import print_json, print_tables
from toolyard.cli.signature import takes_options
from toolyard.core.options import option
from toolyard.core.types import PROFILES
from toolyard.run.settings import PROFILE


@dataclass(frozen=True, slots=True)
class AgreementSettings:
    """What a user can ask of `agreement`, each option stated once."""

    first: Path = option(..., help="Run directory of the first model.")
    second: Path = option(..., help="Run directory of the second model.")
    labels: Path = option(
        ..., "--labels", help="jsonl with sample, annotator and label (1 first, 0 tie, -1 second)."
    )
    figures: tuple[str, ...] = option(
        (), "--figures", help="Metrics, separated by commas; default: the headline.", commas=True
    )
    dimension: str = option("", "--dimension", help="Only votes on this dimension.")
    profile: str = option("paper", "--profile", help=PROFILE, choices=PROFILES)
    json: bool = option(False, "--json", help="Print JSON instead of a table.")


@takes_options(AgreementSettings)
def agreement(settings: AgreementSettings) -> None:
    """Correlate the differences of two runs with human preferences.

    Example: toolyard agreement runs/mtu_a runs/mtu_b --labels votes.jsonl --figures tool_number,tool_order
    """
    from toolyard.report.compare.human_agreement import agreement_by_figure as agreement_of
    from toolyard.report.compare.human_agreement import (
        agreement_json,
        agreement_table,
        read_labels,
        vote_table,
    )
    from toolyard.run.grade.scoring import require_profile

    first, second = settings.first, settings.second
    votes = read_labels(settings.labels, settings.dimension, (first.resolve().name, second.resolve().name))
    profile = require_profile(settings.profile)
    found = agreement_of(first, second, votes, figures=settings.figures, profile=profile)
    if settings.json:
        print_json(agreement_json(found))
    else:
        print_tables([agreement_table(found), vote_table(found)])
