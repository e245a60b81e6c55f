"""Signers are looked at again whenever one more signs: who left, lost the role or took a hand in it counts no more."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import needed_role
from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import counting
from signoff.asks.signatures.parties import hands, parties
from signoff.asks.signatures.who_may_answer import is_among, is_called, know_groups
from signoff.asks.states import AskKind
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.errors import Forbidden
from signoff.kit.jsons import JsonObject
from signoff.kit.paging import readable
from signoff.workspaces import queries as people
from signoff.workspaces.delegations.queries import lock_not_ended, may_hand_over, not_ended


class OneHand(Forbidden):
    """Of two who may be one person, one counts."""

    code = "one_hand"


def strike_out(session: Session, actor: Actor, ask: Ask) -> list[JsonObject]:
    """Void the signatures that count no longer; returns them, each with the reason."""
    if not counting(ask):
        return []
    locked = people.actors_locked(session, ask.workspace_id, _people_of(ask))
    who = _as_they_came(ask, locked, lock_not_ended(session, _delegations_of(ask)))
    looked_at = _all_looked_at(session, ask, who)
    struck = [new for new, old in zip(looked_at, ask.signatures, strict=True) if new is not old]
    if struck:
        ask.signatures = looked_at
    _see_different_hands(session, actor, ask, [who[each["by"]] for each in counting(ask)])
    return struck


def _as_they_came(ask: Ask, now: Mapping[str, Actor], not_ended: set[str]) -> dict[str, Actor]:
    """Who signed, by label: as they are now, with what they came with then, and in whose place."""
    return {each["by"]: _as_came(each, now, not_ended) for each in counting(ask) if each["by"] in now}


def _as_came(signature: JsonObject, now: Mapping[str, Actor], not_ended: set[str]) -> Actor:
    signer = replace(now[signature["by"]], made_by=tuple(signature.get("made_by", ())))
    absent = now.get(signature.get("on_behalf_of") or "")
    if absent is None or absent.user_id != signature["absent"] or signature["delegation"] not in not_ended:
        return signer
    return replace(signer, absent=absent, delegation_id=signature["delegation"])


def _people_of(ask: Ask) -> set[str]:
    signed = counting(ask)
    return {each["by"] for each in signed} | {each["on_behalf_of"] for each in signed if "on_behalf_of" in each}


def _delegations_of(ask: Ask) -> set[str]:
    return {each["delegation"] for each in counting(ask) if "delegation" in each}


def as_they_count(session: Session, workspace_id: str, asks: Sequence[Ask]) -> dict[str, list[JsonObject]]:
    """The signatures of open asks as they count at this moment, by ask: for showing, so nothing is held or changed."""
    signers = [(ask, by) for ask, by in readable(asks, _signers_of) if by]
    if not signers:
        return {}
    who = people.actors_seen(session, workspace_id, {each for _, by in signers for each in by})
    know_groups(session, workspace_id, who.values())
    signed = [ask for ask, _ in signers]
    valid = not_ended(session, {each for ask in signed for each in _delegations_of(ask)})
    return dict(readable(signed, lambda ask: (ask.id, _all_looked_at(session, ask, _as_they_came(ask, who, valid)))))


def _signers_of(ask: Ask) -> tuple[Ask, set[str]]:
    return ask, _people_of(ask)


def _see_different_hands(session: Session, actor: Actor, ask: Ask, signers: list[Actor]) -> None:
    """Who made what another came with, or let them in after the ask was opened, could have signed as both."""
    for signer in signers:
        if signer.label == actor.label:
            continue
        both = _in_whose_names(signer) & _in_whose_names(actor)
        if both:
            raise OneHand(
                f"{', '.join(both)} has already signed, in person or through a colleague. Someone else must sign."
            )
        if hands(session, actor, ask) & hands(session, signer, ask):
            raise OneHand(
                f"{signer.label} has signed, and the two of you may be one person: one of you let the other in, "
                "or someone let both of you in. Someone else must sign."
            )


def _in_whose_names(actor: Actor) -> set[str]:
    return {actor.label, *([actor.absent.label] if actor.absent else [])}


def _all_looked_at(session: Session, ask: Ask, who: Mapping[str, Actor]) -> list[JsonObject]:
    barred = parties(session, ask) if ask.four_eyes else set[str]()
    return [_looked_at(session, ask, each, who.get(each["by"]), barred) for each in ask.signatures]


def _looked_at(session: Session, ask: Ask, signature: JsonObject, signer: Actor | None, barred: set[str]) -> JsonObject:
    if signature["decision"] != "approve":
        return signature
    why = _doubt(session, ask, signature, signer, barred)
    return signature if why is None else signature | {"decision": "void", "void": why}


def _doubt(session: Session, ask: Ask, signature: JsonObject, signer: Actor | None, barred: set[str]) -> str | None:
    """Why a signature counts no longer."""
    if signer is None or signature.get("user", signer.user_id) != signer.user_id:
        return "is no longer a member"
    if signer.standing is not Standing.PERSON:
        return "has not accepted the invitation"
    if not signer.role.includes(Role.MEMBER):
        return "is only a viewer now"
    if barred and hands(session, signer, ask) & barred:
        return "has steered the run since"
    named = _named(ask, signature.get("stage"))
    if "on_behalf_of" in signature:
        return _doubt_deputy(session, ask, signature, signer, named)
    if named:
        return None if is_among(session, signer, named) else "is no longer an approver for this"
    if signer.label == ask.assignee or signer.role.includes(needed_role(AskKind(ask.kind))):
        return None
    return "may no longer approve"


def _doubt_deputy(session: Session, ask: Ask, signature: JsonObject, signer: Actor, named: list[str]) -> str | None:
    """Of a signature in somebody's place, both count: who gave it, and whose it is."""
    if signer.absent is None or not may_hand_over(signer.absent):
        return f"no longer decides for {signature['on_behalf_of']}"
    if not signer.role.includes(needed_role(AskKind(ask.kind))):
        return "may no longer approve"
    if not is_called(session, signer, named):
        return f"signed for {signature['on_behalf_of']}, who is no longer an approver for this"
    return None


def _named(ask: Ask, stage: str | None) -> list[str]:
    """Whom the rule names for a signature; for those of a stage, the stage."""
    own = [each for each in ask.stages or [] if each["name"] == stage]
    return [name for each in own for name in each["approvers"]] if own else list(ask.approvers)
