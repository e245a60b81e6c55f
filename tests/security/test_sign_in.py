"""Guessing is counted, by where it really comes from."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from pydantic import ValidationError

from signoff.kit.settings import Settings
from tests.contract.scenes import Abroad, problem
from tests.fresh import ROOT_TOKEN
from tests.house import House
from tests.joining import an_address, browser, invite, join, signed_in
from tests.wire import Model

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture
def strict(settings: Settings, model: Model, tmp_path: Path) -> Iterator[House]:
    """A house with less patience."""
    own = {"data": tmp_path, "database_url": "", "wrong_tokens_per_minute": 5, "sign_in_tries_per_minute": 2}
    with House(settings.model_copy(update=own), model) as house:
        yield house


def from_address(house: House, address: str) -> httpx.Client:
    return httpx.Client(base_url=house.url, transport=httpx.HTTPTransport(local_address=address))


def test_a_forwarded_address_that_no_proxy_of_ours_sent_counts_for_nothing(house: House) -> None:
    guess = {"email": "nobody@example.org", "password": "wrong"}
    codes: list[int] = []
    with from_address(house, "127.0.0.1") as client:
        for number in range(22):
            claimed = {"X-Forwarded-For": f"10.0.0.{number}"}
            guess["email"] = f"nobody{number}@example.org"
            codes.append(client.post("/api/auth/sign-in", json=guess, headers=claimed).status_code)
    assert codes[-1] == 429


def test_one_persons_password_is_guessed_from_many_addresses_not_much_oftener_than_from_one(strict: House) -> None:
    guess = {"email": "Victim@example.org", "password": "wrong"}
    codes: list[int] = []
    for _ in range(21):
        with from_address(strict, an_address()) as client:
            codes.append(client.post("/api/auth/sign-in", json=guess).status_code)
    assert codes == [401] * 20 + [429]


def test_a_stranger_keeps_nobody_out_where_they_came_in_lately(strict: House) -> None:
    email, home = "lately@example.org", an_address()
    right = {"email": email, "password": PASSWORD}
    join(strict.client, email, "viewer", password=PASSWORD)
    with from_address(strict, home) as client:
        assert client.post("/api/auth/sign-in", json=right).status_code == 200
    for _ in range(20):
        with from_address(strict, an_address()) as client:
            client.post("/api/auth/sign-in", json=right | {"password": "wrong"})
    with from_address(strict, an_address()) as client:
        problem(client.post("/api/auth/sign-in", json=right), 429)
    with from_address(strict, home) as client:
        assert client.post("/api/auth/sign-in", json=right).status_code == 200


@pytest.fixture
def elsewhere(strict: House) -> Iterator[httpx.Client]:
    """Another workspace, whose admin takes any address."""
    with strict.client_for(strict.post("/api/workspaces", {"name": "Elsewhere"}, 201)["token"]) as client:
        yield client


def test_who_has_somebodys_address_elsewhere_does_not_use_up_their_tries(
    strict: House, elsewhere: httpx.Client
) -> None:
    email = "taken@example.org"
    join(strict.client, email, "viewer", password=PASSWORD)
    with signed_in(strict.url, token=invite(elsewhere, email, "viewer"), password="of the squatter") as squatter:
        codes: list[int] = []
        for _ in range(21):
            with browser(strict.url) as client:
                client.cookies.update(squatter.cookies)
                wrong = {"password": "of the squatter", "old_password": "wrong"}
                codes.append(client.post("/api/auth/password", json=wrong).status_code)
        assert codes == [204] * 20 + [429]
    with from_address(strict, an_address()) as client:
        problem(client.post("/api/auth/sign-in", json={"email": email, "password": "of the squatter"}), 429)
        assert client.post("/api/auth/sign-in", json={"email": email, "password": PASSWORD}).status_code == 200


def test_who_has_somebodys_address_elsewhere_gets_no_more_guesses_at_their_password(
    strict: House, elsewhere: httpx.Client
) -> None:
    email, home = "guessed-at@example.org", an_address()
    join(strict.client, email, "viewer", password=PASSWORD)
    join(elsewhere, email, "viewer", password="of the squatter")
    with from_address(strict, home) as client:
        theirs = {"email": email, "password": "of the squatter"}
        assert client.post("/api/auth/sign-in", json=theirs).status_code == 200
    for _ in range(19):
        with from_address(strict, an_address()) as client:
            problem(client.post("/api/auth/sign-in", json={"email": email, "password": "wrong"}), 401)
    with from_address(strict, home) as client:
        problem(client.post("/api/auth/sign-in", json={"email": email, "password": PASSWORD}), 429)


def bearer(client: httpx.Client, token: str) -> int:
    return client.get("/api/me", headers={"Authorization": f"Bearer {token}"}).status_code


def test_past_the_limit_a_chosen_token_is_taken_only_where_it_was_seen_lately(strict: House) -> None:
    made = strict.post("/api/tokens", {"name": "made"}, 201)["token"]
    with from_address(strict, an_address()) as client:
        assert [bearer(client, f"sgn_{n}") for n in range(7)] == [401] * 5 + [429] * 2
        assert bearer(client, ROOT_TOKEN) == 429
        assert bearer(client, made) == 200
    with from_address(strict, an_address()) as client:
        assert bearer(client, ROOT_TOKEN) == 200
        assert [bearer(client, f"sgn_{n}") for n in range(6)] == [401] * 5 + [429]
        assert bearer(client, ROOT_TOKEN) == 200


def refused(client: httpx.Client, action: str = "session.refused") -> list[dict[str, Any]]:
    return client.get("/api/audit", params={"action": action, "limit": 200}).json()["items"]


def test_a_failed_sign_in_is_on_the_record(house: House) -> None:
    email = "recorded@example.org"
    join(house.client, email, "viewer", password=PASSWORD)
    with from_address(house, an_address()) as client:
        problem(client.post("/api/auth/sign-in", json={"email": email, "password": "wrong"}), 401)
    (entry,) = [each for each in refused(house.client) if each["data"]["for"] == email]
    assert entry["data"]["address"].startswith("127.")


def test_a_way_in_that_nobody_here_has_is_on_the_record_a_few_times_a_minute(house: House) -> None:
    email, address = "used@example.org", an_address()
    used = invite(house.client, email, "viewer")
    with signed_in(house.url, token=used), from_address(house, address) as client:
        for body in ({"token": used}, {"token": "link_never"}, {"email": "nobody-at-all@example.org", "password": "x"}):
            problem(client.post("/api/auth/sign-in", json=body), 401)
        ways = [each["data"]["via"] for each in refused(house.client) if each["data"]["address"] == address]
        assert ways == ["password", "token", "invitation"]
        for _ in range(10):
            problem(client.post("/api/auth/sign-in", json={"token": "link_never"}), 401)
    # What was somebody's is on record each time.
    assert len([each for each in refused(house.client) if each["data"]["address"] == address]) == 6


def test_a_wrong_old_password_is_on_the_record(house: House) -> None:
    email = "old@example.org"
    join(house.client, email, "viewer", password=PASSWORD)
    with signed_in(house.url, email=email, password=PASSWORD) as client:
        client.post("/api/auth/password", json={"password": "another long one", "old_password": "wrong"})
    assert email in [each["actor"] for each in refused(house.client, "password.refused")]


def left(house: House, email: str) -> None:
    """Somebody who had an account here and was removed."""
    join(house.client, email, "approver", password=PASSWORD)
    member = next(each for each in listed(house, "/api/members") if each["email"] == email)
    assert house.client.delete(f"/api/members/{member['id']}").status_code == 204


def test_a_password_is_guessed_no_better_by_an_invitation(house: House) -> None:
    email = "guessed@example.org"
    left(house, email)
    secret = invite(house.client, email, "viewer")
    codes: list[str] = []
    for number in range(11):
        with from_address(house, an_address()) as client:
            guess = {"token": secret, "password": f"wrong password {number}"}
            codes.append(problem(client.post("/api/auth/sign-in", json=guess), 401)["code"])
    assert codes == ["consent_needed"] * 10 + ["invitation_over"]
    assert len([each for each in refused(house.client) if each["data"]["for"] == email]) == 11
    assert email not in [each["email"] for each in listed(house, "/api/invitations")]


def test_guesses_by_invitation_and_by_password_are_counted_together(strict: House) -> None:
    email = "together@example.org"
    left(strict, email)
    for _ in range(20):
        with from_address(strict, an_address()) as client:
            client.post("/api/auth/sign-in", json={"email": email, "password": "wrong"})
    secret = invite(strict.client, email, "viewer")
    with from_address(strict, an_address()) as client:
        problem(client.post("/api/auth/sign-in", json={"token": secret, "password": PASSWORD}), 429)


def test_an_unknown_address_is_hashed_like_a_known_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    real, compared = PasswordHasher.verify, list[str]()

    def counting(self: PasswordHasher, known: str, password: str) -> bool:
        compared.append(password)
        return real(self, known, password)

    monkeypatch.setattr(PasswordHasher, "verify", counting)
    guess = {"email": "unknown-to-all@example.org", "password": "hashed all the same"}
    with from_address(house, an_address()) as client:
        problem(client.post("/api/auth/sign-in", json=guess), 401)
    assert compared == ["hashed all the same"]


def listed(abroad: Abroad | House, path: str) -> list[dict[str, Any]]:
    return abroad.client.get(path, params={"limit": 200}).json()["items"]


def test_a_neighbour_learns_no_name_before_the_person_accepts(house: House, abroad: Abroad) -> None:
    email = "named@example.org"
    with signed_in(house.url, token=invite(house.client, email, "viewer", "Victoria Own-Name")):
        body = {"email": email, "name": "somebody", "role": "viewer"}
        assert abroad.client.post("/api/members", json=body).json()["name"] == "somebody"
        assert abroad.client.post("/api/invitations", json=body | {"name": "who"}).json()["name"] == "who"
    for path in ("/api/members", "/api/invitations"):
        assert [each["name"] for each in listed(abroad, path) if each["email"] == email] == ["who"]


def test_a_short_token_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least 16 characters"):
        Settings(token="fifteen-letters")
