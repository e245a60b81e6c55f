"""Guessing is counted, by where it really comes from."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from signoff.kit.settings import Settings
from tests.contract.scenes import problem
from tests.fresh import ROOT_TOKEN
from tests.house import House
from tests.joining import an_address, join
from tests.wire import Model


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture
def strict(settings: Settings, model: Model, tmp_path: Path) -> Iterator[House]:
    """A house that counts wrong tokens as it does by default."""
    own = {"data": tmp_path, "database_url": "", "wrong_tokens_per_minute": 5}
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


def test_one_persons_password_is_guessed_no_oftener_from_many_addresses(house: House) -> None:
    guess = {"email": "Victim@example.org", "password": "wrong"}
    codes: list[int] = []
    for _ in range(21):
        with from_address(house, an_address()) as client:
            codes.append(client.post("/api/auth/sign-in", json=guess).status_code)
    assert codes == [401] * 20 + [429]


def test_wrong_bearers_are_counted_and_right_ones_are_let_in_all_the_same(strict: House) -> None:
    address = an_address()
    with from_address(strict, address) as client:
        codes = [client.get("/api/me", headers={"Authorization": f"Bearer sgn_{n}"}).status_code for n in range(7)]
        assert codes == [401] * 5 + [429] * 2
        assert client.get("/api/me", headers={"Authorization": f"Bearer {ROOT_TOKEN}"}).status_code == 200


def test_a_failed_sign_in_is_on_the_record(house: House) -> None:
    email = "recorded@example.org"
    join(house.client, email, "viewer", password="correct horse battery")
    with from_address(house, an_address()) as client:
        problem(client.post("/api/auth/sign-in", json={"email": email, "password": "wrong"}), 401)
    (entry,) = [
        each
        for each in house.get("/api/audit", action="session.refused", limit=200)["items"]
        if each["data"]["for"] == email
    ]
    assert entry["data"]["address"].startswith("127.")


def test_a_short_token_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least 16 characters"):
        Settings(token="fifteen-letters")
