"""Open approvals are alike by their target, too; and groups of open asks come from one index."""

import sqlalchemy as sa
from alembic import op

from signoff.asks.likeness import likeness
from signoff.kit.db.columns import JsonText

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

OPEN = sa.text("status = 'pending'")
INDEX = "asks_open_by_likeness"
asks = sa.table(
    "asks",
    *(
        sa.column(name, sa.Text())
        for name in ("id", "status", "kind", "likeness", "agent", "tool", "risk_level", "rule")
    ),
    *(sa.column(name, JsonText) for name in ("arguments", "call_ids", "stages", "approvers")),
    sa.column("approvals_required", sa.Integer()),
    sa.column("four_eyes", sa.Boolean()),
)


def upgrade() -> None:
    op.drop_index(INDEX, "asks")
    columns = ["workspace_id", "likeness", "id", "risk_order", "waits_until", "status"]
    op.create_index(INDEX, "asks", columns, sqlite_where=OPEN, postgresql_where=OPEN)
    # By the same function as those to come: it matters only that old and new ones meet.
    bind = op.get_bind()
    # Nobody had stated an impact then.
    waiting = sa.select(asks, sa.null().label("impact")).where(asks.c.status == "pending", asks.c.kind == "approval")
    for row in bind.execute(waiting).all():
        bind.execute(sa.update(asks).where(asks.c.id == row.id).values(likeness=likeness(row)))


def downgrade() -> None:
    op.drop_index(INDEX, "asks")
    op.create_index(INDEX, "asks", ["workspace_id", "likeness"], sqlite_where=OPEN, postgresql_where=OPEN)
