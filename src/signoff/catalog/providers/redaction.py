"""What a provider says, without what nobody should read: our keys and the addresses of our own servers. Pure."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from signoff.kit.text.masking import masked_text

HIDDEN, ADDRESS = "[hidden]", "[its address]"
# Shorter ones are words, and are no keys.
SHORTEST = 6
_SECRET_NAME = re.compile(r"_(?:API_KEY|KEY|TOKEN|SECRET|PASSWORD)$")
_ADDRESS_NAME = re.compile(r"_(?:BASE_URL|ENDPOINT|HOST)$")
# Providers quote a key that they refuse with its middle starred.
_STARRED = re.compile(r"[\w-]*\*{3,}[\w*-]*")


def redacted(text: str, environment: Mapping[str, str]) -> str:
    """The same without values of the environment, whoever wrote them into it."""
    for value in sorted(_secrets(environment), key=len, reverse=True):
        text = text.replace(value, HIDDEN)
    for value in sorted(_addresses(environment), key=len, reverse=True):
        text = text.replace(value, ADDRESS)
    return masked_text(_STARRED.sub(HIDDEN, text))


def _secrets(environment: Mapping[str, str]) -> set[str]:
    found = (value.strip() for name, value in environment.items() if _SECRET_NAME.search(name))
    return {value for value in found if len(value) >= SHORTEST}


def _addresses(environment: Mapping[str, str]) -> set[str]:
    found = set[str]()
    for value in (value.strip() for name, value in environment.items() if _ADDRESS_NAME.search(name)):
        found |= {value, value.rstrip("/")}
        try:
            parts = urlsplit(value)
        except ValueError:
            continue
        found.add(parts.netloc)
        # A name without a dot may be a word of the sentence.
        if parts.hostname and ("." in parts.hostname or ":" in parts.hostname):
            found.add(parts.hostname)
    return {value for value in found if len(value) >= SHORTEST}
