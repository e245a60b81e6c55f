"""The demo's customer support: drafts a reply that fits the ticket, and sends nothing that nobody approved."""

import re

from signoff.engine.model.demo.task_words import customer_name, quoted
from signoff.engine.model.demo.turns import (
    MARK,
    DemoTurn,
    Document,
    Past,
    all_done,
    complete,
    finish,
    hand_over,
    progress,
)

STEPS = ["Read the ticket", "Draft the reply", "Send it"]
CHANNEL = "#customer-replies"
REPLIES = [
    (
        r"refund|money back|return",
        "Thank you for your patience, and I am sorry that you have to ask. A refund is booked on the day on which "
        "the return reaches us, and is on your account within three working days. I have asked our accounts team "
        "to look at yours, and will tell you the exact date by tomorrow noon.",
    ),
    (
        r"invoice|bill|charge|price|pay",
        "You are right to ask. I am going through your last two invoices line by line with our accounts team. By "
        "tomorrow noon you will have the explanation and, if we were wrong, a corrected invoice. Until then you "
        "need not pay the difference.",
    ),
    (
        r"deliver|ship|package|parcel|order|arriv|late",
        "I am sorry that you are still waiting. I have asked the carrier where your order is, and will write to "
        "you by tomorrow noon with the answer. If it is lost, a new one goes out the same day; you need not do "
        "anything.",
    ),
    (
        r"log ?in|password|account|sign|access|locked",
        "Let us get you back in. Please choose “Forgot password” on the sign-in page: the link comes within a few "
        "minutes and works for an hour. If it does not come, answer this message and I will unlock your account "
        "by hand.",
    ),
    (
        r"cancel|unsubscrib|subscription|leave|terminate",
        "I am sorry to see you go. Your subscription can be cancelled at any time and runs to the end of the "
        "month that you have paid for. If you answer with “yes”, I will cancel it today and confirm it in "
        "writing.",
    ),
    (
        r"broken|bug|error|defect|crash|fail|doesn.t work|not work|wrong",
        "I am sorry about the trouble. Could you tell me what you did just before, and send a picture of what you "
        "saw? I have opened a case with our engineers, and you will hear from me by tomorrow noon whatever they "
        "have found.",
    ),
]
OTHERWISE = (
    "Thank you for writing to us. I would rather give you a right answer than a quick one, so I have put your "
    "question to the colleague who knows it best. You will hear from me by tomorrow noon."
)


def reply_for(task: str) -> str:
    """A whole message to the customer."""
    body = next((text for words, text in REPLIES if re.search(rf"\b(?:{words})", task, re.IGNORECASE)), OTHERWISE)
    return (
        f"Hello{f' {customer_name(task)}' if customer_name(task) else ''},\n\n{body}\n\nBest wishes\nYour support team"
    )


def document(task: str) -> Document:
    to = customer_name(task) or "the customer"
    content = f"# Reply to {to}\n\n{MARK}\n**The ticket**\n\n{quoted(task)}\n\n## The reply\n\n{reply_for(task)}\n"
    return Document(f"reply-to-{to.lower().replace(' ', '-')}.md", "the reply", content)


def support_reply(past: Past) -> DemoTurn:
    """Reads, drafts, and asks before anything reaches a customer."""
    to, kept = customer_name(past.task) or "the customer", document(past.task)
    if past.may("report_progress"):
        return DemoTurn(f"Let me read what {to} needs.", (progress(STEPS[0], STEPS, 20),))
    if past.may("send_message"):
        send = {
            "channel": CHANNEL,
            "text": reply_for(past.task),
            "_reasoning": "It is kind, says what happens next, and promises only what the team can keep.",
            "_confidence": 0.91,
        }
        return DemoTurn(f"I have a reply to {to} ready.", (progress(STEPS[2], STEPS, 70), ("send_message", send)))
    if past.may("create_deliverable"):
        sent = past.worked("send_message")
        note = hand_over(kept.path, kept.content, "The reply, as it was sent" if sent else "The reply; it was not sent")
        summary = (
            f"The reply to {to} was sent to {CHANNEL}."
            if sent
            else f"Nothing was sent to {to}. The draft is kept, so that you can change it and send it yourself."
        )
        text = "It is sent. Here is a copy for your records." if sent else "Then I keep it as a draft."
        return DemoTurn(text, (note, *((all_done(STEPS),) if sent else ()), complete(summary)))
    return finish(f"The reply to {to} is drafted.")
