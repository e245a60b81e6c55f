"""Audit entries bear the seal of a key that is not in the database."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("audit", sa.Column("seal", sa.Text(), nullable=True))
    op.add_column("audit", sa.Column("key_id", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.drop_column("key_id")
        batch_op.drop_column("seal")
