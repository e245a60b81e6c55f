"""Asks of every kind, rules, lessons, groups."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "groups",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("workspace_id", "name"),
    )
    op.create_table(
        "lessons",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("original", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("changed", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("ask_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("lessons", schema=None) as batch_op:
        batch_op.create_index("lessons_by_tool", ["workspace_id", "tool", "id"], unique=False)

    op.create_table(
        "policies",
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        sa.Column("yaml", sa.Text(), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.Column("stopped_by", sa.Text(), nullable=True),
        sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("file", sa.Text(), nullable=True),
        sa.Column("file_problems", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("updated_by", sa.Text(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
        ),
        sa.PrimaryKeyConstraint("workspace_id"),
    )
    op.create_table(
        "proposals",
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("ask_id", sa.Text(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
        ),
        sa.PrimaryKeyConstraint("workspace_id", "key"),
    )
    op.create_table(
        "rule_versions",
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("yaml", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
        ),
        sa.PrimaryKeyConstraint("workspace_id", "version"),
    )
    op.create_table(
        "group_members",
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
        ),
        sa.PrimaryKeyConstraint("group_id", "user_id"),
    )
    with op.batch_alter_table("group_members", schema=None) as batch_op:
        batch_op.create_index("group_members_by_user", ["user_id"], unique=False)

    op.create_table(
        "allowances",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("risk_level", sa.Text(), nullable=False),
        sa.Column("ask_id", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_by", sa.Text(), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("allowances", schema=None) as batch_op:
        batch_op.create_index("allowances_by_run", ["run_id"], unique=False)
        batch_op.create_index("allowances_by_tool", ["workspace_id", "agent", "tool"], unique=False)

    with op.batch_alter_table("asks", schema=None) as batch_op:
        batch_op.add_column(sa.Column("original_arguments", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("call_ids", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("operation_type", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("policy_version", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("headline", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("likeness", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("supporting_data", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("plan", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("follows", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("suggestion", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("handed_over", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.add_column(sa.Column("schedule", sa.JSON(none_as_null=True), nullable=False, server_default="[]"))
        batch_op.add_column(sa.Column("due_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("approvals_required", sa.Integer(), nullable=False, server_default="1"))
        batch_op.add_column(sa.Column("approvers", sa.JSON(none_as_null=True), nullable=False, server_default="[]"))
        batch_op.add_column(sa.Column("stages", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("signatures", sa.JSON(none_as_null=True), nullable=False, server_default="[]"))
        batch_op.add_column(sa.Column("four_eyes", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.add_column(sa.Column("started_by", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("assignee", sa.Text(), nullable=True))
        batch_op.drop_index(batch_op.f("asks_open_by_deadline"), sqlite_where=sa.text("status = 'pending'"))
        batch_op.create_index(
            "asks_open_by_likeness",
            ["workspace_id", "likeness"],
            unique=False,
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )
        batch_op.create_index(
            "asks_answered",
            ["workspace_id", "likeness", "id"],
            unique=False,
            sqlite_where=sa.text("status = 'answered'"),
            postgresql_where=sa.text("status = 'answered'"),
        )
        batch_op.create_index(
            "asks_due",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )

    with op.batch_alter_table("calls", schema=None) as batch_op:
        batch_op.add_column(sa.Column("judged", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("rule", sa.Text(), nullable=True))
        batch_op.create_index(
            "calls_judged",
            ["created_at"],
            unique=False,
            sqlite_where=sa.text("judged IS NOT NULL"),
            postgresql_where=sa.text("judged IS NOT NULL"),
        )

    with op.batch_alter_table("members", schema=None) as batch_op:
        batch_op.add_column(sa.Column("preferences", sa.JSON(none_as_null=True), nullable=False, server_default="{}"))

    with op.batch_alter_table("notifications", schema=None) as batch_op:
        batch_op.add_column(sa.Column("recipients", sa.JSON(none_as_null=True), nullable=False, server_default="[]"))
        batch_op.add_column(sa.Column("ask_id", sa.Text(), nullable=True))

    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("phase", sa.Text(), nullable=False, server_default="working"))
        batch_op.add_column(sa.Column("exchanges", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_column("exchanges")
        batch_op.drop_column("phase")

    with op.batch_alter_table("members", schema=None) as batch_op:
        batch_op.drop_column("preferences")

    with op.batch_alter_table("notifications", schema=None) as batch_op:
        batch_op.drop_column("ask_id")
        batch_op.drop_column("recipients")

    with op.batch_alter_table("calls", schema=None) as batch_op:
        batch_op.drop_index("calls_judged")
        batch_op.drop_column("rule")
        batch_op.drop_column("judged")

    with op.batch_alter_table("asks", schema=None) as batch_op:
        batch_op.drop_index(
            "asks_due", sqlite_where=sa.text("status = 'pending'"), postgresql_where=sa.text("status = 'pending'")
        )
        batch_op.drop_index("asks_answered")
        batch_op.drop_index("asks_open_by_likeness")
        batch_op.create_index(
            batch_op.f("asks_open_by_deadline"), ["deadline"], unique=False, sqlite_where=sa.text("status = 'pending'")
        )
        batch_op.drop_column("assignee")
        batch_op.drop_column("started_by")
        batch_op.drop_column("four_eyes")
        batch_op.drop_column("signatures")
        batch_op.drop_column("stages")
        batch_op.drop_column("approvers")
        batch_op.drop_column("approvals_required")
        batch_op.drop_column("due_at")
        batch_op.drop_column("schedule")
        batch_op.drop_column("handed_over")
        batch_op.drop_column("suggestion")
        batch_op.drop_column("follows")
        batch_op.drop_column("plan")
        batch_op.drop_column("supporting_data")
        batch_op.drop_column("likeness")
        batch_op.drop_column("headline")
        batch_op.drop_column("policy_version")
        batch_op.drop_column("operation_type")
        batch_op.drop_column("call_ids")
        batch_op.drop_column("original_arguments")

    with op.batch_alter_table("allowances", schema=None) as batch_op:
        batch_op.drop_index("allowances_by_tool")
        batch_op.drop_index("allowances_by_run")

    op.drop_table("allowances")
    with op.batch_alter_table("group_members", schema=None) as batch_op:
        batch_op.drop_index("group_members_by_user")

    op.drop_table("group_members")
    op.drop_table("rule_versions")
    op.drop_table("proposals")
    op.drop_table("policies")
    with op.batch_alter_table("lessons", schema=None) as batch_op:
        batch_op.drop_index("lessons_by_tool")

    op.drop_table("lessons")
    op.drop_table("groups")
