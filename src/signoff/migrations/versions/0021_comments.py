"""People talk about an ask, and its agent answers them."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "comments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("ask_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("mentions", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("to_agent", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("question_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("tokens_input", sa.Integer(), nullable=False),
        sa.Column("tokens_output", sa.Integer(), nullable=False),
        sa.Column("cost_credits", sa.Double(), nullable=False),
        sa.Column("cost_incomplete", sa.Boolean(), nullable=False),
        sa.Column("uncounted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["ask_id"], ["asks.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("comments_by_ask", "comments", ["ask_id", "id"])
    pending = sa.text("state = 'pending'")
    op.create_index(
        "comments_pending", "comments", ["ask_id"], unique=True, sqlite_where=pending, postgresql_where=pending
    )
    is_true, is_one = sa.text("uncounted"), sa.text("uncounted = 1")
    op.create_index("comments_uncounted", "comments", ["id"], sqlite_where=is_one, postgresql_where=is_true)


def downgrade() -> None:
    op.drop_table("comments")
