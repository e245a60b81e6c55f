"""An address is somebody's in one workspace, not everywhere; sessions know whether a password was shown."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

# PostgreSQL's own name for it; on SQLite it has none.
UNIQUE = {"uq": "%(table_name)s_%(column_0_name)s_key"}
# As at a first start: an admin, who is a person and came in.
FIRST = (
    "SELECT members.user_id FROM members JOIN users ON users.id = members.user_id WHERE members.role = 'admin' "
    "AND members.accepted_at IS NOT NULL AND users.email <> 'signoff-token@localhost' ORDER BY members.id LIMIT 1"
)


def upgrade() -> None:
    with op.batch_alter_table("users", naming_convention=UNIQUE) as users:
        users.drop_constraint("users_email_key", type_="unique")
        users.add_column(sa.Column("installation_admin", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index("ix_users_email", "users", ["email"])
    op.add_column("members", sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("credentials", sa.Column("by_password", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "addresses",
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.PrimaryKeyConstraint("workspace_id", "email"),
    )
    op.execute(
        "INSERT INTO addresses (workspace_id, email, user_id) SELECT members.workspace_id, users.email, users.id "
        "FROM members JOIN users ON users.id = members.user_id"
    )
    # Who left was a member of the only workspace that there was: nobody else gets their address there.
    op.execute(
        "INSERT INTO addresses (workspace_id, email, user_id) SELECT first.id, users.email, users.id FROM users "
        "JOIN (SELECT id FROM workspaces ORDER BY id LIMIT 1) AS first ON true "
        "WHERE users.id NOT IN (SELECT user_id FROM members)"
    )
    op.execute(f"UPDATE users SET installation_admin = true WHERE id = ({FIRST})")  # noqa: S608


def downgrade() -> None:
    op.drop_table("addresses")
    op.drop_column("credentials", "by_password")
    op.drop_column("members", "opened_at")
    op.drop_index("ix_users_email", "users")
    with op.batch_alter_table("users") as users:
        users.drop_column("installation_admin")
        users.create_unique_constraint("users_email_key", ["email"])
