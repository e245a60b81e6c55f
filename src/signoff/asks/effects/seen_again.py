"""Before an approval counts, what it lets happen is looked at once more: nobody approves what has changed since."""

from collections.abc import Callable
from contextlib import suppress

from sqlalchemy.orm import Session

from signoff.asks import actions
from signoff.asks.answers.outcome import Answer, check_arguments
from signoff.asks.effects.previews import bound_digest, brief, differs
from signoff.asks.effects.veto import start_over
from signoff.asks.events import ASK_UPDATED, emit_changed
from signoff.asks.inbox.parts import keep_signers
from signoff.asks.models import Ask
from signoff.asks.signatures import conditions
from signoff.asks.signatures.deputies import in_whose_name
from signoff.asks.signatures.who_may_answer import permit
from signoff.asks.states import AskKind, AskStatus
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.errors import Invalid
from signoff.kit.jsons import JsonObject

Find = Callable[[Session], tuple[Actor, Ask]]
VOID = "what it would change is different since"


class PreviewChanged(actions.SeenDifferent):
    """The world has moved on since the preview was made: the call would do something else than was shown."""

    code = "preview_changed"


def see_again(db: Database, find: Find, answer_to: Callable[[Ask], Answer]) -> JsonObject | None:
    """What an answer lets happen, made now and outside of any transaction.

    Where that is no longer what the ask shows, the ask shows it from now on, and the answer is refused."""
    _, ask = db.read(find)
    given = answer_to(ask)
    fresh = _fresh(ask, given) if given.decision == "approve" else None
    if fresh is None or given.arguments is not None or not differs(ask.preview, fresh):
        return fresh
    raise db.write(lambda session: show_anew(session, *find(session), fresh))


def _fresh(ask: Ask, given: Answer) -> JsonObject | None:
    """What is approved, as it stands now."""
    pending = ask.status == AskStatus.PENDING.value and ask.kind == AskKind.APPROVAL.value
    if not pending or ask.arguments is None or (ask.preview is None and given.arguments is None):
        return None
    with suppress(Invalid):
        # No tool hears of arguments that do not fit.
        if given.arguments is not None:
            check_arguments(ask, given.arguments)
        return given.preview_of(ask, ask.arguments if given.arguments is None else given.arguments)
    return None


def show_anew(session: Session, actor: Actor, ask: Ask, fresh: JsonObject) -> PreviewChanged:
    """Put what would happen by now before people. Signatures were for something else, so they are void."""
    if ask.status == AskStatus.PENDING.value:
        actions.lock(session, ask)
    actions.refuse_settled(ask)
    permit(session, in_whose_name(session, actor, ask, "approve"), ask, "approve")
    before = ask.preview
    if differs(before, fresh):
        void = [each["by"] for each in conditions.counting(ask)]
        ask.signatures = [
            each | {"decision": "void", "void": VOID} if each["decision"] == "approve" else each
            for each in ask.signatures
        ]
        ask.preview = fresh
        ask.digest = bound_digest(ask)
        start_over(ask)
        session.flush()
        keep_signers(session, ask)
        facts = {"was": brief(before), "preview": fresh, "void": void or None, "digest": ask.digest}
        actions.put_on_record(session, Actor.system(ask.workspace_id), "preview_changed", ask, **facts)
        emit_changed(session, ask, ASK_UPDATED)
    words = "What this would change is different by now. Look at it again, then decide."
    return PreviewChanged(words, state=conditions.progress(ask) | {"preview": ask.preview, "was": before})
