"""Large inputs and outputs of runs stand in rows of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("apart", sa.JSON(none_as_null=True), nullable=False, server_default="[]"))
    op.create_table(
        "run_values",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "name"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("run_values")
    op.drop_column("runs", "apart")
