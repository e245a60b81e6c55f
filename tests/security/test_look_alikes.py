"""Nobody becomes a member with an address that passes for another's."""

# ruff: noqa: RUF001

import pytest

from signoff.kit.text.lookalikes import skeleton
from signoff.workspaces.email_lookalikes import problem_with
from tests.contract.scenes import problem
from tests.house import House


@pytest.mark.parametrize(
    "email",
    [
        "аda@example.org",
        "ada@exаmple.org",
        "ada\u200b@example.org",
        "ada\u202e@example.org",
        "ａda@example.org",
        "ﬁn@example.org",
        "ada\u0301@example.org",
    ],
)
def test_an_address_that_hides_what_it_is_has_a_problem(email: str) -> None:
    assert problem_with(email)


@pytest.mark.parametrize(
    "email",
    [
        "ada.lovelace+pay@example.org",
        "josé@example.org",
        "почта@пример.рф",
        "山田たろう@example.jp",
        "김철수@example.kr",
    ],
)
def test_an_address_of_one_script_has_none(email: str) -> None:
    assert problem_with(email) is None


def test_a_whole_cyrillic_word_looks_like_the_latin_one() -> None:
    assert skeleton("рау@example.org") == skeleton("pay@example.org")


@pytest.mark.both_databases
@pytest.mark.parametrize("path", ["/api/members", "/api/invitations"])
def test_a_look_alike_of_a_member_is_refused(house: House, path: str) -> None:
    word, alike = {"/api/members": ("pay", "рау"), "/api/invitations": ("cop", "сор")}[path]
    body = {"name": "Pay", "role": "approver"}
    house.post(path, {**body, "email": f"{word}@example.org"}, 201)
    for email in (f"{alike}@example.org", f"{word[0]}\u200d{word[1:]}@example.org"):
        refused = problem(house.client.post(path, json={**body, "email": email}), 422)
        assert refused["code"] == "address_looks_like_another"
