"""The rules that count for a run: its workspace's, and those of the workflows that it belongs to."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.claims.models import claimable
from signoff.policy.compiled import Policy
from signoff.rules import queries as rules
from signoff.workflows.own_rules import with_revisions

MOST_KNOWN = 10_000
# The revisions of the workflows above a run; its ancestors never change.
_ABOVE: dict[str, tuple[str, ...]] = {}


def in_force(session: Session, workspace_id: str, run_id: str | None) -> Policy:
    """The workspace's rules as they are now, with those of the workflows that a run belongs to."""
    policy = rules.in_force(session, workspace_id)
    return with_own_rules(session, policy, [run_id])[run_id] if run_id is not None else policy


def with_own_rules(session: Session, policy: Policy, run_ids: Iterable[str]) -> dict[str, Policy]:
    """The same rules for each of these runs, in one statement for those that are not known yet."""
    wanted = set(run_ids)
    known = {run_id: above for run_id in wanted if (above := _ABOVE.get(run_id)) is not None}
    if len(known) < len(wanted):
        known |= _looked_up(session, wanted - set(known))
    return {run_id: with_revisions(session, policy, above) for run_id, above in known.items()}


def _looked_up(session: Session, run_ids: set[str]) -> dict[str, tuple[str, ...]]:
    found = dict[str, list[str]]((run_id, []) for run_id in run_ids)
    run = claimable.c
    start = select(run.id.label("of"), run.parent_id, run.workflow_revision_id)
    above = start.where(run.id.in_(run_ids)).cte("above", recursive=True)
    parent = select(above.c.of, run.parent_id, run.workflow_revision_id)
    above = above.union_all(parent.join(claimable, run.id == above.c.parent_id))
    for of, _, revision_id in session.execute(select(above)):
        if revision_id is not None:
            found[of].append(revision_id)
    if len(_ABOVE) >= MOST_KNOWN:
        _ABOVE.clear()
    _ABOVE.update({run_id: tuple(revisions) for run_id, revisions in found.items()})
    return {run_id: tuple(revisions) for run_id, revisions in found.items()}
