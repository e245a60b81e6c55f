"""A workspace says how long its agents' questions wait: minutes, `none` for as long as it takes, or nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("workspaces", sa.Column("question_timeout_minutes", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("workspaces", "question_timeout_minutes")
