import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

from fastapi import Depends, Query, Request
from sqlalchemy import Select
from sqlalchemy.orm import Session

from signoff.asks import actions, queries
from signoff.asks.actions import AlreadySettled
from signoff.asks.answers.argument_diff import diff
from signoff.asks.answers.outcome import Answer, check_arguments
from signoff.asks.answers.remember_offers import offers
from signoff.asks.answers.remember_schemas import RememberOut
from signoff.asks.answers.schemas import AnswerIn, BatchIn, BatchOut, PreviewIn, PreviewOut, Problem
from signoff.asks.assign import assign
from signoff.asks.deadlines import expiry
from signoff.asks.effects.previews import PreviewOf
from signoff.asks.effects.veto import has_window
from signoff.asks.effects.windows import note_reached, unreached
from signoff.asks.events import ASK_SETTLED, ASK_VIEWING
from signoff.asks.give_answers import give_answer, give_answers
from signoff.asks.groups.queries import groups_page
from signoff.asks.groups.schemas import AskGroup
from signoff.asks.inbox.views import View, counts, decided_by, order, seen_by
from signoff.asks.models import Ask
from signoff.asks.presentation import show, show_all, shown_page
from signoff.asks.queries import Sort, UnknownAsk
from signoff.asks.schemas import AskOut, AssignIn, CountOut, EffectPreview, ExpireIn, ExpireOut, ImpactOut
from signoff.asks.signatures.deputies import in_whose_name
from signoff.asks.signatures.who_may_answer import may
from signoff.asks.states import AskStatus
from signoff.kit.actor import Actor, Role
from signoff.kit.clock import now
from signoff.kit.db import events
from signoff.kit.db.database import Database
from signoff.kit.db.live_events import Hub
from signoff.kit.errors import Invalid
from signoff.kit.paging import Page
from signoff.kit.routing import OfProject, Paging, api_router, errors
from signoff.policy.impact import ImpactOf
from signoff.workspaces.access import Caller

router = api_router("asks", "/api/asks")


def _tool_impacts(request: Request) -> ImpactOf:
    """What the tools state about changed arguments."""
    impact_of: ImpactOf = request.app.state.tool_impacts()
    return impact_of


def _tool_previews(request: Request) -> PreviewOf:
    """What the calls of asks would change."""
    preview_of: PreviewOf = request.app.state.tool_previews()
    return preview_of


ToolImpacts = Annotated[ImpactOf, Depends(_tool_impacts)]
ToolPreviews = Annotated[PreviewOf, Depends(_tool_previews)]
LONGEST_WAIT = 50


@dataclass(frozen=True)
class Filter:
    """Which asks are wanted; the same words for a list and for its groups."""

    kind: str | None = None
    agent: str | None = None
    risk: str | None = None
    run: str | None = None
    below: Annotated[bool, Query(description="With `run`: also of the runs that it started, and of theirs.")] = False
    assignee: Annotated[str | None, Query(description="An email, or `me`.")] = None
    alike: Annotated[str | None, Query(description="An ask's id: it and those that are alike.")] = None
    likeness: Annotated[str | None, Query(description="Those that are alike, as a group names them.")] = None
    q: str | None = None
    before: Annotated[datetime | None, Query(description="Only what was opened before then.")] = None
    project: OfProject = None

    def narrow(self, session: Session, actor: Actor, status: str | None) -> Select[Ask]:
        likeness = queries.ask(session, actor, self.alike).likeness or "none" if self.alike else self.likeness
        whose = actor.label if self.assignee == "me" else self.assignee
        narrowed = {
            "kind": self.kind,
            "agent": self.agent,
            "risk": self.risk,
            "above" if self.below else "run_id": self.run,
            "project_id": self.project,
        }
        found = queries.asks(actor, **narrowed, status=status, assignee=whose, likeness=likeness, q=self.q)
        return found.where(Ask.created_at < self.before) if self.before else found


Narrowed = Annotated[Filter, Depends()]
OfView = Annotated[
    View | None,
    Query(
        description="`open`: where your part is not done; `waiting`: what you signed or assigned to others, who have"
        " not decided; `decided`: what people decided, what expired and what a rule let through while it waited, newest"
        " first."
    ),
]
OfMine = Annotated[Literal["me"] | None, Query(description="`me`: only where you had a say; newest first.")]


