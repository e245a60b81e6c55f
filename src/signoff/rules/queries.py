import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, Text, bindparam, cast, or_, select
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.kit.errors import NotFound
from signoff.policy.call import Allowance as Allowed
from signoff.policy.compiled import NO_RULES, Policy, compile_policy
from signoff.policy.patterns.pattern import kept_pattern
from signoff.policy.risk import Risk
from signoff.policy.yaml.read import BadRules, read_rules
from signoff.rules.models import Allowance, PolicyRow, RuleProposal, RuleVersion

log = logging.getLogger(__name__)

# The newest so many of an agent and tool count; nobody keeps an eye on more.
MOST_ALLOWANCES = 500
_ROW = table(PolicyRow)
_STAMP = Prepared(select(_ROW.c.stamp).where(_ROW.c.workspace_id == bindparam("workspace")))
_ALLOWANCE_COLUMNS = (
    *(Allowance.id, Allowance.tool, Allowance.risk_level, cast(Allowance.pattern, Text), Allowance.expires_at),
    *(Allowance.created_by, Allowance.created_at),
)
_IN_FORCE = (
    Allowance.workspace_id == bindparam("workspace"),
    Allowance.revoked_at.is_(None),
    or_(Allowance.expires_at.is_(None), Allowance.expires_at > bindparam("at")),
)
_ALLOWED = Prepared(
    select(*_ALLOWANCE_COLUMNS)
    .where(
        *_IN_FORCE,
        Allowance.agent == bindparam("agent"),
        Allowance.tool == bindparam("tool"),
        or_(Allowance.run_id.is_(None), Allowance.run_id == bindparam("run")),
    )
    .order_by(Allowance.id.desc())
    .limit(MOST_ALLOWANCES)
)
# The agent, the run, if any, and the tool of a call.
About = tuple[str, str | None, str]
_COMPILED: dict[str, tuple[int, Policy]] = {}
MOST_COMPILED = 1_000
# Stored rules that this release cannot read, which `save` never lets in: then a person decides everything.
ASK_ALWAYS = 'checkpoints: [{name: "The stored rules cannot be read", action: ask}]'


def in_force(session: Session, workspace_id: str) -> Policy:
    """The workspace's policy as it is now: one small read, and compiled only when something changed."""
    stamp = _STAMP.scalar(session, {"workspace": workspace_id})
    if stamp is None:
        return NO_RULES
    known = _COMPILED.get(workspace_id)
    if known is not None and known[0] == stamp:
        return known[1]
    row = session.get_one(PolicyRow, workspace_id, populate_existing=True)
    compiled = _compile(row.yaml, row.version, row.stopped)
    if len(_COMPILED) >= MOST_COMPILED:
        _COMPILED.clear()
    _COMPILED[workspace_id] = (row.stamp, compiled)
    return compiled


def is_stopped(session: Session, workspace_id: str) -> bool:
    """Whether no rule approves now, also inside the change that says so: `in_force` would keep what may be undone."""
    row = session.get(PolicyRow, workspace_id, populate_existing=True)
    return row is not None and stops(row)


def stops(row: PolicyRow) -> bool:
    """Whether rules have the emergency stop on: by the switch, or by their own text."""
    return _compile(row.yaml, row.version, row.stopped).stopped


@lru_cache(maxsize=64)
def _compile(yaml: str, version: int, stopped: bool) -> Policy:
    try:
        rules = read_rules(yaml, stored=True)
    except BadRules:
        log.exception("the stored rules cannot be read: every call asks")
        rules = read_rules(ASK_ALWAYS)
    return compile_policy(rules, version=version, stopped=stopped)


def current(session: Session, actor: Actor) -> PolicyRow:
    """The stored rules; a workspace that never wrote any has an empty version 0."""
    found = session.get(PolicyRow, actor.workspace_id)
    if found is not None:
        return found
    return PolicyRow(workspace_id=actor.workspace_id, version=0, stamp=0, yaml="", stopped=False)


def versions(actor: Actor) -> Select[RuleVersion]:
    return select(RuleVersion).where(RuleVersion.workspace_id == actor.workspace_id)


def version(session: Session, actor: Actor, number: int) -> RuleVersion:
    found = session.get(RuleVersion, (actor.workspace_id, number))
    if found is None:
        raise NotFound(f"The rules have no version {number}.")
    return found


def allowances(actor: Actor, at: datetime) -> Select[Allowance]:
    """What people allowed, what nobody took back and what has not ended by then."""
    lasts = or_(Allowance.expires_at.is_(None), Allowance.expires_at > at)
    return select(Allowance).where(Allowance.workspace_id == actor.workspace_id, Allowance.revoked_at.is_(None), lasts)


def allowance(session: Session, actor: Actor, allowance_id: str) -> Allowance:
    found = session.get(Allowance, allowance_id)
    if found is None or found.workspace_id != actor.workspace_id or found.revoked_at is not None:
        raise NotFound("Allowance not found.")
    return found


def allowed(
    session: Session, workspace_id: str, agent: str, run_id: str | None, tool: str, at: datetime
) -> list[Allowed]:
    """What people allowed of this tool, to this run or to its agent, and what has not ended by then."""
    given = {"workspace": workspace_id, "agent": agent, "tool": tool, "run": run_id, "at": at}
    return [_ready(row) for row in _ALLOWED.rows(session, given)]


def allowed_each(
    session: Session, workspace_id: str, about: Sequence[About], at: datetime
) -> dict[About, list[Allowed]]:
    """The same for each of these, in one statement however many they are."""
    query = select(Allowance.agent, Allowance.run_id, *_ALLOWANCE_COLUMNS).where(
        *_IN_FORCE,
        Allowance.agent.in_({agent for agent, _, _ in about}),
        Allowance.tool.in_({tool for _, _, tool in about}),
        or_(Allowance.run_id.is_(None), Allowance.run_id.in_({run_id for _, run_id, _ in about if run_id})),
    )
    known = defaultdict[tuple[str, str], list[tuple[str | None, Allowed]]](list)
    given = {"workspace": workspace_id, "at": at}
    for agent, run_id, *row in session.execute(query.order_by(Allowance.id.desc()), given):
        ready = _ready(row)
        known[agent, ready.tool].append((run_id, ready))
    return {
        (agent, run_id, tool): [each for of, each in known[agent, tool] if of in (None, run_id)][:MOST_ALLOWANCES]
        for agent, run_id, tool in about
    }


def _ready(row: Any) -> Allowed:
    id_, tool, risk, pattern, until, by, at = row
    within = kept_pattern(pattern) if pattern is not None else None

    def words() -> str:
        what = f": {', '.join(within.conditions()) or 'with nothing given'}" if within else ""
        return f"{by} allowed this on {at:%d %b %Y}{what}"

    return Allowed(id_, tool, Risk(risk), words, until, within.holds if within else None)


def proposals(session: Session, actor: Actor) -> list[RuleProposal]:
    query = select(RuleProposal).where(RuleProposal.workspace_id == actor.workspace_id)
    return list(session.scalars(query.order_by(RuleProposal.at)))
