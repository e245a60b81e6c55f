"""What a rule does: approve, deny, or ask, and how."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from signoff.kit.text.fields import Line, Name
from signoff.policy.format.shapes import Approver, Day, ManyOf, OneOrMany, OnTimeout, Part, Percent, Seconds
from signoff.policy.format.starts import Start
from signoff.policy.problems import Misfits, unknown

Kind = Literal["auto_approve", "deny", "ask"]
SHORT: dict[str, dict[str, bool]] = {"auto_approve": {"auto_approve": True}, "deny": {"deny": True}, "ask": {}}
FOR_ASKING = (
    "require_approval_count",
    "approvers",
    "stages",
    "four_eyes",
    "require_sign_in",
    "timeout_seconds",
    "on_timeout",
    "allow_irreversible",
    "escalation",
    "remind_before_seconds",
    "notification",
    "batch_alike",
)
FOR_APPROVING = ("notify", "notification_channels", "rollout_percentage")
INSTEAD = "use `deny`, `fail` or `escalate`, or remove one of them"
Count = Annotated[int, Field(ge=1, le=20)]


class StageSpec(Part):
    name: Name | None = None
    approvers: OneOrMany[Approver] = Field(examples=["[role:approver]"])
    count: Count = 1


class Escalation(Part):
    """Whom to tell, and how long after the ask was made."""

    enabled: bool = True
    after_seconds: Seconds | None = None
    escalate_to: OneOrMany[Name] = ()

    @model_validator(mode="after")
    def an_enabled_one_is_complete(self) -> "Escalation":
        if self.enabled and self.after_seconds is None:
            raise ValueError("`after_seconds` is missing; write for example `after_seconds: 1800`")
        if self.enabled and not self.escalate_to:
            raise ValueError("`escalate_to` is missing; write for example `escalate_to: [manager@example.com]`")
        return self


class NotificationSpec(Part):
    channels: OneOrMany[Name] = ()
    recipients: OneOrMany[Name] = ()


class RolloutSpec(Part):
    """A percentage, or one that grows from `start` to `target` between two days."""

    start: Percent = 0
    target: Percent = Field(examples=[100])
    begin: Day | None = Field(default=None, alias="from")
    until: Day | None = None

    @model_validator(mode="after")
    def it_grows(self) -> "RolloutSpec":
        if self.start > self.target:
            raise Misfits(("start", "`start` is above `target`; a rollout only grows"))
        if self.start < self.target and not (self.begin and self.until):
            raise ValueError("a growing rollout needs dates; write for example `from: 2026-01-01`, `until: 2026-02-01`")
        if self.begin and self.until and self.begin >= self.until:
            raise Misfits(("until", "`until` must be later than `from`"))
        return self


def _short_action(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value not in SHORT:
        raise ValueError(unknown("action", value, SHORT))
    return SHORT[value]


def _short_rollout(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return {"start": value, "target": value}
    return value


class ActionSpec(Part):
    """What a rule does with a call that it matches."""

    auto_approve: bool = False
    deny: bool = False
    reason: Line = ""
    require_approval_count: Count | None = None
    approvers: OneOrMany[Approver] = ()
    stages: Annotated[ManyOf[StageSpec], Field(min_length=1)] = ()
    four_eyes: bool = False
    require_sign_in: bool = False
    timeout_seconds: Seconds | None = None
    on_timeout: OnTimeout | None = None
    allow_irreversible: bool = False
    escalation: OneOrMany[Escalation] = ()
    remind_before_seconds: OneOrMany[Seconds] = ()
    notification: NotificationSpec | None = None
    batch_alike: bool = False
    log_decision: bool = False
    notify: bool = False
    notification_channels: OneOrMany[Name] = ()
    start_workflow: Start | None = None
    rollout_percentage: Annotated[RolloutSpec | None, BeforeValidator(_short_rollout)] = None

    @property
    def kind(self) -> Kind:
        if self.deny:
            return "deny"
        return "auto_approve" if self.auto_approve else "ask"

    @property
    def chain(self) -> tuple[Escalation, ...]:
        return tuple(each for each in self.escalation if each.enabled)

    @model_validator(mode="after")
    def nothing_contradicts(self) -> "ActionSpec":
        found = [*self._of_another_kind(), *self._signatures(), *self._time(), *self._silence()]
        if found:
            raise Misfits(*found)
        return self

    def _of_another_kind(self) -> Iterator[tuple[str, str]]:
        if self.deny and self.auto_approve:
            yield "auto_approve", "a rule cannot both deny and auto_approve; keep one of them"
        if self.reason and not self.deny:
            yield "reason", "`reason` only works with `deny: true`; write a `description` of the rule instead"
        if self.kind != "ask":
            for key in self._given(FOR_ASKING):
                yield key, f"`{key}` is for rules that ask a person; remove it, or remove `{self.kind}: true`"
        if self.kind != "auto_approve":
            for key in self._given(FOR_APPROVING):
                yield (
                    key,
                    f"`{key}` only works with `auto_approve: true`; to tell those who are asked, use `notification`",
                )
        elif self.notification_channels and not self.notify:
            yield "notification_channels", "`notification_channels` needs `notify: true`"

    def _given(self, keys: tuple[str, ...]) -> list[str]:
        return [key for key in keys if getattr(self, key)]

    def _signatures(self) -> Iterator[tuple[str, str]]:
        if self.stages:
            for key in self._given(("require_approval_count", "approvers")):
                yield key, f"with `stages`, each stage has its own `count` and `approvers`; remove `{key}`"
        count, people = self.require_approval_count or 1, _people(self.approvers)
        if people is not None and count > people:
            yield (
                "require_approval_count",
                f"{count} approvals are required, but `approvers` names only {people}; add more",
            )
        for stage in self.stages:
            people = _people(stage.approvers)
            if people is not None and stage.count > people:
                yield (
                    "stages",
                    f"a stage requires {stage.count} approvals, but its `approvers` name only {people}; add more",
                )

    def _time(self) -> Iterator[tuple[str, str]]:
        limit = self.timeout_seconds
        if limit is None:
            for key in self._given(("on_timeout", "remind_before_seconds")):
                yield key, f"`{key}` needs a `timeout_seconds`; write for example `timeout_seconds: 3600`"
        elif max(self.remind_before_seconds, default=0) >= limit:
            yield "remind_before_seconds", f"the reminder must come within the {limit:g} seconds of the timeout"
        if self.on_timeout == "escalate" and not self.chain:
            yield "on_timeout", "`escalate` needs an `escalation` that says whom to tell, and when"
        moments = [each.after_seconds or 0 for each in self.chain]
        if any(first >= then for first, then in pairwise(moments)):
            yield "escalation", "each `after_seconds` of a chain must be larger than the one before it"
        if limit is not None and self.on_timeout != "escalate" and max(moments, default=0) >= limit:
            yield "escalation", f"the escalation must come within the {limit:g} seconds of the timeout"

    def _silence(self) -> Iterator[tuple[str, str]]:
        """Nobody's word counts for one person at most, and never where others have to look."""
        if self.on_timeout != "approve":
            if self.allow_irreversible:
                yield "allow_irreversible", "`allow_irreversible` only works with `on_timeout: approve`"
            return
        if (self.require_approval_count or 1) > 1:
            yield "on_timeout", f"`approve` cannot stand for {self.require_approval_count} approvals; {INSTEAD}"
        for key in self._given(("stages", "four_eyes")):
            yield "on_timeout", f"`approve` cannot be used with `{key}`; {INSTEAD}"


Action = Annotated[ActionSpec, BeforeValidator(_short_action)]


def _people(approvers: tuple[str, ...]) -> int | None:
    """How many people are named; None when nobody is, or when a role or a group stands for several."""
    if not approvers or any(each.startswith(("role:", "group:")) for each in approvers):
        return None
    return len(set(approvers))
