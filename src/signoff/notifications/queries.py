from sqlalchemy import Select, select

from signoff.kit.actor import Actor
from signoff.notifications.models import Notification


def notifications(actor: Actor) -> Select[Notification]:
    return select(Notification).where(Notification.workspace_id == actor.workspace_id)
