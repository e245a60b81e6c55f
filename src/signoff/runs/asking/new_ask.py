"""Something that a run needs from a person, not opened yet."""

from typing import Any

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.kit.clock import now
from signoff.kit.ids import new_id
from signoff.runs.models import Run

# What an ask is before anything else is said about it.
ASK_DEFAULTS: dict[str, Any] = {
    "description": "",
    "blocking": True,
    "asks_approval": False,
    "handed_over": False,
    "approvals_required": 1,
    "approvers": [],
    "signatures": [],
    "schedule": [],
    "four_eyes": False,
    "sign_in": False,
    "edited_by": [],
    "risk_reasons": [],
}


def new_ask(run: Run, kind: AskKind, title: str, **fields: Any) -> Ask:
    return Ask(
        id=new_id(),
        workspace_id=run.workspace_id,
        run_id=run.id,
        kind=kind.value,
        status=AskStatus.PENDING.value,
        agent=run.agent or run.workflow or "",
        agent_name=run.agent_name,
        run_title=run.title,
        test=run.test,
        title=title,
        started_by=run.created_by,
        created_at=now(),
        **{**ASK_DEFAULTS, **fields},
    )
