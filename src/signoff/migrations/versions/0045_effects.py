"""What a call would change stands on its ask; silence may approve it; a call may take another one back."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
UNDOES = "undoes IS NOT NULL"


def upgrade() -> None:
    op.add_column("asks", sa.Column("preview", JSON, nullable=True))
    op.add_column("asks", sa.Column("veto", JSON, nullable=True))
    op.add_column("calls", sa.Column("undoes", sa.Text(), nullable=True))
    op.add_column("calls", sa.Column("requested_by", sa.Text(), nullable=True))
    where = sa.text(UNDOES)
    op.create_index("calls_that_undo", "calls", ["run_id"], sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    op.drop_index("calls_that_undo", "calls")
    for table, column in (("calls", "requested_by"), ("calls", "undoes"), ("asks", "veto"), ("asks", "preview")):
        op.drop_column(table, column)
