"""Mail/Mail, beyond the documents: the sent folder, and mails that are thrown away."""

from typing import TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import containing
from toolyard.world.kernel.types import EmailAddress, IsoDateTime
from toolyard.world.tools.mail.mail import GROUP, MailId
from toolyard.world.tools.mail.mailbox import MAILBOX


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
