"""Workflows that a webhook starts, and runs that a rule started about a call."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
TIME = sa.DateTime(timezone=True)
IS_SET = sa.text("rule_call_id IS NOT NULL")


def upgrade() -> None:
    op.drop_column("workflows", "hook_digest")
    op.create_table(
        "workflow_hooks",
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("input", JSON, nullable=True),
        sa.Column("owner_id", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=True),
        sa.Column("makers", JSON, nullable=False),
        sa.Column("parties", JSON, nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("workflow_id"),
        sa.ForeignKeyConstraint(["workflow_id"], ["workflows.id"]),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"]),
        sa.UniqueConstraint("digest"),
    )
    op.add_column("runs", sa.Column("rule_call_id", sa.Text(), nullable=True))
    where = {"sqlite_where": IS_SET, "postgresql_where": IS_SET}
    op.create_index("runs_by_rule_call", "runs", ["rule_call_id", "workflow"], unique=True, **where)


def downgrade() -> None:
    op.drop_index("runs_by_rule_call", "runs")
    op.drop_column("runs", "rule_call_id")
    op.drop_table("workflow_hooks")
    op.add_column("workflows", sa.Column("hook_digest", sa.Text(), nullable=True))
