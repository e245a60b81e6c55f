"""Apprise: plain text to one address, and what it says when it fails, without the address."""

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from signoff.channels.apprise.plain_text import body, title
from signoff.channels.apprise.transport import AppriseSettings, AppriseTransport
from signoff.channels.port import ChannelError, Link, Message, OpenChannel
from tests.channels.slack.test_blocks import MESSAGE, messages

# One of its hundred plugins loads what Python is about to drop.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
TRANSPORT = AppriseTransport()


class Receiver:
    """Takes what `json://` sends."""

    def __init__(self) -> None:
        self.status, self.got = 200, list[dict[str, Any]]()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver.got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(receiver.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


def channel_to(url: str) -> OpenChannel:
    return OpenChannel("c1", "w1", "apprise", "Rest", {"url": url}, {"url": url}, reaches_private=True)


def address(receiver: Receiver) -> str:
    return f"json://ana:a-secret-key@127.0.0.1:{receiver.server.server_port}/hidden-path"


def test_a_message_goes_out_as_plain_text_with_its_links(receiver: Receiver) -> None:
    TRANSPORT.send(channel_to(address(receiver)), None, replace(MESSAGE, links=(Link("Retry", "https://x/retry"),)))
    (got,) = receiver.got
    assert got["title"] == MESSAGE.title
    for part in ("To a customer.", "Agent: Support", "to: ana@example.org", MESSAGE.open_url, "https://x/retry"):
        assert part in got["message"], part
    assert not got.get("attachments")


def test_a_failure_says_why_without_the_address(receiver: Receiver) -> None:
    receiver.status = 403
    with pytest.raises(ChannelError) as caught:
        TRANSPORT.send(channel_to(address(receiver)), None, MESSAGE)
    assert caught.value.detail.startswith("Apprise could not deliver: ")
    assert "403" in caught.value.detail
    for secret in ("a-secret-key", "hidden-path"):
        assert secret not in caught.value.detail
    assert not caught.value.permanent


def test_what_apprise_does_not_understand_is_refused_for_good(caplog: pytest.LogCaptureFixture) -> None:
    for url in ("nonsense://a-secret-key/x", "discord://short", "tgram://a-secret-key"):
        with pytest.raises(ChannelError, match="does not understand") as caught:
            TRANSPORT.send(channel_to(url), None, MESSAGE)
        assert caught.value.permanent
        assert "a-secret-key" not in caught.value.detail
    assert "a-secret-key" not in caplog.text


@pytest.mark.parametrize(
    "url", ["syslog://", "dbus://x", "windows://x", "MACOSX://x", "file:///etc/passwd", "no address"]
)
def test_what_acts_on_this_machine_is_not_allowed(url: str) -> None:
    with pytest.raises(ValidationError):
        AppriseSettings(url=url)


def test_nobody_is_called_by_an_agent_s_words() -> None:
    calls = "<!channel> <@U1> @here, ana@here.example.org @room @**topic** @_**all** <users/all>"
    shown = replace(MESSAGE, title="@everyone look", text=calls)
    for text in (title(shown), body(shown)):
        assert "@everyone" not in text
        assert "<!" not in text
        assert "<@" not in text
        assert not re.search(r"@(room|_?\*)|<users", text)


@given(messages())
def test_whatever_an_agent_writes_the_text_is_bounded_and_keeps_its_link(message: Message) -> None:
    assert len(title(message)) <= 200
    assert len(body(message)) <= 3_100
    assert message.open_url in body(message)
