"""Channels keep why their last test failed."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("channels", sa.Column("tested_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("channels", sa.Column("test_error", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("channels", "test_error")
    op.drop_column("channels", "tested_at")
