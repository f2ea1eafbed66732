"""What is declared about the world that the tools serve: its version, its clock, and one sentence for whoever calls them.

The version rises with every change of what a tool returns; data and answers name the version they were made in.
"""

from datetime import UTC, datetime

VERSION = "4"
# Of data and answers that name none: they are older than versions.
FIRST_VERSION = "1"
CLOCK = datetime(2024, 5, 15, 9, 0, tzinfo=UTC)
DECLARATION = (
    f"The tools serve a simulated world. It is {CLOCK:%A}, {CLOCK.day} {CLOCK:%B %Y, %H:%M} UTC there, "
    "and what they return is correct in it."
)
