"""Several things that a user says as one: sentences joined, and answers to questions that nobody asked taken out."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

# Not after the short forms of titles: "Dr. Strangelove" is one name.
_SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[DMS][rst]\.)(?<!\bMrs\.)\s+")
# A whole sentence that only answers, thanks or agrees.
_ASSENT = re.compile(
    r"(?:yes|yeah|yep|yup|sure|ok|okay|alright|great|good|perfect|awesome|cool|fine|nice|excellent|wonderful|"
    r"thanks|thank you|please|correct|right|exactly|absolutely|definitely|of course|do it|go ahead|"
    r"(?:that|it|this)(?:'?s)?|sounds|works|looks|seems|is|was|very|really|so|just|all|a|an|for|me|to|too|well|"
    r"i|like|love|one|do|lot|much|you|your|help|choice|idea|lovely|amazing|fantastic|interesting|be|would|will|"
    r"the|thank|know|hear|yea|glad|happy|goodbye|bye|ofcourse|i'?m|i'?ll|take|with|confirm|go|ahead|indeed|sir|can|wow|oh|great|day|am)",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|sure|ok|okay|alright|great|good|perfect|awesome|cool|fine|nice|excellent|wonderful|"
    r"thanks|thank you|correct|right|exactly|absolutely|definitely|of course|yea|that works|"
    r"(?:(?:that|it|this)(?:'?s| is| sounds| would be| will be)?|sounds) "
    r"(?:fine|great|good|nice|perfect|right|correct|excellent|wonderful))"
    r"(?: please| then| thanks| to me)?[,.!;]?\s+(?:and\s+|so\s+|but\s+)?)+",
    re.IGNORECASE,
)
# Words that only make sense after what the assistant said.
_LEANING = re.compile(
    r"\b(?:no|nope|not|don'?t|another|else|instead|other|others|different|change|rather|actually|ones?|"
    r"first|second|third|last|which|those|these|both|same|again|neither|either|former|latter|option|too|"
    r"cheaper|more|better|earlier|also)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"(?:can|could|would|will) (?:you|i|we)\b|may i\b|please\b", re.IGNORECASE)
_QUESTION = re.compile(
    r"(?:what|what's|whats|when|where|who|which|why|how|is|are|was|were|will|would|does|do|did|can|could|should|"
    r"has|have|am|any)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"(?:add|book|buy|find|get|give|look|make|play|please|put|rate|reserve|search|show|tell|use|set|check|"
    r"schedule|transfer|send|share|pay|request|locate|watch|start|open|order|i want|i need|i'd like|i would like)\b",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"(?:the|we|it|my|for|to|in|on|at|from|there|this|that|a|an|some|since|if|as|our|they|let|and|then|help|also|"
    r"more|two|three|four|with|by|around|near|anything|something|any)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day))(?: there)?[,.!;]*\s+)+"
    r"(?:can you help me(?: out)?\?\s+)?",
    re.IGNORECASE,
)
# Words before a request that lead on from something; what is asked along gets others.
_LEAD = re.compile(
    r"^(?:(?:and|also|now|so|then|next|well|but|oh|hm+|wow|excuse me|sorry|sir|yes|yeah)\b[,.!;]?\s+)+",
    re.IGNORECASE,
)
_VERBS = (
    "add|arrange|book|bring|buy|call|check|choose|confirm|display|find|fix|get|give|go to|help|list|"
    "listen|locate|look|make|open|order|pay|pick|play|provide|pull|purchase|put|rate|read|recommend|"
    "remind|request|reserve|schedule|search|send|set|share|show|start|suggest|tell|transfer|try|turn|use|"
    "watch|let me|let us|let'?s"
)
_ASKS_FOR = re.compile(
    rf"(?:please,? |kindly |just )?(?:{_VERBS})\b(?! please)|(?:can|could|would|will) (?:you|i|we)\b|may i\b|"
    r"(?:i|we)(?: would|'d)(?: really| also)? (?:like|love|prefer|need|want)\b|"
    r"(?:i|we)(?: really| also| just)? (?:want|need|wanna|wish|require)\b|"
    r"i(?:'m| am) (?:looking|trying|searching|hoping|interested|wondering)\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:i|we)(?:'m|'re|'ve|'ll)? [a-z']+\b(?! ?[,.!?]|$)|(?:i'm|i've|i'll) \w|there (?:are|is|will|'s)\b|"
    r"(?:it|this|that) (?:is|has|should|will|must|needs)\b|(?:my|our) \w+ (?:is|are|has|wants?|needs?|will)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w']+")
_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
# What goes between two requests: after a full stop, or within the sentence where both are plain requests.
APART = ("Also, {}", "After that, {}", "Then {}", "And {}", "In addition, {}", "Next, {}", "Besides, {}")
WITHIN = (" and {}", ", then {}", ", and {}", ", and also {}", " and then {}", ", and after that {}")
APART_STATED = ("Also, {}", "And {}", "One more thing: {}")
APART_QUESTION = ("Also, {}", "And {}", "One more thing: {}", "Besides, {}")


def continued(text: str) -> str | None:
    """What is left of an answer as a request of its own; nothing where it only agrees, None where it cannot stand.

    It cannot stand where it asks about, refuses or chooses from something that the assistant said, nor where it
    begins without a verb ("San Francisco.", "For two.").
    """
    kept: list[str] = []
    for sentence in _SENTENCE.split(straight(text)):
        if not sentence or _only_agrees(sentence):
            continue
        sentence = _HEAD.sub("", sentence)
        if _only_agrees(sentence):
            continue
        asks = sentence.endswith("?") or _QUESTION.match(sentence)
        if _LEANING.search(sentence) or (asks and not _REQUEST.match(sentence)):
            return None
        if not kept and not stands(sentence):
            return None
        kept.append(sentence[:1].upper() + sentence[1:])
    return " ".join(kept)


def straight(text: str) -> str:
    """The text with straight quotes, in which alone the words here are written, and without blanks around it."""
    return text.translate(_STRAIGHT).strip()


def stands(text: str) -> bool:
    """Whether a text can follow another request: it asks, orders or states something with a verb."""
    opened = _opened(text)
    return any(known.match(opened) for known in (_ASKS_FOR, _QUESTION, _STATES))


def _opened(text: str) -> str:
    """The text without a greeting, and without words that lead on from something."""
    return _LEAD.sub("", _HEAD.sub("", _GREETING.sub("", straight(text))))


def answered(first: str, second: str) -> str:
    """Two replies as one; what the first asks is never answered, so it is left out."""
    sentences = [
        sentence for sentence in _SENTENCE.split(first.strip()) if sentence and not sentence.endswith("?")
    ]
    if sentences and second and not sentences[-1].endswith((".", "!")):
        sentences[-1] += "."
    return " ".join([*sentences, second]).strip()


def joined(pieces: Sequence[str], rng: random.Random) -> str:
    """All pieces as one text, each after a word or two that lead on to it."""
    text = straight(pieces[0])
    for piece in pieces[1:]:
        text = _joined(text, _opened(piece) or straight(piece), rng)
    return text if text.endswith((".", "!", "?")) else f"{text}{_mark(straight(pieces[-1]))}"


def _joined(text: str, piece: str, rng: random.Random) -> str:
    asks = _QUESTION.match(piece) is not None and not _REQUEST.match(piece)
    plain = _IMPERATIVE.match(piece) and not text.endswith(("?", "!")) and not _SENTENCE.search(text)
    if plain and rng.random() < 0.5:
        return text.rstrip(" .,;") + rng.choice(WITHIN).format(_lowered(piece))
    ended = text if text.endswith((".", "!", "?")) else f"{text.rstrip(' ,;')}{_mark(text)}"
    states = not _ASKS_FOR.match(piece) and _STATES.match(piece)
    leads = APART_QUESTION if asks else APART_STATED if states else APART
    fresh = [lead for lead in leads if lead.format("") not in text] or leads
    return f"{ended} {rng.choice(fresh).format(_lowered(piece))}"


def _mark(text: str) -> str:
    last = _SENTENCE.split(text.strip())[-1]
    return "?" if _QUESTION.match(last) and not last.startswith(("Will i", "will i")) else "."


def _lowered(text: str) -> str:
    """The text as it goes on in a sentence: a small letter, except for `I` and for what is written in capitals."""
    first = text.split(" ", 1)[0]
    ordinary = any(known.match(text) for known in (_IMPERATIVE, _QUESTION, _REQUEST, _SMALL))
    if not ordinary or first.rstrip(",.'") == "I" or first.startswith("I'") or first[1:2].isupper():
        return text
    return text[:1].lower() + text[1:]


def _only_agrees(sentence: str) -> bool:
    return all(_ASSENT.fullmatch(word) for word in _WORD.findall(sentence))
