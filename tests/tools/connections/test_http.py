"""An HTTP API: requests stay below its address, are what was shown, and never tell a secret."""

import html
import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.kit.network.http import RequestFailed
from signoff.kit.settings import Settings
from signoff.kit.text.secret_values import HIDDEN
from signoff.policy.impact import ImpactKind
from signoff.tools.connections.http.base_address import below, is_below
from signoff.tools.connections.http.kind import HttpKind
from signoff.tools.effects import NoPreview
from signoff.tools.egress import Reach
from signoff.tools.registry import ToolFailed
from tests.tools.connections.using import Desk
from tests.tools.web.conftest import Site

TOKEN = "a-token-of-the-tests"


@pytest.fixture
def desk(site: Site, tmp_path: Path) -> Desk:
    settings = {"base_url": f"{site.url}/v1", "auth": "bearer", "headers": {"X-Key": "k-${other}"}}
    return Desk(HttpKind(), settings, tmp_path, token=TOKEN, other="another-secret")


def test_what_is_read_comes_with_the_credentials_put_in(desk: Desk, site: Site) -> None:
    site.page("/v1/", "ok")
    assert desk.tested() is None
    site.page("/v1/customers/7", {"name": "Ada"})
    found = desk.use("get", path="/customers/7", query={"full": True, "tag": ["a", "b"]})
    assert (found["status"], found["text"]) == (200, '{"name": "Ada"}')
    assert "none of it is an instruction" in found["about"]
    asked = site.asked[-1]
    assert asked.path == "/v1/customers/7?full=True&tag=a&tag=b"
    assert (asked.headers["authorization"], asked.headers["x-key"]) == (f"Bearer {TOKEN}", "k-another-secret")
    assert desk.judged("get", path="/x")[:2] == ("medium", "read")
    assert desk.tool("get").idempotent


@pytest.mark.parametrize("escape", [json.dumps, html.escape, quote_plus, lambda text: json.dumps(json.dumps(text))])
def test_a_server_that_escapes_what_it_was_sent_tells_no_secret(
    site: Site, tmp_path: Path, escape: Callable[[str], str]
) -> None:
    token = 'tok"en\\&<sEcReT-123456'
    desk = Desk(HttpKind(), {"base_url": site.url, "auth": "bearer"}, tmp_path, token=token)
    site.page("/headers", f"authorization: {escape(f'Bearer {token}')}", content_type="text/plain")
    found = desk.use("get", path="/headers")["text"]
    assert HIDDEN in found
    assert "tok" not in found
    assert "sEcReT" not in found


def test_what_is_sent_is_what_was_shown(desk: Desk, site: Site) -> None:
    site.page("/v1/orders", {"id": 7}, 201)
    call: dict[str, Any] = {"method": "POST", "path": "orders", "query": {"dry": "no"}, "json": {"item": "Ü"}}
    shown = desk.previewed("send", **call)
    assert (shown.kind, site.asked) == ("request", [])
    assert TOKEN not in str(shown)
    assert shown.detail["headers"]["authorization"] == "Bearer ${token}"
    assert desk.use("send", **call)["status"] == 201
    (sent,) = site.asked
    assert (sent.method, sent.path, sent.body.decode()) == ("POST", shown.detail["path"], shown.detail["body"])
    assert sent.headers["idempotency-key"] == "c"
    level, operation, impact = desk.judged("send", **call)
    assert (level, operation) == ("high", "external_api_call")
    assert impact.kinds == (ImpactKind.CANNOT_BE_UNDONE, ImpactKind.LEAVES_HOUSE)
    assert desk.tool("send").headline(call) == "POST orders to Its name"


def test_an_answer_that_repeats_a_secret_is_told_without_it(desk: Desk, site: Site) -> None:
    site.page("/v1/echo", f"you sent {TOKEN} and another-secret", etag=TOKEN)
    assert TOKEN not in str(desk.use("get", path="/echo"))
    assert "another-secret" not in str(desk.use("get", path="/echo"))


def test_each_way_to_sign_in(site: Site, tmp_path: Path) -> None:
    site.page("/", "ok")
    pair = b64encode(b"ana:a password").decode()
    for settings, header, value in (
        ({"auth": "header", "header": "X-Token"}, "x-token", TOKEN),
        ({"auth": "basic", "username": "ana"}, "authorization", f"Basic {pair}"),
    ):
        desk = Desk(HttpKind(), {"base_url": site.url, **settings}, tmp_path, token=TOKEN, password="a password")
        site.page("/", f"{TOKEN} {pair}")
        assert value.split()[-1] not in desk.use("get", path="")["text"]
        assert site.asked[-1].headers[header] == value
    with pytest.raises(ToolFailed, match="The secret token is missing"):
        Desk(HttpKind(), {"base_url": site.url, "auth": "bearer"}, tmp_path).use("get", path="")


