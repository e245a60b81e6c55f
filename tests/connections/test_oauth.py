"""Servers that want an admin to sign in."""

import httpx

from signoff.kit.ids import new_id
from tests.connections.connecting import last_call, review, tools_of
from tests.contract.scenes import problem, run_that
from tests.house import House
from tests.mcp_servers import with_oauth
from tests.security.test_secrets_at_rest import everything_stored
from tests.wire import call, says


def test_an_admin_signs_in_once_and_runs_use_the_server_with_tokens_that_are_renewed(house: House) -> None:
    with with_oauth.running() as (url, provider):
        slug = f"c{new_id()[-8:]}"
        settings = {"transport": "http", "url": url, "auth": "oauth"}
        house.post("/api/connections", {"slug": slug, "kind": "mcp", "settings": settings}, 201)
        tried = house.post(f"/api/connections/{slug}/test")
        assert "sign in" in tried["error"]
        page = house.post(f"/api/connections/{slug}/sign-in")["url"]
        back = httpx.get(page, follow_redirects=True)
        assert back.status_code == 200, back.text
        assert "signed in" in back.text
        assert set(tools_of(house, slug)) == {"whoami"}
        assert httpx.get(str(back.url)).status_code == 400, "it is good once"
        review(house, slug, "whoami", risk="low")
        run_id = run_that(house, says("", call(f"{slug}__whoami", {})), tools=(f"{slug}__*",))
        assert house.ended(run_id)["status"] == "completed"
        assert "somebody" in str(last_call(house, run_id, f"{slug}__whoami")["result"])
        assert len(provider.issued) >= 4
        kept = everything_stored(house) + str(house.model.requests)
        assert not [each for each in provider.issued if each in kept]
        assert house.post(f"/api/connections/{slug}/sign-in")["url"] is None
        moved = {"settings": {**settings, "url": "http://127.0.0.1:9/mcp"}}
        assert house.client.patch(f"/api/connections/{slug}", json=moved).status_code == 200
        assert house.get(f"/api/connections/{slug}")["secrets"] == []


def test_tokens_never_go_to_an_address_that_was_put_in_while_an_admin_signed_in(house: House) -> None:
    with with_oauth.running() as (url, provider):
        slug = f"c{new_id()[-8:]}"
        settings = {"transport": "http", "url": url, "auth": "oauth"}
        house.post("/api/connections", {"slug": slug, "kind": "mcp", "settings": settings}, 201)
        page = house.post(f"/api/connections/{slug}/sign-in")["url"]
        moved = {"settings": {**settings, "url": "http://127.0.0.1:9/mcp"}}
        assert house.client.patch(f"/api/connections/{slug}", json=moved).status_code == 200
        back = httpx.get(page, follow_redirects=True)
        assert (back.status_code, "meanwhile" in back.text) == (400, True), back.text
        assert provider.issued
        assert house.get(f"/api/connections/{slug}")["secrets"] == []


def test_only_what_says_so_is_signed_in_to(house: House, web_server: str) -> None:
    slug = f"c{new_id()[-8:]}"
    settings = {"transport": "http", "url": web_server}
    house.post("/api/connections", {"slug": slug, "kind": "mcp", "settings": settings}, 201)
    problem(house.client.post(f"/api/connections/{slug}/sign-in"), 422)
    assert httpx.get(f"{house.url}/oauth/connections", params={"state": "x", "code": "y"}).status_code == 400
