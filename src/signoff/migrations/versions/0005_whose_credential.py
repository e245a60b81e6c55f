"""Credentials know what they were made with and by whom; members accept."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("members", sa.Column("accepted_at", MOMENT, nullable=True))
    # Added in place, with the default that this needs: on SQLite a rebuilt table of members would take every
    # credential with it.
    vouchers = sa.Column("vouchers", sa.JSON(none_as_null=True), nullable=False, server_default=sa.text("'{}'"))
    op.add_column("members", vouchers)
    with op.batch_alter_table("credentials", schema=None) as batch_op:
        batch_op.add_column(sa.Column("bond_id", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("standing", sa.Text(), nullable=False, server_default="person"))
        batch_op.add_column(sa.Column("made_by", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("seal", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("proved_at", MOMENT, nullable=True))
        batch_op.create_foreign_key("credentials_bond_id_fkey", "credentials", ["bond_id"], ["id"], ondelete="CASCADE")
        batch_op.create_index("credentials_by_member", ["member_id"], unique=False)
        batch_op.create_index("credentials_by_bond", ["bond_id"], unique=False)
    # Whoever is in was let in by the rules of then.
    op.execute("UPDATE members SET accepted_at = created_at")
    op.execute("UPDATE credentials SET proved_at = created_at WHERE kind = 'session'")
    _find_service_tokens()


def _find_service_tokens() -> None:
    """Tokens that, by the record, somebody else made for their member speak for nobody's own will."""
    op.execute(
        """
        UPDATE credentials SET
            standing = 'service',
            made_by = (
                SELECT maker.id FROM audit JOIN users AS maker ON maker.email = audit.actor
                WHERE audit.action = 'token.created' AND audit.subject = credentials.id
                AND audit.workspace_id = credentials.workspace_id
            )
        WHERE kind = 'token' AND EXISTS (
            SELECT 1 FROM audit
            JOIN members ON members.id = credentials.member_id JOIN users ON users.id = members.user_id
            WHERE audit.action = 'token.created' AND audit.subject = credentials.id
            AND audit.workspace_id = credentials.workspace_id
            AND audit.actor <> 'signoff' AND audit.actor <> users.email
        )
        """
    )


def downgrade() -> None:
    with op.batch_alter_table("credentials", schema=None) as batch_op:
        batch_op.drop_index("credentials_by_bond")
        batch_op.drop_index("credentials_by_member")
        batch_op.drop_constraint("credentials_bond_id_fkey", type_="foreignkey")
        for name in ("proved_at", "seal", "made_by", "standing", "bond_id"):
            batch_op.drop_column(name)
    op.drop_column("members", "vouchers")
    op.drop_column("members", "accepted_at")
