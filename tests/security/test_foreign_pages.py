"""What another page makes a signed-in browser send: nothing of it acts."""

from collections.abc import Iterator

import httpx
import pytest

from signoff.workspaces.origin import is_ours
from tests.contract.scenes import problem
from tests.house import House
from tests.wire import call, says

JSON = {"Content-Type": "application/json"}
OURS = {"X-Signoff": "1"}


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def browser(house: House) -> Iterator[httpx.Client]:
    """Carries the admin's cookie, as every page makes the browser do."""
    signed = httpx.post(f"{house.url}/api/auth/sign-in", json={"token": house.settings.token})
    assert signed.status_code == 200, signed.text
    with httpx.Client(base_url=house.url, cookies=dict(signed.cookies)) as client:
        yield client


def foreign(house: House) -> dict[str, dict[str, str]]:
    """Each set of headers differs from ours in one thing."""
    own = {"Origin": house.url}
    port = house.settings.port
    return {
        "no origin": JSON | OURS,
        "another port": {"Origin": f"http://127.0.0.1:{port + 1}"} | JSON | OURS,
        "no port": {"Origin": "http://127.0.0.1"} | JSON | OURS,
        "another host": {"Origin": f"http://evil.example:{port}"} | JSON | OURS,
        "a longer host": {"Origin": f"http://127.0.0.1:{port}.evil.example"} | JSON | OURS,
        "with a name in front": {"Origin": f"http://me@127.0.0.1:{port}"} | JSON | OURS,
        "no page": {"Origin": "null"} | JSON | OURS,
        "an empty origin": {"Origin": ""} | JSON | OURS,
        "another scheme": {"Origin": f"ftp://127.0.0.1:{port}"} | JSON | OURS,
        "a plain form": own | {"Content-Type": "application/x-www-form-urlencoded"},
        "a form as text": own | {"Content-Type": "text/plain"},
        "a form as text that names JSON": own | {"Content-Type": "text/plain; x=application/json"},
        "a form of parts": own | {"Content-Type": "multipart/form-data; boundary=application/json"},
        "no type": own,
        "another site, says the browser": own | JSON | OURS | {"Sec-Fetch-Site": "cross-site"},
        "another port, says the browser": own | JSON | OURS | {"Sec-Fetch-Site": "same-site"},
    }


def test_only_our_own_page_approves_with_the_cookie(house: House, browser: httpx.Client) -> None:
    model = house.model.script("foreign", says("", call("write_file", {"path": "a.md", "content": "a"})), says("done"))
    run = house.start(house.agent("foreign", model, "write_file"))
    ask = house.ask(run)
    path, body = f"/api/asks/{ask['id']}/answer", b'{"decision": "approve"}'
    for name, headers in foreign(house).items():
        refused = problem(browser.post(path, headers=headers, content=body), 403)
        assert refused["code"] == "foreign_origin", name
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"
    assert browser.post(path, headers={"Origin": house.url} | JSON, content=body).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_every_verb_that_changes_something_needs_our_page(house: House, browser: httpx.Client, method: str) -> None:
    path = {"POST": "/api/auth/sign-out", "PUT": "/api/rules", "PATCH": "/api/members/x", "DELETE": "/api/runs/x"}
    for name, headers in foreign(house).items():
        refused = problem(browser.request(method, path[method], headers=headers, content=b"{}"), 403)
        assert refused["code"] == "foreign_origin", name
    assert browser.get("/api/me").status_code == 200


def test_a_header_of_ours_stands_for_json_where_there_is_no_body(house: House) -> None:
    signed = httpx.post(f"{house.url}/api/auth/sign-in", json={"token": house.settings.token})
    cookies, headers = dict(signed.cookies), {"Origin": house.url} | OURS
    assert httpx.post(f"{house.url}/api/auth/sign-out", cookies=cookies, headers=headers).status_code == 204


def test_no_foreign_form_signs_a_visitor_in(house: House) -> None:
    body = f'{{"token": "{house.settings.token}"}}'
    for name, headers in foreign(house).items():
        if name == "no origin":
            continue  # A script: it has no visitor.
        response = httpx.post(f"{house.url}/api/auth/sign-in", headers=headers, content=body)
        assert problem(response, 403)["code"] == "foreign_origin", name
        assert "set-cookie" not in response.headers
    assert httpx.post(f"{house.url}/api/auth/sign-in", headers=JSON, content=body).status_code == 200


def test_a_token_needs_no_page(house: House) -> None:
    headers = {"Authorization": f"Bearer {house.settings.token}", "Origin": "https://elsewhere.example"}
    assert httpx.post(f"{house.url}/api/tokens", headers=headers, json={"name": "script"}).status_code == 201


def test_what_a_page_of_ours_may_read_no_other_page_may(house: House, browser: httpx.Client) -> None:
    elsewhere = {"Origin": "https://elsewhere.example"}
    for path in ("/api/me", "/api/asks", "/api/nothing", "/", "/healthz"):
        response = browser.get(path, headers=elsewhere)
        assert not [name for name in response.headers if name.startswith("access-control-")], path
        assert response.headers["cross-origin-resource-policy"] == "same-origin", path
        assert response.headers["x-content-type-options"] == "nosniff", path
    with browser.stream("GET", "/api/events", headers=elsewhere) as response:
        assert not [name for name in response.headers if name.startswith("access-control-")]
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-signoff"}
    allowed = browser.options("/api/asks", headers=elsewhere | asked)
    assert not [name for name in allowed.headers if name.startswith("access-control-")]


@pytest.mark.parametrize(
    ("origin", "host", "public_url", "ours"),
    [
        ("http://signoff.test:8400", "signoff.test:8400", "", True),
        ("HTTP://Signoff.TEST", "signoff.test", "", True),
        ("https://signoff.test", "127.0.0.1:8400", "https://signoff.test", True),
        ("https://signoff.test", "127.0.0.1:8400", "https://signoff.test/", True),
        ("http://127.0.0.1:8400", "127.0.0.1:8400", "https://signoff.test", True),
        # Somebody in between serves the same name on http.
        ("http://signoff.test", "signoff.test", "https://signoff.test", False),
        ("http://signoff.test", "signoff.test", "https://signoff.test:443", False),
        ("http://signoff.test:80", "signoff.test:80", "https://signoff.test", False),
        ("https://signoff.test", "127.0.0.1:8400", "https://signoff.test:443", True),
        ("https://signoff.test:443", "127.0.0.1:8400", "https://signoff.test", True),
        ("http://signoff.test", "signoff.test:80", "", True),
        ("https://signoff.test:444", "127.0.0.1:8400", "https://signoff.test", False),
        ("http://[::1", "[::1", "", False),
        ("null", "null", "", False),
        ("file://", "", "", False),
    ],
)
def test_an_origin_is_ours_by_host_or_by_public_url(origin: str, host: str, public_url: str, ours: bool) -> None:
    assert is_ours(origin, host, public_url) is ours
