"""Whether what people signed is enough for what the rules want today. Pure."""

from collections.abc import Iterable

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.policy.evaluate import AskFirst, Conditions
from signoff.policy.risk import Risk

RETRY = "retry"


def lets_act(ask: Ask) -> bool:
    """Whether its answer lets something happen: an approval, or the word to run a call once more."""
    if ask.kind == AskKind.RECOVERY.value:
        return ask.status == AskStatus.ANSWERED.value and (ask.answer or {}).get("value") == RETRY
    return ask.status == AskStatus.APPROVED.value or is_unopposed(ask)


def is_unopposed(ask: Ask) -> bool:
    """Whether silence let it through."""
    return ask.status == AskStatus.AUTO_APPROVED.value and bool((ask.answer or {}).get("unopposed"))


def covers(ask: Ask, verdict: AskFirst) -> bool:
    """Whether signatures given under the ask's conditions satisfy these. What cannot be told does not.

    Nor do they cover more than people saw: a call whose impact has made it graver since needs them anew."""
    if ask.risk_level and Risk(ask.risk_level).rank < verdict.risk.level.rank:
        return False
    wanted = verdict.conditions
    if is_unopposed(ask) and not _silence_is_enough(verdict):
        return False
    if (wanted.four_eyes and not ask.four_eyes) or (wanted.sign_in and not ask.sign_in):
        return False
    if ask.approvals_required < wanted.approvals:
        return False
    # Those whom an escalation adds are the rule's own choice.
    added = {each for step in wanted.escalation for each in step.tell}
    if wanted.stages:
        return _same_stages(ask, wanted, added)
    if not wanted.approvers:
        return True
    rounds = [stage["approvers"] for stage in ask.stages] if ask.stages else [ask.approvers]
    return all(_within(named, wanted.approvers, added) for named in rounds)


def _silence_is_enough(verdict: AskFirst) -> bool:
    """Whether the rule of today lets silence approve what the call does today."""
    wanted, impact = verdict.conditions, verdict.risk.impact
    if wanted.on_timeout != "approve" or verdict.risk.level is Risk.CRITICAL:
        return False
    return wanted.allow_irreversible or (impact is not None and impact.reversible)


def _same_stages(ask: Ask, wanted: Conditions, added: set[str]) -> bool:
    rounds = ask.stages or []
    if len(rounds) != len(wanted.stages):
        return False
    pairs = zip(rounds, wanted.stages, strict=True)
    return all(
        had["count"] >= stage.count and (not stage.approvers or _within(had["approvers"], stage.approvers, added))
        for had, stage in pairs
    )


def _within(named: Iterable[str], wanted: Iterable[str], added: set[str]) -> bool:
    """Whether everyone who could sign then may sign now, too; nobody named meant every approver."""
    had = set(named)
    return bool(had) and had <= {*wanted, *added}
