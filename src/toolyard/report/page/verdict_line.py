"""What a page comes to, in one line with a colour."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """The line on top of a page, and whether it is good news."""

    good: bool
    text: str
