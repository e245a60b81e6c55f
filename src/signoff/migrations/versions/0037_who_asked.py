"""A question from outside says who asked it. Those from before say nothing, and end with their runs."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("asks", sa.Column("asked_by", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("asks", "asked_by")
