"""A long conversation is marked where it was shortened for the model; a run counts what its provider had cached."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("messages", sa.Column("compaction", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("runs", sa.Column("tokens_cached", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    # Who knows no such line would take it for a note to the model.
    op.execute("DELETE FROM messages WHERE role = 'compaction'")
    op.drop_column("runs", "tokens_cached")
    op.drop_column("messages", "compaction")
