"""What the letters of a name tell about where it is at home: Bjørn is not Björn."""

from __future__ import annotations

from collections.abc import Mapping

# Letters -> the countries in which names are written with them.
_LETTERS = {
    "ø": "NO DK FO", "å": "NO SE DK FI", "æ": "DK NO IS FO", "ðþ": "IS FO", "ö": "SE DE FI IS AT CH TR HU EE AZ",
    "ä": "DE SE FI AT CH EE SK", "ü": "DE TR AT CH HU EE AZ", "ß": "DE AT", "ñ": "ES MX AR CO CL PE VE PH US EC CU",
    "ç": "FR TR PT BR AL AZ ES", "ãõ": "PT BR AO MZ", "łżśńęąź": "PL", "řěů": "CZ", "čšž": "CZ SK SI HR RS BA LT LV ME MK",
    "őű": "HU", "ğışİ": "TR AZ", "ățș": "RO MD", "ľĺŕ": "SK", "ćđ": "HR RS BA ME PL SI", "ơưđạếễ": "VN",
}  # fmt: skip
# Names whose two spellings are at home in different countries.
_SPELT = {
    "björn": {"SE": 0.55, "DE": 0.3, "IS": 0.04, "FI": 0.03, "NO": 0.02},
    "bjørn": {"NO": 0.62, "DK": 0.29, "SE": 0.02, "DE": 0.01, "US": 0.01},
    "jörgen": {"SE": 0.78, "DE": 0.07, "FI": 0.05}, "jørgen": {"DK": 0.55, "NO": 0.38, "SE": 0.01},
    "sören": {"DE": 0.62, "SE": 0.26, "DK": 0.03}, "søren": {"DK": 0.88, "NO": 0.05, "DE": 0.01},
    "håkan": {"SE": 0.9, "FI": 0.04, "NO": 0.02}, "håkon": {"NO": 0.93, "DK": 0.01, "SE": 0.01},
    "lærke": {"DK": 0.95, "NO": 0.02}, "åse": {"NO": 0.72, "DK": 0.1, "SE": 0.1},
}  # fmt: skip
_OTHERS = 0.15


def homes_as_spelt(name: str, shares: Mapping[str, float]) -> dict[str, float]:
    """The shares of countries in a name, by the letters that only some of them write."""
    text = name.strip().lower()
    if text in _SPELT:
        return dict(_SPELT[text])
    at_home = [
        set(codes.split()) for letters, codes in _LETTERS.items() if any(sign in text for sign in letters)
    ]
    if not at_home or not any(code in codes for code in shares for codes in at_home):
        return dict(shares)
    weighed = {
        code: part * (1 if all(code in codes for codes in at_home) else _OTHERS)
        for code, part in shares.items()
    }
    scale = sum(shares.values()) / sum(weighed.values())
    return {code: value for code, part in weighed.items() if (value := round(part * scale, 2))}
