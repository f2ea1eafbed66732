"""What a caller must have said before a food tool can answer."""

from collections.abc import Iterable, Sequence

from toolyard.world.kernel.faults import invalid, out_of_range


def check_text(text: str, parameter: str, example: str) -> str:
    """A text as it is; an invalid_value fault for one without a letter or a digit."""
    if not any(sign.isalnum() for sign in text[:400]):
        raise invalid(parameter, text[:40], f"say what to look for, e.g. {example}")
    return text


def check_order(low: float | None, high: float | None, least: str, most: str) -> None:
    """An out_of_range fault where the least is above the most."""
    if low is not None and high is not None and low > high:
        raise out_of_range(least, low, f"must not be above {most}={high:g}")


def match_known_name(name: str, known: Iterable[str], parameter: str) -> str:
    """The known name that a text spells, case and underscores aside; an invalid_value fault that lists them otherwise."""
    names = list(known)
    by_key = {_name_key(one): one for one in names}
    if _name_key(name) not in by_key:
        raise invalid(parameter, name[:40], f"want some of {', '.join(names)}")
    return by_key[_name_key(name)]


def _name_key(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


def check_not_empty(values: Sequence[object], parameter: str, example: str) -> None:
    """An invalid_value fault for an empty list."""
    if not values:
        raise invalid(parameter, [], f"give at least one, e.g. {example}")
