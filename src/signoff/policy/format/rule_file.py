"""The YAML of the rules: checkpoints and auto-approval, as read."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from signoff.kit.text.fields import Line, Name
from signoff.policy.call import CALLS
from signoff.policy.format.rule_actions import Action, ActionSpec
from signoff.policy.format.shapes import ManyOf, Part
from signoff.policy.format.triggers import Examples, Hours, Trigger
from signoff.policy.problems import Misfits
from signoff.policy.risk import Risk

VERSIONS = ("1.0", "1")


def _version(value: Any) -> Any:
    if str(value) not in VERSIONS:
        raise ValueError(f'version `{value}` is not supported; write `version: "1.0"`')
    return str(value)


class RuleSpec(Part):
    """What every rule has."""

    name: Name = Field(examples=['"Large refunds"'])
    enabled: bool = True
    description: Line = ""
    examples: Examples = Examples()


class CheckpointRule(RuleSpec):
    """Decides for itself: the first one that matches counts, lower priority first."""

    priority: int = 100
    trigger: Trigger = Trigger()
    action: Action = Field(examples=["ask"])

    @model_validator(mode="after")
    def a_question_is_answered_once(self) -> "CheckpointRule":
        if "question" in self.trigger.ask_kind:
            _refuse_signatures(self.action)
        return self

    @model_validator(mode="after")
    def a_workflow_is_started_about_calls(self) -> "CheckpointRule":
        if self.action.start_workflow and set(self.trigger.ask_kind) - {CALLS}:
            raise Misfits(("action", "`start_workflow` is for calls only; remove `ask_kind`"))
        return self

    @model_validator(mode="after")
    def silence_approves_only_calls_that_are_not_critical(self) -> "CheckpointRule":
        if self.action.on_timeout != "approve":
            return self
        if Risk.CRITICAL in self.trigger.risk_level:
            raise Misfits(
                ("action", "`on_timeout: approve` cannot be used for critical risk; take it out of this rule")
            )
        if set(self.trigger.ask_kind) - {CALLS}:
            raise Misfits(("action", "`on_timeout: approve` is for calls only; remove `ask_kind`"))
        if self.trigger.reversible is False and not self.action.allow_irreversible:
            raise Misfits(("action", "this rule is about what cannot be undone: `approve` needs `allow_irreversible`"))
        return self


class AutoApprovalRule(RuleSpec):
    """Lifts an ask that came from autonomy or from the agent's overrides."""

    conditions: Trigger = Field(examples=["{risk_level: low}"])
    action: Action = ActionSpec(auto_approve=True)

    @model_validator(mode="after")
    def it_approves(self) -> "AutoApprovalRule":
        if self.action.kind != "auto_approve":
            raise Misfits(
                ("action", "an auto-approval rule says `auto_approve: true`; to switch it off write `enabled: false`")
            )
        if "question" in self.conditions.ask_kind:
            _refuse_signatures(self.action)
        return self


def _refuse_signatures(action: ActionSpec) -> None:
    """A question is answered, once and by one person; nobody signs it."""
    keys = ("auto_approve", "require_approval_count", "stages", "four_eyes")
    given = [key for key in keys if getattr(action, key)]
    if given:
        raise Misfits(
            *(("action", f"a question needs an answer, not an approval: `{key}` cannot be used here") for key in given)
        )


class GlobalSettings(Part):
    business_hours_only: bool = False
    business_hours: Hours | None = None
    emergency_stop: bool = False

    @model_validator(mode="after")
    def the_hours_are_known(self) -> "GlobalSettings":
        if self.business_hours_only and self.business_hours is None:
            raise Misfits(
                ("business_hours_only", '`business_hours` is missing; write it with `monday_friday: "09:00-17:00"`')
            )
        return self


class AutoApproval(Part):
    enabled: bool = True
    global_settings: GlobalSettings = GlobalSettings()
    rules: ManyOf[AutoApprovalRule] = ()


class RuleFile(Part):
    """The whole file. An empty one has no rules."""

    version: Annotated[str, BeforeValidator(_version)] = VERSIONS[0]
    checkpoints: ManyOf[CheckpointRule] = ()
    auto_approval: AutoApproval = AutoApproval()

    def rules(self) -> Iterator[tuple[tuple[str | int, ...], CheckpointRule | AutoApprovalRule]]:
        """Every rule with the place where it stands."""
        for at, rule in enumerate(self.checkpoints):
            yield ("checkpoints", at), rule
        for at, rule in enumerate(self.auto_approval.rules):
            yield ("auto_approval", "rules", at), rule
