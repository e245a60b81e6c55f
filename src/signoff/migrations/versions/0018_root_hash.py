"""`credentials.seal` is called what it is: the hash of the `SIGNOFF_TOKEN` that a credential was made with."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE credentials RENAME COLUMN seal TO root_hash")


def downgrade() -> None:
    op.execute("ALTER TABLE credentials RENAME COLUMN root_hash TO seal")
