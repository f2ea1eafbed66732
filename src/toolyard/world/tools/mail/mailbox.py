"""The mailbox: what was received and sent.

{"m1": {"folder": "inbox", "from": "ann@example.org", "to": "me@example.org", "cc": [], "subject": "Hi", "content": "...",
        "date": "2024-05-14T08:00:00Z"}}
"""

import re
from collections.abc import Mapping
from datetime import timedelta

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.state import EPOCH, Store, World
from toolyard.world.kernel.tables import values_of
from toolyard.world.reference.days import iso_stamp
from toolyard.world.reference.people import person

OWN_ADDRESS = "alex.morgan@example.org"
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL = r"[^\W_](?:[^\W_]|-(?=[^\W_]|-)){0,62}"
_ADDRESS = re.compile(
    rf"(?=[^@]{{1,64}}@){_LOCAL}@{_LABEL}(?:\.{_LABEL}){{0,5}}\.[^\W\d_](?:[^\W_]|-){{0,61}}[^\W_]"
)
# Quotes around an address in a sentence are not part of it.
_MENTIONED = re.compile(_ADDRESS.pattern.replace("!#$%&'*+/=?^_`{|}~-", "%&'+_-"))
_FIXED: tuple[tuple[str, str, str], ...] = tuple(values_of("mailbox.fixed").values())
_WRITTEN: tuple[tuple[str, str], ...] = tuple(values_of("mailbox.written").values())


# Who writes the last of them, which no person does.
_ACCOUNTS = "accounts@cloudhost.example"


# How many hours ago the mails came, the first one first: by day, and not on Sunday.
_AGO = (113, 48, 45, 42, 39, 23, 21, 18, 15, 1)


def _received_mails(seed: int) -> Mapping[str, JsonValue]:
    chance = seeds.stream(seed, "mail")
    people = [person(seed, "mail", n)["email"] for n in range(len(_WRITTEN) - 1)]
    people.append(_ACCOUNTS)
    mails = [*_FIXED, *((sender, *text) for sender, text in zip(people, _WRITTEN, strict=True))]
    chance.shuffle(mails)
    return {
        f"m{number}": {
            "folder": "inbox",
            "from": sender,
            "to": OWN_ADDRESS,
            "cc": [],
            "subject": subject,
            "content": content,
            "date": iso_stamp(EPOCH - timedelta(hours=_AGO[number - 1], minutes=chance.randrange(60))),
        }
        for number, (sender, subject, content) in enumerate(mails, 1)
    }


MAILBOX = Store("mailbox", _received_mails)


def check_address(text: str, parameter: str) -> str:
    """A mail address; an invalid_value fault for anything else."""
    found = text.strip()
    if not _ADDRESS.fullmatch(found):
        raise invalid(parameter, text[:80], "want a mail address such as ann@example.org")
    return found


def find_addresses(text: str) -> list[str]:
    """The mail addresses that a text mentions."""
    found = (match[0].strip("'") for match in _MENTIONED.finditer(text[:5000]))
    return [one for one in found if _ADDRESS.fullmatch(one)]


def inbox(world: World) -> list[Record]:
    """Received mails with their ids, newest first."""
    mails = [{"id": key, **mail} for key, mail in world.store(MAILBOX).items() if mail["folder"] == "inbox"]
    return sorted(mails, key=lambda mail: (mail["date"], len(mail["id"]), mail["id"]), reverse=True)


def send_mail(world: World, to: str, subject: str, content: str, cc: list[str]) -> str:
    """Puts a mail into the sent folder, and into the inbox if it is addressed to oneself; its id."""
    mail = {
        "folder": "sent",
        "from": OWN_ADDRESS,
        "to": to,
        "cc": cc,
        "subject": subject,
        "content": content,
        "date": iso_stamp(world.now),
    }
    key = world.new_key(MAILBOX, "m")
    world.store(MAILBOX)[key] = mail
    if OWN_ADDRESS in (to, *cc):
        world.store(MAILBOX)[world.new_key(MAILBOX, "m")] = {**mail, "folder": "inbox"}
    return key
