from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router
from signoff.notifications import actions, queries
from signoff.notifications.models import Notification
from signoff.notifications.schemas import NotificationOut, ReadIn
from signoff.workspaces.access import Caller

router = api_router("notifications", "/api/notifications")


@router.get("")
def list_notifications(caller: Caller, window: Paging) -> Page[NotificationOut]:
    """What the workspace was told, newest first."""

    def work(session: Session, actor: Actor) -> Page[NotificationOut]:
        found = queries.notifications(actor)
        return page(session, found, [Notification.id], window, NotificationOut.model_validate, descending=True)

    return caller.read(work)


@router.post("/read", status_code=204)
def mark_read(body: ReadIn, caller: Caller) -> None:
    """Mark some, or all, as read."""
    caller.write(lambda session, actor: actions.mark_read(session, actor, body.ids), Role.VIEWER)
