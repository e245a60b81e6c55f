"""Answers given over the API, at whichever address: what takes a while is found out before anything is locked."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.asks import actions, queries
from signoff.asks.answers.batch import Find as FindEach
from signoff.asks.answers.batch import answer_many
from signoff.asks.answers.judge_edits import state_edit
from signoff.asks.answers.outcome import Answer
from signoff.asks.answers.schemas import BatchOut
from signoff.asks.answers.similar_decisions import KnownPast, read_past
from signoff.asks.effects.seen_again import PreviewChanged, see_again
from signoff.asks.models import Ask
from signoff.asks.presentation import show
from signoff.asks.schemas import AskOut
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import SignoffError
from signoff.workspaces.access import Access

Find = Callable[[Session, Actor], Ask]


def give_answer(caller: Access, find: Find, answer_to: Callable[[Ask], Answer], look_first: bool = False) -> AskOut:
    """Take an answer, and show the ask as it then stands."""

    def look(session: Session, actor: Actor) -> KnownPast | None:
        ask = find(session, actor)
        given = answer_to(ask)
        state_edit(ask, given)
        return read_past(session, ask) if given.remember and given.remember.by_the_past else None

    past = caller.read(look) if look_first else None
    preview = see_again(caller.db, lambda session: _found(caller, session, find), answer_to)

    def work(session: Session, actor: Actor) -> AskOut:
        ask = find(session, actor)
        actions.answer(session, actor, ask, replace(answer_to(ask), past=past, preview=preview))
        return show(session, actor, ask)

    return caller.write(work)


def give_answers(
    caller: Access, ids: list[str], answer: Answer, digests: Mapping[str, str], find: FindEach = queries.ask
) -> BatchOut:
    """Give many the same answer. What would do something else by now than was shown is left alone, and says so."""
    changed = dict[str, str]()
    for ask_id in dict.fromkeys(ids) if answer.decision == "approve" else ():
        try:
            see_again(caller.db, lambda s, i=ask_id: _found(caller, s, lambda s, a: find(s, a, i)), lambda _: answer)
        except PreviewChanged as error:
            changed[ask_id] = error.detail
        except SignoffError:
            # Said in its own result.
            continue
    return caller.write(lambda s, actor: answer_many(s, actor, ids, answer, digests, find, changed))


def _found(caller: Access, session: Session, find: Find) -> tuple[Actor, Ask]:
    actor = caller.actor(session, Role.MEMBER)
    return actor, find(session, actor)
