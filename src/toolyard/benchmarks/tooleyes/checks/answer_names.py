"""Names, phrases, codes and addresses: whether a text contains them, with their usual alternatives."""

from __future__ import annotations

import re
from functools import lru_cache

from toolyard.benchmarks.tooleyes.checks.answer_layout import fold

_ALIKE = (
    "united states|united states of america|usa|u.s.a.|the us|us|u.s.|america",
    "united kingdom|uk|u.k.|great britain|britain",
    "united arab emirates|uae|the emirates", "south korea|korea|republic of korea", "netherlands|the netherlands|holland",
    "czechia|czech republic", "turkey|türkiye|turkiye", "russia|russian federation", "china|people's republic of china|prc",
    "eur|euro|euros|€", "usd|us dollar|us dollars|dollar|dollars|us$",
    "gbp|pound sterling|pounds sterling|british pound|british pounds|pounds|pound",
    "chf|swiss franc|swiss francs|francs|franc", "nok|norwegian krone|norwegian kroner|krone|kroner", "jpy|yen|japanese yen",
    "sek|swedish krona|swedish kronor|kronor|krona", "dkk|danish krone|danish kroner",
    "inr|indian rupee|indian rupees|rupees|rupee",
    "kes|kenyan shilling|kenyan shillings|shillings|ksh", "cad|canadian dollar|canadian dollars",
    "aud|australian dollar|australian dollars",
    "bbd|barbadian dollar|barbadian dollars|barbados dollar|barbados dollars", "cny|yuan|renminbi|rmb",
    "female|woman|women|a woman|girl", "male|man|men|a man|boy",
    "new york|new york city|nyc", "los angeles|la|l.a.", "cologne|köln|koln", "munich|münchen", "vienna|wien",
    "rome|roma", "lisbon|lisboa",
    "monday|mon", "tuesday|tue|tues", "wednesday|wed", "thursday|thu|thur|thurs", "friday|fri", "saturday|sat", "sunday|sun",
)  # fmt: skip
ALTERNATIVES = {
    fold(name): tuple(map(fold, group.split("|"))) for group in _ALIKE for name in group.split("|")
}
# Short forms that are also common words count only as they are usually written.
_CASED = {
    "us": "US",
    "la": "LA",
    "sun": "Sun",
    "sat": "Sat",
    "mon": "Mon",
    "wed": "Wed",
    "uk": "UK",
    "man": "",
    "america": "",
}
_SUFFIX = re.compile(
    r"[, ]+(?:incorporated|inc|corporation|corp|limited|ltd|company|co|plc|ag|se|llc|gmbh|holdings)\.?$", re.I
)
_ADDRESS = re.compile(r"^(?:https?://)?(?:www\.)?([\w.-]+\.[a-z]{2,}(?:[/:?#].*)?)$", re.I)
_PHONE = re.compile(r"\+?[\d][\d ().-]{6,}\d")
_LITTLE = frozenset(
    [
        "in",
        "it",
        "is",
        "at",
        "to",
        "no",
        "or",
        "of",
        "so",
        "be",
        "me",
        "my",
        "do",
        "go",
        "if",
        "an",
        "as",
        "am",
        "pm",
        "on",
        "by",
        "he",
        "we",
        "up",
    ]
)
_EDGE = "'\".,!()[] "
_STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "and",
        "or",
        "in",
        "on",
        "at",
        "for",
        "to",
        "by",
        "with",
        "from",
        "is",
        "it",
        "its",
        "my",
        "your",
    ]
)


@lru_cache(maxsize=4096)
def places_of(
    text: str, wanted: str, *, loose: bool = False, bent: bool = True
) -> tuple[tuple[int, int], ...]:
    """Where a text has the name or phrase, or one of its usual alternatives, as (start, end)."""
    plain = fold(text)
    found: list[tuple[int, int]] = []
    for form in forms_of(wanted):
        found += [
            at.span() for at in _pattern(form, bent and wanted).finditer(plain) if _cased(text, at, form)
        ]
    if not found and _PHONE.fullmatch(wanted):
        found += _phone(text, wanted)
    if not found and loose and "/" not in wanted:
        found += _loose(plain, fold(wanted))
    return tuple(sorted(set(found)))


def forms_of(wanted: str) -> tuple[str, ...]:
    """The ways in which a name may be put, folded."""
    name = fold(wanted).strip(_EDGE + "\n")
    short = fold(_SUFFIX.sub("", _SUFFIX.sub("", wanted))).strip(_EDGE)
    bare = re.sub(r"^the ", "", short)
    address = _ADDRESS.match(wanted.strip())
    forms = [name, short, bare, *ALTERNATIVES.get(name, ()), *ALTERNATIVES.get(bare, ())]
    if address is not None:
        forms.append(fold(address.group(1)).rstrip("/"))
    if " & " in name:
        forms.append(name.replace(" & ", " and "))
    return tuple(dict.fromkeys(form for form in forms if form)) or (fold(wanted),)


@lru_cache(maxsize=16384)
def _pattern(form: str, wanted: str | bool) -> re.Pattern[str]:
    """The words with any white space or hyphen between them, not as a part of longer words.

    `wanted` is the name as data have it; common words may be bent ("rain", "raining"), names only take a plural.
    """
    parts = [re.escape(part) for part in re.split(r"[\s-]+", form) if part]
    body = r"[\s-]+".join(parts) if parts else re.escape(form)
    body = (
        body.replace("'", "'?").replace(r"\.", r"\.?")
        if len(form) > 3 and not re.search(r"\d\.\d|\.[a-z]", form)
        else body
    )
    path = "" if "/" in form or "." in form or "@" in form else "/@"
    before = rf"(?<![^\W_])(?<![{path}])" if path else r"(?<![^\W_])"
    after = r"(?![^\W_])(?![@/][a-z]|\.[a-z])" if path else r"(?![^\W_])"
    before = before if form[:1].isalnum() and form[:1].isascii() else ""
    after = after if form[-1:].isalnum() and form[-1:].isascii() else ""
    plural = ""
    if wanted and form[-1:].isalpha() and form.isascii() and len(form) > 3:
        plural = (
            "(?:s|es|ed|ing|y)?" if isinstance(wanted, str) and wanted.islower() and " " not in form else "s?"
        )
    return re.compile(f"{before}{body}{plural}{after}")


def _cased(text: str, at: re.Match[str], form: str) -> bool:
    wanted = _CASED.get(form)
    if wanted is None:
        return form not in _LITTLE or text[at.start() : at.end()][:1].isupper()
    return bool(wanted) and text[at.start() : at.end()] == wanted


def _phone(text: str, wanted: str) -> list[tuple[int, int]]:
    digits = re.sub(r"\D", "", wanted)
    found = []
    for at in _PHONE.finditer(text):
        said = re.sub(r"\D", "", at.group())
        if said == digits or (
            len(said) >= 7 and (digits.endswith(said.lstrip("0")) or said.endswith(digits))
        ):
            found.append(at.span())
    return found


def _loose(plain: str, wanted: str) -> list[tuple[int, int]]:
    """A long title of which at least four fifths of the words are there, in order and close together."""
    words = [word for word in re.findall(r"[^\W_]+", wanted) if word not in _STOP]
    if len(words) < 4 or sum(map(len, words)) < 16:
        return []
    spots: list[tuple[int, int]] = []
    place = 0
    for word in words:
        at = re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])").search(plain, place)
        if at is not None and (not spots or at.start() - spots[-1][1] < 60):
            spots.append(at.span())
            place = at.end()
    if len(spots) < 0.8 * len(words):
        return []
    return [(spots[0][0], spots[-1][1])]
