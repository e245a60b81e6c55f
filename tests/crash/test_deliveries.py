"""Death between sending a message and noting that it was sent: one repeat, marked as such, and never a third."""

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from signoff.channels import actions
from signoff.channels.models import Delivery, DeliveryAttempt
from signoff.channels.schemas import ChannelIn
from signoff.main import ADMIN_EMAIL
from signoff.secrets.keyring import keyring_for
from signoff.workspaces.models import User
from tests.channels.mailbox import Mailbox
from tests.crash.scene import PATIENCE, Scene
from tests.house import until


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    mailbox = Mailbox()
    yield mailbox
    mailbox.close()


def waits_with_mail(scene: Scene, mailbox: Mailbox) -> None:
    """A run that will ask, and a mail server that hears of it. Whoever runs the server has set it up."""
    body = ChannelIn(kind="email", name="Mail", settings=mailbox.settings)

    def set_up(session) -> None:
        channel, _ = actions.create(session, keyring_for(scene.settings), scene.actor, body)
        channel.reaches_private = True
        # The first admin has no mailbox.
        for user in session.scalars(select(User).where(User.email == ADMIN_EMAIL)):
            user.email = "ana@example.org"

    scene.db.write(set_up)
    scene.story(risk_overrides={"charge": "approval_required"})


def only(scene: Scene) -> Delivery:
    return scene.db.read(lambda s: s.scalars(select(Delivery)).one())


@pytest.mark.both_databases
def test_a_mail_whose_end_nobody_noted_is_sent_once_more_and_says_so(scene: Scene, mailbox: Mailbox) -> None:
    waits_with_mail(scene, mailbox)
    scene.life("delivered").died()
    assert (len(mailbox.mails), only(scene).status) == (1, "sending")
    scene.life()
    until(lambda: only(scene).status == "sent", PATIENCE)
    first, second = mailbox.mails
    assert (first["X-Signoff-Repeated"], second["X-Signoff-Repeated"]) == (None, "true")
    assert first["Message-ID"] == second["Message-ID"]
    tries = scene.db.read(lambda s: s.scalars(select(DeliveryAttempt).order_by(DeliveryAttempt.id)).all())
    assert [(each.outcome, each.repeated) for each in tries] == [(None, False), ("sent", True)]


def test_a_mail_that_nobody_survives_twice_is_given_up(scene: Scene, mailbox: Mailbox) -> None:
    waits_with_mail(scene, mailbox)
    for _ in range(2):
        scene.life("delivered").died()
    scene.life()
    until(lambda: only(scene).status == "failed", PATIENCE)
    assert len(mailbox.mails) == 2
    assert "Nobody knows" in (only(scene).error or "")
