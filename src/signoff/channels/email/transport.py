"""Mail over SMTP: one message to one address, threaded by run, with what was refused told apart from what may pass."""

import smtplib
import ssl
from collections.abc import Mapping, Sequence
from email.errors import HeaderParseError
from email.headerregistry import Address
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from signoff.channels.addresses import WebAddress
from signoff.channels.email.compose import composed
from signoff.channels.email.connections import BrokeOff, Server, hand_over, in_words
from signoff.channels.port import ChannelError, Message, NotVerified, OpenChannel, Receipt, Recipient
from signoff.kit.jsons import JsonObject

# Of 64 that an address may have there.
LONGEST_LOCAL = 27
Host = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)]


def _mail_address(given: str) -> str:
    try:
        Address(addr_spec=given)
    except (ValueError, IndexError, HeaderParseError):
        raise ValueError("must be an address such as signoff@example.org") from None
    return given


MailAddress = Annotated[str, StringConstraints(strip_whitespace=True, max_length=320), AfterValidator(_mail_address)]


def _room_for_a_token(given: str) -> str:
    if len(given.rpartition("@")[0]) > LONGEST_LOCAL:
        raise ValueError(f"must have at most {LONGEST_LOCAL} characters before the @, since a token is put behind them")
    return given


class Mailbox(BaseModel):
    """Where replies arrive, if questions may be answered by reply."""

    model_config = ConfigDict(extra="forbid")

    host: Host
    port: Annotated[int, Field(ge=1, le=65_535)] = 993
    security: Literal["none", "tls"] = "tls"
    username: str
    address: Annotated[MailAddress, AfterValidator(_room_for_a_token)] = Field(
        description="What people reply to: signoff+TOKEN@… must arrive in this mailbox."
    )
    authserv_id: str = Field(description="How your own mail server calls itself in Authentication-Results.")


class EmailSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    host: Host
    port: Annotated[int, Field(ge=1, le=65_535)] = 587
    security: Literal["none", "starttls", "tls"] = "starttls"
    username: str | None = None
    sender: MailAddress = Field(alias="from")
    base_url: WebAddress | None = None
    replies: Mailbox | None = None


class EmailTransport:
    kind: ClassVar[str] = "email"
    settings_model: ClassVar[type[BaseModel]] = EmailSettings
    secret_names: ClassVar[Mapping[str, bool]] = {"password": False, "mailbox_password": False}
    secret_settings: ClassVar[Sequence[str]] = ()
    sent_to: ClassVar[Mapping[str, Sequence[str]]] = {
        "password": ("host", "port", "security"),
        "mailbox_password": ("replies.host", "replies.port", "replies.security"),
    }
    personal: ClassVar[bool] = True
    shared: ClassVar[bool] = False
    place_setting: ClassVar[str | None] = None
    updates: ClassVar[bool] = False
    for_the_operator: ClassVar[bool] = False

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        if to is None:
            raise ChannelError("Mail needs somebody to go to.", permanent=True)
        settings = channel.settings_as(EmailSettings)
        mail = composed(settings.sender, to, message)
        server = Server(settings.host, settings.port, settings.security, settings.username or "")
        password = channel.secrets.get("password", "")
        try:
            hand_over(server, password, mail, settings.sender, [to.email], reaches_private=channel.reaches_private)
        except smtplib.SMTPException as error:
            raise refusal(error) from None
        except BrokeOff as error:
            raise ChannelError(f"The mail server: {error}.") from None
        except (OSError, ssl.SSLError) as error:
            raise ChannelError(f"Could not reach {settings.host}:{settings.port}: {error}.") from None
        except UnicodeError:
            raise ChannelError(f"{to.email} is no address that mail can go to.", permanent=True) from None
        return Receipt({"message_id": mail["Message-ID"]}, to.email)

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        """A mail stays as it is: its link says how the ask ended."""

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        raise NotVerified("Mail comes back through the mailbox, not by a request.")


def refusal(error: smtplib.SMTPException) -> ChannelError:
    """5xx stays as it is, 4xx and a lost connection pass."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, said = error.smtp_code, error.smtp_error
    else:
        permanent = isinstance(error, smtplib.SMTPNotSupportedError)
        return ChannelError(f"The mail server: {error or type(error).__name__}.", permanent=permanent)
    return ChannelError(in_words(code, said), permanent=code >= 500)
