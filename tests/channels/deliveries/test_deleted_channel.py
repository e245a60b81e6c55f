"""A channel that is deleted leaves no sealed secret behind: neither its own nor what waited to go out by it."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.channels import actions
from signoff.channels.account_mail import mail_invitation
from signoff.channels.models import Channel, Delivery
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.secrets import store
from signoff.secrets.keyring import keyring_for
from signoff.secrets.models import Secret
from signoff.workspaces import actions as workspaces


@pytest.mark.both_databases
def test_a_deleted_channel_takes_along_its_secrets_and_those_of_its_messages(db: Database, settings: Settings) -> None:
    keyring = keyring_for(settings)

    def fill(session: Session) -> tuple[Actor, str]:
        ann = workspaces.found(session, "w", "ann@example.org", "Ann")
        mail = Channel(workspace_id=ann.workspace_id, kind="email", name="Mail", settings={}, about=[])
        session.add(mail)
        session.flush()
        store.put(session, keyring, ann.workspace_id, mail.id, {"password": "p"})
        store.put(
            session, keyring, ann.workspace_id, ann.id, {f"link code {mail.id}": "CODE", "link code of another": "CODE"}
        )
        assert mail_invitation(session, keyring, ann, "https://x.example/?token=t", "Ben")
        return Actor.system(ann.workspace_id), mail.id

    actor, mail = db.write(fill)
    assert len(names(db)) == 4
    db.write(lambda s: actions.delete(s, actor, s.get_one(Channel, mail)))
    assert names(db) == ["link code of another"]
    assert db.read(lambda s: s.query(Delivery).count()) == 0


def names(db: Database) -> list[str]:
    return db.read(lambda s: list(s.scalars(select(Secret.name))))
