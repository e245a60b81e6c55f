"""Times that a person names: `7d`, `12h`, or a date. Pure but for the clock."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
Since = Annotated[
    str | None, typer.Option("--since", metavar="WHEN", help="Only after this: 7d, 12h, or a date like 2026-01-31.")
]


def hours(text: str, option: str) -> float:
    """How long a text like `7d` means."""
    if given := re.fullmatch(r"(\d{1,5})([hdw])", text):
        return timedelta(**{UNITS[given[2]]: int(given[1])}) / timedelta(hours=1)
    raise typer.BadParameter(f"{text!r} is no length of time. Examples: 12h, 7d.", param_hint=option)


def moment(text: str | None, option: str = "--since") -> datetime | None:
    """The time that a text names; a time without a zone is the one on this machine."""
    if text is None:
        return None
    try:
        if ago := re.fullmatch(r"(\d{1,5})([mhdw])", text):
            return datetime.now(UTC) - timedelta(**{UNITS[ago[2]]: int(ago[1])})
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is not a time. Examples: 7d, 12h, 2026-01-31.", param_hint=option) from None
