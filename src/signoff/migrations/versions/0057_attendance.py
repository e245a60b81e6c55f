"""When a server was last there, and the asks that run unless somebody objects: few among all that are open."""

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None

WINDOW = sa.text("status = 'pending' AND veto IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "attendance",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("asks_with_window", "asks", ["workspace_id"], sqlite_where=WINDOW, postgresql_where=WINDOW)


def downgrade() -> None:
    op.drop_index("asks_with_window", "asks")
    op.drop_table("attendance")
