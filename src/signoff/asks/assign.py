"""Give an ask to one person."""

from sqlalchemy.orm import Session

from signoff.asks import actions
from signoff.asks.events import ASK_UPDATED, emit_changed
from signoff.asks.inbox.parts import keep_handed_on
from signoff.asks.models import Ask
from signoff.asks.signatures.deputies import in_whose_name
from signoff.asks.signatures.who_may_answer import is_among, named_approvers, permit
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.errors import FieldError, Invalid, NotFound
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.workspaces import queries as people


def assign(session: Session, actor: Actor, ask: Ask, user: str | None) -> None:
    """Make somebody responsible, or nobody in particular. Whoever may decide may also hand over."""
    actor = in_whose_name(session, actor, ask, "deny")
    permit(session, actor, ask, "deny")
    actions.refuse_settled(ask)
    ask.assignee = assignee = _assignee(session, actor, ask, user) if user else None
    if assignee:
        text = f"Assigned to you: {ask.title}"
        where = (ask.workspace_id, ask.run_id, "asks", actor.label)
        notify(session, *where, text, recipients=[assignee], ask_id=ask.id, kind=NoticeKind.ASK)
    session.flush()
    keep_handed_on(session, ask, actor.label)
    actions.put_on_record(session, actor, "assigned", ask, to=ask.assignee or "nobody")
    emit_changed(session, ask, ASK_UPDATED)


def _assignee(session: Session, actor: Actor, ask: Ask, user: str) -> str:
    try:
        member = people.member_by_user(session, actor, user)
    except NotFound:
        raise Invalid(f"{user} is not a member.", errors=[FieldError("user", "a member's user id or email")]) from None
    who = people.actor_of(session, member, "session")
    if who.standing is Standing.ROOT:
        raise Invalid(
            "SIGNOFF_TOKEN is not a person, so nothing can be assigned to it.",
            errors=[FieldError("user", "not a person")],
        )
    if who.standing is not Standing.PERSON:
        raise Invalid(
            f"{who.label} has not accepted the invitation yet.", errors=[FieldError("user", "not a member yet")]
        )
    if not who.role.includes(Role.MEMBER):
        raise Invalid(
            f"{who.label} is a viewer and cannot decide. Make them a member first.",
            errors=[FieldError("user", "a viewer")],
        )
    named = named_approvers(ask)
    if named and not is_among(session, who, named):
        raise Invalid(
            f"The rule {ask.rule!r} requires one of: {', '.join(named)}.",
            errors=[FieldError("user", "not among the approvers")],
        )
    return who.label
