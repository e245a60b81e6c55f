"""Who did their part in an ask, kept in rows of its own: what waits for others is found without reading every ask."""

from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, delete, not_, or_, update
from sqlalchemy.orm import Session

from signoff.asks.inbox.models import AskPart, Part
from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import counting
from signoff.kit.db.columns import table
from signoff.workspaces.delegations.queries import is_not_ended

_PARTS = table(AskPart)


def keep_signers(session: Session, ask: Ask) -> None:
    """Whoever has signed what stands there now waits for the others; whose signature is void does not."""
    _forget(session, _PARTS.c.ask_id == ask.id, _PARTS.c.part == Part.SIGNED.value)
    signers = dict[str, str | None]()
    for each in counting(ask):
        both = [each["by"], *([each["on_behalf_of"]] if "on_behalf_of" in each else [])]
        signers |= dict.fromkeys(both, each.get("delegation"))
    _add(session, ask, Part.SIGNED, signers)


def keep_handed_on(session: Session, ask: Ask, by: str) -> None:
    """Who gave it to somebody else waits for them; who gets it, or all when nobody has it, do not."""
    handed = (_PARTS.c.ask_id == ask.id, _PARTS.c.part == Part.HANDED_ON.value)
    back = {by, ask.assignee} if ask.assignee else None
    _forget(session, *handed, *([_PARTS.c.person.in_(back)] if back else []))
    if ask.assignee and ask.assignee != by:
        _add(session, ask, Part.HANDED_ON, {by: None})


def keep_settled(session: Session, ask_ids: Sequence[str]) -> None:
    """Nothing waits any more; who signed had a say in how it ended."""
    of_these = _PARTS.c.ask_id.in_(ask_ids)
    is_handed_on = _PARTS.c.part == Part.HANDED_ON.value
    _forget(session, of_these, or_(is_handed_on, not_(is_not_ended(_PARTS.c.delegation_id))))
    signed = update(_PARTS).where(of_these, _PARTS.c.part == Part.SIGNED.value)
    # What a delegation was good for then is not undone by its end.
    session.execute(signed.values(part=Part.DECIDED.value, delegation_id=None))


def keep_decided(session: Session, ask: Ask, by: str) -> None:
    """They had a say in it, though the last word is a rule's."""
    own = (_PARTS.c.ask_id == ask.id, _PARTS.c.person == by, _PARTS.c.part == Part.DECIDED.value)
    _forget(session, *own)
    _add(session, ask, Part.DECIDED, {by: None})


def _forget(session: Session, *where: ColumnElement[bool]) -> None:
    session.execute(delete(_PARTS).where(*where))


def _add(session: Session, ask: Ask, part: Part, people: Mapping[str, str | None]) -> None:
    """People, each with the delegation by which it is their part."""
    place = {"workspace_id": ask.workspace_id, "ask_id": ask.id, "part": part.value}
    rows = [place | {"person": person, "delegation_id": delegation} for person, delegation in people.items()]
    if rows:
        session.execute(_PARTS.insert(), rows)
