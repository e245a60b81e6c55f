"""The mailbox that replies arrive in, over IMAP: read what is new, put aside what was seen to."""

import base64
import imaplib
import re
import socket
import ssl
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

from signoff.channels.email.transport import EmailSettings, Mailbox
from signoff.channels.guarded_http import MOST_TOLD, SECONDS, allowed_address
from signoff.channels.port import ChannelError, OpenChannel

MOST_MAILS, MOST_BYTES = 100, 1_000_000
# Of everything that a server says while one looks: no server fills our memory.
MOST_SAID = MOST_MAILS * MOST_BYTES + 10_000_000
LONGEST_LOOK = 120.0
DONE, REFUSED = "Signoff-Done", "Signoff-Refused"


@dataclass(frozen=True)
class NewMail:
    uid: str
    # None: it is too large to be looked at.
    raw: bytes | None


class OpenMailbox:
    """A connection that is signed in, with the inbox selected."""

    def __init__(self, connection: imaplib.IMAP4, errors: "_Errors") -> None:
        self._connection, self._errors = connection, errors
        self._folders = dict[str, str | None]()

    def new_mails(self) -> Iterator[NewMail]:
        """The oldest first, one after the other. What another process took away meanwhile is left out."""
        with self._errors:
            found = self._uid("SEARCH", "UNSEEN", "UNDELETED")
            uids = sorted(b" ".join(each for each in found if each).split(), key=int)[:MOST_MAILS]
            sizes = self._sizes([each.decode() for each in uids])
        for uid, size in sizes.items():
            if size > MOST_BYTES:
                yield NewMail(uid, None)
                continue
            with self._errors:
                parts = self._uid("FETCH", uid, "(BODY.PEEK[])")
            # A literal comes as a pair: what the server says before it, and what it is.
            pairs = (cast("tuple[bytes, bytes]", each) for each in parts if isinstance(each, tuple))
            for raw in [raw for said, raw in pairs if b"BODY[]" in said][:1]:
                yield NewMail(uid, raw)

    def put_aside(self, uid: str, folder: str) -> None:
        """It is not looked at again; whoever looks into the mailbox finds it in a folder that says why."""
        with self._errors:
            self._uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen)")
            place = self._folder(folder)
            if place is None:
                return
            if "MOVE" in self._connection.capabilities:
                self._uid("MOVE", uid, place)
                return
            self._uid("COPY", uid, place)
            self._uid("STORE", uid, "+FLAGS.SILENT", r"(\Deleted)")
            if "UIDPLUS" in self._connection.capabilities:
                self._uid("EXPUNGE", uid)

    def _uid(self, command: str, *given: str) -> Sequence[Any]:
        said, data = self._connection.uid(command, *given)
        if said != "OK":
            raise imaplib.IMAP4.error(data[-1] if data else said)
        return data

    def _sizes(self, uids: Sequence[str]) -> dict[str, int]:
        sizes = dict[str, int]()
        for line in self._uid("FETCH", ",".join(uids), "(UID RFC822.SIZE)") if uids else ():
            text = line.decode("ascii", "replace") if isinstance(line, bytes) else ""
            uid, size = re.search(r"\bUID (\d+)", text), re.search(r"\bRFC822\.SIZE (\d+)", text)
            if uid and size and uid[1] in uids:
                sizes[uid[1]] = int(size[1])
        return sizes

    def _folder(self, name: str) -> str | None:
        """Made if it is missing. Some servers want all folders inside the inbox; some let nobody make any."""
        if name not in self._folders:
            places = (f'"{prefix}{name}"' for prefix in ("", "INBOX.", "INBOX/"))
            self._folders[name] = next((each for each in places if self._is_there(each)), None)
        return self._folders[name]

    def _is_there(self, place: str) -> bool:
        def exists() -> bool:
            return self._connection.status(place, "(MESSAGES)")[0] == "OK"

        return exists() or (self._connection.create(place)[0] == "OK" and exists())


