"""An answer that came from outside the app ends in the same action as any other, with who could have forged it."""

from collections.abc import Callable
from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.answers.judge_edits import state_edit
from signoff.asks.answers.outcome import Answer
from signoff.asks.effects.seen_again import see_again
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.channels.models import Channel
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.errors import Forbidden
from signoff.policy.risk import Risk
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member, User

Found = tuple[Actor, Ask]
Find = Callable[[Session], Found]
WORDS = {
    AskStatus.APPROVED.value: "Approved",
    AskStatus.DENIED.value: "Denied",
    AskStatus.ANSWERED.value: "Answered",
    AskStatus.EXPIRED.value: "Expired",
    AskStatus.CANCELLED.value: "Withdrawn",
    AskStatus.AUTO_APPROVED.value: "Approved by a rule",
}


class NeedsSignIn(Forbidden):
    """What is critical, or what its rule wants, is decided only by who signs in."""

    code = "needs_sign_in"


def actor_through(session: Session, channel: Channel, member: Member, address: str | None) -> Actor:
    """A member who acts through a channel. Whoever keeps that channel could have read or made what came through it,
    so the two never count as two people."""
    actor = people.actor_of(session, member, channel.kind, address)
    return replace(actor, made_by=tuple(each for each in channel.keepers if each != member.user_id))


def needs_sign_in(ask: Ask) -> bool:
    return ask.sign_in or ask.risk_level == Risk.CRITICAL.value


def answer_from_outside(db: Database, find: Find, given: Answer, look: Find | None = None) -> str:
    """Take it, as a request of the app would be taken. Returns how the ask stands then, in words.

    `find` also says, in the transaction that decides, whether whoever answers still may: it spends their link. `look`
    finds the same and only looks.
    """

    def looked(session: Session) -> Found:
        actor, ask = (look or find)(session)
        refuse_outside(ask)
        return actor, ask

    preview = see_again(db, looked, lambda _: given) if given.decision == "approve" else None
    if given.arguments is not None:
        # What tools state about changed arguments takes a while, so it is found out before anything is locked.
        db.read(lambda session: state_edit(looked(session)[1], given))

    def work(session: Session) -> str:
        actor, ask = find(session)
        refuse_outside(ask)
        asks.answer(session, actor, ask, replace(given, preview=preview))
        # What somebody made of it may be critical where the proposal was not.
        refuse_outside(ask)
        return standing(session, ask)

    return db.write(work)


def refuse_outside(ask: Ask) -> None:
    """What only whoever signs in may decide."""
    if needs_sign_in(ask):
        raise NeedsSignIn("This must be decided in the app. Open it there and sign in.")


def standing(session: Session, ask: Ask) -> str:
    """How an ask stands, in a few words for people: "Approved by Ana"."""
    if ask.status == AskStatus.PENDING.value:
        signed = sum(1 for each in ask.signatures if each["decision"] == "approve")
        return f"Signed: {signed} of {ask.approvals_required}" if signed else "Waiting for a decision"
    by = who_settled(session, ask)
    return f"{WORDS.get(ask.status, ask.status)}{f' by {by}' if by else ''}"


def who_settled(session: Session, ask: Ask) -> str | None:
    """The name of whoever settled it, where that was a person."""
    if not ask.settled_by or "@" not in ask.settled_by:
        return None
    user = people.user_by_address(session, ask.workspace_id, ask.settled_by)
    return user.name if isinstance(user, User) else ask.settled_by
