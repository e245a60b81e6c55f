"""How often a run took its worker down, and the ask that decides about it then."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("falls", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("runs", sa.Column("aside_id", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("runs", "aside_id")
    op.drop_column("runs", "falls")
