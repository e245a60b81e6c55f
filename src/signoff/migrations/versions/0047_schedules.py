"""Schedules: agents and workflows that run by the clock."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
TIME = sa.DateTime(timezone=True)
IS_DUE = sa.text("next_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("agent", sa.Text(), nullable=True),
        sa.Column("workflow", sa.Text(), nullable=True),
        sa.Column("task", sa.Text(), nullable=True),
        sa.Column("input", JSON, nullable=True),
        sa.Column("cron", sa.Text(), nullable=False),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("disabled_reason", sa.Text(), nullable=True),
        sa.Column("next_at", TIME, nullable=True),
        sa.Column("last_at", TIME, nullable=True),
        sa.Column("last_run_id", sa.Text(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=True),
        sa.Column("makers", JSON, nullable=False),
        sa.Column("parties", JSON, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["last_run_id"], ["runs.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"]),
        sa.CheckConstraint("(agent IS NULL) <> (workflow IS NULL)", name="schedule_target"),
    )
    op.create_index("schedules_by_workspace", "schedules", ["workspace_id", "id"])
    op.create_index("schedules_due", "schedules", ["next_at"], sqlite_where=IS_DUE, postgresql_where=IS_DUE)
    op.create_index("schedules_by_last_run", "schedules", ["last_run_id"])


def downgrade() -> None:
    op.drop_table("schedules")
