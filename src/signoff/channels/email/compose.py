"""A message as a mail: text and HTML, in the thread of its run, with the headers that mail programs look for."""

import secrets
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from signoff.channels.email.headers import LONGEST_ADDRESS, POLICY, addressable, plain
from signoff.channels.port import Message, Recipient
from signoff.kit import clock

if TYPE_CHECKING:
    from jinja2 import Template

LONGEST_SUBJECT, LONGEST_NAME = 150, 100
_reading = Lock()


def composed(sender: str, to: Recipient, message: Message) -> EmailMessage:
    mail = EmailMessage(policy=POLICY)
    domain = sender.rpartition("@")[2]
    mail["Subject"] = plain(f"{'Urgent: ' if message.urgent else ''}{message.title}", LONGEST_SUBJECT)
    mail["From"] = Address("Signoff", addr_spec=sender)
    mail["To"] = Address(plain(to.name, LONGEST_NAME), addr_spec=addressable(to.email))
    mail["Date"] = format_datetime(clock.now())
    # The same for every attempt: a mailbox that has it already may drop the second.
    mail["Message-ID"] = f"<{message.id}@{domain}>"
    if message.thread:
        root = f"<run-{message.thread}@{domain}>"
        mail["In-Reply-To"], mail["References"] = root, root
    if message.reply_to:
        mail["Reply-To"] = Address("Signoff", addr_spec=message.reply_to)
    # No automatic reply wants an answer, and none is to come back.
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    if message.urgent:
        mail["Importance"] = "high"
    if message.repeated:
        mail["X-Signoff-Repeated"] = "true"
    if message.unsubscribe_url and len(message.unsubscribe_url) <= LONGEST_ADDRESS:
        mail["List-Unsubscribe"] = f"<{message.unsubscribe_url}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        mail["List-Id"] = f"Signoff <signoff.{domain}>"
    given: dict[str, Any] = {"message": message, "to": to}
    text, html = _templates()
    mail.set_content(text.render(given))
    # Python looks through the whole mail for one that is not in it; nobody foresees this one.
    mail.make_alternative(f"signoff-{secrets.token_hex(16)}")
    mail.add_alternative(html.render(given), subtype="html")
    return mail


def marked(text: str) -> str:
    """Every line of an agent's words with a bar before it: none of them can pass for a line of ours, with a link."""
    return "\n".join(f"| {line}" for line in text.splitlines())


def on_marked(text: str) -> str:
    """The same from its second line on."""
    return marked(text).removeprefix("| ")


def _templates() -> "tuple[Template, Template]":
    # Of many threads that send their first mail, one reads them.
    with _reading:
        return _read_templates()


@cache
def _read_templates() -> "tuple[Template, Template]":
    # Only when a mail is sent: it takes a while to load.
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    templates: Any = Environment(
        loader=PackageLoader("signoff.channels.email"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"marked": marked, "on_marked": on_marked}
    return templates.get_template("message.txt"), templates.get_template("message.html")
