"""Whose browser is subscribed, by whom, and until when."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from signoff.channels.push import actions, queries
from signoff.kit import clock
from tests.channels.push.push_service import Browser
from tests.house import House
from tests.joining import secret_in, signed_in

Meet = Callable[..., httpx.Client]
BROWSERS = "/api/push/subscriptions"


def browser(name: str = "laptop") -> Browser:
    return Browser(f"https://push.example.org/{name}")


def subscribe(client: httpx.Client, one: Browser, status: int = 201, **fields: Any) -> dict[str, Any]:
    response = client.post(BROWSERS, json={**one.subscription, **fields})
    assert response.status_code == status, response.text
    return response.json()


def own(client: httpx.Client) -> list[str]:
    return [each["endpoint"] for each in client.get(BROWSERS).json()["items"]]


def member_id(client: httpx.Client) -> str:
    me = client.get("/api/me").json()
    members = client.get("/api/members", params={"limit": 200}).json()["items"]
    return next(each["id"] for each in members if each["email"] == me["user"]["email"])


def reached(house: House, client: httpx.Client) -> list[str]:
    """The addresses that a message for this person goes to."""
    member = member_id(client)
    found = house.parts.db.read(lambda session: queries.subscriptions_of(session, [member]))
    return [each["endpoint"] for each in found.get(member, ())]


def test_a_person_subscribes_browsers_sees_them_and_removes_one(house: House, person: Meet) -> None:
    ana, laptop, phone = person(), browser(), browser("phone")
    first = subscribe(ana, laptop, device="Firefox on Linux")
    subscribe(ana, phone)
    assert own(ana) == [phone.endpoint, laptop.endpoint]
    assert first["device"] == "Firefox on Linux"
    assert ana.delete(f"{BROWSERS}/{first['id']}").status_code == 204
    assert own(ana) == reached(house, ana) == [phone.endpoint]


def test_a_browser_that_comes_again_is_the_same_one_with_what_is_new(house: House, person: Meet) -> None:
    ana, before = person(), browser()
    first = subscribe(ana, before)
    with_other_keys = browser()
    again = subscribe(ana, with_other_keys, device="Laptop")
    assert (again["id"], again["device"], len(own(ana))) == (first["id"], "Laptop", 1)
    found = house.parts.db.read(lambda session: queries.subscriptions_of(session, [member_id(ana)]))
    assert found[member_id(ana)][0]["keys"] == with_other_keys.subscription["keys"]


def test_nobody_sees_or_removes_the_browsers_of_another(person: Meet) -> None:
    ana, bo, root = person(), person(), person("admin")
    row = subscribe(ana, browser("hers"))
    for other in (bo, root):
        assert other.delete(f"{BROWSERS}/{row['id']}").status_code == 404
        assert own(other) == []
    assert len(own(ana)) == 1


def test_a_browser_belongs_to_who_subscribed_it_last(house: House, person: Meet) -> None:
    ana, bo, shared = person(), person(), browser("shared")
    subscribe(ana, shared)
    subscribe(bo, shared)
    assert (own(ana), own(bo)) == ([], [shared.endpoint])


def test_whoever_knows_only_its_address_takes_no_browser_away(person: Meet) -> None:
    ana, bo, hers = person(), person(), browser("known")
    subscribe(ana, hers)
    subscribe(bo, Browser(hers.endpoint))
    assert own(ana) == [hers.endpoint]


def test_ten_browsers_are_enough(person: Meet) -> None:
    ana = person()
    for number in range(10):
        subscribe(ana, browser(f"{number}"))
    assert subscribe(ana, browser("11"), 409)["code"] == "too_many_browsers"
    subscribe(ana, browser("3"))
    assert len(own(ana)) == 10


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/1",
        "https://127.0.0.1/1",
        "https://10.1.2.3/1",
        "https://169.254.169.254/latest",
        "https://[::1]/1",
        "https://localhost/1",
        "https://user:secret@push.example.org/1",
        "ftp://push.example.org/1",
        "push.example.org",
    ],
)
def test_a_member_subscribes_no_address_but_a_public_one_by_https(person: Meet, endpoint: str) -> None:
    ana = person("admin")
    assert "endpoint" in subscribe(ana, Browser(endpoint), 422)["errors"][0]["path"]
    assert own(ana) == []


@pytest.mark.parametrize(
    "keys",
    [
        {"p256dh": "AAAA", "auth": "AAAAAAAAAAAAAAAAAAAAAA"},
        # As long as a point is, and not on the curve.
        {"p256dh": "BA" + "A" * 85, "auth": "AAAAAAAAAAAAAAAAAAAAAA"},
        {"p256dh": "no base64!", "auth": "AAAAAAAAAAAAAAAAAAAAAA"},
        browser().subscription["keys"] | {"auth": "AAAA"},
        browser().subscription["keys"] | {"auth": "ä" * 22},
    ],
)
def test_keys_that_nothing_could_be_sealed_with_are_refused(person: Meet, keys: dict[str, str]) -> None:
    answer = person().post(BROWSERS, json={"endpoint": browser().endpoint, "keys": keys})
    assert answer.status_code == 422, answer.text


def test_whoever_runs_the_server_may_use_a_push_service_inside(house: House) -> None:
    inside = Browser("http://127.0.0.1:9/1")
    subscribe(house.client, inside)
    assert reached(house, house.client) == [inside.endpoint]


def test_nothing_that_another_made_subscribes_a_browser_or_sees_one(house: House, person: Meet) -> None:
    ana, admin = person(email="ana-push@example.org"), person("admin")
    subscribe(ana, browser())
    made = admin.post("/api/tokens", json={"name": "for Ana", "user": "ana-push@example.org"}).json()["token"]
    with house.client_for(made) as token:
        assert subscribe(token, browser("admins"), 403)["code"] == "not_in_own_name"
        assert own(token) == []
    link = admin.post("/api/auth/links", json={"user": "ana-push@example.org"}).json()["url"]
    with signed_in(house.url, token=secret_in(link)) as session:
        assert subscribe(session, browser("admins"), 403)["code"] == "not_in_own_name"


def test_a_token_that_may_less_than_its_person_gets_none_of_their_decisions(house: House, person: Meet) -> None:
    ana = person("approver")
    made = ana.post("/api/tokens", json={"name": "reads", "scopes": ["viewer"]}).json()["token"]
    with house.client_for(made) as reads:
        assert subscribe(reads, browser(), 403)["code"] == "not_in_own_name"


def test_what_a_token_subscribed_ends_with_that_token(
    house: House, person: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = person("admin")
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    revoked = admin.post("/api/tokens", json={"name": "revoked"}).json()
    expiring = admin.post("/api/tokens", json={"name": "short", "expires_at": tomorrow.isoformat()}).json()
    for made, name in ((revoked, "first"), (expiring, "second")):
        with house.client_for(made["token"]) as token:
            subscribe(token, browser(name))
    subscribe(admin, browser("third"))
    assert admin.delete(f"/api/tokens/{revoked['id']}").status_code == 204
    assert reached(house, admin) == [browser("second").endpoint, browser("third").endpoint]
    member = member_id(admin)
    monkeypatch.setattr(clock, "now", lambda: tomorrow + timedelta(seconds=1))
    found = house.parts.db.read(lambda session: queries.subscriptions_of(session, [member]))
    assert [each["endpoint"] for each in found[member]] == [browser("third").endpoint]


def test_who_leaves_takes_their_browsers_along(house: House, person: Meet) -> None:
    ana = person(email="leaves-push@example.org")
    subscribe(ana, browser())
    member = member_id(ana)
    assert house.client.delete(f"/api/members/{member}").status_code == 204
    assert house.parts.db.read(lambda session: queries.subscriptions_of(session, [member])) == {}


def test_the_first_browser_sets_up_the_channel_once(house: House, person: Meet) -> None:
    subscribe(person("viewer"), browser("a"))
    subscribe(person("viewer"), browser("b"))
    found = [each for each in house.get("/api/channels")["items"] if each["kind"] == "push"]
    assert [(each["name"], each["enabled"], each["personal"]) for each in found] == [("Browser push", True, True)]


def test_a_channel_of_that_name_stands_in_nobodys_way(house: House, person: Meet) -> None:
    for each in house.get("/api/channels")["items"]:
        assert house.client.delete(f"/api/channels/{each['id']}").status_code == 204
    house.post("/api/channels", {"kind": "webhook", "name": "Browser push", "settings": {"url": "https://a.org"}}, 201)
    subscribe(person(), browser("c"))
    assert {(each["kind"], each["name"]) for each in house.get("/api/channels")["items"]} == {
        ("webhook", "Browser push"),
        ("push", "Browser push 2"),
    }


def test_a_browser_that_is_gone_is_forgotten_and_no_other(house: House, person: Meet) -> None:
    ana = person()
    gone, stays = subscribe(ana, browser("gone")), subscribe(ana, browser("stays"))
    remote = {"tag": "a1", "sent": [gone["id"], stays["id"]], "gone": []}
    house.parts.db.write(lambda session: actions.forget(session, [gone["id"]]))
    left = house.parts.db.read(lambda session: queries.with_browsers(session, remote))
    assert [each["id"] for each in left["subscriptions"]] == [stays["id"]]
    assert own(ana) == [browser("stays").endpoint]


def test_who_subscribes_and_who_no_longer_is_on_the_record(house: House, person: Meet) -> None:
    ana = person(email="recorded-push@example.org")
    row = subscribe(ana, browser(), device="Firefox on Linux")
    ana.delete(f"{BROWSERS}/{row['id']}")
    entries = house.get("/api/audit", subject=row["id"])["items"]
    told = sorted((each["action"], each["actor"], each["data"]["name"]) for each in entries)
    assert told == [
        ("push.subscribed", "recorded-push@example.org", "Firefox on Linux"),
        ("push.unsubscribed", "recorded-push@example.org", "Firefox on Linux"),
    ]
