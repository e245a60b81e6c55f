from collections.abc import Callable, Collection
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock, jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.db import events
from signoff.kit.errors import Conflict, FieldError, Invalid
from signoff.kit.jsons import digest
from signoff.policy.compiled import Policy, compile_policy
from signoff.policy.format.rule_file import RuleFile
from signoff.policy.patterns.pattern import Pattern
from signoff.policy.yaml.read import BadRules, RuleProblem, read_rules
from signoff.rules import queries
from signoff.rules.events import RULES_CHANGED, RulesChanged
from signoff.rules.models import Allowance, PolicyRow, RuleProposal, RuleVersion

# Given the session, the workspace, and whether the emergency stop is on from now on.
Follow: TypeAlias = Callable[[Session, str, bool], None]
_following: list[Follow] = []


def follow_changes(work: Follow) -> None:
    """Let what stands above the rules do its part of every change, in the same transaction."""
    _following.append(work)


class InvalidRules(Invalid):
    """The YAML says something that Signoff does not understand; nothing was saved."""

    code = "invalid_rules"


class RulesMoved(Conflict):
    """Somebody saved a newer version meanwhile."""

    code = "rules_moved"


def problems(text: str) -> tuple[RuleProblem, ...]:
    """What is wrong with a text of rules."""
    try:
        read_rules(text)
    except BadRules as error:
        return error.problems
    return ()


def refuse_invalid(text: str) -> RuleFile:
    """What the text says, if all of it is understood."""
    try:
        return read_rules(text)
    except BadRules as error:
        wrong = error.problems
        listed = [FieldError(f"line {each.line}, column {each.column}", each.message) for each in wrong]
        raise InvalidRules(
            f"Line {wrong[0].line}, column {wrong[0].column}: {wrong[0].message}", errors=listed
        ) from None


def compile_draft(session: Session, actor: Actor, text: str) -> Policy:
    """What would be in force if this text were saved now. For those who may save it."""
    actor.require(Role.ADMIN)
    now = queries.current(session, actor)
    return compile_policy(refuse_invalid(text), version=now.version, stopped=now.stopped)


def save(
    session: Session, actor: Actor, text: str, *, based_on: int | None = None, note: str | None = None
) -> PolicyRow:
    """Put rules in force, in every process. The old version is kept."""
    actor.require(Role.ADMIN)
    refuse_invalid(text)
    row = _locked(session, actor)
    if based_on is not None and based_on != row.version:
        state = {"version": row.version, "updated_by": row.updated_by}
        raise RulesMoved(f"Someone saved version {row.version} in the meantime. Load it before you save.", state=state)
    if row.yaml == text and row.version:
        return row
    row.version, row.yaml, row.updated_by, row.updated_at = row.version + 1, text, actor.label, clock.now()
    row.file_problems = None
    kept = RuleVersion(workspace_id=actor.workspace_id, version=row.version, yaml=text, note=note)
    kept.created_by = actor.label
    session.add(kept)
    record(session, actor, "rules.saved", f"rules v{row.version}", {"version": row.version, "digest": digest(text)})
    _changed(session, actor, row)
    return row


def stop(session: Session, actor: Actor, enabled: bool) -> PolicyRow:
    """The emergency stop: while it is on, nothing is auto-approved."""
    actor.require(Role.ADMIN)
    row = _locked(session, actor)
    if row.stopped != enabled:
        row.stopped = enabled
        row.stopped_by, row.stopped_at = (actor.label, clock.now()) if enabled else (None, None)
        record(session, actor, "rules.stopped" if enabled else "rules.restarted", "emergency-stop")
        _changed(session, actor, row)
    return row


def follow_file(session: Session, actor: Actor, name: str, wrong: list[RuleProblem]) -> None:
    """Note where the rules come from, and what is wrong with what stands there now."""
    row = _locked(session, actor)
    row.file = name
    row.file_problems = [{"line": each.line, "column": each.column, "message": each.message} for each in wrong] or None
    session.flush()
    changed: RulesChanged = {"version": row.version, "stopped": row.stopped}
    events.emit(session, actor.workspace_id, RULES_CHANGED, None, changed)


