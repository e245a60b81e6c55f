"""A channel says why the mailbox for its replies cannot be read."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("channels", sa.Column("mailbox_error", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("channels", "mailbox_error")