@router.get("")
def list_asks(
    caller: Caller,
    window: Paging,
    wanted: Narrowed,
    status: str | None = None,
    view: OfView = None,
    by: OfMine = None,
    sort: Sort = "oldest",
) -> Page[AskOut]:
    """What waits for somebody, and what was decided."""

    def work(session: Session, actor: Actor) -> Page[AskOut]:
        found, keys = wanted.narrow(session, actor, status), order(view, sort)
        if view is not None:
            found = seen_by(actor, found, view)
        if by == "me":
            found, mine = decided_by(actor, found)
            keys = mine, True
        return shown_page(session, actor, found, window, keys)

    return caller.read(work)


@router.get("/groups")
def list_ask_groups(caller: Caller, window: Paging, wanted: Narrowed, sort: Sort = "oldest") -> Page[AskGroup]:
    """What is open for you, with asks that are alike as one; up to 50 groups at a time."""

    def work(session: Session, actor: Actor) -> Page[AskGroup]:
        found = seen_by(actor, wanted.narrow(session, actor, AskStatus.PENDING.value), "open")
        return groups_page(session, actor, found, window, sort)

    return caller.read(work)


@router.get("/count")
def count_asks(caller: Caller, project: OfProject) -> CountOut:
    """How much waits for you, in all and by kind, and how much of yours waits for others."""
    return caller.read(lambda session, actor: CountOut(**counts(session, actor, project)))


@router.post("/batch")
def answer_batch(body: BatchIn, caller: Caller, preview_of: ToolPreviews) -> BatchOut:
    """Decide many at once; each has its own result, and one that fails stops no other.

    What is decided by itself (`apart` on the ask says why) is left alone when it comes with others.
    """
    answer = Answer(body.decision, value=body.value, note=body.note, preview_of=preview_of)
    return give_answers(caller, body.ids, answer, body.digests)


@router.post("/expire")
def expire_asks(body: ExpireIn, caller: Caller) -> ExpireOut:
    """Clear away what waits for longer than this, the oldest first, up to 1,000 at a time (admin)."""

    def work(session: Session, actor: Actor) -> ExpireOut:
        ids = expiry.expire_old(session, actor, now() - timedelta(seconds=body.older_than_seconds))
        return ExpireOut(expired=len(ids), ids=ids)

    return caller.write(work, Role.ADMIN)


@router.get("/{ask_id}", responses=errors(UnknownAsk))
async def get_ask(
    ask_id: str, caller: Caller, request: Request, wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 0
) -> AskOut:
    """One ask. With `wait`, the answer comes when it is settled, or when the seconds are over."""
    db: Database = caller.db

    def find(session: Session) -> tuple[AskOut, str, int]:
        actor = caller.actor(session, Role.VIEWER)
        position = events.position(session, actor.workspace_id) if wait else 0
        return show(session, actor, queries.ask(session, actor, ask_id)), actor.workspace_id, position

    ask, workspace_id, position = await db.aread(find)
    if wait and ask.status is AskStatus.PENDING:
        hub: Hub = request.app.state.hub
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                # From the position read before the ask, so that nothing slips in between.
                await _settled(hub, workspace_id, position, ask_id)
        ask, _, _ = await db.aread(find)
    return ask


@router.post("/{ask_id}/answer", responses=errors(UnknownAsk, AlreadySettled, Invalid))
def answer_ask(ask_id: str, body: AnswerIn, caller: Caller, impact_of: ToolImpacts, preview_of: ToolPreviews) -> AskOut:
    """Decide. The first decisive answer wins; a later one gets 409 with the outcome. So does an approval of something
    that would do something else by now than was shown: `preview_changed`, with the new preview."""
    given = body.to_answer(impact_of, preview_of)
    look_first = given.remember is not None or given.arguments is not None
    return give_answer(caller, lambda s, actor: queries.ask(s, actor, ask_id), lambda _: given, look_first)


@router.get("/{ask_id}/remember", responses=errors(UnknownAsk))
def get_remember_choices(ask_id: str, caller: Caller) -> RememberOut:
    """Ways to remember an approval, each in a sentence and with what it would have let through before."""
    return caller.read(lambda session, actor: offers(session, actor, queries.ask(session, actor, ask_id)))


