"""A draft of rules, replayed over what was decided before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.proposed_call import read_proposed_call
from signoff.asks.states import AskStatus
from signoff.catalog import queries as catalog
from signoff.claims.rules_in_force import with_own_rules
from signoff.insights.figures import deciding_ask
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.policy.call import Allowance
from signoff.policy.compiled import Policy, compile_policy
from signoff.policy.evaluate import Autonomy, ProposedCall, Stance, Verdict, evaluate
from signoff.policy.impact import Impact, by_operation
from signoff.policy.risk import Assessment, Risk
from signoff.policy.yaml.read import read_rules
from signoff.runs.large_values import value_of
from signoff.runs.models import Call, Run
from signoff.runs.rule_inputs.policy_inputs import policy_inputs

# The newest so many decisions are looked at.
MOST_DECISIONS = 100_000
AT_ONCE = 5_000
MOST_CHANGES = 500
# Somebody said no, or said something else instead.
REFUSED = (AskStatus.DENIED.value, AskStatus.ANSWERED.value)


@dataclass(frozen=True)
class Replayed:
    """One past decision, and what the draft would have made of it."""

    call_id: str
    run_id: str
    run_title: str
    agent: str
    tool: str
    arguments: JsonObject
    at: datetime
    before: str
    after: str
    rule: str | None
    reasons: list[str]
    refused_by: str | None
    note: str | None


@dataclass(frozen=True)
class Replay:
    """How a draft compares with what happened."""

    evaluated: int
    asks_before: int
    asks_after: int
    would_allow_denied: list[Replayed]
    # The newest of those that come out differently, and how many there are in all.
    changed: list[Replayed]
    changed_count: int


@dataclass
class _Inputs:
    """What runs were given. Of the run that was looked at last it is at hand: it may be large, and have many calls."""

    session: Session
    _run_id: str = ""
    _last: Any = None

    def of(self, row: Any) -> Any:
        if row.run_id != self._run_id:
            self._run_id, self._last = row.run_id, value_of(self.session, row, "input")
        return self._last


def replay(
    session: Session, actor: Actor, text: str, since: datetime | None, schemas: Mapping[str, JsonObject] | None = None
) -> Replay:
    """Judge every past call by a draft, as it would have been judged then; `schemas` are those of the tools."""
    policy = compile_policy(read_rules(text))
    evaluated = before = after = different = 0
    let_through, changed, inputs = list[Replayed](), list[Replayed](), _Inputs(session)
    for row in _decisions(session, actor, since):
        verdict = _again(session, policy, row, (schemas or {}).get(row.tool), inputs)
        word = verdict.word
        evaluated += 1
        before += row.judged == "ask"
        after += word == "ask"
        if word != row.judged:
            different += 1
            if len(changed) < MOST_CHANGES:
                changed.append(_replayed(row, verdict))
        if word == "allow" and (row.judged == "deny" or row.settled in REFUSED):
            let_through.append(_replayed(row, verdict))
    return Replay(evaluated, before, after, let_through, changed, different)


def _decisions(session: Session, actor: Actor, since: datetime | None) -> Iterator[Any]:
    columns = (
        *(Call.id, Call.run_id, Call.tool, Call.proposed_arguments, Call.verdict, Call.judged, Call.rule),
        *(Call.created_at, Run.title, Run.agent, Run.autonomy, Run.revision_id, Run.input, Run.apart, Run.created_by),
        *(Run.mode, Run.workflow, Run.step, Run.schedule_id),
        *(Ask.status.label("settled"), Ask.settled_by, Ask.answer),
        *(Ask.proposed_call, Ask.arguments_schema, Ask.call_ids),
    )
    query = select(*columns).join(Run, Run.id == Call.run_id).outerjoin(Ask, deciding_ask())
    query = query.where(Run.workspace_id == actor.workspace_id, Call.judged.is_not(None), Run.test.is_(False))
    if since is not None:
        query = query.where(Call.created_at >= since)
    query, before = query.order_by(Call.id.desc()).limit(AT_ONCE), None
    # Newest first, so many at a time: the whole record need not fit into memory.
    for _ in range(MOST_DECISIONS // AT_ONCE):
        rows = session.execute(query.where(Call.id < before) if before else query).all()
        yield from rows
        if len(rows) < AT_ONCE:
            return
        before = rows[-1].id


def _again(session: Session, policy: Policy, row: Any, schema: JsonObject | None, inputs: _Inputs) -> Verdict:
    # A tool that is a step by itself has no agent that says anything of its risk.
    overrides = catalog.frozen(session, row.revision_id).risk_overrides if row.revision_id else {}
    if row.workflow is not None:
        policy = with_own_rules(session, policy, [row.run_id])[row.run_id]
    # What a person had allowed for good then would be allowed again.
    lifted = [Allowance("", row.tool, Risk.CRITICAL, str)] if row.judged == "allow" and row.rule is None else []
    stance = Stance(Autonomy(row.autonomy), overrides, lifted)
    return evaluate(_call(row, schema, inputs), stance, policy, row.created_at)


def _call(row: Any, schema: JsonObject | None, inputs: _Inputs) -> ProposedCall:
    """As it was frozen for the people who were asked; what nobody was asked about, from its verdict and its run."""
    frozen = read_proposed_call(row, row.proposed_arguments)
    # A plan's ask is about the plan.
    if frozen is not None and frozen.tool == row.tool:
        return frozen
    seen = row.verdict
    operation = seen.get("operation_type", "")
    impact = Impact.from_json(seen["impact"]) if "impact" in seen else by_operation(operation)
    return ProposedCall(
        tool=row.tool,
        assessment=Assessment(Risk(seen["risk"]), (), impact),
        operation_type=operation,
        arguments=row.proposed_arguments,
        confidence=seen.get("confidence"),
        cost=seen.get("cost"),
        schema=schema,
        **policy_inputs(row, row.run_id, inputs.of(row)),
    )


def _replayed(row: Any, verdict: Verdict) -> Replayed:
    answer: JsonObject = row.answer or {}
    refused = row.settled in REFUSED
    return Replayed(
        call_id=row.id,
        run_id=row.run_id,
        run_title=row.title,
        agent=row.agent,
        tool=row.tool,
        arguments=row.proposed_arguments,
        at=row.created_at,
        before="refused" if refused else row.judged,
        after=verdict.word,
        rule=verdict.rule,
        reasons=list(verdict.reasons),
        refused_by=row.settled_by if refused else None,
        note=(answer.get("note") or answer.get("value")) if refused else None,
    )
