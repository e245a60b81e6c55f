"""The browser's only way out: every host and address is looked at, however it is asked for."""

import asyncio
import base64
import socket
from typing import Any

import pytest

from signoff.tools.builtin.web import proxy as proxying
from signoff.tools.builtin.web.proxy import GuardedProxy
from signoff.tools.egress import Reach
from tests.tools.web.conftest import Site

ANYWHERE = Reach().allows


def through(proxy: GuardedProxy, *requests: str, knows: bool = True) -> list[bytes]:
    """What each request gets for an answer."""

    async def ask(text: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        password = base64.b64encode(f"signoff:{proxy.password}".encode()).decode()
        line, _, rest = text.partition("\n")
        named = f"Proxy-Authorization: Basic {password}\r\n" if knows else ""
        writer.write(f"{line}\r\n{named}{rest or 'Host: x'}\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return answer

    async def all_of_them() -> list[bytes]:
        async with proxy:
            return [await ask(each) for each in requests]

    return asyncio.run(all_of_them())


def test_a_request_passes_as_it_is_and_without_the_password(site: Site) -> None:
    site.page("/a", "words")
    get = f"GET {site.url}/a?b=c HTTP/1.1\nHost: 127.0.0.1:{site.port}\r\nX-Own: kept\r\nProxy-Connection: x"
    (answer,) = through(GuardedProxy(ANYWHERE, reaches_private=True), get)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"words")
    (asked,) = site.asked
    assert (asked.path, asked.headers["x-own"]) == ("/a?b=c", "kept")
    assert not [name for name in asked.headers if name.startswith("proxy-")]


def test_who_does_not_know_the_password_gets_nowhere(site: Site) -> None:
    proxy = GuardedProxy(ANYWHERE, reaches_private=True)
    answers = through(proxy, f"GET {site.url}/ HTTP/1.1", f"CONNECT 127.0.0.1:{site.port} HTTP/1.1", knows=False)
    assert [each[:12] for each in answers] == [b"HTTP/1.1 407"] * 2
    assert site.asked == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "169.254.169.254", "[::ffff:7f00:1]"])
def test_no_private_address_is_reached(site: Site, host: str) -> None:
    proxy = GuardedProxy(ANYWHERE, reaches_private=False)
    answers = through(proxy, f"GET http://{host}:{site.port}/ HTTP/1.1", f"CONNECT {host}:{site.port} HTTP/1.1")
    assert [each[:12] for each in answers] == [b"HTTP/1.1 403"] * 2
    assert proxy.refusals
    assert site.asked == []


def test_no_name_leads_to_one_and_none_changes_its_meaning(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    real, asked = socket.getaddrinfo, list[str]()

    def resolve(host: str, *args: Any, **options: Any) -> Any:
        asked.append(host)
        return real("127.0.0.1" if host == "changing.example" else host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    site.page("/", "words")
    get = f"GET http://changing.example:{site.port}/ HTTP/1.1"
    (answer,) = through(GuardedProxy(ANYWHERE, reaches_private=False), get)
    assert (answer[:12], site.asked) == (b"HTTP/1.1 403", [])
    asked.clear()
    (answer,) = through(GuardedProxy(ANYWHERE, reaches_private=True), get)
    assert answer[:12] == b"HTTP/1.1 200"
    assert asked.count("changing.example") == 1


def test_only_hosts_on_the_list_are_reached(site: Site) -> None:
    site.page("/", "words")
    proxy = GuardedProxy(Reach.within(["127.0.0.1"]).allows, reaches_private=True)
    get, connect = f"GET {site.other}/ HTTP/1.1", f"CONNECT localhost:{site.port} HTTP/1.1"
    answers = through(proxy, get, connect, f"GET {site.url}/ HTTP/1.1")
    assert [each[9:12] for each in answers] == [b"403", b"403", b"200"]


def test_what_passes_is_bounded(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxying, "MOST_BYTES", 300_000)
    monkeypatch.setattr(proxying, "MOST_CONNECTIONS", 2)
    site.page("/", b"x" * 5_000_000)
    proxy = GuardedProxy(ANYWHERE, reaches_private=True)
    long, _, third = through(proxy, *[f"GET {site.url}/ HTTP/1.1"] * 3)
    assert len(long) <= 300_000
    assert third[:12] == b"HTTP/1.1 403"
    assert len(proxy.refusals) == 2


@pytest.mark.parametrize(
    "request_line",
    [
        "GET / HTTP/1.1",
        "GET https://a/ HTTP/1.1",
        "GET http://u:p@a/ HTTP/1.1",
        "x",
        "GET http://a:b/ HTTP/1.1",
        "é a b",
    ],
)
def test_what_is_no_request_is_refused(request_line: str) -> None:
    (answer,) = through(GuardedProxy(ANYWHERE, reaches_private=True), request_line)
    assert answer[9:12] in (b"400", b"502")
    (answer,) = through(GuardedProxy(ANYWHERE, reaches_private=True), f"GET http://a/ HTTP/1.1\nX: {'x' * 70_000}")
    assert answer[9:12] in (b"431", b"")
