"""Runs and asks know their agent's name."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("agent_name", sa.Text(), nullable=True))
    op.add_column("asks", sa.Column("agent_name", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("asks", "agent_name")
    op.drop_column("runs", "agent_name")
