"""A run's messages and events are found by the run and sorted, so their indexes need no second column."""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

INDEXES = {"messages_by_run": ("messages", "id"), "events_by_run": ("events", "position")}


def upgrade() -> None:
    for name, (table, _) in INDEXES.items():
        op.drop_index(name, table)
        op.create_index(name, table, ["run_id"])


def downgrade() -> None:
    for name, (table, second) in INDEXES.items():
        op.drop_index(name, table)
        op.create_index(name, table, ["run_id", second])
