"""Locales: a language and, where wanted, a country, as callers of services write them."""

import functools
import re

from toolyard.world.kernel.faults import invalid

_WRITTEN = re.compile(r"([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}|\d{3}))?", re.IGNORECASE)


@functools.cache
def _known_codes() -> tuple[frozenset[str], frozenset[str]]:
    """The codes of all languages and territories."""
    from babel import Locale

    english = Locale("en")
    return frozenset(english.languages), frozenset(english.territories)


def check_locale(text: str, parameter: str = "locale") -> None:
    """Refuses what is no locale, or has a language or country that does not exist."""
    match = _WRITTEN.fullmatch(text.strip())
    languages, territories = _known_codes() if match else (frozenset(), frozenset())
    if match and match[1].lower() in languages and (not match[2] or match[2].upper() in territories):
        return
    raise invalid(
        parameter, text[:40], "want a language, or a language and a country, such as en_US or de_DE"
    )
