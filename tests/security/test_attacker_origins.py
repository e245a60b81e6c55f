"""Pages of other origins, with the cookie of somebody who is signed in: they change nothing and hear nothing."""

from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.contract.scenes import waiting
from tests.house import House
from tests.security.callers import COOKIE, Door

FORM = "application/x-www-form-urlencoded"
TYPES = ["application/json", "application/JSON", "text/plain", FORM, "multipart/form-data; boundary=x", None]
PLAIN = ["text/plain", FORM, "multipart/form-data; boundary=x", None]
BODY = b'{"decision": "approve"}'


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def cookie(door: Door) -> str:
    """Of an admin who is signed in."""
    return door.person("admin")[1].cookies[COOKIE]


def foreign(house: House) -> list[str | None]:
    """Origins that are not ours, by however little."""
    port = house.settings.port
    hosts = [
        f"127.0.0.1:{port + 1}",
        "127.0.0.1",
        f"localhost:{port}",
        "evil.example",
        f"127.0.0.1:{port}.evil.example",
    ]
    hosts += [f"127.0.0.1:{port}@evil.example", f"evil.example/127.0.0.1:{port}", f"127.0.0.1.evil.example:{port}"]
    schemed = [f"http://{host}" for host in hosts]
    return [
        None,
        "null",
        "",
        "*",
        *schemed,
        "file://",
        f"{house.url}, http://evil.example",
    ]


def post(house: House, cookie: str, ask: str, content_type: str | None, **headers: Any) -> httpx.Response:
    given = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
    if content_type is not None:
        given["Content-Type"] = content_type
    with httpx.Client(base_url=house.url, cookies={COOKIE: cookie}, verify=False) as page:
        request = page.build_request("POST", f"/api/asks/{ask}/answer", content=BODY, headers=given)
        return page.send(request)


def refusal(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json().get("code", "")


def test_a_page_of_another_origin_approves_nothing(house: House, cookie: str) -> None:
    _, ask = waiting(house)
    got = {
        (origin, content_type, ours): refusal(
            post(house, cookie, ask["id"], content_type, Origin=origin, X_Signoff="1" if ours else None)
        )
        for origin in foreign(house)
        for content_type in TYPES
        for ours in (False, True)
    }
    assert {tried: each for tried, each in got.items() if each != (403, "foreign_origin")} == {}
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


@pytest.mark.parametrize("fetched", ["same-origin", "none", "same-site"])
def test_what_a_browser_says_of_itself_does_not_stand_for_an_origin(house: House, cookie: str, fetched: str) -> None:
    _, ask = waiting(house)
    for origin in (None, "null", "http://evil.example"):
        response = post(house, cookie, ask["id"], "application/json", Origin=origin, Sec_Fetch_Site=fetched)
        assert response.status_code == 403, (origin, response.text)


def test_a_plain_form_needs_our_own_header(house: House, cookie: str) -> None:
    _, ask = waiting(house)
    got = {each: refusal(post(house, cookie, ask["id"], each, Origin=house.url)) for each in PLAIN}
    assert got == dict.fromkeys(PLAIN, (403, "foreign_origin"))
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_our_own_page_approves(house: House, cookie: str) -> None:
    _, ask = waiting(house)
    assert post(house, cookie, ask["id"], "application/json", Origin=house.url).status_code == 200
    _, ask = waiting(house)
    assert post(house, cookie, ask["id"], "application/json", Origin=house.url, X_Signoff="1").status_code == 200


def test_a_referer_of_ours_does_not_stand_for_an_origin(house: House, cookie: str) -> None:
    _, ask = waiting(house)
    response = post(house, cookie, ask["id"], "application/json", Origin="http://evil.example", Referer=house.url)
    assert response.status_code == 403


def test_no_other_page_signs_somebody_out_or_in(house: House, door: Door) -> None:
    _, session = door.person("viewer")
    evil, secret = {"Origin": "http://evil.example"}, door.invite("viewer")[1]
    with httpx.Client(base_url=house.url, cookies={COOKIE: session.cookies[COOKIE]}, verify=False) as page:
        out = page.post("/api/auth/sign-out", headers=evil | {"Content-Type": FORM})
    with httpx.Client(base_url=house.url, verify=False) as page:
        tries = [
            page.post("/api/auth/sign-in", json={"token": secret}, headers=evil),
            page.post("/api/auth/sign-in", content=f'{{"token":"{secret}"}}', headers=evil | {"Content-Type": FORM}),
        ]
    assert out.status_code == 403
    assert [refusal(each) for each in tries] == [(403, "foreign_origin")] * 2
    assert session.get("/api/me").status_code == 200


def test_a_page_of_another_origin_hears_nothing(house: House, cookie: str) -> None:
    url = house.url.replace("http", "ws", 1) + "/api/ws"
    for origin in foreign(house):
        headers = {"Cookie": f"{COOKIE}={cookie}"} | ({"Origin": origin} if origin else {})
        with pytest.raises(InvalidStatus) as refused, connect(url, additional_headers=headers, proxy=None):
            pass
        assert refused.value.response.status_code == 403, origin


def test_no_answer_lets_another_origin_read_it(house: House, cookie: str) -> None:
    for path in ("/api/me", "/openapi.json", "/healthz", "/api/nothing"):
        with httpx.Client(base_url=house.url, cookies={COOKIE: cookie}, verify=False) as page:
            response = page.get(path, headers={"Origin": "http://evil.example"})
            asked = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
            before = page.request("OPTIONS", path, headers=asked)
        assert not [name for name in (*response.headers, *before.headers) if name.startswith("access-control")]


def test_the_cookie_is_kept_from_scripts_and_from_other_sites(door: Door) -> None:
    _, secret = door.invite("viewer")
    cookie = door.signed_in(token=secret, password="correct horse battery").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