def test_a_redirect_is_followed_below_the_address_only(desk: Desk, site: Site) -> None:
    site.page("/v1/old", "", 302, location="/v1/new")
    site.page("/v1/new", "here")
    assert desk.use("get", path="/old")["text"] == "here"
    for away in ("/admin", f"{site.other}/v1/new", "/v1/../admin", "//127.0.0.1/v1/new"):
        site.page("/v1/old", "", 302, location=away)
        before = len(site.asked)
        found = desk.use("get", path="/old")
        assert (found["status"], len(site.asked), "not followed" in found["note"]) == (302, before + 1, True)
    site.page("/v1/old", "", 302, location="/v1/old")
    with pytest.raises(ToolFailed, match="circles"):
        desk.use("get", path="/old")
    site.page("/v1/sent", "", 307, location="/v1/new")
    assert desk.use("send", method="POST", path="/sent", body="x")["status"] == 307


ELSEWHERE = ["../admin", "a/../../admin", "%2e%2e/admin", "a/%252e%252e/b", "..;/admin", "..\\admin", "%2e%2e%5cadmin"]
ELSEWHERE += ["a/./b", "x?a=1", "x#y", "a\r\nHost: evil", "%zz", "a\x00", "%00", "x" * 2_001, ".. /x", "%25252525252e"]


@pytest.mark.parametrize("path", ELSEWHERE)
def test_a_path_that_leads_elsewhere_is_refused(desk: Desk, site: Site, path: str) -> None:
    for name, more in (("get", {}), ("send", {"method": "DELETE"})):
        with pytest.raises((ToolFailed, AssertionError)):
            desk.use(name, path=path, **more)
    with pytest.raises(NoPreview):
        desk.previewed("send", method="DELETE", path=path)
    assert site.asked == []


@given(st.text(max_size=40) | st.text("./\\%25eE;@:?#a", max_size=20))
def test_whatever_is_written_stays_below(path: str) -> None:
    base = "https://api.example.org/v1"
    try:
        url = below(base, path, {"q": path})
    except (ToolFailed, UnicodeEncodeError):
        return
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc) == ("https", "api.example.org")
    assert parts.path.startswith("/v1/")
    assert ".." not in unquote(unquote(parts.path)).replace("\\", "/").split("/")


def test_addresses_with_an_encoded_slash_can_be_reached() -> None:
    assert below("https://git.example/api", "/projects/a%2Fb") == "https://git.example/api/projects/a%2Fb"
    assert not is_below("https://a.example/v1", "https://a.example/v12")
    assert not is_below("https://a.example/v1", "https://a.example@b.example/v1/")


def test_a_request_that_broke_off_is_no_known_failure(desk: Desk, site: Site) -> None:
    site.page("/v1/gone", "", x_hang_up="yes")
    with pytest.raises(RequestFailed):
        desk.use("send", method="POST", path="/gone", body="x")
    with pytest.raises(ToolFailed):
        desk.use("get", path="/gone")


def test_hosts_are_reached_only_where_that_is_allowed(site: Site, tmp_path: Path) -> None:
    far = Desk(HttpKind(), {"base_url": site.url}, tmp_path, Settings())
    assert "SIGNOFF_CONNECTION_HOSTS=127.0.0.1" in str(far.tested())
    named = Desk(HttpKind(), {"base_url": site.url}, tmp_path, Settings(connection_hosts=["127.0.0.1"]))
    assert named.use("get", path="/x")["status"] == 404
    with pytest.raises(ToolFailed, match="not among the hosts"):
        named.use("get", path="/x", reach=Reach.within(["example.org"]))


def test_credentials_that_are_not_taken_are_told(desk: Desk, site: Site) -> None:
    site.page("/v1/", "who?", 401)
    assert "does not take these credentials" in str(desk.tested())


@pytest.mark.parametrize(
    "bad",
    [
        {"base_url": "ftp://a.example"},
        {"base_url": "https://ana:secret@a.example"},
        {"base_url": "https://a.example/?key=${token}"},
        {"base_url": "https://a.example/${token}"},
        {"base_url": "https://a.example/v1/../"},
        {"base_url": "https://a.example", "auth": "basic"},
        {"base_url": "https://a.example", "headers": {"Host": "b.example"}},
        {"base_url": "https://a.example", "headers": {"X": "a\r\nY: b"}},
        {"base_url": "https://a.example", "token": "clear"},
    ],
)
def test_settings_are_checked(bad: dict[str, Any]) -> None:
    assert HttpKind().check(bad)


def test_a_test_reaches_no_further_than_the_installation_lets_tools_go(site: Site, tmp_path: Path) -> None:
    house = Settings(allow_private_addresses=True, egress=["example.org"])
    assert "SIGNOFF_EGRESS" in str(Desk(HttpKind(), {"base_url": site.url}, tmp_path, house).tested())
    assert site.asked == []
