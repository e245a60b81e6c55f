"""SQLite, which never counts its rows, takes the youngest of two indexes that look alike: let it be that of open asks.

With `asks_by_workspace` it walks over all that is settled to find the oldest that waits. `tests/asks/test_inbox.py`
sees which one it takes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

OPEN = sa.text("status = 'pending'")


def upgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        op.drop_index("asks_open", "asks")
        op.create_index("asks_open", "asks", ["workspace_id", "id"], sqlite_where=OPEN)


def downgrade() -> None:
    """The order of indexes is nothing to go back to."""
