"""The moves of a delivery are one table, and a row keeps to it."""

import pytest

from signoff.channels.models import Delivery
from signoff.channels.states import DELIVERY, REPEATABLE, DeliveryStatus

LEGAL = [(before, to) for before, after in DELIVERY.moves.items() for to in sorted(after)]
ILLEGAL = [(before, to) for before in DeliveryStatus for to in DeliveryStatus if (before, to) not in LEGAL]


@pytest.mark.parametrize(("before", "to"), LEGAL)
def test_what_the_table_allows_is_written(before: DeliveryStatus, to: DeliveryStatus) -> None:
    row = Delivery(status=before.value)
    row.status = to.value
    assert row.status == to


@pytest.mark.parametrize(("before", "to"), ILLEGAL)
def test_what_it_does_not_is_refused(before: DeliveryStatus, to: DeliveryStatus) -> None:
    row = Delivery(status=before.value)
    with pytest.raises(ValueError, match="does not become"):
        row.status = to.value
    assert row.status == before


def test_what_is_over_goes_out_again_only_where_a_person_may_say_so() -> None:
    over = {DeliveryStatus.SENT, DeliveryStatus.FAILED, DeliveryStatus.CANCELLED}
    assert {each for each in over if DELIVERY.moves[each]} == REPEATABLE
