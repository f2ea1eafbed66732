"""Agreement of two orders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """Kendall's tau-b with its number of pairs; None where one side does not vary."""

    tau: float | None
    concordant: int
    discordant: int
    tied: int


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> RankAgreement:
    """How far two rankings of the same things agree, from -1 (reversed) to 1 (equal)."""
    signs = [
        (_sign_of(first[a] - first[b]), _sign_of(second[a] - second[b]))
        for a, b in combinations(range(len(first)), 2)
    ]
    concordant = sum(one * other > 0 for one, other in signs)
    discordant = sum(one * other < 0 for one, other in signs)
    spread = math.sqrt(sum(one != 0 for one, _ in signs) * sum(other != 0 for _, other in signs))
    tau = (concordant - discordant) / spread if spread else None
    return RankAgreement(tau, concordant, discordant, len(signs) - concordant - discordant)


def _sign_of(value: float) -> int:
    return (value > 0) - (value < 0)
