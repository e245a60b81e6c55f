from typing import Annotated

from fastapi import Query
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.paging import Page, page, readable
from signoff.kit.routing import Paging, api_router, errors
from signoff.notifications import actions, queries
from signoff.notifications.models import Notification
from signoff.notifications.schemas import NotificationOut, ReadIn, UnreadOut
from signoff.workspaces.access import Caller

router = api_router("notifications", "/api/notifications")

Unread = Annotated[bool, Query(description="Only what you have not read.")]
OfRun = Annotated[str | None, Query(description="Only what is about this run.")]


@router.get("")
def list_notifications(
    caller: Caller, window: Paging, unread: Unread = False, run: OfRun = None
) -> Page[NotificationOut]:
    """What is addressed to you or to everybody, newest first."""

    def work(session: Session, actor: Actor) -> Page[NotificationOut]:
        query = queries.notifications(actor, unread=unread, run_id=run)
        found = page(session, query, [Notification.id], window, lambda row: row, descending=True)
        new = queries.unread_among(session, actor, [row.id for row in found.items])
        stand = queries.ask_statuses(session, found.items)

        def shown(row: Notification) -> NotificationOut:
            return NotificationOut.of(row, read=row.id not in new, ask_status=stand.get(row.ask_id or ""))

        return found.of(readable(found.items, shown))

    return caller.read(work)


@router.get("/count")
def count_notifications(caller: Caller) -> UnreadOut:
    """How many of them are new to you."""
    return caller.read(lambda session, actor: UnreadOut(unread=queries.count_unread(session, actor)))


@router.post("/read", status_code=204, responses=errors(actions.NotYours))
def mark_read(body: ReadIn, caller: Caller) -> None:
    """Mark some, or all, as read by you."""
    caller.write(lambda session, actor: actions.mark_read(session, actor, body.ids), Role.VIEWER)
