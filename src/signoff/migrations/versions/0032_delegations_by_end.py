"""Delegations that are over are not read for ever."""

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("delegations_by_end", "delegations", ["workspace_id", "ends_at"])


def downgrade() -> None:
    op.drop_index("delegations_by_end", "delegations")
