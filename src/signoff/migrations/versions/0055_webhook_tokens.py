"""With which API token the secret of a workflow's webhook was made."""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("workflow_hooks", sa.Column("bond_id", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("workflow_hooks", "bond_id")
