"""Credentials know who stood behind their maker."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    behind = sa.Column("behind", sa.JSON(none_as_null=True), nullable=False, server_default=sa.text("'[]'"))
    op.add_column("credentials", behind)


def downgrade() -> None:
    op.drop_column("credentials", "behind")
