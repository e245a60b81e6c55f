"""Runs of workflows have steps; one tool can be a step; runs can be tests."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
TIME = sa.DateTime(timezone=True)
BEFORE = """
    CASE kind
    WHEN 'agent' THEN agent IS NOT NULL AND agent_revision IS NOT NULL AND revision_id IS NOT NULL
        AND workflow_revision IS NULL AND workflow_revision_id IS NULL AND (workflow IS NULL) = (step IS NULL)
    WHEN 'workflow' THEN workflow IS NOT NULL AND workflow_revision IS NOT NULL AND workflow_revision_id IS NOT NULL
        AND agent IS NULL AND agent_name IS NULL AND agent_revision IS NULL AND revision_id IS NULL
    ELSE 1 = 0 END
"""
SUBJECT = """
    CASE kind
    WHEN 'agent' THEN agent IS NOT NULL AND agent_revision IS NOT NULL AND revision_id IS NOT NULL
        AND workflow_revision IS NULL AND workflow_revision_id IS NULL AND (workflow IS NULL) = (step IS NULL)
    WHEN 'workflow' THEN workflow IS NOT NULL AND workflow_revision IS NOT NULL AND workflow_revision_id IS NOT NULL
        AND agent IS NULL AND agent_name IS NULL AND agent_revision IS NULL AND revision_id IS NULL
    WHEN 'tool' THEN agent IS NOT NULL AND revision_id IS NULL AND workflow IS NOT NULL AND step IS NOT NULL
    ELSE 1 = 0 END
"""


def upgrade() -> None:
    op.create_table(
        "run_steps",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("ask_id", sa.Text(), nullable=True),
        sa.Column("passed", sa.Text(), nullable=True),
        sa.Column("input", sa.Text(), nullable=True),
        sa.Column("output", sa.Text(), nullable=True),
        sa.Column("children", JSON, nullable=False),
        sa.Column("error", JSON, nullable=True),
        sa.Column("retry_at", TIME, nullable=True),
        sa.Column("started_at", TIME, nullable=True),
        sa.Column("ended_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("run_id", "step"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
    )
    with op.batch_alter_table("runs") as runs:
        runs.drop_constraint("runs_subject", type_="check")
        runs.create_check_constraint("runs_subject", SUBJECT)
        runs.add_column(sa.Column("output_schema", JSON, nullable=True))
        runs.add_column(sa.Column("test", sa.Boolean(), server_default=sa.false(), nullable=False))
        runs.add_column(sa.Column("parent_call_id", sa.Text(), nullable=True))


def downgrade() -> None:
    op.execute("DELETE FROM runs WHERE kind = 'tool'")
    with op.batch_alter_table("runs") as runs:
        for name in ("parent_call_id", "test", "output_schema"):
            runs.drop_column(name)
        runs.drop_constraint("runs_subject", type_="check")
        runs.create_check_constraint("runs_subject", BEFORE)
    op.drop_table("run_steps")