@contextmanager
def open_mailbox(channel: OpenChannel) -> Generator[OpenMailbox]:
    """Signed in until the end of the block. Raises ChannelError with the server's own words."""
    settings = channel.settings_as(EmailSettings).replies
    if settings is None:
        raise ChannelError("This channel has no mailbox for replies.", permanent=True)
    password = channel.secrets.get("mailbox_password", "")
    errors = _Errors(settings, password)
    with errors:
        address = allowed_address(settings.host, settings.port, reaches_private=channel.reaches_private)
        connection = _connect(settings, address)
    try:
        with errors:
            _sign_in(connection, settings.username, password)
            # Some servers say only then what they can.
            connection.capabilities = tuple(str(connection.capability()[1][-1], "ascii", "replace").upper().split())
            said, data = connection.select("INBOX")
            if said != "OK":
                raise imaplib.IMAP4.error(data[-1])
        yield OpenMailbox(connection, errors)
    finally:
        with suppress(imaplib.IMAP4.error, OSError):
            connection.logout()
        with suppress(OSError):
            connection.shutdown()


def _connect(settings: Mailbox, address: str) -> imaplib.IMAP4:
    """To an address that was looked at, with the certificate of the name that was entered."""

    class Connection(imaplib.IMAP4):
        said = 0

        def _create_socket(self, timeout: Any) -> socket.socket:
            sock = socket.create_connection((address, settings.port), timeout)
            if settings.security == "tls":
                context = ssl.create_default_context()
                sock = context.wrap_socket(sock, server_hostname=settings.host, do_handshake_on_connect=False)
            self._watch = _watched(sock)
            try:
                if isinstance(sock, ssl.SSLSocket):
                    sock.do_handshake()
            except OSError:
                self._watch.cancel()
                sock.close()
                raise
            return sock

        def shutdown(self) -> None:
            self._watch.cancel()
            super().shutdown()

        def read(self, size: int) -> bytes:
            self._count(size)
            return super().read(size)

        def readline(self) -> bytes:
            line = super().readline()
            self._count(len(line))
            return line

        def _count(self, size: int) -> None:
            self.said += size
            if self.said > MOST_SAID:
                raise self.abort("It says too much.")

    return Connection(settings.host, settings.port, timeout=SECONDS)


def _sign_in(connection: imaplib.IMAP4, username: str, password: str) -> None:
    if not (username + password).isprintable():
        raise ChannelError("The username or the password has characters that cannot be sent.", permanent=True)
    if "AUTH=PLAIN" in connection.capabilities:
        connection.authenticate("PLAIN", lambda _: f"\0{username}\0{password}".encode())
    elif (username + password).isascii():
        quoted = username.replace("\\", "\\\\").replace('"', '\\"')
        connection.login(f'"{quoted}"', password)
    else:
        raise ChannelError("The mail server takes only a username and a password in plain ASCII.", permanent=True)


def _watched(sock: socket.socket) -> threading.Timer:
    """Whoever sends a byte now and then would keep us for ever: after a while the connection is cut."""

    def cut() -> None:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    watch = threading.Timer(LONGEST_LOOK, cut)
    watch.daemon = True
    watch.start()
    return watch


class _Errors:
    """Says what went wrong with the mailbox in the words of its server, without our secrets."""

    def __init__(self, settings: Mailbox, password: str) -> None:
        self._place = f"{settings.host}:{settings.port}"
        plain = base64.b64encode(f"\0{settings.username}\0{password}".encode("utf-8", "replace")).decode()
        self._secrets = (plain, password) if password else (plain,)

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        # Of the errors of the protocol first: a lost connection is one, too.
        if isinstance(error, imaplib.IMAP4.error):
            raise ChannelError(f"The mailbox answered: {self._words(error)}") from None
        if isinstance(error, OSError):
            raise ChannelError(f"Could not reach {self._place}: {self._words(error)}.") from None
        if isinstance(error, (ValueError, LookupError, TypeError)):
            raise ChannelError(f"What {self._place} answers is not IMAP.") from None

    def _words(self, error: BaseException) -> str:
        first = error.args[0] if error.args else ""
        said = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(error)
        for secret in self._secrets:
            said = said.replace(secret, "…")
        # However Python or the server put quotes and backslashes into it.
        if any(len(_bare(each)) >= 4 and _bare(each) in _bare(said) for each in self._secrets):
            return "words with the password in them."
        return " ".join(said.split())[:MOST_TOLD] or type(error).__name__


def _bare(text: str) -> str:
    return "".join(each for each in text if each.isalnum())
