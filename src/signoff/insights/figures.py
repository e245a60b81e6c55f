"""How the rules do: what they let through, what they asked for, and how that went."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.kit.actor import Actor
from signoff.runs.models import Call, Run
from signoff.runs.states import CallStatus


@dataclass
class RuleFigures:
    """One rule, or (with no name) autonomy alone."""

    rule: str | None
    auto_approved: int = 0
    failed: int = 0
    asked: int = 0
    approved: int = 0
    edited: int = 0
    refused: int = 0
    expired: int = 0
    denied: int = 0

    @property
    def accuracy(self) -> float | None:
        """Auto-approvals: the share that did not fail. Asks: the share that people approved as proposed."""
        if self.auto_approved:
            return 1 - self.failed / self.auto_approved
        decided = self.approved + self.refused
        return (self.approved - self.edited) / decided if decided else None


def deciding_ask() -> ColumnElement[bool]:
    """The ask that decided about a call; a recovery says only how it ended."""
    return and_(Ask.id == Call.ask_id, Ask.kind != AskKind.RECOVERY.value)


def rule_figures(session: Session, actor: Actor, since: datetime) -> list[RuleFigures]:
    """Every rule that had a say since then, in one aggregated query."""
    edited = Call.edited_arguments.is_not(None)
    columns = (Call.rule, Call.judged, Call.status, Ask.status, edited)
    query = select(*columns, func.count()).join(Run, Run.id == Call.run_id).outerjoin(Ask, deciding_ask())
    query = query.where(Run.workspace_id == actor.workspace_id, Call.judged.is_not(None), Call.created_at >= since)
    query = query.where(Run.test.is_(False))
    found = dict[str | None, RuleFigures]()
    for rule, judged, status, settled, changed, count in session.execute(query.group_by(*columns)):
        figures = found.setdefault(rule, RuleFigures(rule))
        match judged:
            case "allow":
                figures.auto_approved += count
                figures.failed += count if status == CallStatus.FAILED.value else 0
            case "deny":
                figures.denied += count
            case _:
                _count_ask(figures, settled, changed, count)
    return sorted(found.values(), key=lambda each: (each.rule is None, each.rule or ""))


def _count_ask(figures: RuleFigures, settled: str | None, changed: bool, count: int) -> None:
    figures.asked += count
    match settled:
        case AskStatus.APPROVED.value:
            figures.approved += count
            figures.edited += count if changed else 0
        case AskStatus.DENIED.value | AskStatus.ANSWERED.value:
            figures.refused += count
        case AskStatus.EXPIRED.value:
            figures.expired += count
        case _:
            pass
