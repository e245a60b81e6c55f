"""With which API token a schedule was made or changed."""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("schedules", sa.Column("bond_id", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("schedules", "bond_id")
