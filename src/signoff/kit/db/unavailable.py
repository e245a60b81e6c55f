"""When the database or the disk does not answer: reported as that, so that clients wait and try again."""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from signoff.kit.errors import SignoffError

RETRY_SECONDS = 5
# The connection broke, another transaction had to go first, the disk is full: no bug, and the work can be tried again.
DATABASE_FAILED = (OperationalError, InterfaceError, PoolTimeout)
_FULL = (errno.ENOSPC, errno.EDQUOT)
# Busy, locked, not allowed, read-only, I/O error, no such file, corrupt, no database.
_SQLITE_AWAY = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
)
# PostgreSQL's classes: connection, rollback for another's sake, resources, stopped by an operator, system error;
# then: read-only, no such database, in no state to answer.
_CLASSES_AWAY = ("08", "40", "53", "57", "58")
_CODES_AWAY = ("25006", "3D000", "55000", "55P03")
_POSTGRES_FULL = "53100"
# Deadlock and failed serialisation: PostgreSQL rolled this transaction back in favour of another one.
_ROLLED_BACK = ("40P01", "40001")


class Unavailable(SignoffError):
    """The same request will do later; with its Idempotency-Key it is done once, whatever came of this one."""

    status = 503
    code = "unavailable"
    title = "Not available right now"


class DatabaseUnavailable(Unavailable):
    code = "database_unavailable"
    title = "The database is not responding"


class DiskFull(Unavailable):
    code = "disk_full"
    title = "The disk is full"


def unavailable(error: BaseException) -> Unavailable | None:
    """What a failure means for the caller, when it is the database's or the disk's."""
    if is_full(error):
        return DiskFull("The server's disk is full. Nothing was changed. Free some space, then try again.")
    if isinstance(error, PoolTimeout | InterfaceError) or (isinstance(error, DBAPIError) and _is_away(error)):
        return DatabaseUnavailable(
            "The database is not responding. Try again soon, with the same Idempotency-Key if you sent one."
        )
    return None


def was_rolled_back(error: DBAPIError) -> bool:
    """Whether nothing was done because of another transaction: the same work may be tried again at once."""
    return _state(error) in _ROLLED_BACK


def is_full(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in _FULL
    if not isinstance(error, DBAPIError):
        return False
    return _sqlite_code(error) == sqlite3.SQLITE_FULL or _state(error) == _POSTGRES_FULL


def _is_away(error: DBAPIError) -> bool:
    if error.connection_invalidated or _sqlite_code(error) in _SQLITE_AWAY:
        return True
    state = _state(error)
    if state is None:
        # No answer at all: psycopg has no code for a connection that was refused.
        return isinstance(error, OperationalError) and not isinstance(error.orig, sqlite3.Error)
    return state in _CODES_AWAY or state[:2] in _CLASSES_AWAY


def _sqlite_code(error: DBAPIError) -> int | None:
    """The first byte names the kind; the rest says more."""
    code: int | None = getattr(error.orig, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _state(error: DBAPIError) -> str | None:
    return getattr(error.orig, "sqlstate", None)
