"""A mail as an agent gives it, checked: what goes out is exactly this, and an approver sees the same."""

from collections.abc import Collection
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime

from signoff.channels.email.compose import LONGEST_SUBJECT
from signoff.channels.email.headers import POLICY, addressable, plain
from signoff.channels.port import ChannelError
from signoff.kit import clock
from signoff.kit.jsons import JsonObject, clean_text
from signoff.tools.registry import ToolFailed

MOST_RECIPIENTS = 20
LONGEST_BODY = 100_000


@dataclass(frozen=True)
class Mail:
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    reply_to: str | None
    subject: str
    body: str

    @property
    def recipients(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.to, *self.cc)))

    def outside(self, members: Collection[str]) -> tuple[str, ...]:
        """Whom it reaches, or who gets the replies, without being a member."""
        named = (*self.recipients, *((self.reply_to,) if self.reply_to else ()))
        return tuple(each for each in dict.fromkeys(named) if each.lower() not in members)

    def composed(self, id: str) -> EmailMessage:
        """With the same id at every attempt: a mailbox that has it already may drop the second."""
        mail = EmailMessage(policy=POLICY)
        mail["Subject"] = self.subject
        mail["From"] = Address(addr_spec=self.sender)
        mail["To"] = _listed(self.to)
        if self.cc:
            mail["Cc"] = _listed(self.cc)
        if self.reply_to:
            mail["Reply-To"] = Address(addr_spec=self.reply_to)
        mail["Date"] = format_datetime(clock.now())
        mail["Message-ID"] = f"<{id}@{self.sender.rpartition('@')[2]}>"
        mail.set_content(self.body)
        return mail


def checked(sender: str, arguments: JsonObject) -> Mail:
    """The mail of these arguments. Raises ToolFailed for one that cannot be sent."""
    to, cc = _addresses(arguments["to"]), _addresses(arguments.get("cc") or [])
    if not to:
        raise ToolFailed("A mail needs somebody to go to.")
    if len({*to, *cc}) > MOST_RECIPIENTS:
        raise ToolFailed(f"A mail goes to at most {MOST_RECIPIENTS} addresses.")
    reply_to = arguments.get("reply_to")
    subject, body = plain(str(arguments["subject"]), LONGEST_SUBJECT), clean_text(str(arguments["body"]))
    if not subject or not body.strip():
        raise ToolFailed("A mail needs a subject and a body.")
    if len(body) > LONGEST_BODY:
        raise ToolFailed(f"A mail has at most {LONGEST_BODY:,} characters.")
    lines = "\n".join(body.splitlines())
    return Mail(sender, to, cc, _address(str(reply_to)) if reply_to else None, subject, f"{lines}\n")


def _addresses(given: str | list[str]) -> tuple[str, ...]:
    listed = given.split(",") if isinstance(given, str) else given
    return tuple(dict.fromkeys(_address(each) for each in listed))


def _address(given: str) -> str:
    try:
        return addressable(given.strip())
    except ChannelError as error:
        raise ToolFailed(error.detail) from None


def _listed(addresses: Collection[str]) -> tuple[Address, ...]:
    return tuple(Address(addr_spec=each) for each in addresses)
