from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.lessons.models import Lesson


def learn(
    session: Session,
    actor: Actor,
    kind: str,
    *,
    agent: str,
    tool: str,
    scenario: str,
    ask_id: str,
    run_id: str | None,
    original: JsonObject | None,
    changed: JsonObject | None = None,
    reason: str | None = None,
) -> None:
    """Keep what a person corrected."""
    session.add(
        Lesson(
            workspace_id=actor.workspace_id,
            kind=kind,
            agent=agent,
            tool=tool,
            scenario=scenario,
            ask_id=ask_id,
            run_id=run_id,
            original=original,
            changed=changed,
            reason=reason,
            created_by=actor.label,
        )
    )