def remember(
    session: Session,
    actor: Actor,
    pattern: Pattern,
    *,
    agent: str,
    run_id: str | None,
    tool: str,
    risk_level: str,
    ask_id: str,
    expires_at: datetime | None,
) -> Allowance:
    """From now on calls within the pattern need no approval: in one run, or for the agent until then.

    The same, given once more, is one allowance: whoever makes it last longer is who gave it.
    """
    what = {"agent": agent, "run_id": run_id, "tool": tool, "risk_level": risk_level}
    alike = session.scalars(queries.allowances(actor, clock.now()).filter_by(**what))
    allowance = next((each for each in alike if jsons.dumps(each.pattern) == pattern.to_text()), None)
    if allowance is None:
        allowance = Allowance(workspace_id=actor.workspace_id, pattern=pattern.to_json(), **what)
        allowance.expires_at, allowance.ask_id, allowance.created_by = expires_at, ask_id, actor.label
        session.add(allowance)
    elif allowance.expires_at is not None and (expires_at is None or expires_at > allowance.expires_at):
        allowance.expires_at, allowance.ask_id, allowance.created_by = expires_at, ask_id, actor.label
        allowance.created_at = clock.now()
    session.flush()
    details = {"agent": agent, "tool": tool, "risk": risk_level, "ask": ask_id, "if": pattern.conditions()}
    details |= {"until": allowance.expires_at.isoformat()} if allowance.expires_at else {}
    record(session, actor, "allowance.given", allowance.id, details, run_id=run_id)
    return allowance


def revoke(session: Session, actor: Actor, allowance: Allowance) -> None:
    """Take an allowance back: the next such call asks again."""
    actor.require(Role.APPROVER)
    _take_back(session, actor, allowance)


def _take_back(session: Session, actor: Actor, allowance: Allowance) -> None:
    allowance.revoked_by, allowance.revoked_at = actor.label, clock.now()
    details = {"agent": allowance.agent, "tool": allowance.tool}
    record(session, actor, "allowance.revoked", allowance.id, details, run_id=allowance.run_id)


def revoke_tools(session: Session, actor: Actor, prefix: str, only: Collection[str] | None = None) -> None:
    """Take back what was allowed of tools that are other ones now: those whose names begin so, or only some of them."""
    given = queries.allowances(actor, clock.now()).where(Allowance.tool.startswith(prefix, autoescape=True))
    for allowance in session.scalars(given):
        if only is None or allowance.tool.removeprefix(prefix) in only:
            _take_back(session, actor, allowance)


def revoke_all(session: Session, actor: Actor, agent: str) -> None:
    """Take back what an agent was allowed for good: another one under its name has not earned it."""
    for allowance in session.scalars(queries.allowances(actor, clock.now()).where(Allowance.agent == agent)):
        if allowance.run_id is None:
            revoke(session, actor, allowance)


def proposal_key(agent: str, tool: str) -> str:
    return f"{agent}:{tool}"


def propose(session: Session, actor: Actor, agent: str, tool: str, ask_id: str | None) -> None:
    """Put a rule before the admins: it stands among the suggestions."""
    _note(session, actor, "proposed", agent, tool, ask_id)
    record(session, actor, "rule.proposed", proposal_key(agent, tool), {"ask": ask_id})


def dismiss(session: Session, actor: Actor, agent: str, tool: str) -> None:
    """Do not suggest this again."""
    actor.require(Role.ADMIN)
    _note(session, actor, "dismissed", agent, tool, None)
    record(session, actor, "suggestion.dismissed", proposal_key(agent, tool))


def _note(session: Session, actor: Actor, state: str, agent: str, tool: str, ask_id: str | None) -> None:
    """One line for each agent and tool; two who propose the same at once are no conflict."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    said = {"state": state, "ask_id": ask_id, "by": actor.label, "at": clock.now()}
    where = {"workspace_id": actor.workspace_id, "key": proposal_key(agent, tool), "agent": agent, "tool": tool}
    new = dialect.insert(RuleProposal).values(**where, **said)
    session.execute(new.on_conflict_do_update(index_elements=["workspace_id", "key"], set_=said))


def _locked(session: Session, actor: Actor) -> PolicyRow:
    """The workspace's row, made when it is missing, held until the commit: versions count without gaps."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    fresh = queries.current(session, actor)
    new = dialect.insert(PolicyRow).values(
        workspace_id=actor.workspace_id, version=0, stamp=0, yaml="", stopped=False, updated_at=clock.now()
    )
    if fresh.version == 0 and fresh.stamp == 0:
        session.execute(new.on_conflict_do_nothing())
    return session.get_one(PolicyRow, actor.workspace_id, with_for_update=True, populate_existing=True)


def _changed(session: Session, actor: Actor, row: PolicyRow) -> None:
    session.flush()
    session.execute(
        update(PolicyRow).where(PolicyRow.workspace_id == row.workspace_id).values(stamp=PolicyRow.stamp + 1)
    )
    session.refresh(row)
    changed: RulesChanged = {"version": row.version, "stopped": row.stopped}
    events.emit(session, actor.workspace_id, RULES_CHANGED, None, changed)
    for follow in _following:
        follow(session, row.workspace_id, queries.stops(row))
