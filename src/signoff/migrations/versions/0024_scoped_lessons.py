"""Lessons say how far they reach, in whose words, and whether they count; a run keeps which it was told."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("lessons", sa.Column("scope", sa.Text(), nullable=False, server_default="agent_and_tool"))
    op.add_column("lessons", sa.Column("own_text", sa.Text(), nullable=True))
    op.add_column("lessons", sa.Column("active", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_table(
        "told_lessons",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("lesson_id", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("told_lessons_by_run", "told_lessons", ["run_id", "id"])


def downgrade() -> None:
    op.drop_table("told_lessons")
    for column in ("scope", "own_text", "active"):
        op.drop_column("lessons", column)
