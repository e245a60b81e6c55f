"""A run's subject is an agent or a workflow, and it says which step or schedule it is for."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

SUBJECT = """
    CASE kind
    WHEN 'agent' THEN agent IS NOT NULL AND agent_revision IS NOT NULL AND revision_id IS NOT NULL
        AND workflow_revision IS NULL AND workflow_revision_id IS NULL AND (workflow IS NULL) = (step IS NULL)
    WHEN 'workflow' THEN workflow IS NOT NULL AND workflow_revision IS NOT NULL AND workflow_revision_id IS NOT NULL
        AND agent IS NULL AND agent_name IS NULL AND agent_revision IS NULL AND revision_id IS NULL
    ELSE 1 = 0 END
"""
OF_AGENTS: dict[str, sa.types.TypeEngine[object]] = {
    "agent": sa.Text(),
    "agent_revision": sa.Integer(),
    "revision_id": sa.Text(),
}


def upgrade() -> None:
    with op.batch_alter_table("runs") as runs:
        for name, kind in OF_AGENTS.items():
            runs.alter_column(name, existing_type=kind, nullable=True)
        runs.add_column(sa.Column("workflow", sa.Text(), nullable=True))
        runs.add_column(sa.Column("workflow_revision", sa.Integer(), nullable=True))
        runs.add_column(sa.Column("workflow_revision_id", sa.Text(), nullable=True))
        runs.add_column(sa.Column("step", sa.Text(), nullable=True))
        runs.add_column(sa.Column("schedule_id", sa.Text(), nullable=True))
        runs.create_check_constraint("runs_subject", SUBJECT)


def downgrade() -> None:
    # What the older schema has no place for; nothing else refers to a run that is not an agent's.
    op.execute("DELETE FROM runs WHERE kind <> 'agent'")
    with op.batch_alter_table("runs") as runs:
        runs.drop_constraint("runs_subject", type_="check")
        for name in ("schedule_id", "step", "workflow_revision_id", "workflow_revision", "workflow"):
            runs.drop_column(name)
        for name, kind in OF_AGENTS.items():
            runs.alter_column(name, existing_type=kind, nullable=False)
