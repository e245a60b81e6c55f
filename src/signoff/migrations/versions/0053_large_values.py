"""Large inputs and outputs of runs stand in rows of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None

RUNS = sa.table("runs", *(sa.column(name) for name in ("id", "input", "output")))
VALUES = sa.table("run_values", *(sa.column(name) for name in ("run_id", "name", "value")))


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
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    value = sa.cast(VALUES.c.value, sa.JSON()) if is_postgresql else VALUES.c.value
    for name in ("input", "output"):
        own = (VALUES.c.run_id == RUNS.c.id) & (VALUES.c.name == name)
        back = sa.update(RUNS).values({name: sa.select(value).where(own).scalar_subquery()})
        op.execute(back.where(sa.exists().where(own)))
    op.drop_table("run_values")
    op.drop_column("runs", "apart")
