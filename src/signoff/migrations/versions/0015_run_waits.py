"""A run may wait for other runs."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "run_waits",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("waits_for_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["waits_for_id"], ["runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "waits_for_id"),
    )
    op.create_index("run_waits_by_awaited", "run_waits", ["waits_for_id"])
    op.add_column("runs", sa.Column("awaited_runs", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("runs", "awaited_runs")
    op.drop_table("run_waits")
