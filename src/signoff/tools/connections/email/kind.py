"""A mail server as a connection: one tool, which sends one mail."""

import smtplib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from signoff.channels.email.connections import BrokeOff, Connection, Server, hand_over
from signoff.channels.email.transport import Host, MailAddress, refusal
from signoff.channels.port import ChannelError
from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject
from signoff.kit.settings import Settings
from signoff.kit.text.secret_values import without_secrets
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.connections.addresses import looked_up, reaches_private
from signoff.tools.connections.email.mail import Mail, checked
from signoff.tools.connections.own_tools import own_tool
from signoff.tools.connections.port import Connected
from signoff.tools.connections.settings_check import problems_of
from signoff.tools.effects import NoPreview, Preview
from signoff.tools.egress import host_of
from signoff.tools.registry import Tool, ToolContext, ToolFailed

PASSWORD = "password"  # noqa: S105
LONGEST_PREVIEW = 20_000
# One address, several with commas, or a list of them.
Addresses = Annotated[str, Field(max_length=6_000)] | Annotated[list[str], Field(max_length=20)]
Subject = Annotated[str, Field(min_length=1, max_length=150)]


class EmailSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    host: Host
    port: Annotated[int, Field(ge=1, le=65_535)] = 587
    security: Literal["none", "starttls", "tls"] = "starttls"
    username: str | None = None
    sender: MailAddress = Field(alias="from")

    @property
    def server(self) -> Server:
        return Server(self.host, self.port, self.security, self.username or "")


class EmailKind:
    kind = "email"
    secret_names: frozenset[str] | None = frozenset({PASSWORD})

    def check(self, settings: JsonObject) -> list[FieldError]:
        return problems_of(EmailSettings, settings)

    def test(self, connection: Connected, settings: Settings) -> str | None:
        """Greet the server and sign in."""
        given, secrets = EmailSettings.model_validate(connection.settings), connection.secrets()
        try:
            looked_up(settings, given.host, given.port)
            private = reaches_private(settings, given.host)
            Connection(given.server, secrets.get(PASSWORD, ""), reaches_private=private).close()
        except (ToolFailed, ChannelError, smtplib.SMTPException, OSError) as error:
            return without_secrets(secrets.values(), _in_words(given, error))
        return None

    def host(self, settings: JsonObject) -> str | None:
        return host_of(f"//{EmailSettings.model_validate(settings).host}")

    def tools(self, connection: Connected) -> list[Tool]:
        return MailTools(connection).all()


class MailTools:
    """What can be done with one mail server."""

    def __init__(self, connection: Connected) -> None:
        self._connection = connection
        self._settings = EmailSettings.model_validate(connection.settings)

    def all(self) -> list[Tool]:
        return [
            own_tool(
                self._connection,
                "send_email",
                operation_type="send_email",
                risk="high",
                title="Send a mail to {to}: {subject}",
                impact=self.impact,
                preview=self.preview,
            )(self.send_email)
        ]

    def send_email(
        self,
        context: ToolContext,
        to: Addresses,
        subject: Subject,
        body: str,
        cc: Addresses | None = None,
        reply_to: str | None = None,
    ) -> JsonObject:
        """Send one mail, as plain text. `to` and `cc` are addresses, several of them with commas or as a list."""
        mail = self._mail({"to": to, "subject": subject, "body": body, "cc": cc, "reply_to": reply_to})
        given, secrets = self._settings, self._connection.secrets()
        # First, so that what nobody may reach is told in words that help.
        looked_up(context.settings, given.host, given.port)
        composed, private = mail.composed(context.idempotency_key), reaches_private(context.settings, given.host)
        try:
            refused = hand_over(
                given.server,
                secrets.get(PASSWORD, ""),
                composed,
                given.sender,
                mail.recipients,
                reaches_private=private,
            )
        except BrokeOff:
            # Whether it arrived, a person finds out.
            raise
        except (ChannelError, smtplib.SMTPException, OSError, UnicodeError) as error:
            raise ToolFailed(without_secrets(secrets.values(), _in_words(given, error))) from None
        sent: JsonObject = {"sent_to": [each for each in mail.recipients if each not in refused]}
        hidden = {each: without_secrets(secrets.values(), words) for each, words in refused.items()}
        return sent | ({"refused": hidden} if refused else {})

    def impact(self, arguments: JsonObject, _folder: Path) -> Impact:
        mail = self._mail(arguments)
        outside = mail.outside(self._connection.members())
        if not outside:
            kinds = (ImpactKind.REACHES_PEOPLE, ImpactKind.CANNOT_BE_UNDONE)
            return Impact(kinds, f"Mails {', '.join(mail.recipients)}, cannot be undone")
        kinds = (ImpactKind.LEAVES_HOUSE, ImpactKind.REACHES_CUSTOMERS, ImpactKind.CANNOT_BE_UNDONE)
        return Impact(kinds, f"Mails people outside of the workspace ({', '.join(outside)}), cannot be undone")

    def preview(self, _context: ToolContext, arguments: JsonObject) -> Preview:
        try:
            mail = self._mail(arguments)
        except ToolFailed as error:
            raise NoPreview(str(error)) from None
        outside = mail.outside(self._connection.members())
        beyond = f", {len(outside)} outside of the workspace" if outside else ""
        count = len(mail.recipients)
        return Preview(
            "mail",
            f"A mail from {mail.sender} to {count} {'address' if count == 1 else 'addresses'}{beyond}: {mail.subject}",
            {
                "from": mail.sender,
                "to": [_shown(each, outside) for each in mail.to],
                "cc": [_shown(each, outside) for each in mail.cc],
                "reply_to": _shown(mail.reply_to, outside) if mail.reply_to else None,
                "subject": mail.subject,
                "body": mail.body[:LONGEST_PREVIEW],
                "body_cut": len(mail.body) > LONGEST_PREVIEW,
            },
        )

    def _mail(self, arguments: JsonObject) -> Mail:
        return checked(self._settings.sender, arguments)


def _shown(address: str, outside: tuple[str, ...]) -> JsonObject:
    return {"address": address, "outside": address in outside}


def _in_words(given: EmailSettings, error: Exception) -> str:
    match error:
        case ToolFailed() | ChannelError():
            return str(error)
        case smtplib.SMTPException():
            return refusal(error).detail
        case UnicodeError():
            return "One of the addresses has letters that the mail server does not take."
        case _:
            return f"Could not reach {given.host}:{given.port}: {error}."
