"""Rules that the record speaks for: what people approved every time, as a change to accept or to dismiss."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.insights.insert_rule import difference, with_rule
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.policy.risk import Risk
from signoff.policy.yaml.read import read_rules
from signoff.rules import queries as rules
from signoff.rules.actions import proposal_key
from signoff.rules.models import RuleProposal

LOOKED_AT = 5_000
# Fewer approvals than this are no evidence.
ENOUGH = 5
DECIDED = (AskStatus.APPROVED.value, AskStatus.DENIED.value, AskStatus.ANSWERED.value)


@dataclass(frozen=True)
class RuleSuggestion:
    """A rule to add, and the numbers behind it."""

    id: str
    name: str
    agent: str
    tool: str
    approved: int
    decided: int
    edited: int
    proposed_by: str | None
    text: str
    rule: JsonObject
    yaml: str
    diff: str


@dataclass
class _History:
    """What became of an agent's asks for one tool."""

    approved: int = 0
    edited: int = 0
    refused: int = 0
    risks: set[str] = field(default_factory=set[str])
    # The highest value that was approved, for each argument that ever was a number.
    highest: dict[str, float] = field(default_factory=dict[str, float])

    def count(self, status: str, risk: str | None, arguments: JsonObject, answer: JsonObject | None) -> None:
        if risk:
            self.risks.add(risk)
        if status != AskStatus.APPROVED.value:
            self.refused += 1
            return
        self.approved += 1
        self.edited += (answer or {}).get("arguments") is not None
        changed = (answer or {}).get("arguments")
        for name, value in _numbers(arguments if changed is None else changed).items():
            self.highest[name] = max(value, self.highest.get(name, value))


def suggestions(session: Session, actor: Actor) -> list[RuleSuggestion]:
    """Proposed by a person, or approved every time; not what is in the rules or was dismissed."""
    noted = {each.key: each for each in rules.proposals(session, actor)}
    text = rules.current(session, actor).yaml
    known = {rule.name for _, rule in read_rules(text, stored=True).rules()}
    found = list[RuleSuggestion]()
    for (agent, tool), history in _histories(session, actor).items():
        note = noted.get(proposal_key(agent, tool))
        if (note is None and not _speaks_for_itself(history)) or (note is not None and note.state == "dismissed"):
            continue
        made = _suggestion(text, agent, tool, history, note)
        if made.name not in known:
            found.append(made)
    return sorted(found, key=lambda each: (each.proposed_by is None, -each.approved))


def _speaks_for_itself(history: _History) -> bool:
    return history.approved >= ENOUGH and not history.refused and not history.edited


def _histories(session: Session, actor: Actor) -> dict[tuple[str, str], _History]:
    columns = (Ask.agent, Ask.tool, Ask.status, Ask.risk_level, Ask.arguments, Ask.answer)
    query = select(*columns).where(
        Ask.workspace_id == actor.workspace_id,
        Ask.kind == AskKind.APPROVAL.value,
        Ask.status.in_(DECIDED),
        Ask.tool.is_not(None),
        # A rule wants these decided by people.
        Ask.rule.is_(None),
    )
    found = defaultdict[tuple[str, str], _History](_History)
    decisions = session.execute(query.order_by(Ask.id.desc()).limit(LOOKED_AT))
    for agent, tool, status, risk, arguments, answer in decisions:
        found[agent, tool or ""].count(status, risk, arguments or {}, answer)
    return found


def _suggestion(text: str, agent: str, tool: str, history: _History, note: RuleProposal | None) -> RuleSuggestion:
    rule = _rule(agent, tool, history)
    after = with_rule(text, rule)
    decided = history.approved + history.refused
    return RuleSuggestion(
        id=proposal_key(agent, tool),
        name=rule["name"],
        agent=agent,
        tool=tool,
        approved=history.approved,
        decided=decided,
        edited=history.edited,
        proposed_by=note.by if note else None,
        text=f"{tool} by {agent} was approved {history.approved} of {decided} times.",
        rule=rule,
        yaml=after,
        diff=difference(text, after),
    )


def _rule(agent: str, tool: str, history: _History) -> JsonObject:
    """No wider than what people saw: this agent, this tool, these risks, and no higher numbers."""
    bounds = [{"field": name, "operator": "<=", "value": most} for name, most in history.highest.items()]
    levels = [level.value for level in Risk if level.value in history.risks]
    conditions: dict[str, Any] = {"tool": tool, "agent": agent, "risk_level": levels}
    if bounds:
        conditions["data_threshold"] = bounds
    return {
        "name": f"Auto-approve {tool} by {agent}",
        "enabled": True,
        "conditions": conditions,
        "action": {"auto_approve": True, "log_decision": True},
    }


def _numbers(arguments: JsonObject) -> dict[str, float]:
    return {
        name: value
        for name, value in arguments.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
