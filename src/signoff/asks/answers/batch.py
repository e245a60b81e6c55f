"""Many asks answered at once: each has its own result, and one that fails stops no other."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.asks import actions, queries
from signoff.asks.answers.outcome import Answer
from signoff.asks.models import Ask
from signoff.asks.schemas import BatchOut, BatchResult
from signoff.kit.actor import Actor
from signoff.kit.errors import SignoffError

Find = Callable[[Session, Actor, str], Ask]


def answer_many(
    session: Session,
    actor: Actor,
    ask_ids: list[str],
    answer: Answer,
    digests: Mapping[str, str] | None = None,
    find: Find = queries.ask,
) -> BatchOut:
    """Give the same answer to each; with digests, only to what was seen."""
    ids, seen = list(dict.fromkeys(ask_ids)), digests or {}
    # By run, so that two batches over the same asks never wait for each other.
    done = {
        ask_id: _answer_one(session, actor, ask_id, replace(answer, digest=seen.get(ask_id)), find)
        for ask_id in queries.by_run(session, ids)
    }
    return BatchOut(results=[done[ask_id] for ask_id in ids])


def _answer_one(session: Session, actor: Actor, ask_id: str, answer: Answer, find: Find) -> BatchResult:
    """A savepoint each: a refusal leaves nothing half-written."""
    ask: Ask | None = None
    try:
        with session.begin_nested():
            ask = find(session, actor, ask_id)
            actions.answer(session, actor, ask, answer)
            return BatchResult(id=ask_id, status=ask.status)
    except SignoffError as error:
        return BatchResult(id=ask_id, status=ask.status if ask else None, error=error.detail)
