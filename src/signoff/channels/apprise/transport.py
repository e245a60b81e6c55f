"""Everything else that Apprise can reach: plain text to one address of its kind."""

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar
from urllib.parse import unquote

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from signoff.channels.apprise.plain_text import body, title
from signoff.channels.guarded_http import SECONDS
from signoff.channels.port import ChannelError, Message, NotVerified, OpenChannel, Receipt, Recipient
from signoff.kit.jsons import JsonObject

# They act on the machine that the server runs on, or read its files.
ON_THIS_MACHINE = frozenset(
    {
        *("blink1", "dbus", "exec", "file", "gio", "glib", "gnome", "kde"),
        *("macosx", "qt", "syslog", "vapid", "windows"),
    }
)
_SCHEME = re.compile(r"([a-z0-9]{1,30})://", re.IGNORECASE)
# Pieces of an address that may be a key: nothing of them is told.
_PIECES = re.compile(r"[^A-Za-z0-9_\-.]+")
LEAST_PIECE, MOST_TOLD = 4, 300


def _elsewhere(url: str) -> str:
    found = _SCHEME.match(url)
    if found is None:
        raise ValueError("must be an address of Apprise, such as discord://…")
    if found[1].lower() in ON_THIS_MACHINE:
        raise ValueError(f"{found[1].lower()}:// acts on the server itself, so it is not allowed")
    return url


class AppriseSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000), AfterValidator(_elsewhere)] = Field(
        description="As Apprise writes it: discord://…, tgram://…, ntfy://…. It is stored as a secret."
    )


class AppriseTransport:
    kind: ClassVar[str] = "apprise"
    settings_model: ClassVar[type[BaseModel]] = AppriseSettings
    secret_names: ClassVar[Mapping[str, bool]] = {}
    secret_settings: ClassVar[Sequence[str]] = ("url",)
    sent_to: ClassVar[Mapping[str, Sequence[str]]] = {}
    personal: ClassVar[bool] = False
    shared: ClassVar[bool] = True
    place_setting: ClassVar[str | None] = None
    updates: ClassVar[bool] = False
    # One address may mean any of a hundred services, and files of this machine.
    for_the_operator: ClassVar[bool] = True

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        url = channel.settings_as(AppriseSettings).url
        apprise = _library()
        # Without files of its own, and without plugins that lie somewhere.
        asset = apprise.AppriseAsset(storage_mode=apprise.PersistentStoreMode.MEMORY, plugin_paths=[])
        service = apprise.Apprise.instantiate(url, asset=asset, suppress_exceptions=True)
        if not service:
            raise ChannelError("Apprise does not understand this address.", permanent=True)
        sender = apprise.Apprise(asset=asset)
        sender.add(service)
        text = {"title": title(message), "body": body(message), "body_format": apprise.NotifyFormat.TEXT}
        result = sender.notify(**text, timeout=SECONDS)
        said = [str(entry.message) for entry in result.logs()]
        result.close()
        if not result:
            raise ChannelError(f"Apprise could not deliver: {_told(said, url) or 'it gives no reason.'}")
        return Receipt()

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        """What was sent stays as it is: its link says how the ask ended."""

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        raise NotVerified("Nothing comes back from here.")


def _library() -> Any:
    # Only when something goes out: it takes a third of a second and 40 MB to load.
    import apprise

    # What it writes there has addresses in it, and those are secrets.
    log = logging.getLogger("apprise")
    log.propagate = False
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    return apprise


def _told(lines: list[str], url: str) -> str:
    """The last line, without anything of the address."""
    said = " ".join(lines[-1].split()) if lines else ""
    for piece in sorted({url, *_PIECES.split(url), *_PIECES.split(unquote(url))}, key=len, reverse=True):
        if len(piece) >= LEAST_PIECE:
            said = said.replace(piece, "•••")
    return said[:MOST_TOLD]
