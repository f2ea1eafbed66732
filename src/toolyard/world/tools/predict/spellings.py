"""What the letters of a name tell about where it is at home: Bjørn is not Björn."""

from collections.abc import Mapping

from toolyard.world.kernel.tables import table_texts, values_of

# Letters -> the countries in which names are written with them.
_LETTERS = table_texts("spellings.letters")
# Names whose two spellings are at home in different countries.
_SPELT: Mapping[str, Mapping[str, float]] = values_of("spellings.spelt")
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
