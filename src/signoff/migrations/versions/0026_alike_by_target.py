"""Open approvals are alike by their target, too, from now on; and groups of open asks come from one index."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

OPEN = sa.text("status = 'pending'")
INDEX = "asks_open_by_likeness"


def upgrade() -> None:
    op.drop_index(INDEX, "asks")
    columns = ["workspace_id", "likeness", "id", "risk_order", "waits_until", "status"]
    op.create_index(INDEX, "asks", columns, sqlite_where=OPEN, postgresql_where=OPEN)
    # Which of those that wait have one target, only code could say that changes with time: each stands alone instead.
    op.execute("UPDATE asks SET likeness = NULL WHERE status = 'pending' AND kind = 'approval'")


def downgrade() -> None:
    op.drop_index(INDEX, "asks")
    op.create_index(INDEX, "asks", ["workspace_id", "likeness"], sqlite_where=OPEN, postgresql_where=OPEN)
