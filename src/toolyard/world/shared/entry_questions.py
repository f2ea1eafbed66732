"""Questions that an entry of the encyclopaedia answers, and the sentence that does."""

from __future__ import annotations

import re

from toolyard.world.search import words
from toolyard.world.shared import wide
from toolyard.world.shared.entries import by_name, index, look_up, mentioned
from toolyard.world.shared.entry import Entry
from toolyard.world.tables import plain

# The part of a question that an entry must share to be an answer.
RELEVANT = 0.7
_SPACED = re.compile(r"[?!,;]+")
_SENTENCE = re.compile(r"\S.*?(?<!\bInc)(?<!\bCorp)(?<!\bCo)(?<!\bLtd)(?<!\bSt)[.!?](?=\s|$)")
_SYNONYMS = {"tallest": "highest", "biggest": "largest", "authored": "wrote"}
_SYNONYM = re.compile("|".join(_SYNONYMS))
_QUESTION = re.compile(
    r"(?:who|what|which|when|where|how|whose|in which|is|was|did|largest|longest|highest|smallest|first)\b"
)


_HOW = re.compile(r"how (?:do|does|is|are|can|to) |why ")


def answer_to(question: str) -> Entry | None:
    """The entry that is called so, else the one that says most of what a question asks about; None if none does.

    What is no question must share a word with the title: "weather in Paris" is not about an agreement of Paris.
    """
    found = look_up(question)
    if found is not None:
        return found
    asked = _SYNONYM.sub(lambda match: _SYNONYMS[match[0]], plain(question))
    sought = set(words(asked))
    subjects = {one["title"] for one in mentioned(question)}
    for entry in index().search(asked.replace("in the world", ""), bound=RELEVANT)[:5]:
        if not _holds_names(entry, question):
            continue
        if subjects and _HOW.match(asked) and entry["title"] not in subjects:
            continue  # how vaccines work is nothing about those who work with them
        if _QUESTION.match(asked) or sought & set(words(" ".join([entry["title"], *entry["aliases"]]))):
            return entry
    return None


def _holds_names(entry: Entry, question: str) -> bool:
    """Whether an entry speaks of all that a question names by name: the highest mountain of Africa is not Mount Everest."""
    text = plain(" ".join([entry["title"], *entry["aliases"], entry["text"]]))
    names = [one for one in mentioned(question) if "P279" not in one["properties"]]
    return all(any(plain(name) in text for name in (one["title"], *one["aliases"])) for one in names)


# Words that ask for something about a thing, and what a sentence that says it holds.
_ATTRIBUTES = (
    (("height", "high", "tall", "elevation"), r"\bhigh\b|\btall\b|\bheight\b|\d metres"),
    (("born", "birth", "birthday", "birthplace"), r"(?<!-)\bborn\b (?:in|on|at)\b"), (("die", "died", "death"),
    r"\bdied\b|\bdeath\b|\d{4}-\d{4}"),
    (("boil", "boiling", "freeze", "freezing", "melt", "melting"), r"\bboil|\bfreez|\bmelt"),
    (("long", "length"), r"\blong\b|\blength\b|kilometres"), (("deep", "depth"), r"\bdeep\b|\bdepth\b"),
    (("when", "year", "date", "founded", "built", "start", "end", "ended", "begin", "began"), r"\b1?\d{3}\b"),
    (("fact", "facts", "about", "information", "history", "definition", "meaning", "describe", "explain"), r""),
)  # fmt: skip


def stated(entry: Entry) -> list[str]:
    """The sentences of an entry; a point behind Inc. or St. ends none."""
    return _SENTENCE.findall(entry["text"])


def asked_entry(question: str) -> tuple[Entry, str | None] | None:
    """The entry that a question about height, birth, a date and the like names in full, and its sentence that says it.

    None where it is no such question, or names no entry; no sentence where the entry does not say it.
    """
    asked = _SPACED.sub(" ", plain(question)).split()
    wanted = [pattern for names, pattern in _ATTRIBUTES if set(names) & set(asked)]
    if not wanted:
        return None
    runs = [" ".join(asked[n : n + size]) for size in range(5, 0, -1) for n in range(len(asked) - size + 1)]
    known = [run for run in runs if len(run) > 3]
    entry = next((by_name()[run][0] for run in known if run in by_name()), None)
    if entry is None:
        entry = next((group[0] for run in known if words(run) and (group := wide.named(run))), None)
    if entry is None:
        return None
    found = (part for part in stated(entry) if all(re.search(pattern, part) for pattern in wanted))
    return entry, next(found, None)
