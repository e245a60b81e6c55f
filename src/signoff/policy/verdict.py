"""What may happen to a proposed call: allow, ask or deny, and how a rule wants a person to be asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from signoff.policy.risk import Assessment


@dataclass(frozen=True, slots=True)
class Stage:
    """One of several rounds of signatures, in order."""

    name: str
    approvers: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class EscalationStep:
    """One link of an escalation chain: whom to tell, and how long after the ask was made."""

    after_seconds: float
    tell: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a rule wants a person to be asked."""

    # With stages: the signatures of all stages together.
    approvals: int = 1
    # Email, user id, `role:…` or `group:…`; nobody named means whoever may approve.
    approvers: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()
    four_eyes: bool = False
    # Decided in the app alone: not by a link, nor by a button elsewhere.
    sign_in: bool = False
    timeout_seconds: float | None = None
    # default | deny | cancel | fail | escalate | approve
    on_timeout: str | None = None
    # Silence approves also what cannot be undone.
    allow_irreversible: bool = False
    escalation: tuple[EscalationStep, ...] = ()
    remind_before_seconds: tuple[float, ...] = ()
    channels: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    # Alike calls of one reply are one decision.
    batch_alike: bool = False


@dataclass(frozen=True, slots=True)
class WorkflowStart:
    """A workflow that a rule wants started about the call. What of the call it gets; none: all that is known."""

    workflow: str
    rule: str
    input: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Allow:
    """The call may run. A rule may want it logged as a decision, or people notified afterwards."""

    reasons: tuple[str, ...]
    risk: Assessment
    rule: str | None = None
    word: ClassVar[Literal["allow"]] = "allow"
    log: bool = False
    notify: bool = False
    channels: tuple[str, ...] = ()
    # The id of what a person allowed before, when that is why.
    allowance: str | None = None
    starts: tuple[WorkflowStart, ...] = ()


@dataclass(frozen=True, slots=True)
class AskFirst:
    """A person decides, under these conditions."""

    reasons: tuple[str, ...]
    risk: Assessment
    rule: str | None = None
    word: ClassVar[Literal["ask"]] = "ask"
    conditions: Conditions = Conditions()
    starts: tuple[WorkflowStart, ...] = ()


@dataclass(frozen=True, slots=True)
class Deny:
    """The call must not run, whoever would approve it."""

    reasons: tuple[str, ...]
    risk: Assessment
    rule: str | None = None
    word: ClassVar[Literal["deny"]] = "deny"
    starts: tuple[WorkflowStart, ...] = ()


Verdict: TypeAlias = Allow | AskFirst | Deny
