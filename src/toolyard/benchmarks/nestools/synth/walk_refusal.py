"""A check that fails deep inside a walk ends the walk; the stage that began it turns this into a rejection."""

from toolyard.synth.stages import Rejected
from toolyard.text.parsing import excerpt


class DraftRefused(Exception):
    """Why model text was not taken; `reason` is a label of the funnel."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.rejected = Rejected(reason, excerpt(detail))
