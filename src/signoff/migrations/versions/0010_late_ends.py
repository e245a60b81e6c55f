"""How a call ended after it was given up on."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("calls", sa.Column("late", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("calls", "late")
