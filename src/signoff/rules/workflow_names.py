"""What rules need to know of workflows, which are above them in the order of imports."""

from sqlalchemy import column, select, table
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor

workflows = table("workflows", column("workspace_id"), column("slug"), column("deployed_id"), column("deleted_at"))


def deployed_workflows(session: Session, actor: Actor) -> list[str]:
    """The workflows that a rule can start, by slug."""
    there = (workflows.c.workspace_id == actor.workspace_id, workflows.c.deleted_at.is_(None))
    query = select(workflows.c.slug).where(*there, workflows.c.deployed_id.is_not(None))
    return list(session.scalars(query.order_by(workflows.c.slug)))
