from datetime import datetime
from typing import Annotated

from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from signoff.channels.addresses import WebAddress
from signoff.channels.push.models import PushSubscription
from signoff.channels.push.vapid import base64url, from_base64url
from signoff.kit.text.fields import Line

AUTH_BYTES = 16


def _point(given: str) -> str:
    try:
        raw = from_base64url(given.rstrip("="))
        # The only check that they lie on the curve: else sealing could tell something of our key.
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)
    except ValueError:
        raise ValueError("must be a public key of P-256 in base64url, as the browser gives it") from None
    return base64url(raw)


def _sixteen_bytes(given: str) -> str:
    try:
        raw = from_base64url(given.rstrip("="))
    except ValueError:
        raw = b""
    if len(raw) != AUTH_BYTES:
        raise ValueError(f"must be {AUTH_BYTES} bytes in base64url, as the browser gives them")
    return base64url(raw)


class BrowserKeys(BaseModel):
    model_config = ConfigDict(extra="forbid")

    p256dh: Annotated[str, Field(max_length=200), AfterValidator(_point)]
    auth: Annotated[str, Field(max_length=100), AfterValidator(_sixteen_bytes)]


class SubscriptionIn(BaseModel):
    """What `PushSubscription.toJSON()` gives, without the time."""

    model_config = ConfigDict(extra="forbid")

    expiration_time: float | None = Field(
        default=None, alias="expirationTime", description="As the browser gives it; not needed: its service says so."
    )
    endpoint: WebAddress = Field(description="Where the browser's push service takes messages for it. https only.")
    keys: BrowserKeys
    device: Line = Field(default="", description="The browser in words, for your list of devices.")


class SubscriptionOut(BaseModel):
    id: str
    endpoint: str
    device: str
    created_at: datetime

    @classmethod
    def of(cls, row: PushSubscription) -> "SubscriptionOut":
        return cls(id=row.id, endpoint=row.endpoint, device=row.device, created_at=row.created_at)


class PushKey(BaseModel):
    public_key: str = Field(description="For `pushManager.subscribe({applicationServerKey})`, in base64url.")
