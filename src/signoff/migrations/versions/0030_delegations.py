"""Somebody who is away lets a colleague decide."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    at = sa.DateTime(timezone=True)
    op.create_table(
        "delegations",
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("id", "workspace_id", "absent_id", "deputy_id")),
        *(sa.Column(name, at, nullable=False) for name in ("starts_at", "ends_at", "created_at")),
        sa.Column("ended_at", at, nullable=True),
        sa.Column("ended_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["absent_id"], ["users.id"]),
        sa.ForeignKeyConstraint(["deputy_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("delegations_by_deputy", "delegations", ["workspace_id", "deputy_id", "ends_at"])
    op.create_index("delegations_by_absent", "delegations", ["workspace_id", "absent_id", "ends_at"])


def downgrade() -> None:
    op.drop_table("delegations")
