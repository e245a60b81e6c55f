"""An ask keeps the whole call that it is about as policy saw it; those that wait get it from their run."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
JUDGED = ("approval", "plan")
AT_ONCE = 500


def upgrade() -> None:
    op.add_column("asks", sa.Column("proposed_call", JSON, nullable=True))
    names = ("id", "run_id", "status", "kind", "tool", "operation_type", "risk_level", "confidence", "agent")
    typed = [sa.column(name, JSON) for name in ("risk_reasons", "proposed_call")]
    asks = sa.table("asks", *map(sa.column, names), sa.column("estimated_cost_credits"), *typed)
    run_names = [sa.column(name) for name in ("id", "created_by", "title", "mode")]
    runs = sa.table("runs", *run_names, sa.column("input", JSON))
    waiting = sa.select(asks, runs.c.input, runs.c.created_by, runs.c.title, runs.c.mode)
    waiting = waiting.join(runs, runs.c.id == asks.c.run_id)
    waiting = waiting.where(asks.c.status == "pending", asks.c.kind.in_(JUDGED)).order_by(asks.c.id).limit(AT_ONCE)
    connection, last = op.get_bind(), ""
    while rows := connection.execute(waiting.where(asks.c.id > last)).all():
        for row in rows:
            fill = sa.update(asks).where(asks.c.id == row.id)
            connection.execute(fill.values(proposed_call=_proposed_call(row)))
        last = rows[-1].id


def _proposed_call(row: "sa.Row[tuple[object, ...]]") -> dict[str, object]:
    plan = row.kind == "plan"
    seen = {
        "tool": "propose_plan" if plan else row.tool,
        "is_control": plan,
        "assessment": {"level": row.risk_level or "high", "reasons": [] if plan else list(row.risk_reasons or [])},
        "operation_type": row.operation_type,
        "confidence": row.confidence,
        "cost": row.estimated_cost_credits,
        "agent": row.agent,
        "scope": row.run_id,
        "fields": {"input": row.input, "created_by": row.created_by, "title": row.title, "mode": row.mode},
    }
    return {name: value for name, value in seen.items() if value is not None and value is not False}


def downgrade() -> None:
    op.drop_column("asks", "proposed_call")
