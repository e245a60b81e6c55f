from sqlalchemy.orm import Session

from signoff.asks import queries as asks
from signoff.asks.comments import actions, queries
from signoff.asks.comments.actions import AgentIsAnswering
from signoff.asks.comments.models import Comment
from signoff.asks.comments.schemas import CommentIn, CommentOut
from signoff.asks.comments.states import CommentKind
from signoff.asks.models import Ask
from signoff.asks.queries import UnknownAsk
from signoff.kit.actor import Actor
from signoff.kit.errors import Invalid
from signoff.kit.paging import Page, page, readable, the_one
from signoff.kit.routing import Paging, api_router, errors
from signoff.workspaces.access import Caller

router = api_router("asks", "/api/asks/{ask_id}/comments")


@router.get("", responses=errors(UnknownAsk))
def list_comments(ask_id: str, caller: Caller, window: Paging) -> Page[CommentOut]:
    """What people said about an ask, and what its agent answered, oldest first."""

    def work(session: Session, actor: Actor) -> Page[CommentOut]:
        ask = asks.ask(session, actor, ask_id)
        found = page(session, queries.comments(actor, ask), [Comment.id], window, lambda comment: comment)
        return found.of(_shown(session, ask, found.items))

    return caller.read(work)


@router.post("", status_code=201, responses=errors(UnknownAsk, AgentIsAnswering, Invalid))
def add_comment(ask_id: str, body: CommentIn, caller: Caller) -> CommentOut:
    """Say something about an ask, also when it is settled; or ask its agent, without deciding."""

    def work(session: Session, actor: Actor) -> CommentOut:
        ask = asks.ask(session, actor, ask_id)
        said = actions.comment(session, actor, ask, body.text, to_agent=body.to_agent)
        return the_one(_shown(session, ask, [said]))

    return caller.write(work)


def _shown(session: Session, ask: Ask, found: list[Comment]) -> list[CommentOut]:
    names = queries.names(session, ask.workspace_id, [each.author for each in found])

    def one(comment: Comment) -> CommentOut:
        is_agents = comment.kind == CommentKind.AGENT.value
        return CommentOut.of(comment, ask.agent_name if is_agents else names.get(comment.author))

    return readable(found, one)
