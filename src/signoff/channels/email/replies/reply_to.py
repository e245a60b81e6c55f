"""The address that a reply goes to: the mailbox's own, with the token of one person and one question in it. Pure."""

import re

from signoff.channels.email.replies.headers import Headers

# Where a mail says whom it was sent to. The last ones are put there by mail servers.
_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
# Nobody answers more than one at a time; a few may be copies of the same, spelt in another way.
MOST_TOKENS = 5


def reply_address(mailbox: str, token: str) -> str:
    local, _, domain = mailbox.rpartition("@")
    return f"{local}+{token}@{domain}"


def reply_tokens(headers: Headers, mailbox: str) -> list[str]:
    """Every token that it was sent to. Mail programs may have changed capital letters to small ones."""
    local, _, domain = mailbox.lower().rpartition("@")
    ours = re.compile(rf"(?<![^\s<,;:\"']){re.escape(local)}\+(rep_[a-z0-9_-]{{20,60}})@{re.escape(domain)}(?![\w.-])")
    found = (match[1] for value in headers.all(*_RECIPIENTS) for match in ours.finditer(value.lower()))
    return list(dict.fromkeys(found))[:MOST_TOKENS]
