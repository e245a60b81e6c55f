"""A workspace whose runs all stand still: who paused them, when and why."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

ADDED = ("paused_at", "paused_by", "paused_reason")


def upgrade() -> None:
    for name in ADDED:
        op.add_column("workspaces", sa.Column(name, sa.DateTime(timezone=True) if name == "paused_at" else sa.Text()))


def downgrade() -> None:
    for name in ADDED:
        op.drop_column("workspaces", name)
