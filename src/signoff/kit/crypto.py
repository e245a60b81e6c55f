"""Secrets: made at random, stored only as hashes."""

import hashlib
import hmac
import secrets

# API tokens, sessions, sign-in links, invitations, answer links, reply addresses, webhooks that start workflows: what
# masks secrets looks for these.
PREFIXES = ("sgn", "ses", "link", "inv", "ans", "rep", "hook")


def new_secret(prefix: str) -> str:
    """A token that can be recognised in a leak, with 256 bits of noise."""
    assert prefix in PREFIXES, prefix
    return f"{prefix}_{secrets.token_urlsafe(32)}"


def hash_secret(secret: str) -> str:
    """Our secrets are random and long, so a plain hash is enough; passwords go through argon2."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def same(one: str, other: str) -> bool:
    """Compare without telling by the time it takes."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
