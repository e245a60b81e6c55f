"""What waited too long for its turn is not sent by who took it: somebody else may have it by then."""

from datetime import timedelta

from sqlalchemy.orm import Session

from signoff.channels.delivering import deliverer
from signoff.channels.delivering.jobs import Job
from signoff.channels.delivering.record import put_back
from signoff.channels.models import Delivery, DeliveryAttempt
from signoff.channels.port import Message, OpenChannel
from signoff.kit import clock
from signoff.kit.ids import new_id
from tests.contract.scenes import a_channel
from tests.house import House


def test_it_is_not_handed_over_and_goes_back_untried(house: House) -> None:
    ids = a_channel(house, house.client)
    job = in_hand(house, ids)
    assert isinstance(deliverer._hand_over(job), deliverer.TooLate)
    house.parts.db.write(lambda session: put_back(session, "me", job, clock.now()))
    row = house.parts.db.read(lambda session: session.get_one(Delivery, job.delivery_id))
    assert (row.status, row.tries, row.owner) == ("queued", 0, None)
    assert house.parts.db.read(lambda session: session.get(DeliveryAttempt, job.attempt_id)) is None


def test_what_is_in_another_hand_by_then_stays_there(house: House) -> None:
    job = in_hand(house, a_channel(house, house.client), owner="somebody else")
    house.parts.db.write(lambda session: put_back(session, "me", job, clock.now()))
    row = house.parts.db.read(lambda session: session.get_one(Delivery, job.delivery_id))
    assert (row.status, row.tries, row.owner) == ("sending", 1, "somebody else")


def in_hand(house: House, ids: dict[str, str], owner: str = "me") -> Job:
    """A delivery that was taken long ago, as this hand remembers it."""
    attempt, at = new_id(), clock.now()

    def take(session: Session) -> None:
        row = session.get_one(Delivery, ids["delivery_id"])
        # It failed before, and somebody sends it again.
        row.status = "queued"
        row.status, row.owner, row.tries, row.lease_until = "sending", owner, 1, at + timedelta(hours=1)
        session.add(DeliveryAttempt(id=attempt, delivery_id=row.id, purpose="send", number=1))

    house.parts.db.write(take)
    channel = OpenChannel(ids["channel_id"], "w", "webhook", "Hook", {"url": "https://hooks.example.org/x"}, {}, False)
    message = Message(id=ids["delivery_id"], kind="test", title="x")
    begins_before = at - timedelta(seconds=1)
    return Job("send", ids["delivery_id"], attempt, 1, channel, None, message, None, begins_before)
