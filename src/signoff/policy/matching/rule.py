"""A rule made ready: whether it matches a call, and the verdict it then gives."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from signoff.policy.call import ProposedCall
from signoff.policy.format.rule_actions import ActionSpec, RolloutSpec
from signoff.policy.format.triggers import Trigger
from signoff.policy.matching.clauses import Clause, Test, clauses
from signoff.policy.matching.rollout import Rollout
from signoff.policy.operators import Ternary
from signoff.policy.verdict import Allow, AskFirst, Conditions, Deny, EscalationStep, Stage, WorkflowStart


@dataclass(frozen=True, slots=True)
class Match:
    """The conditions of a rule, by its name."""

    name: str
    clauses: tuple[Clause, ...]
    # Whether every condition holds. None, if none fails and one is not known.
    holds: Test
    starts: tuple[WorkflowStart, ...]

    def reasons(self, deed: str, call: ProposedCall, at: datetime | None) -> tuple[str, ...]:
        """What the rule does, and each condition with its value."""
        return (f'Rule "{self.name}" {deed}', *(clause.say(call, at) for clause in self.clauses))


@dataclass(frozen=True, slots=True)
class Approving(Match):
    rollout: Rollout | None
    log: bool
    notify: bool
    channels: tuple[str, ...]

    def verdict(self, call: ProposedCall, at: datetime | None) -> Allow | None:
        """Let the call run, unless the rollout does not reach it yet."""
        deed = "approves this"
        if self.rollout:
            if not self.rollout.includes(self.name, call.key, at):
                return None
            deed += f" (rolled out to {self.rollout.percentage(at):.3g} %)"
        reasons = self.reasons(deed, call, at)
        return Allow(reasons, call.assessment, self.name, self.log, self.notify, self.channels, starts=self.starts)


@dataclass(frozen=True, slots=True)
class Asking(Match):
    conditions: Conditions

    def verdict(self, call: ProposedCall, at: datetime | None) -> AskFirst:
        reasons = self.reasons("asks a person", call, at)
        return AskFirst(reasons, call.assessment, self.name, self.conditions, self.starts)


@dataclass(frozen=True, slots=True)
class Refusing(Match):
    reason: str

    def verdict(self, call: ProposedCall, at: datetime | None) -> Deny:
        deed = f"denies this: {self.reason}" if self.reason else "denies this"
        return Deny(self.reasons(deed, call, at), call.assessment, self.name, self.starts)

    def doubt(self, call: ProposedCall, at: datetime | None) -> AskFirst:
        """It is not known whether the rule matches, so a person decides."""
        deed = "may deny this, so a person decides"
        return AskFirst(self.reasons(deed, call, at), call.assessment, self.name)


Rule: TypeAlias = Approving | Asking | Refusing


def make_rule(name: str, trigger: Trigger, action: ActionSpec) -> Rule:
    """A rule as read, made ready. To approve, every value of a list must satisfy; to ask or deny, one does."""
    found = clauses(trigger, every=action.kind == "auto_approve")
    holds = _all(tuple(clause.holds for clause in found))
    starts = _starts(name, action)
    match action.kind:
        case "deny":
            return Refusing(name, found, holds, starts, action.reason)
        case "ask":
            return Asking(name, found, holds, starts, _conditions(action))
        case "auto_approve":
            rollout = _rollout(action.rollout_percentage) if action.rollout_percentage else None
            reporting = action.log_decision, action.notify, action.notification_channels
            return Approving(name, found, holds, starts, rollout, *reporting)


def _all(tests: tuple[Test, ...]) -> Test:
    if len(tests) == 1:
        return tests[0]

    def holds(call: ProposedCall, at: datetime | None) -> Ternary:
        result: Ternary = True
        for test in tests:
            found = test(call, at)
            if found is False:
                return False
            if found is None:
                result = None
        return result

    return holds


def _starts(name: str, action: ActionSpec) -> tuple[WorkflowStart, ...]:
    wanted = action.start_workflow
    if wanted is None:
        return ()
    given = wanted.model_dump(exclude_unset=True).get("input")
    return (WorkflowStart(wanted.workflow, name, given),)


def _conditions(action: ActionSpec) -> Conditions:
    stages = tuple(
        Stage(each.name or f"Stage {number}", each.approvers, each.count)
        for number, each in enumerate(action.stages, start=1)
    )
    return Conditions(
        approvals=sum(stage.count for stage in stages) or action.require_approval_count or 1,
        approvers=action.approvers,
        stages=stages,
        four_eyes=action.four_eyes,
        sign_in=action.require_sign_in,
        timeout_seconds=action.timeout_seconds,
        on_timeout=action.on_timeout,
        allow_irreversible=action.allow_irreversible,
        escalation=tuple(EscalationStep(each.after_seconds or 0, each.escalate_to) for each in action.chain),
        remind_before_seconds=action.remind_before_seconds,
        channels=action.notification.channels if action.notification else (),
        recipients=action.notification.recipients if action.notification else (),
        batch_alike=action.batch_alike,
    )


def _rollout(spec: RolloutSpec) -> Rollout:
    return Rollout(spec.start, spec.target, spec.begin, spec.until)
