"""Documents that agents can search, by their words, and what agents keep from run to run."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
SQLITE = (
    "CREATE VIRTUAL TABLE passages_fts USING fts5("
    "folded, content='passages', content_rowid='id', tokenize='unicode61 remove_diacritics 0')",
    "CREATE TRIGGER passages_fts_added AFTER INSERT ON passages BEGIN "
    "INSERT INTO passages_fts(rowid, folded) VALUES (new.id, new.folded); END",
    "CREATE TRIGGER passages_fts_dropped AFTER DELETE ON passages BEGIN "
    "INSERT INTO passages_fts(passages_fts, rowid, folded) VALUES ('delete', old.id, old.folded); END",
    "CREATE TRIGGER passages_fts_changed AFTER UPDATE OF folded ON passages BEGIN "
    "INSERT INTO passages_fts(passages_fts, rowid, folded) VALUES ('delete', old.id, old.folded); "
    "INSERT INTO passages_fts(rowid, folded) VALUES (new.id, new.folded); END",
)
POSTGRESQL = (
    "ALTER TABLE passages ADD COLUMN words_fts tsvector GENERATED ALWAYS AS (to_tsvector('simple', folded)) STORED",
    "CREATE INDEX passages_words_fts ON passages USING gin (words_fts)",
)


def upgrade() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("passage_count", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("workspace_id", "sha256"),
    )
    op.create_index("documents_by_workspace", "documents", ["workspace_id", "id"])
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "passages",
        sa.Column("id", number, nullable=False, autoincrement=True),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("document_id", "position"),
    )
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)
    op.create_table(
        "memory_notes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("updated_by", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("workspace_id", "agent", "key"),
    )
    op.create_index("memory_notes_by_agent", "memory_notes", ["workspace_id", "agent", "id"])


def downgrade() -> None:
    op.drop_table("memory_notes")
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE passages_fts")
    op.drop_table("passages")
    op.drop_table("documents")
