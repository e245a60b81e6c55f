"""People are reached outside the app: channels, deliveries, answer links, push, sealed secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
TIME = sa.DateTime(timezone=True)


def _index(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    for column in (
        sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("channels", JSON, nullable=False, server_default="[]"),
        sa.Column("urgent", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("facts", JSON, nullable=True),
        sa.Column("route_at", TIME, nullable=True),
        sa.Column("routed_at", TIME, nullable=True),
    ):
        op.add_column("notifications", column)
    _index("notifications_to_route", "notifications", ["route_at"], "route_at IS NOT NULL")
    _index("notifications_by_ask", "notifications", ["ask_id"], "ask_id IS NOT NULL")
    op.add_column("members", sa.Column("present_until", TIME, nullable=True))
    op.add_column("members", sa.Column("wants_progress", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("workspaces", sa.Column("smart_routing", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("asks", sa.Column("sign_in", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("credentials", sa.Column("read_by", JSON, nullable=False, server_default="[]"))
    op.create_table(
        "secrets",
        sa.Column("owner_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("owner_id", "name"),
    )
    _channels()
    _deliveries()
    _links()


def _channels() -> None:
    op.create_table(
        "channels",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("settings", JSON, nullable=False),
        sa.Column("about", JSON, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("keepers", JSON, nullable=False),
        sa.Column("reaches_private", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("position", sa.BigInteger(), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("workspace_id", "name"),
    )
    op.create_table(
        "channel_accounts",
        sa.Column("channel_id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("member_id", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["channel_id"], ["channels.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["member_id"], ["members.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("channel_id", "account"),
    )
    op.create_index("channel_accounts_by_member", "channel_accounts", ["member_id"])


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.Text(), nullable=False),
        sa.Column("notification_id", sa.Text(), nullable=True),
        sa.Column("event_position", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("ask_id", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("member_id", sa.Text(), nullable=True),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("urgent", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("due_at", TIME, nullable=True),
        sa.Column("instead_of", sa.Text(), nullable=True),
        sa.Column("digest_id", sa.Text(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", TIME, nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("remote", JSON, nullable=True),
        sa.Column("update_at", TIME, nullable=True),
        sa.Column("update_tries", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("sent_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["channel_id"], ["channels.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["notification_id"], ["notifications.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["member_id"], ["members.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("channel_id", "key"),
    )
    op.create_index("deliveries_by_workspace", "deliveries", ["workspace_id", "id"])
    op.create_index("deliveries_by_notification", "deliveries", ["notification_id"])
    op.create_index("deliveries_by_ask", "deliveries", ["ask_id"])
    op.create_index("deliveries_by_member", "deliveries", ["member_id", "channel_id", "sent_at"])
    _index("deliveries_due", "deliveries", ["due_at"], "status = 'queued' AND due_at IS NOT NULL")
    _index("deliveries_in_hand", "deliveries", ["lease_until"], "lease_until IS NOT NULL")
    _index("deliveries_to_update", "deliveries", ["update_at"], "update_at IS NOT NULL")
    _index("deliveries_instead", "deliveries", ["instead_of"], "instead_of IS NOT NULL")
    op.create_table(
        "delivery_attempts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("delivery_id", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("repeated", sa.Boolean(), nullable=False),
        sa.Column("started_at", TIME, nullable=False),
        sa.Column("ended_at", TIME, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["delivery_id"], ["deliveries.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("delivery_attempts_by_delivery", "delivery_attempts", ["delivery_id"])


def _links() -> None:
    op.create_table(
        "answer_links",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("ask_id", sa.Text(), nullable=False),
        sa.Column("member_id", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=True),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("used_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["ask_id"], ["asks.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["member_id"], ["members.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["channel_id"], ["channels.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("answer_links_by_ask", "answer_links", ["ask_id"])
    op.create_index("answer_links_by_member", "answer_links", ["member_id"])
    op.create_index("answer_links_by_end", "answer_links", ["expires_at"])
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("member_id", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.Text(), nullable=False),
        sa.Column("auth", sa.Text(), nullable=False),
        sa.Column("device", sa.Text(), nullable=False),
        sa.Column("bond_id", sa.Text(), nullable=True),
        sa.Column("reaches_private", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["member_id"], ["members.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["bond_id"], ["credentials.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("workspace_id", "member_id", "endpoint"),
    )
    op.create_index("push_subscriptions_by_member", "push_subscriptions", ["member_id"])
    op.create_index("push_subscriptions_by_endpoint", "push_subscriptions", ["endpoint"])
    op.create_index("push_subscriptions_by_bond", "push_subscriptions", ["bond_id"])


def downgrade() -> None:
    for table in ("push_subscriptions", "answer_links", "delivery_attempts", "deliveries"):
        op.drop_table(table)
    for table in ("channel_accounts", "channels", "secrets"):
        op.drop_table(table)
    op.drop_column("credentials", "read_by")
    op.drop_column("asks", "sign_in")
    op.drop_column("workspaces", "smart_routing")
    op.drop_column("members", "wants_progress")
    op.drop_column("members", "present_until")
    op.drop_index("notifications_by_ask", "notifications")
    op.drop_index("notifications_to_route", "notifications")
    for column in ("routed_at", "route_at", "facts", "urgent", "channels", "listed"):
        op.drop_column("notifications", column)
