"""An ask says what its call does to the world and is sorted by it; a call bears the mark of what it is aimed at."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

PENDING = sa.text("status = 'pending'")
# Of what was opened before nobody stated the impact: it may be more than it seems.
NOT_STATED, NONE = 119, 127


def upgrade() -> None:
    op.add_column("asks", sa.Column("impact", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("asks", sa.Column("impact_order", sa.Integer(), nullable=False, server_default=str(NONE)))
    op.execute(f"UPDATE asks SET impact_order = {NOT_STATED} WHERE kind IN ('approval', 'plan')")  # noqa: S608 - a number of ours
    op.drop_index("asks_open_by_risk", "asks")
    by_risk = ["workspace_id", "risk_order", "impact_order", "id"]
    op.create_index("asks_open_by_risk", "asks", by_risk, sqlite_where=PENDING, postgresql_where=PENDING)
    op.add_column("calls", sa.Column("aim", sa.Text(), nullable=True))
    aimed = sa.text("aim IS NOT NULL")
    op.create_index("calls_by_aim", "calls", ["aim"], sqlite_where=aimed, postgresql_where=aimed)


def downgrade() -> None:
    op.drop_index("calls_by_aim", "calls")
    op.drop_column("calls", "aim")
    op.drop_index("asks_open_by_risk", "asks")
    by_risk = ["workspace_id", "risk_order", "id"]
    op.create_index("asks_open_by_risk", "asks", by_risk, sqlite_where=PENDING, postgresql_where=PENDING)
    op.drop_column("asks", "impact_order")
    op.drop_column("asks", "impact")
