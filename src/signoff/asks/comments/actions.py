"""What people do in the conversation about an ask. Nothing of it decides, and nothing of it reaches the run."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.asks.actions import put_on_record
from signoff.asks.comments import queries
from signoff.asks.comments.mentions import beginning, by_name, mentioned
from signoff.asks.comments.models import Comment
from signoff.asks.comments.states import CommentKind, ReplyState
from signoff.asks.events import ASK_UPDATED, emit_changed
from signoff.asks.models import Ask
from signoff.asks.signatures.who_may_answer import NobodysWord
from signoff.kit import clock
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.db.database import commit_of
from signoff.kit.errors import Conflict
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind

# Each costs money, and no more than these were ever needed to decide.
MOST_QUESTIONS = 20


class NoAgentToAsk(Conflict):
    """The ask came through the gate: whoever asked is not here to answer."""

    code = "no_agent_to_ask"


class AgentIsAnswering(Conflict):
    """One question at a time."""

    code = "agent_is_answering"


class TooManyQuestions(Conflict):
    code = "too_many_questions"


def comment(session: Session, actor: Actor, ask: Ask, text: str, *, to_agent: bool = False) -> Comment:
    """Say something about an ask, also when it is settled; or ask its agent, which answers here and decides nothing."""
    actor.require(Role.MEMBER)
    _require_own_word(actor)
    if to_agent:
        _require_room(session, ask)
    members = queries.people(session, ask.workspace_id)
    named = mentioned(text, members)
    said = _new(ask, CommentKind.PERSON, actor.label, text=text, mentions=named, to_agent=to_agent)
    session.add(said)
    session.flush()
    if to_agent:
        reply = _new(ask, CommentKind.AGENT, ask.agent, state=ReplyState.PENDING.value, question_id=said.id)
        session.add(reply)
        session.flush()
        # Whoever makes replies hears of it at once.
        commit_of(session).due = clock.now()
    others = [email for email in named if email != actor.label]
    if others:
        where = (ask.workspace_id, ask.run_id, "asks", actor.label)
        told = f"{ask.title}\n{beginning(by_name(text, members))}"
        notify(session, *where, told, recipients=others, ask_id=ask.id, kind=NoticeKind.MENTION)
    put_on_record(session, actor, "commented", ask, comment=said.id, to_agent=to_agent or None, mentions=named or None)
    emit_changed(session, ask, ASK_UPDATED)
    return said


def _new(ask: Ask, kind: CommentKind, author: str, **values: object) -> Comment:
    return Comment(workspace_id=ask.workspace_id, ask_id=ask.id, kind=kind.value, author=author, **values)


def _require_own_word(actor: Actor) -> None:
    """A comment stands under a person's name, so nobody else's token writes it."""
    if actor.standing in (Standing.SERVICE, Standing.INVITED):
        raise NobodysWord("This token was made by someone else, so it cannot comment. Sign in, or use your own token.")


def _require_room(session: Session, ask: Ask) -> None:
    if ask.run_id is None:
        raise NoAgentToAsk(
            "This ask comes from a program outside Signoff, so no agent can answer here. You can still comment."
        )
    # Of two who ask at the same moment, the second sees the first's question.
    session.execute(select(Ask.id).where(Ask.id == ask.id).with_for_update())
    query = select(Comment.state, func.count()).where(Comment.ask_id == ask.id, Comment.state.is_not(None))
    asked = {row[0]: row[1] for row in session.execute(query.group_by(Comment.state))}
    if asked.get(ReplyState.PENDING.value):
        raise AgentIsAnswering("The agent is still answering. Wait for its answer, then ask again.")
    if sum(asked.values()) >= MOST_QUESTIONS:
        raise TooManyQuestions(f"The agent was asked {MOST_QUESTIONS} times here, the maximum. You can still comment.")
