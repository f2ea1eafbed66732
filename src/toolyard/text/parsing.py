"""Tolerant reading of model text: never raises, never evaluates, linear in the length of the text.

Every reader returns the value or a `Failure` whose kind is one of `FAILURE_KINDS`. Nesting is capped, so
that what was read here can be compared, copied and written without running into a recursion limit.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator

from toolyard.core.types import Failure, JsonValue
from toolyard.core.untrusted.json_safe import json_safe as json_safe
from toolyard.text.json_scan import MAX_DEPTH, FoundValue, nesting_depth, scan_value_at

MAX_LENGTH = 1_000_000
FAILURE_KINDS = (
    "empty", "not_json", "not_literal", "not_found", "too_deep", "too_long", "trailing_text", "thinking_not_closed",
)  # fmt: skip
DETAIL_LENGTH = 80
QUICK_REFUSALS = 16

_THINKING_TAG = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
_FENCE = "```"
_VISIBLE = re.compile(r"\S")
_LANGUAGE = re.compile(r"[A-Za-z][\w+.#-]*")
_DECODER = json.JSONDecoder(strict=False)
_STRICT_DECODER = json.JSONDecoder()
_JSON_WORD = re.compile("true|false|null|NaN|Infinity")


def excerpt(text: str) -> str:
    """The beginning of a text, short enough for the detail of a failure."""
    return text if len(text) <= DETAIL_LENGTH else text[:DETAIL_LENGTH] + "…"


def strip_thinking(text: str) -> str | None:
    """The text outside `<think>`, `<thinking>` and `<reasoning>` blocks; None when a block is never closed.

    A closing tag that nothing opened ends a block that began before the text did: all before it goes.
    Text without such tags comes back unchanged, otherwise outer white space goes with the blocks.
    """
    if "<" not in text:
        return text
    kept: list[str] = []
    position, opened = 0, ""
    tag = None
    for tag in _THINKING_TAG.finditer(text):
        closing, name = tag.group(1) == "/", tag.group(2).lower()
        if closing and not opened:
            kept.clear()
            position = tag.end()
        elif closing and name == opened:
            position, opened = tag.end(), ""
        elif not closing and not opened:
            kept.append(text[position : tag.start()])
            opened = name
    if tag is None:
        return text
    return None if opened else "".join([*kept, text[position:]]).strip()


def strip_fences(text: str) -> str:
    """The content of the last fenced block that is not blank, or the text itself where there is none.

    A fence counts only at the beginning of a line, so that back-ticks inside a JSON string are content; it
    is closed by a fence at the beginning or at the end of a later line, or by the end of the text. The last
    block wins because models quote the task first and answer after it. A language name is not content.
    """
    if _FENCE not in text:
        return text
    blocks = [block for block in _fenced_blocks(text) if block]
    return blocks[-1] if blocks else text


def _fenced_blocks(text: str) -> Iterator[str]:
    block: list[str] | None = None
    for line in text.split("\n"):
        bare = line.strip()
        if block is None:
            if not bare.startswith(_FENCE):
                continue
            body = bare.lstrip("`")
            block = [_drop_language_name(body.rstrip("`"))]
            closed = body.endswith(_FENCE)
        else:
            closed = bare.startswith(_FENCE) or bare.endswith(_FENCE)
            if not bare.startswith(_FENCE):
                block.append(line.rstrip().rstrip("`") if closed else line)
        if closed:
            yield "\n".join(block).strip()
            block = None
    if block is not None:
        yield "\n".join(block).strip()


def _drop_language_name(first_line: str) -> str:
    """What follows the language name on the fence's own line, if it looks like the beginning of a value."""
    named = _LANGUAGE.match(first_line)
    rest = first_line[named.end() if named else 0 :].strip()
    return rest if rest[:1] in ("[", "{", "(", '"', "'") else ""


def answer_text(text: str) -> str | Failure:
    """The part of a reply that answers: without thinking, and out of its code fence."""
    spoken = strip_thinking(text)
    if spoken is None:
        return Failure("thinking_not_closed", excerpt(text[-DETAIL_LENGTH:]))
    answer = strip_fences(spoken).strip()
    return answer or Failure("empty")


def _unreadable_reason(text: str) -> Failure | None:
    """Why a text is not worth reading at all, before any parser sees it."""
    if not text.strip():
        return Failure("empty")
    if len(text) > MAX_LENGTH:
        return Failure("too_long", f"{len(text)} characters, at most {MAX_LENGTH} are read")
    # A count first: most texts have fewer brackets than the cap, and need no walk.
    brackets = text.count("[") + text.count("{") + text.count("(")
    if brackets > MAX_DEPTH and nesting_depth(text) > MAX_DEPTH:
        return Failure("too_deep", f"nested deeper than {MAX_DEPTH}")
    return None


