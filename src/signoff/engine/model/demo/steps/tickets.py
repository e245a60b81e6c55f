"""The demo's ticket triage: reads the ticket's own words, and makes up the customer."""

import re
from typing import Any

from signoff.engine.model.demo.steps.given import given, number, text_in, value_in
from signoff.engine.model.demo.turns import DemoTurn, Past, hand_on
from signoff.kit.jsons import JsonObject

TAGS = {
    "billing": r"refund|money back|invoice|charge[sd]?|bill|paid|payment",
    "refund": r"refund|money back",
    "urgent": r"urgent|asap|immediately|at once|production is down",
    "login": r"log ?in|password|sign in|locked",
    "network": r"vpn|wifi|wi-fi|network|internet|connection",
    "hardware": r"laptop|screen|printer|keyboard|battery|device",
    "crash": r"crash|error|freez|not start",
}
CATEGORIES = {
    "billing": "billing",
    "login": "account",
    "network": "network",
    "crash": "software",
    "hardware": "hardware",
}
UPSET = r"nobody (?:answered|answers|replied)|still|again|for days|unacceptable|frustrat|waiting|stays silent"
MADE_UP = "made up for the demo"
ACTIONS: dict[str, tuple[str, str, list[str]]] = {
    "refund": (
        "Process refund",
        "What was delivered does not do what it was bought for.",
        ["Work out the refund.", "Have a person check the amount.", "Tell the customer when the money arrives."],
    ),
    "fix": (
        "Fix it remotely",
        "What the ticket describes is usually a setting.",
        ["Ask for a time that suits.", "Go through the known fixes for this category.", "Confirm that it works."],
    ),
    "ask": (
        "Ask for what is missing",
        "The ticket does not say enough to decide.",
        ["Ask what exactly happened, and when.", "Ask for the number of the order or the device."],
    ),
}


def ticket_analyzer(past: Past) -> DemoTurn:
    """The ticket as fields."""
    text = text_in(given(past.task), "ticket") or past.task
    tags = [tag for tag, words in TAGS.items() if re.search(words, text, re.IGNORECASE)]
    category = next((CATEGORIES[tag] for tag in CATEGORIES if tag in tags), "other")
    output: JsonObject = {
        "ticket_id": _found(r"\b(?!CUST)[A-Z]{2,5}-\d+\b", text),
        "customer_id": _found(r"\bCUST-\d+\b", text),
        "category": category,
        "priority": 3 if "refund" in tags else 2 if "urgent" in tags else 4,
        "tags": tags,
        "sentiment": "frustrated" if re.search(UPSET, text, re.IGNORECASE) else "neutral",
        "confidence": 0.87 if tags else 0.4,
        "extracted_entities": _entities(text),
        "raw_text": text,
    }
    named = output["ticket_id"] or "The ticket"
    return hand_on(
        f"I read the ticket: {category}, priority {output['priority']}.", f"{named} is about {category}.", output
    )


def customer_data(past: Past) -> DemoTurn:
    """A customer whom nobody has to look up: the demo has no systems to look into."""
    asked = text_in(given(past.task), "customer_id") or _found(r"\bCUST-\d+\b", past.task)
    known = asked == "CUST-5678"
    output: JsonObject = {
        "customer_360": {
            "profile": {
                "customer_id": asked,
                "name": "John Doe" if known else None,
                "email": "john.doe@example.com" if known else None,
                "customer_for_years": 3 if known else None,
            },
            "purchase_history": [
                {
                    "order_id": "12345",
                    "date": "2025-11-10",
                    "product": "Wireless Headphones",
                    "amount": 99.99,
                    "currency": "USD",
                    "status": "Delivered 2025-11-12",
                }
            ]
            if known
            else [],
            "support_history": [
                {"ticket_id": "CS-0871", "subject": "Change of address", "status": "resolved"},
                {"ticket_id": "CS-1002", "subject": "Late delivery", "status": "resolved"},
            ]
            if known
            else [],
            "sources": [MADE_UP],
        }
    }
    found = "John Doe: a customer for 3 years, 2 tickets before, both resolved." if known else "Nothing was found."
    return hand_on("I look the customer up.", f"{found} This is {MADE_UP}.", output)


def solution_writer(past: Past) -> DemoTurn:
    """What to do, by what the ticket is about."""
    ticket = value_in(given(past.task), "ticket")
    category, tags = text_in(ticket, "category"), value_in(ticket, "tags")
    wants_refund = "refund" in tags if isinstance(tags, list) else bool(re.search("refund", past.task, re.IGNORECASE))
    action = "refund" if wants_refund else "fix" if category not in ("", "other") else "ask"
    recommendation, cause, steps = ACTIONS[action]
    confidence = 0.92 if action == "refund" else 0.7 if action == "fix" else 0.4
    solution = {
        "action": action,
        "recommendation": recommendation,
        "root_cause": cause,
        "next_steps": steps,
        "confidence": confidence,
    }
    said = f"Recommended: {recommendation.lower()}."
    return hand_on("I weigh what the ticket says against what is known.", said, {"solution": solution})


def _entities(text: str) -> JsonObject:
    amount = re.search(r"(?:\$|€|£|USD|EUR|GBP)\s?(\d[\d,]*(?:\.\d+)?)", text)
    sign = amount[0][:1] if amount else ""
    products = re.search(r"products?\s+((?:\d+(?:,\s*|\s+and\s+)?)+)", text, re.IGNORECASE)
    return {
        "order_id": _found(r"\border\s+(?:number\s+)?#?(\d+)", text),
        "amount": number(amount[1]) if amount else None,
        "currency": {"$": "USD", "€": "EUR", "£": "GBP"}.get(sign, amount[0][:3]) if amount else None,
        "product_ids": [int(each) for each in re.findall(r"\d+", products[1])] if products else [],
        "mentioned_dates": re.findall(r"\b\d{4}-\d{2}-\d{2}\b", text),
    }


def _found(pattern: str, text: str) -> Any:
    match = re.search(pattern, text)
    return match[match.lastindex or 0] if match else None
