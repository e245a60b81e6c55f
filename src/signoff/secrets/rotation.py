"""A new key for everything that is sealed, while servers run."""

from sqlalchemy.orm import Session

from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.secrets import store
from signoff.secrets.keyring import begin_rotation, end_rotation, keyring_for


def rotate(db: Database, settings: Settings) -> int:
    """Seal all secrets with a new key, and forget the keys before it. How many there were.

    Whoever dies in between leaves keys that open everything; the next rotation goes on from there.
    """
    # Commits survive a power cut, since the key that they make needless is deleted next.
    resealed = db.write(lambda session: _begin(session, settings), durable=True)
    while not db.write(lambda session: _ended(session, settings), durable=True):
        pass
    return resealed


def _begin(session: Session, settings: Settings) -> int:
    store.keep_others_out(session)
    begin_rotation(settings)
    return store.reseal(session, keyring_for(settings))


def _ended(session: Session, settings: Settings) -> bool:
    """Whether the key of today sealed everything that is committed: only then are the others forgotten."""
    store.keep_others_out(session)
    if store.reseal(session, keyring_for(settings)):
        return False
    end_rotation(settings)
    return True
