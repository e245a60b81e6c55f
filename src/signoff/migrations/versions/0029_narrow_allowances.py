"""An allowance says which arguments it is about and when it ends; those from before have no pattern and are wide."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

DECIDED = sa.text("status IN ('approved', 'denied', 'answered')")
USED = sa.text("allowance_id IS NOT NULL")


def upgrade() -> None:
    op.add_column("allowances", sa.Column("pattern", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("allowances", sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("calls", sa.Column("allowance_id", sa.Text(), nullable=True))
    op.create_index("calls_by_allowance", "calls", ["allowance_id"], sqlite_where=USED, postgresql_where=USED)
    columns = ["workspace_id", "agent", "tool", "id"]
    op.create_index("asks_decided_by_tool", "asks", columns, sqlite_where=DECIDED, postgresql_where=DECIDED)


def downgrade() -> None:
    op.drop_index("asks_decided_by_tool", "asks")
    op.drop_index("calls_by_allowance", "calls")
    op.drop_column("calls", "allowance_id")
    op.drop_column("allowances", "expires_at")
    op.drop_column("allowances", "pattern")
