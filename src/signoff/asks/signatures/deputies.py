"""Deciding for somebody who is away: only where one may not in one's own name, and as one person, not as two."""

from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import Decision
from signoff.asks.models import Ask
from signoff.asks.signatures.who_may_answer import Signed, may
from signoff.kit.actor import Actor, Standing
from signoff.kit.errors import Forbidden
from signoff.workspaces import queries as people
from signoff.workspaces.delegations import queries


def in_whose_name(session: Session, actor: Actor, ask: Ask, decision: Decision, signed: Signed = None) -> Actor:
    """The actor as they may give this answer: in their own name if they can, else for somebody who is away.

    One step only: whom the absent person decides for is not theirs to hand on.
    """
    if actor.standing is not Standing.PERSON or may(session, actor, ask, decision, signed):
        return actor
    for delegation_id, absent in queries.absent_for(session, actor):
        deputy = replace(actor, absent=absent, delegation_id=delegation_id)
        if may(session, deputy, ask, decision, signed):
            return deputy
    return actor


def hold(session: Session, actor: Actor) -> Actor:
    """The same person with what they hold now: until the commit, nobody ends the delegation or demotes one of them."""
    if actor.absent is None or actor.delegation_id is None:
        return actor
    # Members first, as whoever demotes one takes them.
    now = people.actors_locked(session, actor.workspace_id, [actor.label, actor.absent.label])
    absent, own = now.get(actor.absent.label), now.get(actor.label)
    still = actor.delegation_id in queries.lock_not_ended(session, [actor.delegation_id])
    if absent is None or own is None or not still or not queries.may_hand_over(absent):
        raise Forbidden(f"You no longer decide for {actor.absent.label}.")
    role = own.role if actor.role.includes(own.role) else actor.role
    return replace(actor, role=role, absent=absent)
