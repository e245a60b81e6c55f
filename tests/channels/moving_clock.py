"""A clock that a test moves, for what brings messages out: what is due later is due now. Runs keep the real one."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from signoff.channels import actions, queries
from signoff.channels.accounts import linking
from signoff.channels.answer_links import routes, tokens
from signoff.channels.delivering import deliverer
from signoff.channels.webhook import transport
from tests.house import House


class MovingClock:
    def __init__(self, house: House) -> None:
        self._house = house
        self._ahead = timedelta(0)

    def now(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def move(self, **by: float) -> None:
        self._ahead += timedelta(**by)
        self._house.parts.deliverer.nudge()


@contextmanager
def moving_clock(house: House) -> Iterator[MovingClock]:
    moving = MovingClock(house)
    with pytest.MonkeyPatch.context() as patch:
        for module in (actions, deliverer, linking, queries, routes, tokens, transport):
            patch.setattr(module, "clock", moving)
        yield moving
