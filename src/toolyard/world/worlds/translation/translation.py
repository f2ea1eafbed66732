"""Translation/Translation: common words in 26 languages and phrases in seven; anything else is a fault."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.world.faults import ToolFault
from toolyard.world.reference.packed import packed
from toolyard.world.registry import tool
from toolyard.world.shared.geography import read_table
from toolyard.world.shared.tongues import language_of
from toolyard.world.types import Range, Semantic

GROUP = "Translation/Translation"
PHRASES = ("en", "zh", "fr", "es", "de", "it", "ja")
LANGUAGES = (*PHRASES, "pt", "nl", "sv", "ru", "pl", "cs", "tr", "el", "hu", "hr", "ar", "hi", "lt", "af", "sw", "ga", "cy",
             "no", "id", "bg")  # fmt: skip
_NLLB = {
    "eng_Latn": "en", "zho_Hans": "zh", "zho_Hant": "zh", "fra_Latn": "fr", "spa_Latn": "es", "deu_Latn": "de",
    "ita_Latn": "it", "jpn_Jpan": "ja", "por_Latn": "pt", "nld_Latn": "nl", "swe_Latn": "sv", "rus_Cyrl": "ru",
    "pol_Latn": "pl", "ces_Latn": "cs", "tur_Latn": "tr", "ell_Grek": "el", "hun_Latn": "hu", "hrv_Latn": "hr",
    "arb_Arab": "ar", "hin_Deva": "hi", "lit_Latn": "lt", "afr_Latn": "af", "swh_Latn": "sw", "gle_Latn": "ga",
    "cym_Latn": "cy", "nob_Latn": "no", "ind_Latn": "id", "bul_Cyrl": "bg",
}  # fmt: skip
_BAIDU = {"en": "en", "zh": "zh", "cht": "zh", "fra": "fr", "fr": "fr", "spa": "es", "es": "es", "de": "de", "it": "it",
          "jp": "ja", "ja": "ja", "pt": "pt", "nl": "nl", "swe": "sv", "sv": "sv", "ru": "ru", "pl": "pl", "cs": "cs",
          "tr": "tr", "el": "el", "hu": "hu", "hrv": "hr", "hr": "hr", "ara": "ar", "ar": "ar", "hi": "hi", "lit": "lt",
          "lt": "lt", "afr": "af", "af": "af", "swa": "sw", "sw": "sw", "gle": "ga", "ga": "ga", "wel": "cy", "cy": "cy",
          "nor": "no", "no": "no", "nb": "no", "id": "id", "bul": "bg", "bg": "bg"}  # fmt: skip
_NO_SPACES = ("zh", "ja")
_SIGNS = re.compile(r"[.,!?;:。，！？、\"“”«»()]+")
Phrase = Annotated[str, Semantic("phrase", accepts=("word",)), Range(1, 2000)]
NllbCode = Annotated[str, Semantic("nllb_language")]
BaiduCode = Annotated[str, Semantic("baidu_language")]


class Translation(TypedDict):
    translation_text: Annotated[str, Semantic("translated_phrase")]
    source_language: NllbCode
    target_language: NllbCode
    truncated: bool


class Piece(TypedDict):
    source: str
    target: str


class BaiduTranslation(TypedDict):
    detected_language: BaiduCode
    to: BaiduCode
    result: Annotated[str, Semantic("translated_phrase")]
    pieces: list[Piece]


@functools.cache
def _entries(source: str, target: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for row in read_table("translations.tsv") if {source, target} <= set(PHRASES) else ():
        found.setdefault(row[source].lower(), row[target])
        if source == "en" and row["en"].startswith("to "):
            found.setdefault(row["en"][3:], row[target])
    columns = packed("translations").columns
    if source in columns and target in columns:
        here, there = columns.index(source), columns.index(target)
        # The table has the commonest words first: of several with the same translation the commonest is meant.
        for fields in packed("translations"):
            if fields[here] and fields[there]:
                found.setdefault(fields[here].lower(), fields[there])
    return found


def _language(code: str, known: Mapping[str, str], parameter: str) -> str:
    wanted = {name.lower(): language for name, language in known.items()}.get(code.strip().lower())
    if wanted is None:
        raise ToolFault(
            "not_found",
            f"no language {code[:40]!r} ({parameter}); the dictionary has {', '.join(known)}",
            parameter=parameter,
        )
    return wanted


def _pieces(text: str, source: str, target: str) -> list[Piece]:
    """The text cut into the longest entries of the lexicon, with their translations; a fault names what is left."""
    entries = _entries(source, target)
    plain = _SIGNS.sub(" ", text.lower())
    units = [sign for sign in plain if not sign.isspace()] if source in _NO_SPACES else plain.split()
    joint = "" if source in _NO_SPACES else " "
    found: list[Piece] = []
    missing: list[str] = []
    at = 0
    while at < len(units):
        for size in range(min(14, len(units) - at), 0, -1):
            part = joint.join(units[at : at + size])
            if part in entries:
                found.append({"source": part, "target": entries[part]})
                at += size
                break
        else:
            missing.append(units[at])
            at += 1
    if missing or not found:
        raise ToolFault(
            "not_found",
            f"not in the lexicon: {', '.join(missing[:8])[:200] or 'an empty text'}; it holds common words and phrases",
        )
    return found


def _joined(pieces: list[Piece], target: str) -> str:
    return ("" if target in _NO_SPACES else " ").join(piece["target"] for piece in pieces)


@tool(
    GROUP,
    examples=[
        {"input_text": "happy birthday", "tgt_lang": "deu_Latn", "src_lang": "eng_Latn", "max_length": 100},
        {"input_text": "我爱你到永远", "tgt_lang": "eng_Latn", "src_lang": "zho_Hans", "max_length": 100},
    ],
    phrase=(
        "use NLLB, with the maximum length set to {max_length}, to translate the following from {src_lang} "
        "into {tgt_lang}: {input_text}"
    ),
    noun="the NLLB translation",
    jobs=("translation",),
)
def get_translation_nllb(
    *, input_text: Phrase, tgt_lang: NllbCode, src_lang: NllbCode, max_length: Annotated[int, Range(1, 5000)]
) -> Translation:
    """A word or phrase in another language, from a stated source language.

    input_text: Words or phrases of everyday use.
    tgt_lang: Target as eng_Latn, fra_Latn, spa_Latn, deu_Latn, por_Latn, rus_Cyrl, tur_Latn and the like.
    src_lang: Source, in the same codes.
    max_length: Greatest number of characters of the translation.
    """
    source, target = _language(src_lang, _NLLB, "src_lang"), _language(tgt_lang, _NLLB, "tgt_lang")
    text = input_text.strip() if source == target else _joined(_pieces(input_text, source, target), target)
    return {
        "translation_text": text[:max_length],
        "source_language": src_lang.strip(),
        "target_language": tgt_lang.strip(),
        "truncated": len(text) > max_length,
    }


@tool(
    GROUP,
    examples=[{"text": "glass", "tgt_lang": "zh"}, {"text": "hello", "tgt_lang": "jp"}],
    phrase="use Baidu to translate the following into {tgt_lang}: {text}",
    noun="the Baidu translation",
    jobs=("translation",),
)
def get_translation_baidu(*, text: Phrase, tgt_lang: BaiduCode) -> BaiduTranslation:
    """A word or phrase in another language, the source language found by itself, with the parts it was made of.

    text: Words or phrases of everyday use.
    tgt_lang: Target as en, zh, fra, spa, de, it, jp, pt, nl, ru, pl, tr, ara, hi and the like.
    """
    target = _language(tgt_lang, _BAIDU, "tgt_lang")
    source = _source(text, target)
    pieces = _pieces(text, source, target)
    code = {language: name for name, language in reversed(_BAIDU.items())}
    return {
        "detected_language": code[source],
        "to": code[target],
        "result": _joined(pieces, target),
        "pieces": pieces,
    }


def _source(text: str, target: str) -> str:
    """The language that holds the whole text as one entry, else the likeliest by its letters."""
    whole = _SIGNS.sub(" ", text.lower()).strip()
    guess = language_of(text)
    likely = [language for language in dict.fromkeys((guess, "en", *LANGUAGES)) if language in LANGUAGES]
    for language in likely:
        if language != target and whole in _entries(language, target):
            return language
    return guess if guess in LANGUAGES and guess != target else "en" if target != "en" else "zh"
