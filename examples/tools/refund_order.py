"""A tool of your own: it pays money back. `own_tool.py` shows it at work."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from signoff.tools import Impact, ImpactKind, ToolContext, ToolFailed, tool
from signoff.tools.effects import NoPreview, Preview

# Your shop's database stands here.
ORDERS = {"A-17": {"customer": "Ada", "paid": 80.0}, "A-18": {"customer": "Linus", "paid": 45.5}}


def _impact(arguments: dict[str, Any], _folder: Path) -> Impact:
    """What it does to the world, for these arguments: rules and the inbox go by it."""
    kinds = (ImpactKind.MOVES_MONEY, ImpactKind.REACHES_CUSTOMERS)
    return Impact(kinds, f"Pays {arguments['amount']:.2f} back to a customer")


def _preview(_context: ToolContext, arguments: dict[str, Any]) -> Preview:
    """What the approver sees before deciding. It only reads."""
    order = ORDERS.get(arguments["order"])
    if order is None:
        raise NoPreview(f"There is no order {arguments['order']}.")
    left = order["paid"] - arguments["amount"]
    fields = [
        {"label": "Customer", "value": order["customer"]},
        {"label": "Paid", "value": f"{order['paid']:.2f}"},
        {"label": "Left after this", "value": f"{left:.2f}"},
    ]
    return Preview("fields", f"{order['customer']} gets {arguments['amount']:.2f} back", {"fields": fields})


@tool(
    risk="high",
    operation_type="refund",
    title="Refund {amount} for order {order}",
    impact=_impact,
    preview=_preview,
)
def refund_order(
    context: ToolContext, order: str, amount: Annotated[float, Field(gt=0, le=500)], why: str
) -> dict[str, Any]:
    """Pay money back for an order. Say why: the approver and the customer read it."""
    known = ORDERS.get(order)
    if known is None or amount > known["paid"]:
        # Nothing happened, and the model reads why.
        raise ToolFailed(f"Order {order} has no {amount:.2f} to pay back.")
    # `context.idempotency_key` is the same at every attempt of this call: payment providers take it to pay only once.
    return {"refunded": amount, "customer": known["customer"], "receipt": context.idempotency_key[:8], "why": why}
