"""A question keeps whether it asks for an approval, whoever may answer it."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

# Until now only those whom it named told them apart.
KNOWN_SO_FAR = "kind = 'question' AND CAST(approvers AS TEXT) LIKE '%\"role:approver\"%'"


def upgrade() -> None:
    op.add_column("asks", sa.Column("asks_approval", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(f"UPDATE asks SET asks_approval = true WHERE {KNOWN_SO_FAR}")  # noqa: S608 - words of ours


def downgrade() -> None:
    op.drop_column("asks", "asks_approval")
