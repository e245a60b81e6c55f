"""Asks as the API gives them, with what stands beside them: how many are alike, and the lessons that matter."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session, defer

from signoff.asks.answers.outcome import ALLOWED
from signoff.asks.likeness import alike_counts
from signoff.asks.models import Ask
from signoff.asks.schemas import AskOut, Footing
from signoff.asks.signatures.deputies import in_whose_name
from signoff.asks.signatures.parties import look_ahead
from signoff.asks.signatures.signers import as_they_count
from signoff.asks.signatures.who_may_answer import bar, may, positive
from signoff.asks.states import AskKind, AskStatus
from signoff.kit.actor import Actor
from signoff.kit.paging import Page, Window, page, readable, the_one
from signoff.lessons.queries import that_reach
from signoff.lessons.relevance import most_relevant, reaches
from signoff.lessons.schemas import LessonBrief

MOST_LESSONS = 3
# The keys of a list, and whether it runs backwards.
Order = tuple[list[Any], bool]


def show(session: Session, actor: Actor, ask: Ask) -> AskOut:
    return the_one(show_all(session, actor, [ask]))


def show_all(session: Session, actor: Actor, asks: Sequence[Ask]) -> list[AskOut]:
    """However many they are, a few more queries."""
    pending = [ask for ask in asks if ask.status == AskStatus.PENDING.value]
    open_ids = {ask.id for ask in pending}
    alike = alike_counts(session, actor.workspace_id, pending)
    look_ahead(session, pending)
    counted = as_they_count(session, actor.workspace_id, pending)
    about = [ask for ask in pending if ask.tool]
    lessons = that_reach(session, actor, {ask.agent for ask in about}, {ask.tool for ask in about if ask.tool})
    words = dict[str, frozenset[str]]()

    def one(ask: Ask) -> AskOut:
        open_call = ask.tool if ask.id in open_ids else None
        known = [each for each in lessons if open_call and reaches(each, ask.agent, open_call)]
        chosen = most_relevant(known, ask.agent, ask.arguments, MOST_LESSONS, words) if known else []
        others = max(alike.get(ask.likeness or "", 1) - 1, 0)
        return AskOut.of(ask, others, [LessonBrief.of(each) for each in chosen], footing(ask))

    def footing(ask: Ask) -> Footing:
        signed = counted.get(ask.id, ask.signatures)
        if ask.id not in open_ids:
            return Footing(signed)
        who = in_whose_name(session, actor, ask, positive(ask), signed)
        mine = may(session, who, ask, positive(ask), signed)
        # A question is answered, so who may not answer it has nothing to refuse.
        refuses = mine or ("deny" in ALLOWED[AskKind(ask.kind)] and may(session, who, ask, "deny", signed))
        absent = who.absent.label if who.absent else None
        return Footing(signed, mine, refuses, None if mine else bar(session, actor, ask, signed), absent)

    return readable(asks, one)


def seen(query: Select[Ask]) -> Select[Ask]:
    """Asks without the calls that are frozen on them: nobody sees those, and each holds the whole input of its run."""
    return query.options(defer(Ask.proposed_call))


def shown_page(
    session: Session,
    actor: Actor,
    query: Select[Ask],
    window: Window,
    order: tuple[list[Any], bool] = ([Ask.id], False),
) -> Page[AskOut]:
    keys, descending = order
    found = page(session, seen(query), keys, window, lambda ask: ask, descending=descending)
    return found.of(show_all(session, actor, found.items))
