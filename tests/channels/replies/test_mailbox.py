"""What servers do differently, and what one could do to us."""

import ssl
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from signoff.channels.email.replies import mailbox
from signoff.channels.email.replies.mailbox import DONE, open_mailbox
from signoff.channels.port import ChannelError, OpenChannel
from signoff.kit import clock
from tests.channels.replies.scripted_server import DRIP, Answers, ScriptedServer

PASSWORD = r'pa"ss\word'
ABLE = "IMAP4rev1 UIDPLUS MOVE"


def channel_to(server: ScriptedServer, *, reaches_private: bool = True, **replies: Any) -> OpenChannel:
    own = {"host": "127.0.0.1", "port": server.port, "security": "none", "username": 'a "name"'}
    own |= {"address": "signoff@example.org", "authserv_id": "mx.example.org"} | replies
    settings = {"host": "127.0.0.1", "from": "signoff@example.org", "replies": own}
    secrets = {"mailbox_password": PASSWORD}
    return OpenChannel("c", "w", "email", "Mail", settings, secrets, reaches_private)


def answering(able: str = ABLE, **special: list[str]) -> Answers:
    """Everything goes well, but for what is said here."""
    usual: Mapping[str, list[str]] = {"CAPABILITY": [f"* CAPABILITY {able}", "OK done"]}
    usual = {**usual, "SELECT": ["* 1 EXISTS", "OK [READ-WRITE] done"], "LOGOUT": ["* BYE", "OK done"]}

    def answer(command: str, rest: str) -> list[str]:
        words = rest.split(" ")[0] if command == "UID" else command
        return special.get(words) or usual.get(words) or ["OK done"]

    return answer


def sign_in(server: ScriptedServer, **given: Any) -> None:
    with open_mailbox(channel_to(server, **given)):
        return


def commands(server: ScriptedServer) -> list[str]:
    """What was said about mails and folders."""
    return [each for each in server.said if each.split(" ")[0] in ("UID", "CREATE", "STATUS")]


def test_a_server_without_plain_authentication_gets_both_in_quotes() -> None:
    with ScriptedServer(answering()) as server:
        sign_in(server)
    assert r'LOGIN "a \"name\"" "pa\"ss\\word"' in server.said


def test_a_server_that_repeats_the_password_does_not_bring_it_into_the_error() -> None:
    for echo in (r'NO not with pa"ss\word, never', r'BAD LOGIN "a" "pa\"ss\\word"'):
        with ScriptedServer(answering(LOGIN=[echo])) as server, pytest.raises(ChannelError) as caught:
            sign_in(server)
        assert "pa" not in caught.value.detail.replace("password", "")


def test_what_cannot_be_moved_is_copied_and_only_then_marked_as_deleted() -> None:
    with ScriptedServer(answering("IMAP4rev1 UIDPLUS")) as server, open_mailbox(channel_to(server)) as inbox:
        inbox.put_aside("7", DONE)
    after_marked = commands(server)[2:]
    assert after_marked == [
        'UID COPY 7 "Signoff-Done"',
        r"UID STORE 7 +FLAGS.SILENT (\Deleted)",
        "UID EXPUNGE 7",
    ]


def test_a_copy_that_fails_deletes_nothing() -> None:
    full = answering("IMAP4rev1", COPY=["NO [OVERQUOTA] full"])
    with (
        ScriptedServer(full) as server,
        open_mailbox(channel_to(server)) as inbox,
        pytest.raises(ChannelError, match="OVERQUOTA"),
    ):
        inbox.put_aside("7", DONE)
    assert not any("Deleted" in each for each in server.said)


def test_where_no_folder_can_be_made_a_mail_is_only_marked_as_seen() -> None:
    closed = answering(STATUS=["NO no such folder"], CREATE=["NO not here"])
    with ScriptedServer(closed) as server, open_mailbox(channel_to(server)) as inbox:
        inbox.put_aside("7", DONE)
    assert commands(server)[0] == r"UID STORE 7 +FLAGS.SILENT (\Seen)"
    assert not any("MOVE" in each for each in server.said)


def test_a_server_that_wants_folders_inside_the_inbox_has_them_there() -> None:
    def answer(command: str, rest: str) -> list[str]:
        outside = command in ("STATUS", "CREATE") and '"INBOX.' not in rest
        return ["NO only inside the inbox"] if outside else answering()(command, rest)

    with ScriptedServer(answer) as server, open_mailbox(channel_to(server)) as inbox:
        inbox.put_aside("7", DONE)
    assert commands(server)[-1] == 'UID MOVE 7 "INBOX.Signoff-Done"'


@pytest.mark.parametrize(
    "special",
    [
        {"SEARCH": ["* SEARCH 7 x", "OK done"]},
        {"SEARCH": ["* SEARCH 7", "OK done"], "FETCH": ["* 1 FETCH (UID 7 RFC822.SIZE {999999999}"]},
        {"SEARCH": ["* SEARCH 7", "OK done"], "FETCH": ["BAD what?"]},
        {"SEARCH": ["NO not now"]},
        {"SEARCH": ["* BYE going down", "NO"]},
    ],
)
def test_whatever_a_server_answers_is_the_channels_trouble(special: dict[str, list[str]]) -> None:
    with (
        ScriptedServer(answering(**special)) as server,
        open_mailbox(channel_to(server)) as inbox,
        pytest.raises(ChannelError),
    ):
        list(inbox.new_mails())


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "SELECT"])
def test_a_server_that_never_comes_to_an_end_is_left(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "LONGEST_LOOK", 0.3)
    with ScriptedServer(answering(**{command: DRIP})) as server, pytest.raises(ChannelError):
        sign_in(server)


def test_what_another_process_took_away_is_left_out() -> None:
    gone = answering(SEARCH=["* SEARCH 9 7", "OK done"], FETCH=["* 1 FETCH (UID 8 RFC822.SIZE 5)", "OK done"])
    with ScriptedServer(gone) as server, open_mailbox(channel_to(server)) as inbox:
        assert list(inbox.new_mails()) == []
    assert "UID FETCH 7,9 (UID RFC822.SIZE)" in server.said


def test_something_else_than_a_mail_server_is_told() -> None:
    with ScriptedServer(answering(), "HTTP/1.1 400 Bad Request") as server, pytest.raises(ChannelError, match="400"):
        sign_in(server)


def test_a_mailbox_inside_our_network_is_for_who_runs_the_server() -> None:
    with ScriptedServer(answering()) as server, pytest.raises(ChannelError, match="private network"):
        sign_in(server, reaches_private=False)
    assert server.said == []


def test_the_certificate_must_be_the_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key_file = _certificate(tmp_path, "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(key_file)
    with ScriptedServer(answering(), tls=context) as server, pytest.raises(ChannelError, match="certificate"):
        sign_in(server, host="localhost", security="tls")
    monkeypatch.setenv("SSL_CERT_FILE", str(key_file))
    with ScriptedServer(answering(), tls=context) as server:
        sign_in(server, host="localhost", security="tls")
    assert "SELECT INBOX" in server.said
    with ScriptedServer(answering(), tls=context) as server, pytest.raises(ChannelError, match="certificate"):
        sign_in(server, security="tls")


def _certificate(folder: Path, host: str) -> Path:
    """Signed by itself, good for a day, with its key."""
    key, at = ec.generate_private_key(ec.SECP256R1()), clock.now()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(at - timedelta(hours=1)).not_valid_after(at + timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    encoding = serialization.Encoding.PEM
    plain = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    place = folder / "server.pem"
    place.write_bytes(plain + made.sign(key, hashes.SHA256()).public_bytes(encoding))
    return place
