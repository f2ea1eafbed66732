"""Keys and personal data taken out of a run before it is given to others.

Keys are those of the environment, in whichever spelling, and whatever has the form of one. Personal data are e-mail
addresses, telephone numbers and home folders, except those that the benchmark's own data hold.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import orjson

from toolyard.core.types import JsonValue, Record
from toolyard.lines import encode
from toolyard.models.key_scrubbing import MARK, Scrubber
from toolyard.run.store.packs import Pack
from toolyard.text.json_values import mapping

# Variables of the environment that hold a secret, by their names.
SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?\d*(?:_|$)", re.IGNORECASE)
KEY_FORMS = re.compile(
    r"\b(?:sk|rk|pk)[-_][A-Za-z0-9_-]{16,200}|\bgh[pousr]_[A-Za-z0-9]{20,255}|\bgithub_pat_[A-Za-z0-9_]{20,255}"
    r"|\bhf_[A-Za-z0-9]{20,100}|\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}|\bxox[abprs]-[A-Za-z0-9-]{10,200}"
    r"|\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}"
    r"|\b(?:glpat|gsk|npm|pplx|xai|whsec|xapp|shpat|nvapi|tvly)[-_](?=[\w-]{0,60}\d)[A-Za-z0-9_-]{16,200}"
    r"|\bya29\.[A-Za-z0-9_-]{16,400}"
    r"|(?i:(?<=Bearer ))[A-Za-z0-9._~+/-]{16,4000}|(?<=://)[^/\s:@]{1,100}:[^/\s@]{1,200}(?=@)"
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{1,10000}-----END [A-Z ]{0,30}PRIVATE KEY-----"
)
# What is given to something that is called a key: `?api_key=...`, `"token": "..."`, `Authorization: Basic ...`.
GIVEN_KEY = re.compile(
    r"((?:api[-_ ]?key|(?:access|account)[-_]?key|secret|token|passw(?:or)?d|authorization|[?&;](?:key|sig|signature))"
    r"(?:\\*[\"'])?\s{0,3}[=:]\s{0,3}(?:\\*[\"'])?(?:basic |bearer |token )?)"
    r"(?=[\w.~+/%-]{0,100}\d)(?=[\d.~+/%_-]{0,100}[A-Za-z])([\w.~+/=%-]{16,4000})",
    re.IGNORECASE | re.ASCII,
)
PERSONAL: Mapping[str, re.Pattern[str]] = {
    "[e-mail]": re.compile(r"(?<![\w.%+-])[\w.%+-]{1,64}(?:@|%40)(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}"),
    "[phone]": re.compile(
        r"(?<![\w+])(?:\+\d|00[1-9]\d?[ .-]\d)[\d ().-]{6,18}\d(?!\w)|(?<!\w)\(\d{3}\) ?\d{3}-\d{4}(?!\w)"
    ),
    "[home]": re.compile(r"(?:/home|/Users|[A-Za-z]:\\{1,2}Users)[/\\]{1,2}[\w.-]{1,64}"),
}
# Names that the standards keep for examples.
NOBODY = re.compile(r"(?:@|\.)(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)$", re.IGNORECASE)


class RunScrubber(Scrubber):
    """Takes keys and personal data out of texts; what the benchmark's own data hold is nobody's secret."""

    def __init__(self, published: str, environment: Mapping[str, str] | None = None) -> None:
        known = os.environ if environment is None else environment
        super().__init__(*(value for name, value in known.items() if SECRET_NAME.search(name)))
        self._published = published

    def text(self, text: str) -> str:
        """The text with a mark for everything that was taken out."""
        text = KEY_FORMS.sub(MARK, super().text(text))
        text = GIVEN_KEY.sub(lambda found: found[1] + self._replacement(found[2], MARK), text)
        for mark, pattern in PERSONAL.items():
            text = pattern.sub(partial(self._mark_found, mark), text)
        return text

    def value(self, value: JsonValue, depth: int = 0) -> JsonValue:
        """The JSON value without them; what a field holds that is called a key is one."""
        if isinstance(value, dict):
            value = {name: self._field(name, item) for name, item in value.items()}
        return super().value(value, depth)

    def _field(self, name: str, value: JsonValue) -> JsonValue:
        if isinstance(value, str) and GIVEN_KEY.fullmatch(f"{name[-40:]}={value}"):
            return self._replacement(value, MARK)
        return value

    def _mark_found(self, mark: str, found: re.Match[str]) -> str:
        return self._replacement(found.group(), mark)

    def _replacement(self, found: str, mark: str) -> str:
        return found if NOBODY.search(found) or found in self._published else mark


def scrub_run(pack: Pack, scores: list[Record], scrubber: Scrubber) -> tuple[Pack, list[Record]]:
    """The run without keys and personal data; its manifest names the samples whose answers were changed."""
    changed: set[str] = set()

    def scrub(line: object) -> Record:
        found: Record = orjson.loads(encode(line))
        clean = mapping(scrubber.value(found))
        if clean == found:
            return found
        # Samples are told apart by their ids, which come from the data.
        changed.add(found["sample"])
        return {**clean, "sample": found["sample"]}

    transcripts, evidence = tuple(map(scrub, pack.transcripts)), tuple(map(scrub, pack.evidence))
    kept = [scrub(line) for line in scores]
    manifest = {**mapping(scrubber.value(orjson.loads(encode(pack.manifest)))), "scrubbed": sorted(changed)}
    return replace(pack, manifest=manifest, transcripts=transcripts, evidence=evidence), kept
