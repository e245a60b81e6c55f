"""Lists of deliveries, the health of channels and what goes with a channel are found by index."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

PARTIAL = {
    "deliveries_sent": (["channel_id", "sent_at"], "sent_at IS NOT NULL"),
    "deliveries_troubled": (["channel_id", "id"], "error IS NOT NULL"),
    "deliveries_not_sent": (["workspace_id", "status", "id"], "status <> 'sent'"),
    "deliveries_by_run": (["run_id", "id"], "run_id IS NOT NULL"),
}


def upgrade() -> None:
    for name, (columns, where) in PARTIAL.items():
        is_so = sa.text(where)
        op.create_index(name, "deliveries", columns, sqlite_where=is_so, postgresql_where=is_so)
    op.create_index("answer_links_by_channel", "answer_links", ["channel_id"])
    is_zero, is_false = sa.text("listed = 0"), sa.text("NOT listed")
    told_outside = {"sqlite_where": is_zero, "postgresql_where": is_false}
    op.create_index("notifications_unlisted", "notifications", ["created_at"], **told_outside)


def downgrade() -> None:
    op.drop_index("notifications_unlisted", "notifications")
    op.drop_index("answer_links_by_channel", "answer_links")
    for name in PARTIAL:
        op.drop_index(name, "deliveries")
