"""Calls and rules for trying, in one line each."""

from datetime import datetime
from pathlib import Path
from typing import Any

from signoff.policy.evaluate import Autonomy, Policy, ProposedCall, Stance, Verdict, compile_policy, evaluate
from signoff.policy.risk import Assessment, Risk
from signoff.policy.yaml.read import BadRules, read_rules

HERE = Path(__file__).parent
CHECKPOINTS = (HERE / "checkpoint_rules.yaml").read_text()
AUTO_APPROVAL = (HERE / "auto_approval.yaml").read_text()


def a_call(tool: str = "tool", risk: str = "high", **given: Any) -> ProposedCall:
    return ProposedCall(tool, Assessment(Risk(risk), ("declared",)), **given)


def policy(text: str, stopped: bool = False) -> Policy:
    return compile_policy(read_rules(text), version=7, stopped=stopped)


def one_rule(trigger: str = "{}", action: str = "ask") -> str:
    """A text with one checkpoint called `it`."""
    return f"checkpoints:\n  - {{name: it, trigger: {trigger}, action: {action}}}\n"


def judge(
    text: str,
    call: ProposedCall,
    at: datetime | None = None,
    autonomy: Autonomy = Autonomy.APPROVE_MILESTONES,
    stopped: bool = False,
) -> Verdict:
    """What rules say of a call. The agent's own autonomy lets it run, unless told otherwise."""
    return evaluate(call, Stance(autonomy), policy(text, stopped), at)


def problems(text: str) -> list[tuple[int, int, str]]:
    """Line, column and message of each mistake in a text; none when it can be read."""
    try:
        read_rules(text)
    except BadRules as bad:
        return [(each.line, each.column, each.message) for each in bad.problems]
    return []
