"""Which mails an instruction in plain words asks for: by sender, by words, by age, or the latest."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from toolyard.core.types import Record
from toolyard.world.index import Index, words
from toolyard.world.kernel.tables import table_words
from toolyard.world.tools.zapier.instructions import missing_detail_fault, quoted_texts

Mails = list[Record]
# Words that ask for mails and do not say which.
ASKING = frozenset(table_words("mail_selection.asking"))
_TOPIC = re.compile(
    r"\b(?:about|regarding|concerning|on the subject of|mention(?:s|ing)?|contain(?:s|ing)?|with the subject)\s+(.+)",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|by|sender)\s+(?:the )?['\"]?(\w[\w.-]*)", re.IGNORECASE)
_LATEST = frozenset("latest last newest recent".split())
_SINCE = {"today": 0, "yesterday": 1, "week": 7, "month": 31}
_NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "ten": "10"}
_COUNT = re.compile(rf"\b(latest|last|newest|recent) (\d{{1,2}}|{'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_NO_SENDER = frozenset(("example", "org", "com", "noreply"))


def select_mails(inbox: Sequence[Record], text: str, today: date) -> Mails:
    """The mails that an instruction asks for; a fault where it does not say which."""
    said = re.findall(r"[a-z]+", text.lower())
    days = next((_SINCE[word] for word in said if word in _SINCE), None)
    first = (today - timedelta(days=days)).isoformat() if days is not None else ""
    last = first if "yesterday" in said else "9999"
    count = _COUNT.search(text)
    told = text.replace(count[0], count[1]) if count else text
    found = _select_mails([mail for mail in inbox if first <= mail["date"][:10] <= last], told, set(said))
    if _LATEST & set(said) and days is None:
        found.sort(key=lambda mail: str(mail["date"]), reverse=True)
        if count:
            return found[: int(_NUMBERS.get(count[2].lower(), count[2]))]
        return found if {"emails", "mails", "messages"} & set(said) else found[:1]
    return found


def _select_mails(mails: Mails, text: str, said: set[str]) -> Mails:
    asked = [word for word in words(" ".join(quoted_texts(text)) or text) if word not in ASKING]
    address = re.search(r"[\w.+-]{1,60}@[\w.-]{1,60}\w", text)
    senders = _sender_words(mails, text)
    if not asked and not senders and not address:
        if not (_LATEST | _SINCE.keys() | {"all", "every", "inbox"}) & said:
            raise missing_detail_fault("a sender or words of the mail, e.g. from Kaggle, or about 'Invoice'")
        return mails
    if address:
        named = set(words(address[0].replace("@", " ")))
        return _mails_about(
            [mail for mail in mails if mail["from"].lower() == address[0].lower()], text, asked, named
        )
    if senders:
        sent = [mail for mail in mails if senders <= _address_words(mail)]
        sent = sent or [mail for mail in mails if senders & _address_words(mail)]
        return _mails_about(sent, text, asked, senders)
    stranger = _FROM.search(text)
    if stranger and not set(words(stranger[1])) <= ASKING and not quoted_texts(text):
        return []
    return [*Index(mails, ["from", "subject", "content"]).search(" ".join(asked), bound=0.5)]


def _address_words(mail: Record) -> set[str]:
    """The words of a sender's address."""
    return set(words(mail["from"].replace("@", " ")))


def _sender_words(mails: Mails, text: str) -> set[str]:
    """The words of a text that name senders; those behind "from" alone where there are any."""
    known = {word for mail in mails for word in _address_words(mail)} - ASKING - _NO_SENDER
    behind = re.search(r"\bfrom\b(.*)", text, re.IGNORECASE)
    return (set(words(behind[1])) & known if behind else set()) or set(words(text)) & known


def _mails_about(mails: Mails, text: str, asked: Sequence[str], senders: set[str]) -> Mails:
    """Those of a sender's mails that are about what is asked; all where nothing more is said or only loosely."""
    topic = _TOPIC.search(text)
    wanted = words(topic[1]) if topic else asked
    left = [word for word in wanted if word not in ASKING and word not in senders and word not in _NO_SENDER]
    if not left:
        return mails
    found = [*Index(mails, ["subject", "content"]).search(" ".join(left), bound=0.5)] if mails else []
    return found or ([] if topic else mails)