@router.post("/{ask_id}/preview", responses=errors(UnknownAsk))
def preview_answer(
    ask_id: str, body: PreviewIn, caller: Caller, impact_of: ToolImpacts, preview_of: ToolPreviews
) -> PreviewOut:
    """What changed arguments would change, and what is wrong with them. Nothing is decided."""

    def work(session: Session, actor: Actor) -> tuple[Ask, bool, PreviewOut]:
        ask = queries.ask(session, actor, ask_id)
        try:
            check_arguments(ask, body.arguments)
            wrong = list[Problem]()
        except Invalid as error:
            wrong = [Problem(path=each.path, message=each.message) for each in error.errors]
        stated = impact_of(ask.run_id, ask.tool, body.arguments) if ask.tool and not (wrong or ask.call_ids) else None
        impact = ImpactOut.model_validate(stated.to_json()) if stated else None
        # A preview reads what the arguments name, also through a connection: only for who decides, and only before.
        decides = ask.status == AskStatus.PENDING.value and may(
            session, in_whose_name(session, actor, ask, "approve"), ask, "approve"
        )
        return ask, decides, PreviewOut(diff=diff(ask.arguments, body.arguments), errors=wrong, impact=impact)

    ask, decides, shown = caller.read(work)
    # A tool may take its time, so no transaction waits for it.
    effect = preview_of(ask, body.arguments) if ask.tool and decides and not shown.errors else None
    shown.preview = EffectPreview.model_validate(effect) if effect else None
    return shown


@router.post("/{ask_id}/cancel", responses=errors(UnknownAsk, AlreadySettled))
def cancel_ask(ask_id: str, caller: Caller) -> AskOut:
    """Withdraw an ask; its run goes on without an answer."""

    def work(session: Session, actor: Actor) -> AskOut:
        ask = queries.ask(session, actor, ask_id)
        actions.cancel(session, actor, ask)
        return show(session, actor, ask)

    return caller.write(work)


@router.post("/{ask_id}/assign", responses=errors(UnknownAsk, AlreadySettled, Invalid))
def assign_ask(ask_id: str, body: AssignIn, caller: Caller) -> AskOut:
    """Make one member responsible."""

    def work(session: Session, actor: Actor) -> AskOut:
        ask = queries.ask(session, actor, ask_id)
        assign(session, actor, ask, body.user)
        return show(session, actor, ask)

    return caller.write(work)


@router.post("/{ask_id}/viewing", status_code=204, responses=errors(UnknownAsk))
async def view_ask(ask_id: str, caller: Caller, request: Request) -> None:
    """Tell those who look at the same ask that you do, too. Whoever may object to what runs by itself was reached."""

    def find(session: Session) -> tuple[Ask, str, bool]:
        actor = caller.actor(session, Role.VIEWER)
        ask = queries.ask(session, actor, ask_id)
        reached = bool(unreached(session, [ask.id])) if has_window(ask) else False
        return ask, actor.label, reached and may(session, actor, ask, "deny")

    ask, by, is_first = await caller.db.aread(find)
    if is_first:
        await caller.db.awrite(lambda session: note_reached(session, ask_id, None))
    hub: Hub = request.app.state.hub
    hub.transient(ask.workspace_id, ask.run_id, ASK_VIEWING, {"ask_id": ask.id, "by": by})


@router.get("/{ask_id}/thread", responses=errors(UnknownAsk))
def get_thread(ask_id: str, caller: Caller) -> Page[AskOut]:
    """A question with those it follows and those that follow it, oldest first."""

    def work(session: Session, actor: Actor) -> Page[AskOut]:
        shown = show_all(session, actor, queries.thread(session, queries.ask(session, actor, ask_id)))
        return Page(items=shown, total=len(shown))

    return caller.read(work)


async def _settled(hub: Hub, workspace_id: str, position: int, ask_id: str) -> None:
    """Follow the stream until this ask is settled."""
    async with aclosing(hub.follow(workspace_id, position)) as stream:
        async for event in stream:
            if event["type"] == ASK_SETTLED.name and event["data"]["ask"]["id"] == ask_id:
                return
