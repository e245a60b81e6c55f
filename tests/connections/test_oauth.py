"""Servers that want an admin to sign in."""

import httpx

from signoff.kit.ids import new_id
from tests.connections.connecting import last_call, review, tools_of
from tests.contract.scenes import problem, run_that
from tests.house import House
from tests.mcp_servers import with_oauth
from tests.security.test_secrets_at_rest import everything_stored
from tests.wire import call, says


def connected(house: House, url: str) -> str:
    slug = f"c{new_id()[-8:]}"
    settings = {"transport": "http", "url": url, "auth": "oauth"}
    house.post("/api/connections", {"slug": slug, "kind": "mcp", "settings": settings}, 201)
    return slug


def way_back(page: str) -> str:
    """Where the server sends people who said yes."""
    return httpx.get(page).headers["location"]


def test_an_admin_signs_in_once_and_runs_use_the_server_with_tokens_that_are_renewed(house: House) -> None:
    with with_oauth.running() as (url, provider):
        slug = f"c{new_id()[-8:]}"
        settings = {"transport": "http", "url": url, "auth": "oauth"}
        house.post("/api/connections", {"slug": slug, "kind": "mcp", "settings": settings}, 201)
        tried = house.post(f"/api/connections/{slug}/test")
        assert "sign in" in tried["error"]
        page = house.post(f"/api/connections/{slug}/sign-in")["url"]
        back = house.client.get(way_back(page))
        assert back.status_code == 200, back.text
        assert "signed in" in back.text
        assert set(tools_of(house, slug)) == {"whoami"}
        assert house.client.get(str(back.url)).status_code == 400, "it is good once"
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
        back = house.client.get(way_back(page))
        assert (back.status_code, "meanwhile" in back.text) == (400, True), back.text
        assert provider.issued
        assert house.get(f"/api/connections/{slug}")["secrets"] == []


def test_sessions_that_use_the_same_tokens_at_once_renew_them_one_after_the_other(house: House) -> None:
    with with_oauth.running() as (url, provider):
        slug = connected(house, url)
        # Over as soon as they are there: every request renews them.
        provider.lasts = -1
        assert house.client.get(way_back(house.post(f"/api/connections/{slug}/sign-in")["url"])).status_code == 200
        review(house, slug, "whoami", risk="low")
        steps = [says("", call(f"{slug}__whoami", {})) for _ in range(3)]
        runs = [run_that(house, *steps, tools=(f"{slug}__*",)) for _ in range(4)]
        for run_id in runs:
            assert house.ended(run_id)["status"] == "completed"
            made = [each for each in house.calls(run_id) if each["tool"] == f"{slug}__whoami"]
            assert [each["status"] for each in made] == ["succeeded"] * 3, made


def test_nobody_lends_an_account_to_a_sign_in_that_somebody_else_began(house: House) -> None:
    with with_oauth.running() as (url, provider):
        slug, began, colleague = connected(house, url), house.member("admin"), house.member("admin")
        page = began.post(f"/api/connections/{slug}/sign-in", json={}).json()["url"]
        back = way_back(page)
        refused = colleague.get(back)
        assert (refused.status_code, "nobody else" in refused.text) == (400, True), refused.text
        assert not provider.issued
        stranger = httpx.get(back)
        assert "signed in to" not in stranger.text
        assert "here=true" in stranger.text, "a browser comes back without its session, and is sent on from our page"
        assert httpx.get(f"{back}&here=true").status_code == 403
        assert began.get(back).status_code == 200
        assert provider.issued


def test_a_token_that_is_no_person_begins_no_sign_in_for_somebody_else_to_end(house: House) -> None:
    with with_oauth.running() as (url, provider):
        slug, email = connected(house, url), f"{new_id()}@example.org"
        colleague = house.member("admin", email)
        made = house.post("/api/tokens", {"name": "service", "user": email}, 201)["token"]
        refused = house.client_for(made).post(f"/api/connections/{slug}/sign-in", json={})
        assert problem(refused, 403)["code"] == "not_a_person"
        # Nor does anybody end what `SIGNOFF_TOKEN` began.
        back = colleague.get(way_back(house.post(f"/api/connections/{slug}/sign-in")["url"]))
        assert (back.status_code, "nobody else" in back.text) == (400, True), back.text
        assert not provider.issued


def test_only_what_says_so_is_signed_in_to(house: House, web_server: str) -> None:
    slug = f"c{new_id()[-8:]}"
    settings = {"transport": "http", "url": web_server}
    house.post("/api/connections", {"slug": slug, "kind": "mcp", "settings": settings}, 201)
    problem(house.client.post(f"/api/connections/{slug}/sign-in"), 422)
    back = house.client.get("/oauth/connections", params={"state": "x", "code": "y"})
    assert back.status_code == 400
    stranger = httpx.get(f"{house.url}/oauth/connections", params={"state": '"><script>', "code": "y"})
    assert "<script>" not in stranger.text
