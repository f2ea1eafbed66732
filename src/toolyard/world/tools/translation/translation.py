"""Translation/Translation: common words and phrases in fifteen languages; else a fault that says what is known."""

import functools
from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import table_texts, values_of
from toolyard.world.kernel.types import Range, Semantic
from toolyard.world.reference.language_detection import detect_language
from toolyard.world.tools.translation.lexicon import (
    LANGUAGES,
    common_words_only,
    is_sign,
    join_parts,
    single_words,
    translate_parts,
)

GROUP = Group("Translation/Translation")
_NLLB = table_texts("translation.nllb")
_BAIDU = {"en": "en", "zh": "zh", "cht": "zh", "fra": "fr", "fr": "fr", "spa": "es", "es": "es", "de": "de", "it": "it",
          "jp": "ja", "ja": "ja", "pt": "pt", "nl": "nl", "ru": "ru", "kor": "ko", "ko": "ko", "ara": "ar", "ar": "ar",
          "pl": "pl", "swe": "sv", "sv": "sv", "tr": "tr"}  # fmt: skip
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
def _language_names(language: str) -> tuple[str, ...]:
    """What a language is called beside the codes of a service: its two letters, its name in English and its own."""
    from babel import Locale

    names = (Locale.parse("en").languages.get(language, ""), Locale.parse(language).get_display_name() or "")
    return (language, *(name.lower() for name in names if name))


def _find_language(code: str, known: Mapping[str, str], parameter: str) -> str:
    forms = {name.lower(): language for name, language in known.items()}
    asked = code.strip().lower()
    languages = (*LANGUAGES, *common_words_only())
    wanted = forms.get(asked) or next((one for one in languages if asked in _language_names(one)), None)
    if wanted is None:
        raise ToolFault(
            "not_found",
            f"no language {code[:40]!r} ({parameter}); the dictionary has {', '.join(known)}, "
            f"and few words in {', '.join(common_words_only())}",
            parameter=parameter,
        )
    return wanted


def _translated_pieces(text: str, source: str, target: str) -> list[tuple[str, str]]:
    """The phrases of the text with their translations; a fault says which of its words are known one by one."""
    found = translate_parts(text, source, target)
    if found:
        return found
    known, missing = single_words(text, source, target)
    told = [f"not in the lexicon: {', '.join(missing[:8])[:200]}"] if missing else []
    if known:
        pairs = ", ".join(f"{word} = {said}" for word, said in list(known.items())[:8])
        told.append(f"of single words it has {pairs[:300]}")
    raise ToolFault(
        "out_of_range",
        f"no translation of {text.strip()[:80]!r} as a whole from {source} to {target}; "
        + "; ".join([*told, "it holds common words and everyday phrases, to be asked for one at a time"]),
    )


# Signs at the end of a sentence where they are written otherwise.
_SIGNS: Mapping[str, Mapping[str, str]] = values_of("translation.signs")


def _match_case_and_sign(text: str, said: str, target: str) -> str:
    """A translation that begins and ends as its text does: with a capital letter, with a question mark."""
    text = text.strip()
    if " " not in text.rstrip("?!. ") or not said:
        return said
    said = said[0].upper() + said[1:] if text[0].isupper() else said
    sign = text[-1] if text[-1] in "?!." else ""
    if not sign or said[-1] in "?!.？！。":
        return said
    opening = {"?": "¿", "!": "¡"}.get(sign, "") if target == "es" else ""
    return f"{opening}{said}{_SIGNS.get(target, {}).get(sign, sign)}"


@GROUP.tool(
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

    input_text: Common words in their base form or set phrases of everyday use; free sentences are refused.
    tgt_lang: Target as eng_Latn, zho_Hans, zho_Hant, fra_Latn, spa_Latn, deu_Latn, ita_Latn, jpn_Jpan, por_Latn, nld_Latn,
        rus_Cyrl, kor_Hang, arb_Arab, pol_Latn, swe_Latn, tur_Latn.
    src_lang: Source, in the same codes.
    max_length: Greatest number of characters of the translation.
    """
    source, target = _find_language(src_lang, _NLLB, "src_lang"), _find_language(tgt_lang, _NLLB, "tgt_lang")
    pieces = [] if source == target else _translated_pieces(input_text, source, target)
    text = (
        _match_case_and_sign(input_text, join_parts(pieces, target), target) if pieces else input_text.strip()
    )
    return {
        "translation_text": text[:max_length],
        "source_language": src_lang.strip(),
        "target_language": tgt_lang.strip(),
        "truncated": len(text) > max_length,
    }


@GROUP.tool(
    examples=[{"text": "glass", "tgt_lang": "zh"}, {"text": "hello", "tgt_lang": "jp"}],
    phrase="use Baidu to translate the following into {tgt_lang}: {text}",
    noun="the Baidu translation",
    jobs=("translation",),
)
def get_translation_baidu(*, text: Phrase, tgt_lang: BaiduCode) -> BaiduTranslation:
    """A word or phrase in another language, the source language found by itself, with the parts it was made of.

    text: Common words in their base form or set phrases of everyday use; free sentences are refused.
    tgt_lang: Target as en, zh, fra, spa, de, it, jp, pt, nl, ru, kor, ara, pl, swe, tr.
    """
    target = _find_language(tgt_lang, _BAIDU, "tgt_lang")
    code = {
        **{one: one for one in common_words_only()},
        **{language: name for name, language in reversed(_BAIDU.items())},
    }
    if _is_in_language(text, target):
        return {"detected_language": code[target], "to": code[target], "result": text.strip(), "pieces": []}
    source = _detect_source(text, target)
    pieces = _translated_pieces(text, source, target)
    return {
        "detected_language": code[source],
        "to": code[target],
        "result": _match_case_and_sign(text, join_parts(pieces, target), target),
        "pieces": [{"source": part, "target": said} for part, said in pieces if not is_sign(part)],
    }


def _is_in_language(text: str, target: str) -> bool:
    """Whether a text is in the target language already: as a phrase of it, or by its letters."""
    if target != "en" and translate_parts(text, "en", target):
        return False
    own = target in LANGUAGES and translate_parts(text, target, "es" if target == "en" else "en") is not None
    return own or (detect_language(text) == target and len(text.split()) > 2)


def _detect_source(text: str, target: str) -> str:
    """The language that holds the whole text, English before others, else the likeliest by its letters."""
    guess = detect_language(text)
    known = (*LANGUAGES, *(one for one in common_words_only() if one == guess))
    likely = [language for language in dict.fromkeys(("en", guess, *LANGUAGES)) if language in known]
    for language in likely:
        if language != target and translate_parts(text, language, target):
            return language
    return guess if guess in LANGUAGES and guess != target else "en" if target != "en" else "zh"
