"""What stood open until a rule let it through is found among what was decided."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

BEFORE = "status IN ('approved', 'denied', 'answered', 'expired')"
DECIDED = f"({BEFORE} OR (status = 'auto_approved' AND settled_at > created_at))"
INDEXES = {
    "asks_decided": ["workspace_id", "settled_at", "id"],
    "asks_decided_by": ["workspace_id", "settled_by", "settled_at", "id"],
}


def upgrade() -> None:
    _make_anew(DECIDED)


def downgrade() -> None:
    _make_anew(BEFORE)


def _make_anew(where: str) -> None:
    for name, columns in INDEXES.items():
        op.drop_index(name, "asks")
        op.create_index(name, "asks", columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
