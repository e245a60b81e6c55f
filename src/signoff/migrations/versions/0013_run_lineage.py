"""A run's parent is the run that started it; what it continues or tries again has columns of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

INDEXES = {"runs_by_parent": "parent_id", "runs_by_continued": "continues_id", "runs_by_retried": "retries_id"}


def upgrade() -> None:
    with op.batch_alter_table("runs") as runs:
        for column in ("continues_id", "retries_id"):
            runs.add_column(sa.Column(column, sa.Text(), nullable=True))
            runs.create_foreign_key(f"runs_{column}_fkey", "runs", [column], ["id"], ondelete="SET NULL")
    # So far only continuations and retries had a parent. A continuation counts on from it, a retry keeps its count.
    before = "(SELECT ended.continuation_count FROM runs AS ended WHERE ended.id = runs.parent_id)"
    op.execute(f"UPDATE runs SET continues_id = parent_id WHERE continuation_count > {before}")  # noqa: S608
    op.execute("UPDATE runs SET retries_id = parent_id WHERE parent_id IS NOT NULL AND continues_id IS NULL")
    op.execute("UPDATE runs SET parent_id = NULL WHERE parent_id IS NOT NULL")
    for name, column in INDEXES.items():
        linked = sa.text(f"{column} IS NOT NULL")
        op.create_index(name, "runs", [column], sqlite_where=linked, postgresql_where=linked)


def downgrade() -> None:
    for name in INDEXES:
        op.drop_index(name, "runs")
    op.execute("UPDATE runs SET parent_id = coalesce(continues_id, retries_id)")
    with op.batch_alter_table("runs") as runs:
        for column in ("retries_id", "continues_id"):
            runs.drop_constraint(f"runs_{column}_fkey", type_="foreignkey")
            runs.drop_column(column)
