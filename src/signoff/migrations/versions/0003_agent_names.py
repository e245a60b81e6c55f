"""Runs, asks and deliverables know their agent's name, deliverables their run's title."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("agent_name", sa.Text(), nullable=True))
    op.add_column("asks", sa.Column("agent_name", sa.Text(), nullable=True))
    op.add_column("deliverables", sa.Column("agent_name", sa.Text(), nullable=True))
    op.add_column("deliverables", sa.Column("run_title", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("deliverables", "run_title")
    op.drop_column("deliverables", "agent_name")
    op.drop_column("asks", "agent_name")
    op.drop_column("runs", "agent_name")
