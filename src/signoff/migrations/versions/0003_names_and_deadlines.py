"""Names beside ids, on runs, asks, deliverables and messages; asks found by deadline."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NEVER = datetime(9999, 1, 1, tzinfo=UTC)


def upgrade() -> None:
    op.add_column("runs", sa.Column("agent_name", sa.Text(), nullable=True))
    op.add_column("asks", sa.Column("agent_name", sa.Text(), nullable=True))
    op.add_column("deliverables", sa.Column("agent_name", sa.Text(), nullable=True))
    op.add_column("deliverables", sa.Column("run_title", sa.Text(), nullable=True))
    op.add_column("messages", sa.Column("author", sa.Text(), nullable=True))
    op.create_index("ix_idempotency_keys_created_at", "idempotency_keys", ["created_at"])
    op.add_column("asks", sa.Column("waits_until", sa.DateTime(timezone=True), nullable=True))
    asks = sa.table("asks", *(sa.column(name, sa.DateTime(timezone=True)) for name in ("deadline", "waits_until")))
    op.execute(asks.update().values(waits_until=sa.func.coalesce(asks.c.deadline, NEVER)))
    with op.batch_alter_table("asks", schema=None) as batch_op:
        batch_op.alter_column("waits_until", nullable=False)
        batch_op.create_index(
            "asks_open_by_deadline",
            ["workspace_id", "waits_until", "id"],
            unique=False,
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )


def downgrade() -> None:
    op.drop_index("ix_idempotency_keys_created_at", "idempotency_keys")
    with op.batch_alter_table("asks", schema=None) as batch_op:
        batch_op.drop_index("asks_open_by_deadline")
        batch_op.drop_column("waits_until")
    op.drop_column("messages", "author")
    op.drop_column("deliverables", "run_title")
    op.drop_column("deliverables", "agent_name")
    op.drop_column("asks", "agent_name")
    op.drop_column("runs", "agent_name")
