"""Who had a hand in a run or an ask, so that four eyes are two people's."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
ENDED = ("completed", "failed", "cancelled", "timeout")


def upgrade() -> None:
    op.add_column("asks", sa.Column("edited_by", JSON, nullable=False, server_default="[]"))
    op.add_column("runs", sa.Column("parties", JSON, nullable=False, server_default="[]"))
    _remember_who_spoke()


def _remember_who_spoke() -> None:
    """Runs that are under way know from now on who started them and who sent them messages."""
    runs = sa.table("runs", sa.column("id"), sa.column("status"), sa.column("created_by"), sa.column("parties", JSON))
    messages = sa.table("messages", sa.column("id"), sa.column("run_id"), sa.column("author"))
    connection = op.get_bind()
    query = sa.select(runs.c.id, runs.c.created_by, messages.c.author)
    query = query.outerjoin(messages, sa.and_(messages.c.run_id == runs.c.id, messages.c.author.is_not(None)))
    spoke = dict[str, list[str]]()
    for run_id, started_by, author in connection.execute(query.where(runs.c.status.not_in(ENDED))):
        known = spoke.setdefault(run_id, [started_by])
        if author and author not in known:
            known.append(author)
    users = sa.table("users", sa.column("id"), sa.column("email"))
    ids = {email: user_id for user_id, email in connection.execute(sa.select(users.c.id, users.c.email))}
    change = runs.update().where(runs.c.id == sa.bindparam("run")).values(parties=sa.bindparam("names", type_=JSON))
    told = [
        {"run": run_id, "names": [*labels, *(ids[label] for label in labels if label in ids)]}
        for run_id, labels in spoke.items()
    ]
    for first in range(0, len(told), 5_000):
        connection.execute(change, told[first : first + 5_000])


def downgrade() -> None:
    op.drop_column("runs", "parties")
    op.drop_column("asks", "edited_by")
