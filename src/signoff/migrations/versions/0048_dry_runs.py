"""Which argument of a reviewed tool makes a call a dry run."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("connection_tools", sa.Column("dry_run", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("connection_tools", "dry_run")
