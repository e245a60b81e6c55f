"""Workflows and their revisions."""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
TIME = sa.DateTime(timezone=True)
IN_USE = sa.text("deleted_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "workflows",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deployed_version", sa.Integer(), nullable=True),
        sa.Column("deployed_id", sa.Text(), nullable=True),
        sa.Column("hook_digest", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.Column("deleted_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
    )
    op.create_index(
        "workflows_by_slug",
        "workflows",
        ["workspace_id", "slug"],
        unique=True,
        sqlite_where=IN_USE,
        postgresql_where=IN_USE,
    )
    op.create_table(
        "workflow_revisions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("definition", JSON, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("saved_by", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["workflow_id"], ["workflows.id"]),
        sa.UniqueConstraint("workflow_id", "number", name="workflow_revisions_by_number"),
    )


def downgrade() -> None:
    op.drop_table("workflow_revisions")
    op.drop_index("workflows_by_slug", "workflows")
    op.drop_table("workflows")
