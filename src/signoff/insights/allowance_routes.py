from sqlalchemy.orm import Session

from signoff.asks.answers.remember import NothingToNarrow, narrow
from signoff.insights.allowances import AllowanceOut, show_allowances
from signoff.kit.actor import Actor, Role
from signoff.kit.clock import now
from signoff.kit.errors import NotFound
from signoff.kit.paging import Page, page, the_one
from signoff.kit.routing import Paging, api_router, errors
from signoff.rules import actions, queries
from signoff.rules.models import Allowance
from signoff.workspaces.access import Caller

router = api_router("rules", "/api/rules/allowances")


@router.get("")
def list_allowances(caller: Caller, window: Paging) -> Page[AllowanceOut]:
    """What people allowed while answering and has not ended, newest first."""

    def work(session: Session, actor: Actor) -> Page[AllowanceOut]:
        query = queries.allowances(actor, now())
        found = page(session, query, [Allowance.id], window, lambda each: each, descending=True)
        return found.of(show_allowances(session, found.items))

    return caller.read(work)


@router.delete("/{allowance_id}", status_code=204, responses=errors(NotFound))
def revoke_allowance(allowance_id: str, caller: Caller) -> None:
    """Take an allowance back: the next such call asks again."""
    caller.write(lambda s, actor: actions.revoke(s, actor, queries.allowance(s, actor, allowance_id)), Role.APPROVER)


@router.post("/{allowance_id}/narrow", responses=errors(NotFound, NothingToNarrow))
def narrow_allowance(allowance_id: str, caller: Caller) -> AllowanceOut:
    """Replace a wide allowance by a narrow one with an end, made from the call that it was given for."""

    def work(session: Session, actor: Actor) -> AllowanceOut:
        narrowed = narrow(session, actor, queries.allowance(session, actor, allowance_id))
        return the_one(show_allowances(session, [narrowed]))

    return caller.write(work, Role.APPROVER)
