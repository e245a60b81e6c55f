"""Whose work an ask is. Where four eyes are wanted, who had a hand in it cannot be the other pair."""

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.claims.actions import hold
from signoff.claims.models import claimable as runs
from signoff.kit.actor import Actor, Standing
from signoff.workspaces import queries as people

SEEN = "parties of the runs on a page"


def names(actor: Actor) -> list[str]:
    """Who really acts, by label and user id; what somebody made for another is also its maker's word, and who decides
    for somebody gives that person's."""
    absent = [actor.absent.label, actor.absent.user_id] if actor.absent else []
    found = [actor.label, actor.user_id, *actor.made_by, *absent]
    return list(dict.fromkeys(name for name in found if name is not None))


def hands(session: Session, actor: Actor, ask: Ask) -> set[str]:
    """Whose hand this may be, by label and user id: the person's own, and of whom they decide for; of who made what
    they came with, always; of who handed them a way in, when that was after the ask was opened.

    Of the last, `SIGNOFF_TOKEN` is left out: it belongs to the server's operator, who lets the first people in.
    """
    vouchers = [*actor.vouchers.items(), *(actor.absent.vouchers.items() if actor.absent else ())]
    since = {by for by, at in vouchers if at > ask.created_at}
    own = set(names(actor))
    return own | (since - {people.root_id(session)} if since else since)


def steers(session: Session, actor: Actor, run_id: str) -> None:
    """Remember who had a say in what a run does: by a message, or by an answer in words."""
    _remember(session, run_id, names(actor))


def hand_up(session: Session, run_id: str, parent_id: str) -> None:
    """Who had a say in a run has one in what the run above makes of its output."""
    hold(session, parent_id)
    rows = session.execute(select(runs.c.id, runs.c.parties).where(runs.c.id.in_([run_id, parent_id])))
    found: dict[str, list[str]] = {row[0]: row[1] or [] for row in rows}
    _add(session, parent_id, found.get(parent_id, []), found.get(run_id, []))


def _remember(session: Session, run_id: str, who: Sequence[str]) -> None:
    # Held first, so that of two who speak at once both are remembered.
    hold(session, run_id)
    _add(session, run_id, parties_of_run(session, run_id), who)


def _add(session: Session, run_id: str, known: Sequence[str], who: Sequence[str]) -> None:
    more = [name for name in who if name not in known]
    if more:
        session.execute(update(runs).where(runs.c.id == run_id).values(parties=[*known, *more]))


def remember_editor(actor: Actor, ask: Ask) -> None:
    """Remember who made an ask into what it is now. Whoever they decide for is barred by id, and not shown: they did
    not change anything."""
    own = [name for name in names(actor) if actor.absent is None or name != actor.absent.label]
    # Who did so last stands last.
    ask.edited_by = [*(each for each in ask.edited_by if each not in own), *own]


def editors(ask: Ask) -> list[str]:
    """Who edited the ask, by label: their user ids stand beside."""
    return [each for each in ask.edited_by if "@" in each]


def outside_asker(ask: Ask) -> str | None:
    """Who asks from outside the run, by label."""
    return ask.asked_by[0] if ask.asked_by else None


def asked_it(session: Session, actor: Actor, ask: Ask) -> bool:
    """Whether this may be the hand that asks from outside. `SIGNOFF_TOKEN` belongs to the server's operator, whose
    program may ask what they answer."""
    if not ask.asked_by or actor.standing is Standing.ROOT:
        return False
    return bool(hands(session, actor, ask).intersection(ask.asked_by) - {people.root_id(session)})


def parties(session: Session, ask: Ask) -> set[str]:
    """Who started or steered the run, or asked or edited the ask, by label and user id."""
    found = {*ask.edited_by, *(ask.asked_by or []), *([ask.started_by] if ask.started_by else [])}
    return found | set(_of_run(session, ask.run_id)) if ask.run_id else found


def own_part(session: Session, actor: Actor, ask: Ask) -> str | None:
    """What part in an ask somebody has, who then cannot be the other pair of eyes: told to them."""
    own = {actor.label, actor.user_id}
    if ask.started_by in own:
        return "You started this run"
    if own.intersection(ask.edited_by):
        return "You edited this"
    if own.intersection(ask.asked_by or []):
        return "You asked this"
    had = hands(session, actor, ask) & parties(session, ask)
    if had & own:
        return "You steered this run"
    if not had:
        return None
    if actor.absent and had & {actor.absent.label, actor.absent.user_id}:
        return f"You decide for {actor.absent.label}, who had a hand in this"
    how = (
        "made the link or token you signed in with"
        if had.intersection(actor.made_by)
        else "let you in after this was asked"
    )
    return f"{people.labels(session, had)} had a hand in this and {how}"


def look_ahead(session: Session, asks: Sequence[Ask]) -> None:
    """Read the parties of all these asks' runs at once: a page of them costs one statement."""
    ids = {ask.run_id for ask in asks if ask.four_eyes and ask.run_id}
    if ids:
        rows = session.execute(select(runs.c.id, runs.c.parties).where(runs.c.id.in_(ids)))
        session.info[SEEN] = {row[0]: row[1] or [] for row in rows}


def _of_run(session: Session, run_id: str) -> list[str]:
    seen: dict[str, list[str]] = session.info.get(SEEN, {})
    return seen[run_id] if run_id in seen else parties_of_run(session, run_id)


def parties_of_run(session: Session, run_id: str) -> list[str]:
    return session.scalar(select(runs.c.parties).where(runs.c.id == run_id)) or []
