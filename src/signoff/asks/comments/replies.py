"""What whoever makes the agent's replies writes: each write goes by who has the reply, and how often it was begun."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import literal_column, or_, select, update
from sqlalchemy.orm import Session

from signoff.asks.actions import put_on_record
from signoff.asks.comments.models import Comment
from signoff.asks.comments.states import ReplyState
from signoff.asks.events import ASK_UPDATED, emit_changed
from signoff.asks.models import Ask
from signoff.kit.actor import Actor
from signoff.kit.db.columns import table

_COMMENTS = table(Comment)
# The index of them serves only a query that names the state itself, not a parameter.
_PENDING = _COMMENTS.c.state == literal_column(f"'{ReplyState.PENDING.value}'")


@dataclass(frozen=True)
class ReplyClaim:
    """The right to write one reply, until the lease ends."""

    reply_id: str
    owner: str
    tries: int


@dataclass(frozen=True)
class Reply:
    """How a question to an agent ended, and what that took."""

    state: ReplyState
    text: str
    tokens_input: int = 0
    tokens_output: int = 0
    cost_credits: float = 0.0
    cost_incomplete: bool = False

    @property
    def is_free(self) -> bool:
        return not (self.tokens_input or self.tokens_output or self.cost_credits or self.cost_incomplete)


def due(session: Session, at: datetime, limit: int) -> list[str]:
    """The replies that nobody makes, oldest first."""
    query = select(_COMMENTS.c.id).where(_PENDING, _is_free(at)).order_by(_COMMENTS.c.id)
    return list(session.scalars(query.limit(limit)))


def claim(session: Session, reply_id: str, owner: str, at: datetime, until: datetime) -> ReplyClaim | None:
    """Take a reply, if nobody was faster."""
    mine = {"owner": owner, "lease_until": until, "tries": _COMMENTS.c.tries + 1}
    change = update(_COMMENTS).where(_COMMENTS.c.id == reply_id, _PENDING, _is_free(at)).values(mine)
    tries = session.scalar(change.returning(_COMMENTS.c.tries))
    return None if tries is None else ReplyClaim(reply_id, owner, tries)


def renew(session: Session, claimed: ReplyClaim, until: datetime) -> bool:
    """Whether it is still ours."""
    return _write(session, claimed, {"lease_until": until})


def release(session: Session, claimed: ReplyClaim) -> None:
    """Leave a reply to others, as one does who shuts down; it does not count as begun."""
    _write(session, claimed, {"owner": None, "lease_until": None, "tries": _COMMENTS.c.tries - 1})


def owners(session: Session) -> list[str]:
    """Everyone who makes a reply now."""
    return list(session.scalars(select(_COMMENTS.c.owner).where(_PENDING, _COMMENTS.c.owner.is_not(None)).distinct()))


def free_dead(session: Session, owner: str) -> None:
    """Free what a dead process had begun, without waiting for its lease to end."""
    session.execute(update(_COMMENTS).where(_PENDING, _COMMENTS.c.owner == owner).values(owner=None, lease_until=None))


def finish(session: Session, claimed: ReplyClaim, ask: Ask, reply: Reply) -> bool:
    """Put the reply where it is waited for. False: it is another's by now, or gone."""
    used = ("tokens_input", "tokens_output", "cost_credits", "cost_incomplete")
    values: dict[str, Any] = {name: getattr(reply, name) for name in used}
    values |= {"state": reply.state.value, "text": reply.text, "uncounted": not reply.is_free}
    if not _write(session, claimed, values | {"owner": None, "lease_until": None}):
        return False
    agent = Actor.agent(ask.workspace_id, ask.agent)
    put_on_record(session, agent, "commented", ask, comment=claimed.reply_id, state=reply.state.value)
    emit_changed(session, ask, ASK_UPDATED)
    return True


def uncounted(session: Session, limit: int) -> list[str]:
    """Replies whose cost is not among their run's figures yet."""
    query = select(_COMMENTS.c.id).where(_COMMENTS.c.uncounted).order_by(_COMMENTS.c.id)
    return list(session.scalars(query.limit(limit)))


def mark_counted(session: Session, reply_id: str) -> bool:
    """Whether it was this one's to count."""
    change = update(_COMMENTS).where(_COMMENTS.c.id == reply_id, _COMMENTS.c.uncounted).values(uncounted=False)
    return session.scalar(change.returning(_COMMENTS.c.id)) is not None


def mark_uncounted(session: Session, reply_id: str) -> None:
    """It could not be counted yet, after all."""
    session.execute(update(_COMMENTS).where(_COMMENTS.c.id == reply_id).values(uncounted=True))


def _is_free(at: datetime) -> Any:
    return or_(_COMMENTS.c.lease_until.is_(None), _COMMENTS.c.lease_until < at)


def _write(session: Session, claimed: ReplyClaim, values: dict[str, Any]) -> bool:
    mine = (_COMMENTS.c.id == claimed.reply_id, _COMMENTS.c.owner == claimed.owner, _COMMENTS.c.tries == claimed.tries)
    change = update(_COMMENTS).where(*mine, _PENDING).values(values)
    return session.scalar(change.returning(_COMMENTS.c.id)) is not None
