"""Sealed for each browser of one person. Some of them may be gone: what counts is that one has it."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import BaseModel, ConfigDict

from signoff.channels.guarded_http import post
from signoff.channels.port import ChannelError, Message, NotVerified, OpenChannel, Receipt, Recipient
from signoff.channels.push import vapid
from signoff.channels.push.payload import payload, tag_of
from signoff.kit.jsons import JsonObject

# Who opens their browser later than this finds it in the app.
SECONDS_KEPT = 24 * 3600
# A push service says so of a browser that has unsubscribed, or that nobody uses any more.
GONE = (404, 410)


class PushSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")


@dataclass
class _Results:
    sent: list[str] = field(default_factory=list[str])
    gone: list[str] = field(default_factory=list[str])
    errors: list[ChannelError] = field(default_factory=list[ChannelError])


class PushTransport:
    kind: ClassVar[str] = "push"
    settings_model: ClassVar[type[BaseModel]] = PushSettings
    secret_names: ClassVar[Mapping[str, bool]] = {}
    secret_settings: ClassVar[Sequence[str]] = ()
    sent_to: ClassVar[Mapping[str, Sequence[str]]] = {}
    personal: ClassVar[bool] = True
    shared: ClassVar[bool] = False
    place_setting: ClassVar[str | None] = None
    updates: ClassVar[bool] = True
    for_the_operator: ClassVar[bool] = False

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        """To all browsers of one person. The receipt names those that have it, and those to be forgotten."""
        if to is None:
            raise ChannelError("Push needs somebody to go to.", permanent=True)
        if not to.subscriptions:
            raise ChannelError("None of their browsers is subscribed.", permanent=True)
        tag = tag_of(message)
        results = _push(channel, to.subscriptions, message, tag, payload(message, tag))
        if not results.sent:
            raise _failure(results)
        remote: JsonObject = {"sent": results.sent, "gone": results.gone}
        if message.ask is not None:
            remote |= {"tag": tag, "digest": message.ask.digest}
        return Receipt(remote, to.email)

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        """Where it is shown and still subscribed: `subscriptions`, which `push.queries.with_browsers` puts in."""
        is_same = message.outcome is None and message.ask is not None and message.ask.digest == remote.get("digest")
        if "tag" not in remote or is_same:
            # It was one of many in a digest; or its buttons decide the same as before.
            return
        tag: str = remote["tag"]
        changed = payload(message, tag, is_change=True)
        results = _push(channel, remote["subscriptions"], message, tag, changed)
        if results.errors and not results.sent:
            raise _failure(results)

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        raise NotVerified("A browser decides by the answer link.")


def _push(
    channel: OpenChannel, subscriptions: Sequence[JsonObject], message: Message, tag: str, content: bytes
) -> _Results:
    """At once, so that one that does not answer keeps no other waiting."""
    results = _Results()
    if not subscriptions:
        return results

    def send(subscription: JsonObject) -> ChannelError | None:
        try:
            _post(channel, subscription, message, content, tag)
        except ChannelError as error:
            return error
        return None

    with ThreadPoolExecutor(len(subscriptions)) as threads:
        for subscription, error in zip(subscriptions, threads.map(send, subscriptions), strict=True):
            if error is None:
                results.sent.append(subscription["id"])
            elif error.status in GONE:
                results.gone.append(subscription["id"])
            else:
                results.errors.append(error)
    return results


def _post(channel: OpenChannel, subscription: JsonObject, message: Message, content: bytes, tag: str) -> None:
    endpoint: str = subscription["endpoint"]
    is_urgent = message.outcome is None and (message.urgent or message.ask is not None)
    headers = {
        "Authorization": vapid.authorization(channel.secrets[vapid.SECRET], endpoint, message.open_url),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(SECONDS_KEPT),
        "Urgency": "high" if is_urgent else "normal",
        "Topic": _topic(tag),
    }
    sealed = _sealed(content, subscription["keys"])
    post(endpoint, content=sealed, headers=headers, reaches_private=subscription["reaches_private"])


def _sealed(content: bytes, keys: Mapping[str, str]) -> bytes:
    """For one browser, which alone can open it: RFC 8291."""
    # Without `pywebpush`, which would bring two more HTTP clients and a second of waiting.
    import http_ece  # pyright: ignore[reportMissingTypeStubs]

    library: Any = http_ece
    return library.encrypt(
        content,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=vapid.from_base64url(keys["p256dh"]),
        auth_secret=vapid.from_base64url(keys["auth"]),
        version="aes128gcm",
    )


def _topic(tag: str) -> str:
    """Of two that a push service has not delivered yet, the later one stays. 32 letters, and they tell nothing."""
    return base64.urlsafe_b64encode(hashlib.sha256(tag.encode()).digest()[:24]).decode()


def _failure(results: _Results) -> ChannelError:
    """Nobody has it. It is worth another try unless each of them says otherwise."""
    if not results.errors:
        return ChannelError(
            "Their browsers are no longer subscribed. They can switch push on again in their notification settings.",
            permanent=True,
            gone=results.gone,
        )
    waits = [each.retry_after for each in results.errors if each.retry_after is not None]
    return ChannelError(
        results.errors[0].detail,
        permanent=all(each.permanent for each in results.errors),
        retry_after=max(waits, default=None),
        status=results.errors[0].status,
        gone=results.gone,
    )
