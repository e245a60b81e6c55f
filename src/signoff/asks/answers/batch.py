"""Many asks answered at once: each has its own result, and one that fails stops no other."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.asks import actions, queries
from signoff.asks.answers.outcome import Answer
from signoff.asks.answers.schemas import BatchOut, BatchResult
from signoff.asks.likeness import apart
from signoff.asks.models import Ask
from signoff.kit.actor import Actor
from signoff.kit.db.savepoint import savepoint
from signoff.kit.errors import Conflict, SignoffError

Find = Callable[[Session, Actor, str], Ask]


class DecidedAlone(Conflict):
    """It is decided by itself, not along with others: `apart` on the ask says why."""

    code = "ask_decided_alone"


def answer_many(
    session: Session,
    actor: Actor,
    ask_ids: list[str],
    answer: Answer,
    digests: Mapping[str, str] | None = None,
    find: Find = queries.ask,
    changed: Mapping[str, str] | None = None,
) -> BatchOut:
    """Give the same answer to each; once digests are given, only to what was seen. What `changed` names is left alone,
    for the reason that stands there."""
    ids, seen = list(dict.fromkeys(ask_ids)), digests or {}

    def answer_one(ask: Ask) -> None:
        actions.refuse_settled(ask)
        if changed and ask.id in changed:
            raise actions.SeenDifferent(changed[ask.id])
        if len(ids) > 1 and (why := apart(ask)):
            raise DecidedAlone(f"{why}.")
        if seen and ask.digest and ask.id not in seen:
            raise actions.SeenDifferent("You sent no digest for this ask. Look at it, then send its `digest` as well.")
        actions.answer(session, actor, ask, replace(answer, digest=seen.get(ask.id)))

    return settle_each(session, actor, ids, answer_one, find)


def settle_each(
    session: Session, actor: Actor, ask_ids: list[str], settle: Callable[[Ask], None], find: Find = queries.ask
) -> BatchOut:
    """Settle each by itself and say how it came out, in the order in which they were named."""
    ids = list(dict.fromkeys(ask_ids))
    # By run, so that two batches over the same asks never wait for each other.
    done = {each: _settle_one(session, actor, each, settle, find) for each in queries.by_run(session, ids)}
    return BatchOut(results=[done[each] for each in ids])


def _settle_one(session: Session, actor: Actor, ask_id: str, settle: Callable[[Ask], None], find: Find) -> BatchResult:
    """A savepoint each: a refusal leaves nothing half-written."""
    ask: Ask | None = None
    try:
        with savepoint(session):
            ask = find(session, actor, ask_id)
            settle(ask)
            return BatchResult(id=ask_id, status=ask.status)
    except SignoffError as error:
        return BatchResult(id=ask_id, status=ask.status if ask else None, error=error.detail)
