"""What a channel is: it sends a message, updates what it sent, and verifies what comes back. Three methods each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from pydantic import BaseModel

from signoff.kit.jsons import JsonObject
from signoff.kit.text.secret_values import without_secrets

Decision = Literal["approve", "deny", "respond"]
M = TypeVar("M", bound=BaseModel)
IN_BRIEF = ("Run", "Risk", "Runs by itself", "Answer until", "Error")


class ChannelError(Exception):
    """A message did not get through. The text is shown to the admin as it is, so it holds no secret."""

    def __init__(
        self,
        detail: str,
        *,
        permanent: bool = False,
        retry_after: float | None = None,
        status: int | None = None,
        gone: Sequence[str] = (),
        sent: bool = False,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        # Trying again changes nothing: a refused address, a wrong password, an address that is gone.
        self.permanent = permanent
        # Seconds, where the other side says so.
        self.retry_after = retry_after
        # What the other side answered, where it did so by HTTP.
        self.status = status
        # Subscriptions of browsers that are no more, by id: to be forgotten.
        self.gone = tuple(gone)
        # The other side may have got it all the same.
        self.sent = sent


def told_without(secrets: Mapping[str, str], error: ChannelError) -> ChannelError:
    """The same error where the other side repeats what it was told: with none of the channel's secrets."""
    return ChannelError(
        without_secrets(secrets.values(), error.detail),
        permanent=error.permanent,
        retry_after=error.retry_after,
        status=error.status,
        gone=error.gone,
        sent=error.sent,
    )


class NotVerified(Exception):
    """What came in does not prove that it comes from the channel."""


@dataclass(frozen=True)
class OpenChannel:
    """A configured channel, with its secrets opened for the moment of use."""

    id: str
    workspace_id: str
    kind: str
    name: str
    settings: JsonObject
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    # Whether it may reach addresses inside our own network: those that whoever runs the server has set up.
    reaches_private: bool = False

    def settings_as(self, model: type[M]) -> M:
        return model.model_validate(self.settings)


@dataclass(frozen=True)
class Recipient:
    """One member, or one person outside who is only told. None in its place: whoever reads the channel."""

    email: str
    name: str
    member_id: str | None = None
    # Browsers of this person, for push: {id, endpoint, keys: {p256dh, auth}, reaches_private}.
    subscriptions: tuple[JsonObject, ...] = ()
    # Their account with the channel, where it knows people by something else than their address.
    account: str | None = None


@dataclass(frozen=True)
class Fact:
    label: str
    value: str


@dataclass(frozen=True)
class Link:
    label: str
    url: str


@dataclass(frozen=True)
class Choice:
    """One of the answers to choose from; `number` is its place, by which it is named on the way back."""

    number: int
    label: str
    description: str = ""


@dataclass(frozen=True)
class AskView:
    """What a message shows of an open ask, and what can be done about it there."""

    id: str
    kind: str
    digest: str | None
    # What may be decided at all; empty: it can only be opened.
    decisions: tuple[Decision, ...]
    # Deciding needs the app: by rule, or since it is critical.
    needs_sign_in: bool
    tool: str | None = None
    # As proposed, in order: name and value, a text for each.
    arguments: tuple[Fact, ...] = ()
    editable: bool = False
    # text, choice, boolean, number, form, approval; None: nothing is to be written.
    response_type: str | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Message:
    """What is told, in words that are clean and bounded; each channel gives it the form that suits it."""

    # The delivery's id: the same for every attempt, and what buttons carry back.
    id: str
    # A `NoticeKind`, or `test`, `digest`, `invitation`, `sign_in_link`.
    kind: str
    title: str
    text: str = ""
    facts: tuple[Fact, ...] = ()
    # A longer text of the agent's: why it wants this.
    detail: str = ""
    urgent: bool = False
    # low, medium, high, critical.
    risk: str | None = None
    ask: AskView | None = None
    # The app's page about it, for whoever is signed in.
    open_url: str = ""
    # `/a/…`: only where the message goes to one member who may decide.
    answer_url: str | None = None
    links: tuple[Link, ...] = ()
    # Messages about one run belong together.
    thread: str | None = None
    # How the ask ended, once it has: "Approved by Ana".
    outcome: str | None = None
    # A process died between sending and noting it: this may be the second.
    repeated: bool = False
    # Of a digest: what it gathers.
    items: tuple["Message", ...] = ()
    # For programs: the event as the API gives it.
    event: JsonObject | None = None
    # Where a person can switch off such messages.
    unsubscribe_url: str | None = None
    # Of mail: where an answer by reply goes, if that is possible.
    reply_to: str | None = None

    @property
    def brief(self) -> str:
        """Where it belongs, how risky it is and until when, in one line below its title in a list."""
        return " · ".join(f"{each.label}: {each.value}" for each in self.facts if each.label in IN_BRIEF)


@dataclass(frozen=True)
class Receipt:
    """What the channel needs to find the message again; kept with the delivery."""

    remote: JsonObject = field(default_factory=dict[str, Any])
    # Where it went, as people know it: an address, a channel's name.
    target: str | None = None


class Transport(Protocol):
    """One way to reach people."""

    kind: ClassVar[str]
    # What an admin enters; unknown fields are refused.
    settings_model: ClassVar[type[BaseModel]]
    # Names of its secrets, and whether each is needed.
    secret_names: ClassVar[Mapping[str, bool]]
    # Settings that are secrets themselves: kept in the store, and shown as their beginning.
    secret_settings: ClassVar[Sequence[str]]
    # Which settings say where a secret is sent to: who changes them must know the secret, or it could be theirs.
    sent_to: ClassVar[Mapping[str, Sequence[str]]]
    # Whether it can go to one member, and whether to a place that many read.
    personal: ClassVar[bool]
    shared: ClassVar[bool]
    # The setting that names the place that many read; None: it always has one, or never.
    place_setting: ClassVar[str | None]
    # Whether a sent message can be changed later.
    updates: ClassVar[bool]
    # Only whoever runs the server may set one up.
    for_the_operator: ClassVar[bool]

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        """Hand the message over. Raises ChannelError."""
        ...

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        """Say in what was sent how it ended, and take the buttons away. Raises ChannelError."""
        ...

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        """See that a request comes from this channel's service. Raises NotVerified; header names are lower case."""
        ...
