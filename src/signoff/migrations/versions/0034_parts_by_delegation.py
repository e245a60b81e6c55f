"""Who signed for somebody, and that person, have done their part only as long as nobody ends the delegation."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ask_parts", sa.Column("delegation_id", sa.Text(), nullable=True))
    connection = op.get_bind()
    signed = "id IN (SELECT ask_id FROM ask_parts WHERE part = 'signed')"
    asks = sa.text(f"SELECT id, CAST(signatures AS TEXT) FROM asks WHERE {signed}")  # noqa: S608
    change = sa.text("UPDATE ask_parts SET delegation_id = :by WHERE ask_id = :ask AND person = :person")
    for ask, signatures in connection.execute(asks).all():
        for each in json.loads(signatures):
            if each["decision"] == "approve" and "delegation" in each:
                for person in (each["by"], each["on_behalf_of"]):
                    connection.execute(change, {"by": each["delegation"], "ask": ask, "person": person})


def downgrade() -> None:
    op.drop_column("ask_parts", "delegation_id")
