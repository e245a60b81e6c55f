"""Groups of open asks are ordered by their impact, too, out of one index."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

OPEN = sa.text("status = 'pending'")
INDEX = "asks_open_by_likeness"


def upgrade() -> None:
    _make_anew(["workspace_id", "likeness", "id", "risk_order", "impact_order", "waits_until", "status"])


def downgrade() -> None:
    _make_anew(["workspace_id", "likeness", "id", "risk_order", "waits_until", "status"])


def _make_anew(columns: list[str]) -> None:
    op.drop_index(INDEX, "asks")
    op.create_index(INDEX, "asks", columns, sqlite_where=OPEN, postgresql_where=OPEN)
