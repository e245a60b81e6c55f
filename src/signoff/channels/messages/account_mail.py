"""Mail about somebody's account: an invitation, a sign-in link. The link itself is sealed until the mail goes out."""

from sqlalchemy.orm import Session

from signoff.channels.messages import words
from signoff.channels.models import Delivery
from signoff.channels.port import Link, Message
from signoff.kit.errors import Conflict
from signoff.workspaces.models import Workspace

INVITATION, SIGN_IN_LINK = "invitation", "sign_in_link"
ACCOUNT_KINDS = frozenset({INVITATION, SIGN_IN_LINK})
URL = "url"
# Why a link is mailed that nobody has seen before it goes out.
ASKED_FOR = "asked for on the sign-in page"


class LinkGone(Conflict):
    """What was mailed once is kept nowhere, and another link would let somebody in whom nobody invites now."""

    code = "link_gone"


def is_made_at_sending(delivery: Delivery) -> bool:
    """Whether its link is a new one each time: only where its person asked for it."""
    return delivery.kind == SIGN_IN_LINK and delivery.why == ASKED_FOR


def about_account(session: Session, delivery: Delivery, url: str) -> Message:
    workspace = words.title(session.get_one(Workspace, delivery.workspace_id).name)
    if delivery.kind == INVITATION:
        return Message(
            id=delivery.id,
            kind=delivery.kind,
            title=f"You are invited to {workspace} on Signoff",
            text=f"{delivery.why}. Signoff runs AI agents and asks people where a person should decide. "
            "The link is good for a week, and once.",
            links=(Link("Accept the invitation", url),),
        )
    return Message(
        id=delivery.id,
        kind=delivery.kind,
        title=f"Your sign-in link for {workspace} on Signoff",
        text="The link is good for a day, and once. If you did not ask for it, tell an admin.",
        links=(Link("Sign in", url),),
    )
