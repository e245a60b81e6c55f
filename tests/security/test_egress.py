"""What an agent reads must not become a way to carry things out."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from signoff.kit.settings import Settings
from signoff.tools.egress import Reach, carries, host_of
from signoff.tools.registry import tool
from tests.house import House
from tests.wire import call, says


@pytest.fixture(scope="module")
def kind() -> str:
    """What goes out does not care which database is behind."""
    return "sqlite"


class _Web(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        host = self.headers["host"].partition(":")[0]
        self.asked.append(f"{host}{self.path}")
        to = parse_qs(urlsplit(self.path).query).get("to", [""])[0] or self.headers.get("x-to")
        if self.path.startswith("/away"):
            to = f"http://localhost:{self.server.server_address[1]}/page"
        body = b"words"
        self.send_response(302 if to else 200)
        if to:
            self.send_header("location", to)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


class Web:
    """One server under two names: 127.0.0.1 and localhost."""

    def __init__(self, port: int, asked: list[str]) -> None:
        self.here, self.there, self.asked = f"http://127.0.0.1:{port}", f"http://localhost:{port}", asked


@pytest.fixture
def web() -> Iterator[Web]:
    asked = list[str]()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Web,), {"asked": asked}))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield Web(server.server_port, asked)
    server.shutdown()
    server.server_close()
    thread.join()


def _start(house: House, name: str, *urls: str, **fields: Any) -> str:
    model = house.model.script(name, *(says("", call("web_fetch", {"url": url})) for url in urls))
    return house.start(house.agent(name, model, "web_fetch", **fields))


def _ended(house: House, run: str) -> list[dict[str, Any]]:
    assert house.ended(run)["status"] == "completed"
    return [each for each in house.calls(run) if each["tool"] == "web_fetch"]


def test_an_address_that_carries_text_to_a_new_host_asks(house: House, web: Web) -> None:
    run = _start(house, "sender", f"{web.here}/?secret=12345")
    ask = house.ask(run)
    assert (ask["tool"], ask["risk"]["level"], ask["action_type"]) == ("web_fetch", "high", "external_api")
    assert any("carries text to 127.0.0.1" in reason for reason in ask["risk"]["reasons"])
    assert web.asked == []
    house.answer(ask, "deny", note="no")
    _ended(house, run)
    assert web.asked == []


def test_a_host_that_the_run_has_read_from_may_be_asked_more(house: House, web: Web) -> None:
    run = _start(house, "reader", f"{web.here}/page", f"{web.here}/page?n=2")
    assert [each["status"] for each in _ended(house, run)] == ["succeeded"] * 2


def test_an_address_that_another_tool_was_given_makes_no_host_known(house: House, web: Web) -> None:
    def jot(url: str) -> str:
        return f"noted {url}"

    house.parts.context.registry.register(tool(name="jot", risk="low")(jot))
    calls = call("jot", {"url": web.here}), call("web_fetch", {"url": f"{web.here}/?secret=12345"})
    model = house.model.script("jotter", *(says("", each) for each in calls))
    run = house.start(house.agent("jotter", model, "jot", "web_fetch", autonomy="approve_high_risk"))
    ask = house.ask(run)
    assert ask["tool"] == "web_fetch"
    house.answer(ask, "deny", note="no")
    _ended(house, run)
    assert web.asked == []


def test_the_question_what_would_happen_is_answered_alike(house: House, web: Web) -> None:
    asked = {"tool": "web_fetch", "arguments": {"url": f"{web.here}/?q=1"}}
    checked = house.post("/api/rules/evaluate", asked)
    assert (checked["verdict"], checked["risk"]["level"]) == ("ask", "high")
    plain = house.post("/api/rules/evaluate", {"tool": "web_fetch", "arguments": {"url": web.here}})
    assert (plain["verdict"], plain["risk"]["level"]) == ("allow", "low")


def test_an_agent_reaches_only_the_hosts_on_its_list(house: House, web: Web) -> None:
    urls = (f"{web.here}/page?x=1", f"{web.there}/page", f"{web.here}@localhost/", "http://[::1")
    run = _start(house, "bounded", *urls, egress=["127.0.0.1", "*.example.org"])
    calls = _ended(house, run)
    assert [each["status"] for each in calls] == ["succeeded", "failed", "failed", "failed"]
    assert "not among the hosts" in calls[1]["error"]
    assert web.asked == ["127.0.0.1/page?x=1"]


def test_a_redirect_leads_nowhere_that_the_list_does_not_allow(house: House, web: Web) -> None:
    run = _start(house, "led", f"{web.here}/away", egress=["127.0.0.1"])
    [fetched] = _ended(house, run)
    assert fetched["status"] == "failed"
    assert "leads to localhost" in fetched["error"]
    assert web.asked == ["127.0.0.1/away"]


def test_a_redirect_to_a_listed_host_is_followed(house: House, web: Web) -> None:
    run = _start(house, "follows", f"{web.here}/away", egress=["127.0.0.1", "localhost"])
    [fetched] = _ended(house, run)
    assert fetched["status"] == "succeeded"
    assert web.asked[-1] == "localhost/page"


def test_an_open_redirect_of_a_known_host_carries_nothing_to_another(house: House, web: Web) -> None:
    run = _start(house, "tricky", f"{web.here}/page", f"{web.here}/go?to={web.there}/%3Fsecret=1")
    calls = _ended(house, run)
    assert [each["status"] for each in calls] == ["succeeded", "failed"]
    assert "leads to localhost" in calls[1]["error"]
    assert not any(each.startswith("localhost") for each in web.asked)


def test_without_a_list_a_plain_redirect_is_followed(house: House, web: Web) -> None:
    [fetched] = _ended(house, _start(house, "plain", f"{web.here}/away"))
    assert fetched["status"] == "succeeded"


def test_a_list_that_makes_no_sense_is_refused(house: House) -> None:
    body = {"slug": "odd", "name": "odd", "model": "demo:assistant", "egress": ["https://example.org/"]}
    assert house.client.post("/api/agents", json=body).status_code == 422


def test_the_installation_bounds_every_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNOFF_EGRESS", "example.org, *.example.org")
    settings = Settings()
    assert settings.egress == ["example.org", "*.example.org"]
    reach = Reach.within(settings.egress, ["example.org", "elsewhere.net"])
    assert reach.allows("example.org")
    assert not reach.allows("elsewhere.net")
    assert not reach.allows("www.example.org")


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("example.org", True),
        ("www.example.net", True),
        ("a.b.example.net", True),
        ("example.net", False),
        ("notexample.org", False),
        ("example.org.evil.com", False),
        ("evilexample.net", False),
        ("", False),
    ],
)
def test_a_list_means_what_it_says(host: str, allowed: bool) -> None:
    assert Reach.within(["example.org", "*.example.net"]).allows(host) == allowed


@pytest.mark.parametrize(
    "host",
    [
        "[2606:4700::1111%25.example.org]",
        "[::1%.example.org]",
        "[::1%lo.example.org]",
        "evil.com%23.example.org",
        "evil.com%00.example.org",
        "evil.com%2f.example.org",
        "evil.com;.example.org",
        "evil.com\\.example.org",
        "evil.com .example.org",
    ],
)
def test_what_is_no_name_matches_no_pattern_of_names(host: str) -> None:
    assert not Reach.within(["*.example.org"]).allows(host_of(f"http://{host}/"))


def test_every_spelling_of_a_host_is_the_same_host() -> None:
    spellings = [
        "https://Example.ORG/x",
        "https://example.org.:443/",
        "https://user@example.org",
        " http://EXAMPLE.org",
        "http://example.org\u3002/",
        "http://example\uff0eorg\uff61/",
    ]
    assert {host_of(each) for each in spellings} == {"example.org"}
    assert host_of("https://bücher.example/") == "xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("url", "carrying"),
    [
        ("https://example.org/docs/page.html#part", False),
        ("https://example.org/?q=1", True),
        ("https://example.org/" + "a" * 200, True),
        (f"https://{'a' * 40}.example.org/", True),
        ("https://data@example.org/", True),
        ("https://", True),
        ("http://[::1", True),
        ("https://example.org/page;secret=1", True),
        ("https://example.org/" + "\U0001f600" * 60, True),
        ("https://example.org/" + "\ud800" * 60, False),
    ],
)
def test_what_has_room_for_text_is_taken_to_carry_some(url: str, carrying: bool) -> None:
    assert carries(url) == carrying


@pytest.mark.parametrize("url", ["https://faß.de/", "https://βόλος.com/", "https://bücher.example/", "https://ÄB.de/"])
def test_the_host_that_is_judged_is_the_one_that_is_connected_to(url: str) -> None:
    assert host_of(url) == httpx.URL(url).raw_host.decode()


def test_a_letter_that_was_two_once_leads_to_no_listed_host() -> None:
    assert not Reach.within(["fass.de"]).allows(host_of("https://faß.de/"))
    assert Reach.within(["faß.de"]).allows(host_of("https://xn--fa-hia.de/"))


def test_no_agent_presses_an_answer_link_that_it_found(house: House, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads mail finds links there that decide their own asks."""
    monkeypatch.setattr(house.parts.context.settings, "public_url", web.here)
    post = call("http_request", {"method": "POST", "url": f"{web.here}/a/ans_x", "body": "decision=approve"})
    model = house.model.script("presser", says("", post))
    run = house.start(house.agent("presser", model, "http_request", autonomy="full", egress=["127.0.0.1"]))
    house.ended(run)
    assert "may reach" in next(each["error"] for each in house.calls(run) if each["tool"] == "http_request")
    assert web.asked == []
