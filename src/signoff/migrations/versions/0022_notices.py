"""Notices reach whom they are addressed to, and everybody reads them for themselves."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

ROLES = {"viewer", "member", "approver", "admin"}
TOGETHER = 1_000


def upgrade() -> None:
    op.create_table(
        "notification_addressees",
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("addressee", sa.Text(), nullable=False),
        sa.Column("notification_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["notification_id"], ["notifications.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("workspace_id", "addressee", "notification_id"),
    )
    op.create_index("notification_addressees_by_notification", "notification_addressees", ["notification_id"])
    op.create_table(
        "notification_marks",
        sa.Column("member_id", sa.Text(), nullable=False),
        sa.Column("read_up_to", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["members.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("member_id"),
    )
    op.create_table(
        "notification_reads",
        sa.Column("member_id", sa.Text(), nullable=False),
        sa.Column("notification_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["members.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["notification_id"], ["notifications.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("member_id", "notification_id"),
    )
    op.create_index("notification_reads_by_notification", "notification_reads", ["notification_id"])
    op.add_column("notifications", sa.Column("kind", sa.Text(), nullable=False, server_default="message"))
    op.drop_column("notifications", "read_at")
    op.execute("UPDATE notifications SET kind = 'ask' WHERE ask_id IS NOT NULL")
    op.execute("UPDATE notifications SET kind = 'people' WHERE channel = 'people' AND run_id IS NULL")
    # There was no page for them: nobody comes back to a hundred that are new.
    op.execute(
        "INSERT INTO notification_marks (member_id, read_up_to) SELECT members.id, max(notifications.id)"
        " FROM members JOIN notifications ON notifications.workspace_id = members.workspace_id GROUP BY members.id"
    )
    _address()


def _address() -> None:
    connection = op.get_bind()
    addressees = sa.table(
        "notification_addressees", *(sa.column(name) for name in ("workspace_id", "addressee", "notification_id"))
    )
    recipients = "CAST(recipients AS TEXT)"
    found = connection.execute(sa.text(f"SELECT id, workspace_id, {recipients} FROM notifications")).all()  # noqa: S608
    rows = [
        {"workspace_id": workspace, "addressee": each, "notification_id": id_}
        for id_, workspace, written in found
        for each in dict.fromkeys(_addressee(name) for name in json.loads(written)) or [""]
    ]
    for start in range(0, len(rows), TOGETHER):
        connection.execute(sa.insert(addressees), rows[start : start + TOGETHER])


def _addressee(recipient: str) -> str:
    if recipient in ROLES:
        return f"role:{recipient}"
    return recipient if recipient.startswith(("role:", "group:")) else recipient.strip().lower()


def downgrade() -> None:
    op.add_column("notifications", sa.Column("read_at", sa.DateTime(timezone=True), nullable=True))
    op.drop_column("notifications", "kind")
    op.drop_table("notification_reads")
    op.drop_table("notification_marks")
    op.drop_table("notification_addressees")
