"""Queries without linking words (section 5.4): by rule, or by a model whose rewriting is checked.

The rule takes out words that only tell the order ("then", "after that", "finally", ...) and "please", and
makes separate sentences of what they joined. Text in quotation marks is never touched.
"""

import re
from pathlib import Path

from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.core.benchmark import Rewriting
from toolyard.core.nesting import labels_in
from toolyard.core.types import Decoding, Failure, JsonValue, Message, Options
from toolyard.text.parsing import strip_thinking
from toolyard.text.templates import render

LINKS = (
    "additionally", "after that", "after this", "afterward", "afterwards", "also", "and finally", "and then",
    "at first", "at last", "concluding", "conclusively", "consequently", "eventually", "finally", "first",
    "first of all", "firstly", "following that", "following this", "furthermore", "in addition", "in conclusion",
    "in the end", "initially", "last", "lastly", "later", "moreover", "next", "once completed", "post that",
    "second", "secondly", "simultaneously", "subsequently", "then", "thereafter", "third", "thirdly",
    "to begin with", "to conclude", "to finalize", "to wrap things up", "ultimately", "upon completion",
)  # fmt: skip
# These are names of things as often as they are links ("first class", "next year", "also known as"): they
# go only where a comma sets them off.
SET_OFF_ONLY = frozenset({"also", "concluding", "first", "last", "later", "next", "second", "third"})

_QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|‘[^’\n]*’|`[^`\n]*`|(?<!\w)\'[^\'\n]*\'(?!\w)')
_ANY = "|".join(sorted(LINKS, key=len, reverse=True)).replace(" ", r"\s+")
_FREE = "|".join(sorted(set(LINKS) - SET_OFF_ONLY, key=len, reverse=True)).replace(" ", r"\s+")
# A link that begins a sentence.
_LEADING = re.compile(
    rf"(?P<start>^|[.!?;]\s|\ue002)(?:(?:{_ANY})\s?,|(?:{_FREE})(?=\s))\s?(?=[\w\ue002])", re.IGNORECASE
)
# "..., and then ..." and "..., then ..." end a sentence and begin another.
_JOINING = re.compile(
    r"(?:[,;]\s(?:and\s)?|\sand\s)(?:then|finally|subsequently|lastly|afterwards?|after\sthat)\b,?\s(?=\w)",
    re.IGNORECASE,
)
_POLITE = re.compile(r"(?<![\w-])(?:please|kindly),?\s(?=\w)", re.IGNORECASE)
_CONDITION = re.compile(r"\ue002?(?:if|when|once|after|upon|while|as soon as)\b", re.IGNORECASE)
LONGEST_CONDITION = 400
# Three private characters: around the number of a masked quotation, and where a link was taken out.
_MASK = "\ue000{}\ue001"
_CUT = "\ue002"
_MASKED = re.compile("\ue000([0-9]+)\ue001")
_AFTER_CUT = re.compile("\ue002+(?P<word>[a-z]+(?![\\w@/:]|[.]\\w))?")
_PRIVATE = re.compile("[\ue000-\ue002]")


def without_conjunctions(query: str) -> str:
    """The query as separate sentences, without words that link them or tell their order."""
    if _PRIVATE.search(query):
        return query
    quoted: list[str] = []

    def mask(found: re.Match[str]) -> str:
        quoted.append(found.group())
        return _MASK.format(len(quoted) - 1)

    text = _QUOTED.sub(mask, query)
    text = _POLITE.sub(_cut_at_start, text)
    text = _JOINING.sub(_sentence_break, text)
    for _ in range(2):
        text = _LEADING.sub(rf"\g<start>{_CUT}", text)
    # Only a word that a cut has brought to the front is capitalised: "E. coli" stays as it is.
    text = _AFTER_CUT.sub(lambda found: (found["word"] or "").capitalize(), text)
    return _MASKED.sub(lambda found: quoted[int(found.group(1))], text)


def _sentence_break(found: re.Match[str]) -> str:
    """A full stop, but a comma where the sentence so far is only a condition ("if it rains, then stay")."""
    before = found.string[max(0, found.start() - LONGEST_CONDITION) : found.start()]
    sentence = re.split(r"[.!?]\s", before)[-1]
    return ", " if _CONDITION.match(sentence) else f". {_CUT}"


def _cut_at_start(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - 8) : found.start()].rstrip()[-1:]
    return _CUT if before in ("", ".", "!", "?") else ""


def literals_in_query(sample: NestoolsSample) -> tuple[str, ...]:
    """The plain gold values that the query spells out, as text; what a rewriting must keep."""
    query = sample.input["query"].lower()
    values = [value for call in sample.gold["calls"] for value in call["parameters"].values()]
    spelled = [text for value in values for text in _literal_texts(value)]
    return tuple(dict.fromkeys(text for text in spelled if text.lower() in query))


def _literal_texts(value: JsonValue) -> list[str]:
    if labels_in(value):
        return []
    if isinstance(value, list):
        return [text for item in value for text in _literal_texts(item)]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _literal_texts(item)]
    if isinstance(value, bool) or value is None:
        return []
    written = [str(value)]
    if isinstance(value, float) and value.is_integer():
        written.append(str(int(value)))
    return written


def rewrite_prompt(sample: NestoolsSample) -> tuple[Message, ...]:
    """The request that has a model take out the linking words (appendix B.3, in our words)."""
    template = (Path(__file__).parents[1] / "templates" / "rewrite.txt").read_text(encoding="utf-8")
    return (Message("user", render(template, {"query": sample.input["query"]})),)


def accept_rewrite(sample: NestoolsSample, text: str) -> dict[str, JsonValue] | Failure:
    """The rewritten query, or what it lost: every value that the query spelled out must still be there."""
    rewritten = (strip_thinking(text) or "").strip()
    if not rewritten:
        return Failure("empty")
    lost = [value for value in literals_in_query(sample) if value.lower() not in rewritten.lower()]
    return Failure("lost_value", lost[0]) if lost else {"rewritten_query": rewritten}


def wants_rewriting(options: Options) -> bool:
    """Whether the run asks for queries without linking words."""
    return options.values.get("variant") == "no-conjunctions"


REWRITING = Rewriting(
    wants_rewriting, rewrite_prompt, accept_rewrite, Decoding(temperature=0.0, max_tokens=768)
)
