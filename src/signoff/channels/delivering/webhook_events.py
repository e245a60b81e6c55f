"""Webhooks follow the stream of events, which is written in the same commit as what happened: none is missed."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.channels.kinds import WEBHOOK
from signoff.channels.models import Channel, Delivery
from signoff.channels.webhook.transport import WebhookSettings
from signoff.kit.db import events
from signoff.kit.db.events import Head
from signoff.kit.db.inserts import insert_new
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject

AT_ONCE = 500


def webhook_workspaces(session: Session) -> set[str]:
    """Where somebody follows by webhook."""
    query = select(Channel.workspace_id).where(Channel.kind == WEBHOOK, Channel.enabled).distinct()
    return set(session.scalars(query))


def is_behind(session: Session, workspaces: Collection[str]) -> bool:
    """Whether anything happened since some webhook's last event."""
    behind = select(Channel.id).join(Head, Head.workspace_id == Channel.workspace_id)
    behind = behind.where(Channel.kind == WEBHOOK, Channel.enabled, Channel.workspace_id.in_(workspaces))
    return session.scalar(behind.where(Head.position > func.coalesce(Channel.position, 0)).limit(1)) is not None


def follow(session: Session, workspaces: Collection[str], at: datetime) -> bool:
    """Queue what happened since each webhook's last event. Whether there may be more."""
    query = select(Channel).where(Channel.kind == WEBHOOK, Channel.enabled, Channel.workspace_id.in_(workspaces))
    more = False
    for channel in session.scalars(query.order_by(Channel.id).with_for_update(skip_locked=True)):
        found = events.after(session, channel.workspace_id, channel.position or 0, AT_ONCE)
        settings = WebhookSettings.model_validate(channel.settings)
        rows: list[dict[str, Any]] = [
            {
                "id": new_id(),
                "workspace_id": channel.workspace_id,
                "channel_id": channel.id,
                "event_position": each["id"],
                "kind": each["type"],
                "run_id": each["run_id"],
                "ask_id": _ask_id(each["data"]),
                "target": urlsplit(settings.url).hostname or "",
                "key": f"event:{each['id']}",
                "due_at": at,
            }
            for each in found
            if settings.wants(each["type"])
        ]
        insert_new(session, Delivery, rows)
        if found:
            channel.position = found[-1]["id"]
        more = more or len(found) == AT_ONCE
    session.flush()
    return more


def _ask_id(data: JsonObject) -> str | None:
    about: JsonObject = data.get("ask") or {}
    return about.get("id")
