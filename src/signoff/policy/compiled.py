"""The rules made ready: a `Policy` answers what they say about a call, in the order in which they count."""

from dataclasses import dataclass, field
from datetime import datetime

from signoff.policy.call import ProposedCall
from signoff.policy.format.rule_file import RuleFile
from signoff.policy.hours import Week
from signoff.policy.matching.clauses import week
from signoff.policy.matching.index import RuleIndex
from signoff.policy.matching.rule import Approving, Asking, Refusing, make_rule
from signoff.policy.verdict import Allow, AskFirst, Deny, Verdict


@dataclass(frozen=True, slots=True)
class Policy:
    """A workspace's rules at one version. Immutable; shared by all threads."""

    version: int
    # The emergency stop: no rule approves and no allowance counts.
    stopped: bool
    refusing: RuleIndex[Refusing] = field(default_factory=RuleIndex[Refusing])
    checkpoints: RuleIndex[Approving | Asking] = field(default_factory=RuleIndex[Approving | Asking])
    lifting: RuleIndex[Approving] = field(default_factory=RuleIndex[Approving])
    # When the lifting rules count; None is always.
    business_hours: Week | None = None
    # What the workflows bring along of whose steps a call is.
    own: "tuple[OwnRules, ...]" = ()

    def denial(self, call: ProposedCall, at: datetime | None) -> Deny | None:
        """What the deny rules say that surely match, whatever their priority."""
        for rules in (self, *(own.policy for own in self.own)):
            for rule in rules.refusing.near(call):
                if rule.holds(call, at):
                    return rule.verdict(call, at)
        return None

    def ruling(self, call: ProposedCall, at: datetime | None) -> Verdict | None:
        """A denial; else the first checkpoint that matches; None when no rule speaks."""
        doubt: AskFirst | None = None
        for refusing in self.refusing.near(call):
            matches = refusing.holds(call, at)
            if matches:
                return refusing.verdict(call, at)
            if matches is None and doubt is None:
                doubt = refusing.doubt(call, at)
        found = self._checkpoint(call, at)
        if doubt is None:
            return found
        if isinstance(found, AskFirst):
            return AskFirst(found.reasons + doubt.reasons, found.risk, found.rule, found.conditions, found.starts)
        return doubt

    def approval(self, call: ProposedCall, at: datetime | None) -> Allow | None:
        """The auto-approval that would lift an ask; the emergency stop is for the caller to heed."""
        if self.business_hours and not self.business_hours.open_at(at):
            return None
        for rule in self.lifting.near(call):
            found = rule.verdict(call, at) if rule.holds(call, at) else None
            if found:
                return found
        return None

    def _checkpoint(self, call: ProposedCall, at: datetime | None) -> Allow | AskFirst | None:
        for rule in self.checkpoints.near(call):
            matches = rule.holds(call, at)
            if matches is False or (isinstance(rule, Approving) and (matches is None or self.stopped)):
                continue
            found = rule.verdict(call, at)
            if found:
                return found
        return None


@dataclass(frozen=True, slots=True)
class OwnRules:
    """A workflow's own rules, by its name. They ask or deny."""

    workflow: str
    policy: Policy


NO_RULES = Policy(version=0, stopped=False)


def compile_policy(rule_file: RuleFile, *, version: int = 0, stopped: bool = False) -> Policy:
    """Make the rules ready to be asked. Those that are switched off are left out."""
    auto = rule_file.auto_approval
    everywhere = auto.global_settings
    hours = everywhere.business_hours if everywhere.business_hours_only else None
    by_priority = sorted(rule_file.checkpoints, key=lambda each: each.priority)
    rules = [make_rule(each.name, each.trigger, each.action) for each in by_priority if each.enabled]
    lifting = [make_rule(each.name, each.conditions, each.action) for each in auto.rules if each.enabled]
    return Policy(
        version=version,
        stopped=stopped or everywhere.emergency_stop,
        refusing=RuleIndex([rule for rule in rules if isinstance(rule, Refusing)]),
        checkpoints=RuleIndex([rule for rule in rules if not isinstance(rule, Refusing)]),
        lifting=RuleIndex([rule for rule in lifting if isinstance(rule, Approving)] if auto.enabled else ()),
        business_hours=week(hours) if hours else None,
    )
