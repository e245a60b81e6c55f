"""The demo's refund: what is given back, and the message that says so."""

import re

from signoff.engine.model.demo.steps.given import given, money, number, text_in
from signoff.engine.model.demo.turns import DemoTurn, Past, hand_on

NO_LONGER_WANTED = r"no longer|changed my mind|don.t (?:want|need|like)|too (?:big|small)|not needed"
HANDLING = 0.1


def refund_calculator(past: Past) -> DemoTurn:
    """All of it, less the handling if it only was not wanted any more."""
    order = given(past.task)
    paid = number(order.get("order_total"))
    if paid is None:
        paid = number((re.search(r"\$\s?[\d,.]*\d", past.task) or [""])[0]) or 0
    currency = text_in(order, "currency") or "USD"
    reason = text_in(order, "reason") or past.task
    kept = HANDLING if re.search(NO_LONGER_WANTED, reason, re.IGNORECASE) else 0
    amount = round(paid * (1 - kept), 2)
    why = (
        f"It works, but is not wanted any more: {money(paid, currency)} less {HANDLING:.0%} for handling."
        if kept
        else f"What was delivered is not as it should be, so all of the {money(paid, currency)} is given back."
    )
    output = {"amount": amount, "currency": currency, "why": why, "confidence": 0.87}
    return hand_on("I work out what is given back.", f"{money(amount, currency)} are given back. {why}", output)


def refund_letter(past: Past) -> DemoTurn:
    """Names exactly the amount that it was given."""
    order = given(past.task)
    name, number_of_order = text_in(order, "customer_name") or "customer", text_in(order, "order_id")
    amount = money(number(order.get("amount")) or 0, text_in(order, "currency") or "USD")
    about = f" for order #{number_of_order}" if number_of_order else ""
    subject = f"Refund Confirmation{f' - Order #{number_of_order}' if number_of_order else ''}"
    text = (
        f"Dear {name.split(' ')[0]},\n\nyour refund of {amount}{about} is on its way. Please allow 5 to 7 business "
        "days until it is on your account.\n\nWe are sorry for the trouble.\n\nYour support team"
    )
    return hand_on("I write the message.", f"The message to {name} is written.", {"subject": subject, "text": text})