def read_json(text: str) -> JsonValue | Failure:
    """The JSON value that the whole text is; raw line breaks inside strings are tolerated, NaN is a float."""
    refused = _unreadable_reason(text)
    if refused is not None:
        return refused
    try:
        return _tolerant_json(text.strip().removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        kind = "trailing_text" if error.msg == "Extra data" else "not_json"
        return Failure(kind, f"{error.msg} at character {error.pos}")
    except ValueError as error:
        # Python refuses to convert integers of more than 4300 digits.
        return Failure("too_long", excerpt(str(error)))
    except RecursionError:
        return Failure("too_deep", "the reader was itself called too deep")


def _tolerant_json(text: str) -> JsonValue:
    # `json.loads` makes a new decoder for each text where it is not to be strict.
    found: JsonValue = json.loads(text, strict=False) if text.startswith("\ufeff") else _DECODER.decode(text)
    return found


def read_python_literal(text: str) -> JsonValue | Failure:
    """The Python literal that the whole text is; tuples and sets stay what they are (see `json_safe`)."""
    refused = _unreadable_reason(text)
    if refused is not None:
        return refused
    try:
        with warnings.catch_warnings():
            # An unknown escape such as "\d" is read as Python reads it; the model's text is nobody's bug.
            warnings.simplefilter("ignore")
            literal: JsonValue = ast.literal_eval(text.strip())
            return literal
    except (SyntaxError, ValueError, TypeError) as error:
        return Failure("not_literal", excerpt(str(error)))
    except (RecursionError, MemoryError):
        # Long chains of operators, which have no brackets to count, exhaust the compiler's own stack.
        return Failure("too_deep", "the literal's expression is nested too deep")


def read_plain_json(text: str) -> JsonValue | Failure:
    """The value of a text that JSON and Python read alike, which is quicker than Python's own reader.

    Words and escapes are what they read differently; `not_json` where it holds one, be it inside a string.
    """
    if "\\" in text or _JSON_WORD.search(text):
        return Failure("not_json")
    refused = _unreadable_reason(text)
    if refused is not None:
        return refused
    try:
        found: JsonValue = _STRICT_DECODER.decode(text.strip())
        return found
    except (ValueError, RecursionError):
        return Failure("not_json")


def read_literal(text: str, *, lenient: bool = False) -> JsonValue | Failure:
    """The value that the whole text is, as JSON or else as a Python literal; the failure is that of JSON.

    `lenient` also reads mixtures of the two: either quote, true or True, null or None, trailing commas;
    parentheses then give lists.
    """
    value = read_json(text)
    if not isinstance(value, Failure) or value.kind in ("empty", "too_deep", "too_long"):
        return value
    literal = read_python_literal(text)
    if not isinstance(literal, Failure):
        return literal
    if lenient:
        found = value_at(text, 0, lenient=True)
        if isinstance(found, FoundValue) and not text[found.end :].strip():
            return found.value
    return value


def value_at(text: str, start: int, *, lenient: bool = False) -> FoundValue | Failure:
    """The complete list or object that begins at `start` (white space skipped), whatever follows it."""
    begin = start
    if text[start : start + 1] not in ("{", "["):
        visible = _VISIBLE.search(text, start)
        if visible is None:
            return Failure("empty")
        begin = visible.start()
    openings = "[{(" if lenient else "[{"
    found = scan_value_at(text, begin, lenient=lenient).found if text[begin] in openings else None
    if found is None:
        return Failure("not_json", excerpt(text[begin : begin + DETAIL_LENGTH + 1]))
    return _limit_depth(found)


def json_values(text: str, opening: str = "[{", *, lenient: bool = False) -> Iterator[FoundValue]:
    """All complete outermost values in prose that begin with one of the brackets in `opening`, in order."""
    begins = re.compile("[" + re.escape(opening) + "]")
    begin = begins.search(text)
    refusals = 0
    while begin is not None:
        # A decoder that refuses counts the lines before the place: refused at every bracket, that is quadratic.
        tried = scan_value_at(text, begin.start(), lenient=lenient, quick=refusals < QUICK_REFUSALS)
        refusals += tried.found is None
        complete = (tried.found,) if tried.found is not None else tried.inner
        yield from (found for found in complete if text[found.start] in opening)
        # A bracket that was still open where the attempt stopped would stop at the same place:
        # going on from there, instead of from the next bracket, is what keeps the search linear.
        begin = begins.search(text, max(tried.stop, begin.start() + 1))


def first_json_value(text: str, opening: str = "[{", *, lenient: bool = False) -> JsonValue | Failure:
    """The first complete value in prose that begins with one of the brackets in `opening`."""
    found = next(json_values(text, opening, lenient=lenient), None)
    return _allowed_value(text, found)


def _allowed_value(text: str, found: FoundValue | None) -> JsonValue | Failure:
    if found is None:
        return Failure("not_found", excerpt(text)) if text.strip() else Failure("empty")
    allowed = _limit_depth(found)
    return allowed if isinstance(allowed, Failure) else allowed.value


def _limit_depth(found: FoundValue) -> FoundValue | Failure:
    if found.height > MAX_DEPTH:
        return Failure("too_deep", f"nested {found.height} deep, at most {MAX_DEPTH} is read")
    return found
