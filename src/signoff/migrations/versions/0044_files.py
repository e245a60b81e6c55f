"""Files that people give to runs; deliverables of any size."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "uploads",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
    )
    op.create_index("uploads_by_workspace", "uploads", ["workspace_id"])
    op.create_index("uploads_by_run", "uploads", ["run_id"])
    op.create_index("uploads_by_age", "uploads", ["created_at"])
    stored = sa.text("file_key IS NOT NULL")
    op.create_index("deliverables_by_file", "deliverables", ["file_key"], sqlite_where=stored, postgresql_where=stored)
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("deliverables", "size_bytes", type_=sa.BigInteger())


def downgrade() -> None:
    op.drop_index("deliverables_by_file", "deliverables")
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("deliverables", "size_bytes", type_=sa.Integer())
    op.drop_table("uploads")
