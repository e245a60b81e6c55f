"""Calls know which worker started them."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("calls", sa.Column("worker", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("calls", "worker")
