"""A run may bear the name of the project that it belongs to, and agents have an order."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

LABELLED = sa.text("project_id IS NOT NULL")


def upgrade() -> None:
    op.add_column("runs", sa.Column("project_id", sa.Text(), nullable=True))
    op.add_column("agents", sa.Column("sort_order", sa.Integer(), nullable=False, server_default="0"))
    columns = ["workspace_id", "project_id", "id"]
    op.create_index("runs_by_project", "runs", columns, sqlite_where=LABELLED, postgresql_where=LABELLED)


def downgrade() -> None:
    op.drop_column("agents", "sort_order")
    op.drop_index("runs_by_project", "runs")
    op.drop_column("runs", "project_id")
