"""Until when the secret before signs stands beside a webhook's settings, and no webhook follows no event at all."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

UNTIL, EVENTS = "previous_until", "events"
JSON = sa.JSON(none_as_null=True)
channels = sa.table(
    "channels",
    sa.column("id", sa.Text()),
    sa.column("kind", sa.Text()),
    sa.column("settings", JSON),
    sa.column("enabled", sa.Boolean()),
    sa.column(UNTIL, sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    op.add_column("channels", sa.Column(UNTIL, sa.DateTime(timezone=True), nullable=True))
    for row in _webhooks():
        values = {"settings": {name: value for name, value in row.settings.items() if name != UNTIL}}
        if UNTIL in row.settings:
            values[UNTIL] = datetime.fromisoformat(row.settings[UNTIL])
        if values["settings"].get(EVENTS) == []:
            # It was sent nothing, and goes on being sent nothing.
            del values["settings"][EVENTS]
            values["enabled"] = False
        _change(row.id, values)


def downgrade() -> None:
    for row in _webhooks(channels.c.previous_until):
        at = row.previous_until
        if at is not None:
            until = (at if at.tzinfo else at.replace(tzinfo=UTC)).isoformat()
            _change(row.id, {"settings": {**row.settings, UNTIL: until}})
    op.drop_column("channels", UNTIL)


def _webhooks(*more: sa.ColumnElement) -> list:
    query = sa.select(channels.c.id, channels.c.settings, *more).where(channels.c.kind == "webhook")
    return list(op.get_bind().execute(query))


def _change(channel_id: str, values: dict) -> None:
    op.get_bind().execute(sa.update(channels).where(channels.c.id == channel_id).values(**values))
