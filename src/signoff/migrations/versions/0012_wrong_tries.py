"""Invitations count wrong passwords; who has not accepted is called what the admin calls them."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("given_name", sa.Text(), nullable=True))
    # The name that an account has elsewhere is not for whoever invited it.
    op.execute(
        "UPDATE members SET given_name = '' WHERE accepted_at IS NULL AND EXISTS "
        "(SELECT 1 FROM members AS other WHERE other.user_id = members.user_id AND other.id <> members.id)"
    )
    op.add_column("credentials", sa.Column("wrong_tries", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("credentials", "wrong_tries")
    op.drop_column("members", "given_name")
