"""Who pressed a button in Slack, by the address that Slack has confirmed."""

from typing import cast

from signoff.channels.port import OpenChannel
from signoff.channels.slack.web_api import call
from signoff.kit.jsons import JsonObject


class Stranger(Exception):
    """Nobody of whom Slack says for sure who they are. The text is for them."""


def address_of(channel: OpenChannel, user: str) -> str:
    """The address of one of this Slack's own people. Raises Stranger, or ChannelError."""
    found = _object(call(channel, "users.info", user=user).get("user"))
    own = call(channel, "auth.test")
    # In a channel that is shared with another company, that one says which address its people have.
    if not _is_ours(found, own) or found.get("deleted") or found.get("is_bot"):
        raise Stranger("Only people of the Slack workspace that Signoff is installed in can decide here.")
    address = _object(found.get("profile")).get("email")
    if not isinstance(address, str) or not address:
        raise Stranger("Slack does not tell your address: the app needs the scope users:read.email.")
    if found.get("is_email_confirmed") is False:
        raise Stranger("Confirm your address in Slack first.")
    return address


def _is_ours(user: JsonObject, own: JsonObject) -> bool:
    """Of the same workspace, or of the same company where it has several."""
    team, company = own.get("team_id"), own.get("enterprise_id")
    if user.get("is_stranger") or not team:
        return False
    of_company = _object(user.get("enterprise_user")).get("enterprise_id")
    return user.get("team_id") == team or (company is not None and of_company == company)


def _object(found: object) -> JsonObject:
    return cast("JsonObject", found) if isinstance(found, dict) else {}
