"""Mail/Mail: sending and reading mail; beyond the documents the sent folder, and mails that are thrown away."""

from typing import Annotated, NotRequired, TypedDict

from toolyard.core.types import Record
from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import containing
from toolyard.world.kernel.types import EmailAddress, IsoDateTime, Named, Prose, Range, Semantic
from toolyard.world.tools.mail.mailbox import MAILBOX, check_address, inbox, send_mail

GROUP = Group("Mail/Mail")
MailId = Annotated[str, Semantic("mail_id")]
Subject = Annotated[str, Range(0, 500)]
Content = Annotated[Prose, Range(0, 50_000)]


class Sent(TypedDict):
    id: MailId
    to: EmailAddress
    cc: EmailAddress | None
    subject: str
    sent_at: IsoDateTime


class Delivery(TypedDict):
    recipients: list[EmailAddress]
    ids: list[MailId]
    sent_count: int


class Mail(TypedDict):
    id: MailId
    sender: EmailAddress
    to: EmailAddress
    cc: NotRequired[list[EmailAddress]]
    subject: str
    date: IsoDateTime
    content: Prose


class Latest(TypedDict):
    mail: Mail
    mails_in_inbox: int


class Heading(TypedDict):
    id: MailId
    sender: EmailAddress
    subject: str
    date: IsoDateTime


def _mail_result(mail: Record) -> Mail:
    found: Mail = {
        "id": mail["id"],
        "sender": mail["from"],
        "to": mail["to"],
        "subject": mail["subject"],
        "date": mail["date"],
        "content": mail["content"],
    }
    return {**found, "cc": mail["cc"]} if mail["cc"] else found


@GROUP.tool(
    examples=[{"to_email": "ann@example.org", "subject": "test_email", "content": "hello!"}],
    phrase=(
        "send one mail to {to_email}[ with a copy to {cc}] with {subject} as the subject line and a text "
        "that says {content}"
    ),
    noun="the sent mail",
    stands_in_for=("Mail/Mail/send_list",),
    listed_as="SendMail",
)
def send(
    world: World,
    *,
    to_email: EmailAddress,
    subject: Subject,
    content: Content,
    cc: EmailAddress | None = None,
) -> Sent:
    """Sends a mail to one person; it is in the sent folder afterwards.

    to_email: Address of the receiver.
    subject: Subject line.
    content: Text of the mail.
    cc: Address that gets a copy.
    """
    to = check_address(to_email, "to_email")
    copies = [check_address(cc, "cc")] if cc else []
    key = send_mail(world, to, subject, content, copies)
    date = world.store(MAILBOX)[key]["date"]
    return {"id": key, "to": to, "cc": copies[0] if copies else None, "subject": subject, "sent_at": date}


@GROUP.tool(
    examples=[
        {
            "to_email_list": ["ann@example.org", "bob@example.org"],
            "subject": "Meeting",
            "content": "At ten, room 4.",
        }
    ],
    phrase=(
        "send the same mail separately to each of {to_email_list}[ with a copy of each to {cc}] with "
        "{subject} as the subject line and a text that says {content}"
    ),
    noun="the mails sent to several people",
    stands_in_for=("Mail/Mail/send",),
    listed_as="SendMailToSeveral",
)
def send_list(
    world: World,
    *,
    to_email_list: Annotated[list[EmailAddress], Range(1, 50)],
    subject: Subject,
    content: Content,
    cc: EmailAddress | None = None,
) -> Delivery:
    """Sends the same mail to each of several people, one mail per address.

    to_email_list: Addresses of the receivers.
    subject: Subject line.
    content: Text of the mails.
    cc: Address that gets a copy of each.
    """
    people: list[str] = []
    for one in (check_address(text, "to_email_list") for text in to_email_list):
        if one.lower() not in map(str.lower, people):
            people.append(one)
    copies = [check_address(cc, "cc")] if cc else []
    keys = [send_mail(world, one, subject, content, copies) for one in people]
    return {"recipients": people, "ids": keys, "sent_count": len(keys)}


@GROUP.tool(
    phrase="open the newest mail in my inbox",
    noun="the newest mail",
    stands_in_for=("Mail/Mail/recieve_id",),
    listed_as="NewestMail",
)
def recieve_latest(world: World) -> Latest:
    """The newest mail of the inbox in full, and how many mails there are."""
    mails = inbox(world)
    if not mails:
        raise ToolFault("not_found", "the inbox is empty")
    return {"mail": _mail_result(mails[0]), "mails_in_inbox": len(mails)}


@GROUP.tool(
    examples=[{"id": "m3"}],
    phrase="open the full mail whose id is {id}",
    noun="the opened mail",
    stands_in_for=("Mail/Mail/recieve_latest",),
    listed_as="OpenMail",
)
def recieve_id(world: World, *, key: Annotated[MailId, Named("id")]) -> Mail:
    """One mail in full, received or sent.

    id: Id of the mail, as the list of mails gives it.
    """
    store = world.store(MAILBOX)
    if key.strip() not in store:
        raise not_found(
            "mail", key[:40], known=[mail["id"] for mail in inbox(world)], listed_by=f"{GROUP}/recieve_list"
        )
    return _mail_result({"id": key.strip(), **store[key.strip()]})


@GROUP.tool(
    examples=[{}, {"sender": "kaggle"}],
    phrase=(
        "list the mails in my inbox[, only those with {subject} in the subject][, only those with {sender} "
        "in the sender address]"
    ),
    noun="the list of mails",
    stands_in_for=("Mail/Mail/recieve_id", "Mail/Mail/recieve_latest"),
    listed_as="MailInbox",
)
def recieve_list(world: World, *, subject: str | None = None, sender: str | None = None) -> list[Heading]:
    """The mails of the inbox, newest first, without their text.

    subject: Only mails whose subject contains this.
    sender: Only mails whose sender's address contains this.
    """
    mails = containing(containing(inbox(world), subject, "subject"), sender, "from")
    return [
        {"id": m["id"], "sender": m["from"], "subject": m["subject"], "date": m["date"]} for m in mails[:50]
    ]


class SentHeading(TypedDict):
    id: MailId
    to: EmailAddress
    subject: str
    date: IsoDateTime


class Deleted(TypedDict):
    id: MailId
    deleted: bool


@GROUP.tool(extra=True, examples=[{}, {"to_email": "ann@example.org"}])
def list_sent(world: World, *, subject: str | None = None, to_email: str | None = None) -> list[SentHeading]:
    """The mails of the sent folder, newest first, without their text.

    subject: Only mails whose subject contains this.
    to_email: Only mails whose receiver's address contains this.
    """
    mails = [{"id": key, **mail} for key, mail in world.store(MAILBOX).items() if mail["folder"] == "sent"]
    found = containing(containing(mails, subject, "subject"), to_email, "to")
    found.sort(key=lambda mail: (mail["date"], len(mail["id"]), mail["id"]), reverse=True)
    return [{"id": m["id"], "to": m["to"], "subject": m["subject"], "date": m["date"]} for m in found[:50]]


@GROUP.tool(extra=True, examples=[{"mail_id": "m3"}])
def delete_mail(world: World, *, mail_id: MailId) -> Deleted:
    """Throws a mail away, received or sent.

    mail_id: Id of the mail.
    """
    view = world.store(MAILBOX)
    if mail_id.strip() not in view:
        raise not_found("mail", mail_id[:40], known=list(view), listed_by="Mail/Mail/recieve_list")
    del view[mail_id.strip()]
    return {"id": mail_id.strip(), "deleted": True}
