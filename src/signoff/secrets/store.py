"""The one store of secrets: put in, taken out by whoever uses them, never shown."""

from collections.abc import Iterable, Mapping

from sqlalchemy import Select, delete, select, text
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.db.inserts import insert_new
from signoff.secrets.keyring import CannotOpen, Keyring
from signoff.secrets.models import Secret

# Whose secrets belong to no workspace.
INSTALLATION = "installation"


def put(session: Session, keyring: Keyring, workspace_id: str, owner_id: str, secrets: Mapping[str, str]) -> None:
    """Keep these; one of the same name is replaced, an empty one is forgotten."""
    _lock(session, "ROW EXCLUSIVE")
    for name, value in secrets.items():
        known = session.get(Secret, (owner_id, name))
        if known is not None and known.workspace_id != workspace_id:
            raise AssertionError("a secret belongs to one workspace")
        if not value:
            if known is not None:
                session.delete(known)
            continue
        sealed = keyring.seal(value, workspace_id, owner_id, name)
        if known is None:
            session.add(Secret(owner_id=owner_id, name=name, workspace_id=workspace_id, sealed=sealed))
        else:
            known.sealed, known.changed_at = sealed, clock.now()
    session.flush()


def put_once(session: Session, keyring: Keyring, workspace_id: str, owner_id: str, name: str, value: str) -> None:
    """Keep it unless there is one of this name; of two who put one in at the same time, one does."""
    _lock(session, "ROW EXCLUSIVE")
    row = {"owner_id": owner_id, "name": name, "workspace_id": workspace_id}
    row["sealed"] = keyring.seal(value, workspace_id, owner_id, name)
    insert_new(session, Secret, [row])


def take(session: Session, keyring: Keyring, workspace_id: str, owner_id: str) -> dict[str, str]:
    """All secrets of one row, opened: for whoever is about to use them, and for nobody else."""
    query = select(Secret).where(Secret.owner_id == owner_id, Secret.workspace_id == workspace_id)
    return {row.name: keyring.open(row.sealed, workspace_id, owner_id, row.name) for row in session.scalars(query)}


def names(session: Session, owner_ids: Iterable[str]) -> dict[str, list[str]]:
    """Which secrets each of these has: all that is ever shown of them."""
    found: dict[str, list[str]] = {each: [] for each in owner_ids}
    query = select(Secret.owner_id, Secret.name).where(Secret.owner_id.in_(found)).order_by(Secret.name)
    for owner_id, name in session.execute(query):
        found[owner_id].append(name)
    return found


def drop(session: Session, owner_ids: Iterable[str] | Select[str]) -> None:
    """Forget all secrets of these rows, however many a query finds."""
    whose = owner_ids if isinstance(owner_ids, Select) else list(owner_ids)
    session.execute(delete(Secret).where(Secret.owner_id.in_(whose)))


def reseal(session: Session, keyring: Keyring) -> int:
    """Seal with the key of today what an earlier one sealed. How many there were."""
    old = [row for row in session.scalars(select(Secret)) if not keyring.is_current(row.sealed)]
    for row in old:
        place = (row.workspace_id, row.owner_id, row.name)
        try:
            row.sealed = keyring.seal(keyring.open(row.sealed, *place), *place)
        except CannotOpen as error:
            raise CannotOpen(f"{row.name} of {row.owner_id}: {error.detail}") from None
    session.flush()
    return len(old)


def keep_others_out(session: Session) -> None:
    """Until this transaction ends nobody seals anything, and what others have sealed by now is there."""
    _lock(session, "EXCLUSIVE")


def _lock(session: Session, mode: str) -> None:
    """Before the key is read: whoever seals and whoever changes the key take turns. On SQLite all who write do."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text(f"LOCK TABLE {Secret.__tablename__} IN {mode} MODE"))
