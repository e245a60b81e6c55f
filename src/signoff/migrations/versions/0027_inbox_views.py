"""Who did their part in an ask is found by an index, and so is what was decided."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

DECIDED = "status IN ('approved', 'denied', 'answered', 'expired')"
INDEXES = {
    "asks_decided": ["workspace_id", "settled_at", "id"],
    "asks_decided_by": ["workspace_id", "settled_by", "settled_at", "id"],
}
COLUMNS = ("workspace_id", "person", "part", "ask_id")
TOGETHER = 1_000


def upgrade() -> None:
    op.create_table(
        "ask_parts",
        *(sa.Column(name, sa.Text(), nullable=False) for name in COLUMNS),
        sa.ForeignKeyConstraint(["ask_id"], ["asks.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint(*COLUMNS),
    )
    op.create_index("ask_parts_by_ask", "ask_parts", ["ask_id"])
    for name, columns in INDEXES.items():
        op.create_index(name, "asks", columns, sqlite_where=sa.text(DECIDED), postgresql_where=sa.text(DECIDED))
    _take_over_signatures()


def _take_over_signatures() -> None:
    connection = op.get_bind()
    parts = sa.table("ask_parts", *(sa.column(name) for name in COLUMNS))
    written = "CAST(signatures AS TEXT)"
    query = f"SELECT id, workspace_id, status, {written} FROM asks WHERE {written} <> '[]'"  # noqa: S608
    rows = [
        {"workspace_id": workspace, "person": by, "part": "signed" if status == "pending" else "decided", "ask_id": id_}
        for id_, workspace, status, signed in connection.execute(sa.text(query))
        for by in sorted({each["by"] for each in json.loads(signed) if each["decision"] == "approve"})
    ]
    for start in range(0, len(rows), TOGETHER):
        connection.execute(sa.insert(parts), rows[start : start + TOGETHER])


def downgrade() -> None:
    for name in INDEXES:
        op.drop_index(name, "asks")
    op.drop_table("ask_parts")
