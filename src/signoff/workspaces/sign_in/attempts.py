"""How often people and strangers tried to come in: counted by each application for itself, forgotten when it ends."""

from dataclasses import dataclass, field

from signoff.kit.rate_limits import Rate, Tries


@dataclass(frozen=True)
class Attempts:
    """What one application has counted."""

    sign_ins: Tries = field(default_factory=Tries)
    # Only wrong ones count, so whoever shares the address with a guesser and has a token is let in.
    wrong_tokens: Rate = field(default_factory=lambda: Rate(seconds=60))
    # Where `SIGNOFF_TOKEN` was shown.
    root_seen: Rate = field(default_factory=lambda: Rate(seconds=3600))
    # What was aimed at nobody and went on the record.
    strangers: Rate = field(default_factory=lambda: Rate(seconds=60))
    # Wrong passwords for an address that several accounts have, before it looks like guessing.
    mistypes: Rate = field(default_factory=lambda: Rate(seconds=3600))
    # Sign-in links that somebody had mailed to an address.
    mailed_links: Rate = field(default_factory=lambda: Rate(seconds=3600))
